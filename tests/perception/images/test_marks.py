"""Marks hide neither what they mark nor each other."""

from __future__ import annotations

import random

import numpy as np
import pytest

from perception.element_map import ElementKind, PageElement
from perception.geometry import Box, CoordinateFrame
from perception.images.image import Picture
from perception.images.marks import choose_marked, mark_picture

WHITE: Picture = np.full((800, 1280, 3), 255, np.uint8)
FRAME = CoordinateFrame(shown=Box(x=0, y=0, width=1280, height=800), width=1280, height=800)


def element(number: int, x: float, y: float, width: float, height: float, **more: object) -> PageElement:
    kind: ElementKind = more.pop("kind", "control")  # type: ignore[assignment]
    return PageElement(
        id=number,
        kind=kind,
        role="button",
        name=f"n{number}",
        text="",
        x=x,
        y=y,
        width=width,
        height=height,
        **more,  # type: ignore[arg-type]
    )


def layout(seed: int) -> list[PageElement]:
    """A page of rows: links with text, buttons side by side, pictures."""
    chance, y = random.Random(seed), 20.0
    made: list[PageElement] = []
    while y < 700 and len(made) < 55:
        height, x = chance.choice((18, 24, 32, 40, 90)), 20.0
        while x < 1150:
            width = chance.choice((24, 40, 80, 120, 200))
            kind = chance.choice(("control", "link", "link", "figure"))
            made.append(element(len(made) + 1, x, y, width, height, kind=kind))
            x += width + chance.choice((18, 30, 60, 200))
        y += height + chance.choice((16, 24, 40))
    return made


@pytest.mark.parametrize("seed", range(50))
def test_labels_lie_apart_inside_the_picture_and_off_what_they_mark(seed: int) -> None:
    elements = layout(seed)
    marked = mark_picture(WHITE, FRAME, elements)
    labels = list(marked.labels.values())
    assert len(labels) == len(marked.table) > 3
    for number, label in enumerate(labels):
        assert 0 <= label.x <= label.right <= 1280
        assert 0 <= label.y <= label.bottom <= 800
        assert not any(label.overlap(other) for other in labels[:number])
    hidden = sum(label.overlap(one.box) for label in labels for one in marked.table.values())
    area = sum(one.box.area for one in marked.table.values())
    assert hidden / area < 0.02
    assert (np.asarray(marked.picture) != WHITE).any(axis=2).mean() < 0.12


def test_a_dense_toolbar_keeps_its_icons_visible() -> None:
    tools = [element(at + 1, 20 + 34 * at, 300, 32, 32) for at in range(30)]
    marked = mark_picture(WHITE, FRAME, tools)
    assert len(marked.table) == 30
    for number, one in marked.table.items():
        inner = one.box.grown(-2)
        assert sum(label.overlap(inner) for label in marked.labels.values()) < 0.1 * inner.area, number


def test_doubles_containers_and_what_is_not_seen_get_no_number() -> None:
    elements = [
        element(1, 100, 100, 200, 60, kind="link"),
        element(2, 102, 101, 197, 58, kind="figure", figure="img"),
        element(3, 110, 105, 40, 40, kind="figure", figure="svg"),
        element(4, 500, 100, 60, 30, unseen="covered"),
        element(5, 700, 100, 60, 30, kind="text"),
        element(6, 900, 100, 2, 2),
        element(7, 5000, 100, 50, 50),
        element(8, 900, 300, 60, 30),
    ]
    assert [one.id for one in choose_marked(elements, FRAME, 60)] == [1, 8]


def test_controls_come_before_pictures_where_there_are_too_many() -> None:
    elements = [element(at + 1, 50 + 90 * at, 100, 60, 30, kind="figure" if at % 2 else "control") for at in range(10)]
    assert [one.kind for one in choose_marked(elements, FRAME, 5)] == ["control"] * 5


def test_the_picture_that_was_given_is_not_drawn_upon_and_the_edge_holds() -> None:
    corner = [element(1, 0, 0, 30, 20), element(2, 1250, 780, 30, 20)]
    marked = mark_picture(WHITE, FRAME, corner)
    assert (WHITE == 255).all()
    assert (marked.picture != 255).any()
    tiny = np.full((10, 12, 3), 255, np.uint8)
    small = CoordinateFrame(shown=Box(x=0, y=0, width=12, height=10), width=12, height=10)
    assert len(mark_picture(tiny, small, [element(1, 0, 0, 12, 10)]).labels) == 1


def test_marks_are_the_same_every_time() -> None:
    one, other = mark_picture(WHITE, FRAME, layout(3)), mark_picture(WHITE, FRAME, layout(3))
    assert one.labels == other.labels
    assert (one.picture == other.picture).all()
