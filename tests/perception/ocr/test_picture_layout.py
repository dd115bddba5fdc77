"""What lies beside what, in pictures that are drawn here and read by the real OCR."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO

import pytest
from PIL import Image, ImageDraw, ImageFont

from perception.geometry import Box, CoordinateFrame
from perception.images.image import decode_picture
from perception.ocr.ocr import PaddleReader
from perception.ocr.picture_layout import Label, between, labelled_values, labels_in, neighbour
from perception.picture_lines import PlacedText

Words = Sequence[tuple[int, int, str]]


@pytest.fixture(scope="module")
def reader() -> PaddleReader:
    return PaddleReader(device="cpu")


def drawn(
    reader: PaddleReader, words: Words, boxes: Sequence[tuple[int, int, int, int]] = ()
) -> tuple[PlacedText, ...]:
    """The lines that OCR reads of words at their places, in boxes."""
    picture = Image.new("RGB", (640, 420), "white")
    pen = ImageDraw.Draw(picture)
    for box in boxes:
        pen.rectangle(box, outline="black", width=2, fill="#cde")
    for x, y, text in words:
        pen.text((x, y), text, fill="black", font=ImageFont.load_default(20))
    kept = BytesIO()
    picture.save(kept, "PNG")
    frame = CoordinateFrame(shown=Box(x=0, y=0, width=640, height=420), width=640, height=420)
    lines = reader.read(decode_picture(kept.getvalue()), frame)
    return tuple(PlacedText(text=line.text, box=line.box, confidence=line.confidence) for line in lines)


def named(labels: Sequence[Label], text: str) -> Label:
    return next(label for label in labels if label.text == text)


def test_lines_in_one_box_are_one_label_and_the_next_box_is_beside_it(reader: PaddleReader) -> None:
    words = [(60, 100, "Harbour"), (72, 122, "Mark"), (260, 100, "Berth"), (262, 122, "Mark"), (450, 110, "Unused")]
    labels = labels_in(drawn(reader, words, [(20, 60, 200, 190), (220, 60, 380, 190), (400, 60, 600, 190)]))
    assert sorted(label.text for label in labels) == ["Berth Mark", "Harbour Mark", "Unused"]
    right = neighbour(named(labels, "Harbour Mark").box, labels, "right")
    left = neighbour(named(labels, "Berth Mark").box, labels, "left")
    assert (right, left) == (named(labels, "Berth Mark"), named(labels, "Harbour Mark"))
    assert neighbour(named(labels, "Unused").box, labels, "right") is None


def test_above_and_below_keep_to_the_column(reader: PaddleReader) -> None:
    words = [(40, 40, "Tower"), (400, 40, "Crane"), (40, 180, "Storehouse"), (400, 180, "Office"), (400, 320, "Gate")]
    labels = labels_in(drawn(reader, words))
    below, above = (
        neighbour(named(labels, "Crane").box, labels, "below"),
        neighbour(named(labels, "Gate").box, labels, "above"),
    )
    assert below == above == named(labels, "Office")


def test_what_stands_at_the_arrow_between_two(reader: PaddleReader) -> None:
    words = [
        (250, 40, "Sketch"),
        (120, 150, "WORKSHOP"),
        (400, 150, "SHIPYARD"),
        (40, 260, "Model"),
        (500, 260, "Vessel"),
    ]
    labels = labels_in(drawn(reader, words))
    found = between(named(labels, "Sketch").box, named(labels, "Model").box, labels)
    assert found == named(labels, "WORKSHOP")
    assert between(named(labels, "Model").box, named(labels, "Vessel").box, labels) is None


def test_a_value_is_named_by_what_stands_left_of_it_or_above_it(reader: PaddleReader) -> None:
    words = [
        (40, 40, "Depth"),
        (300, 40, "2029"),
        (40, 80, "Draught"),
        (300, 80, "533"),
        (60, 250, "Account"),
        (70, 340, "12%"),
    ]
    pairs = {(one.label, one.value) for one in labelled_values(drawn(reader, words))}
    assert {("Depth", "2029"), ("Draught", "533"), ("Account", "12%")} <= pairs
    assert ("Depth", "533") not in pairs


def test_entries_of_a_tree_are_named_by_those_over_them(reader: PaddleReader) -> None:
    words = [
        (40, 30, "Voyage"),
        (70, 60, "Ships"),
        (100, 90, "Alba"),
        (100, 120, "Brigg"),
        (70, 150, "Crew"),
        (100, 180, "Maren"),
    ]
    pairs = {(one.over, one.label, one.value) for one in labelled_values(drawn(reader, words)) if one.by == "tree"}
    assert ("Voyage", "Ships", "Alba, Brigg") in pairs
    assert ("", "Voyage", "Ships, Crew") in pairs


def test_a_list_without_steps_is_no_tree(reader: PaddleReader) -> None:
    words = [(40, 30, "Alba"), (40, 60, "Brigg"), (40, 90, "Crew"), (40, 120, "Deck")]
    assert not [one for one in labelled_values(drawn(reader, words)) if one.by == "tree"]


def test_the_number_over_a_bar_is_of_the_name_below_it(reader: PaddleReader) -> None:
    words = [
        (60, 120, "47"),
        (50, 340, "Oderby"),
        (260, 60, "312"),
        (250, 340, "Vellmar"),
        (460, 200, "12"),
        (450, 340, "Rivna"),
    ]
    pairs = labelled_values(drawn(reader, words))
    assert {(one.label, one.value) for one in pairs if one.by == "bar"} == {
        ("Oderby", "47"),
        ("Vellmar", "312"),
        ("Rivna", "12"),
    }


def test_the_number_below_a_name_is_not_that_of_the_next_name(reader: PaddleReader) -> None:
    words = [(60, 40, "Compass"), (60, 90, "71"), (60, 140, "Lantern"), (60, 190, "12")]
    pairs = labelled_values(drawn(reader, words))
    assert not any(one.by == "bar" for one in pairs)
