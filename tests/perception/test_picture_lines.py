"""Lines of a picture that is read twice."""

from __future__ import annotations

from perception.geometry import Box
from perception.picture_lines import PictureLines, PlacedText, with_lines

WHOLE = Box(x=100, y=100, width=400, height=300)


def line(text: str, y: float, confidence: float) -> PlacedText:
    return PlacedText(text=text, box=Box(x=120, y=y, width=80, height=12), confidence=confidence)


def test_a_closer_reading_replaces_what_it_reads_more_surely() -> None:
    first = PictureLines(box=WHOLE, name="map.png", lines=(line("Pier l", 110, 0.7), line("Quay 7", 140, 0.98)))
    closer = PictureLines(box=WHOLE, lines=(line("Pier 1", 111, 0.99), line("Ouay7", 141, 0.8), line("Gate", 170, 0.9)))
    (read,) = with_lines((first,), (closer,))
    assert [one.text for one in read.lines] == ["Pier 1", "Quay 7", "Gate"]
    assert read.name == "map.png"


def test_a_part_of_a_picture_is_no_further_picture_and_another_is_one() -> None:
    first = PictureLines(box=WHOLE, lines=(line("Pier 1", 110, 0.9),))
    part = PictureLines(box=Box(x=100, y=160, width=400, height=100), lines=(line("Gate", 170, 0.9),))
    other = PictureLines(box=Box(x=100, y=900, width=400, height=300), lines=(line("Bridge", 910, 0.9),))
    assert [[one.text for one in read.lines] for read in with_lines((first,), (part, other))] == [
        ["Pier 1", "Gate"],
        ["Bridge"],
    ]
