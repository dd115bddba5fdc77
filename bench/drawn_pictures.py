"""Pages whose picture alone answers a question, or does not, drawn by lot: boards, timetables, posters, diagrams, charts and dialogs,
as vectors or as few pixels that OCR misreads."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import msgspec
import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
from gate_pages.archetype import svg, words
from gate_pages.facts import GOODS, PEOPLE, TOWNS
from small_print import WARES

LETTERS = (3, 3, 4, 4, 5, 6, 8, 12)
"""Heights of capital letters in pixels."""
VECTORS = 0.4
"""Share of the pictures that show more where they are drawn larger."""
ABSENT = 3
"""Of so many pages one is asked for what its picture does not say."""

Text = tuple[float, float, str, float]
"""Left and base line in letter heights, the text, and its size in the same."""


class DrawnPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page, its picture, and what is asked."""

    kind: str
    files: dict[str, str | bytes]
    """By path; the page is `/page`."""
    question: str
    answer: str
    is_there: bool
    """Whether the picture says the answer."""


class _Matter(msgspec.Struct, frozen=True, kw_only=True):
    heading: str
    texts: tuple[Text, ...]
    asked: str
    answer: str
    called: str
    """What the question may call the picture."""


def drawn_page(seed: int) -> DrawnPage:
    """The page of a number, the same every time."""
    chance = random.Random(f"drawn {seed}")
    kind = tuple(KINDS)[seed % len(KINDS)]
    is_there = bool((seed // len(KINDS)) % ABSENT)
    matter = KINDS[kind](chance, is_there)
    file, picture, size = _drawn(matter.texts, chance.choice(LETTERS), chance)
    pointed = chance.choice((f"In the {matter.called}, ", "", "", f"According to the {matter.called}, "))
    asked = pointed + matter.asked if pointed else matter.asked[0].upper() + matter.asked[1:]
    prose = chance.sample(PROSE, 3)
    body = f"<p>{prose[0]}</p><h2>{matter.heading}</h2><p><img src=/{file} {size}></p><p>{prose[1]} {prose[2]}</p>"
    head = f"<html lang=en><title>{matter.heading}</title><h1>The old harbour</h1>"
    files: dict[str, str | bytes] = {"/page": head + body, f"/{file}": picture}
    return DrawnPage(kind=kind, files=files, question=asked, answer=matter.answer, is_there=is_there)


PROSE = (
    "A fee of 4.50 EUR is asked for parcels, whatever is in them.",
    "The society was founded in 1921 and has looked after the quay and its 14 lamps ever since.",
    "Ask at the desk between 9:00 and 17:30 before you climb the tower.",
    "In winter the lower path is closed, and the ferry leaves from the eastern pier, ten minutes from the market.",
    "Members meet on the first Thursday of the month; the next meeting is on 6 May 2027.",
    "Version 3.2 of the leaflet has put an error right, and can be had from Ida Holm in the library.",
)


def _one_of(names: Sequence[str], count: int, chance: random.Random, *, is_there: bool) -> tuple[list[str], str]:
    """So many names, and one of them that is asked for, or one that is not among them."""
    chosen = chance.sample(names, count + 1)
    return chosen[:count], chance.choice(chosen[:count]) if is_there else chosen[count]


def _board(chance: random.Random, is_there: bool) -> _Matter:
    wares, asked = _one_of(chance.choice((WARES, GOODS)), 8, chance, is_there=is_there)
    prices = {ware: f"{chance.randint(200, 19_999) / 100:.2f}" for ware in (*wares, asked)}
    texts = [
        text
        for at, ware in enumerate(wares)
        for text in ((1, 2 + 2.2 * at, ware, 1), (20, 2 + 2.2 * at, f"{prices[ware]} EUR", 1))
    ]
    return _Matter(
        heading="Prices of this season",
        texts=tuple(texts),
        asked=f"what is the price of the {asked.lower()}?",
        answer=prices[asked],
        called="picture of the board",
    )


def _timetable(chance: random.Random, is_there: bool) -> _Matter:
    towns, asked = _one_of(TOWNS, 6, chance, is_there=is_there)
    heads = ("Town", "First ferry", "Last ferry", "Fare")
    rows = {
        town: (
            f"{chance.randint(5, 11)}:{chance.randint(10, 59)}",
            f"{chance.randint(17, 23)}:{chance.randint(10, 59)}",
            f"{chance.randint(2, 19)}.50",
        )
        for town in (*towns, asked)
    }
    grid = [heads, *((town, *rows[town]) for town in towns)]
    texts = tuple(
        (1 + 13.0 * across, 2 + 2.2 * down, text, 1.0)
        for down, row in enumerate(grid)
        for across, text in enumerate(row)
    )
    column = chance.choice((0, 1))
    which = ("first", "last")[column]
    return _Matter(
        heading="Ferries",
        texts=texts,
        asked=f"at what time does the {which} ferry from {asked} leave?",
        answer=rows[asked][column],
        called="timetable in the picture",
    )


def _poster(chance: random.Random, is_there: bool) -> _Matter:
    things, asked = _one_of(("Lantern", "Herring", "Rope", "Oyster", "Shanty", "Kite"), 1, chance, is_there=is_there)
    town, person = chance.choice(TOWNS), chance.choice(PEOPLE)
    day = f"{chance.randint(2, 28)} {chance.choice(('June', 'July', 'August'))} {chance.randint(2019, 2029)}"
    texts = (
        (2.0, 4.0, f"{things[0]} Festival", 2.2),
        (2.0, 7.0, day, 1.2),
        (2.0, 9.5, f"Market square, {town}", 1.0),
        (2.0, 12.0, f"Host: {person}", 1.0),
        (2.0, 14.5, f"Tickets {chance.randint(5, 30)}.00 EUR", 1.0),
    )
    wanted, answer = chance.choice(
        (
            (f"on which day is the {asked} Festival?", day),
            (f"who is the host of the {asked} Festival?", person),
            (f"in which town is the {asked} Festival?", town),
        )
    )
    return _Matter(heading="Summer by the sea", texts=texts, asked=wanted, answer=answer, called="poster")


def _diagram(chance: random.Random, is_there: bool) -> _Matter:
    names, asked = _one_of(
        ("Firewall", "Router", "Mail server", "Web server", "Printer", "Laptop", "Backup"), 5, chance, is_there=is_there
    )
    address = {
        name: f"10.{chance.randint(1, 99)}.{chance.randint(0, 99)}.{chance.randint(2, 250)}" for name in (*names, asked)
    }
    places = [(2 + 16.0 * (at % 3), 3 + 7.0 * (at // 3)) for at in range(len(names))]
    texts = [
        text
        for name, (x, y) in zip(names, places, strict=True)
        for text in ((x, y, name, 1.0), (x, y + 1.6, address[name], 1.0))
    ]
    return _Matter(
        heading="The network of the harbour",
        texts=tuple(texts),
        asked=f"which address does the {asked.lower()} have?",
        answer=address[asked],
        called="network diagram",
    )


def _chart(chance: random.Random, is_there: bool) -> _Matter:
    towns, asked = _one_of(TOWNS, 5, chance, is_there=is_there)
    boats = {town: str(chance.randint(12, 480)) for town in (*towns, asked)}
    texts = [
        text
        for at, town in enumerate(towns)
        for text in ((3 + 9.0 * at, 3 + chance.random() * 8, boats[town], 1.0), (2 + 9.0 * at, 16.0, town, 1.0))
    ]
    return _Matter(
        heading="Boats by town",
        texts=tuple(texts),
        asked=f"how many boats does {asked} have?",
        answer=boats[asked],
        called="chart",
    )


def _dialog(chance: random.Random, is_there: bool) -> _Matter:
    fields = {
        "Publisher": chance.choice(PEOPLE),
        "Version": f"{chance.randint(1, 9)}.{chance.randint(0, 20)}.{chance.randint(0, 9)}",
        "Size": f"{chance.randint(11, 980)} MB",
        "Folder": f"C:/{chance.choice(GOODS).split()[0]}",
        "Licence": chance.choice(("MIT", "GPL-3.0", "BSD-2")),
        "Port": str(chance.randint(1024, 9999)),
    }
    names, asked = _one_of(tuple(fields), 4, chance, is_there=is_there)
    by_colon = chance.random() < 0.5
    texts: list[Text] = [(1, 2, "Tide Tables - Properties", 1.1)]
    for at, name in enumerate(names):
        y = 5 + 2.4 * at
        texts += (
            [(1, y, f"{name}: {fields[name]}", 1.0)] if by_colon else [(1, y, name, 1.0), (14, y, fields[name], 1.0)]
        )
    return _Matter(
        heading="The program",
        texts=tuple(texts),
        asked=f"which {asked.lower()} does the program Tide Tables have?",
        answer=fields[asked],
        called="screenshot",
    )


KINDS: dict[str, Callable[[random.Random, bool], _Matter]] = {
    "board": _board,
    "timetable": _timetable,
    "poster": _poster,
    "diagram": _diagram,
    "chart": _chart,
    "dialog": _dialog,
}
LEAST_WIDE, LEAST_HIGH = 330, 180
"""Pixels of a picture, which is no icon then."""
CAPITAL, OWN, LARGE = 0.72, 20, 44
"""Height of a capital letter of a font, as a share of its size; its pixels in a vector picture, which is shown smaller, and in one of
pixels before that is shrunk."""


def _drawn(texts: Sequence[Text], letters: int, chance: random.Random) -> tuple[str, bytes, str]:
    """Name, content and size of a picture with letters so many pixels high."""
    wide = max(LEAST_WIDE / letters, max(x + 0.95 * size * len(text) for x, _, text, size in texts) + 2)
    high = max(LEAST_HIGH / letters, max(y for _, y, _, _ in texts) + 2)
    if chance.random() < VECTORS:
        inner = "".join(words(x * OWN, y * OWN, text, round(OWN / CAPITAL * scale)) for x, y, text, scale in texts)
        own = svg(round(wide * OWN), round(high * OWN), inner)
        return "picture.svg", own.encode(), _size(wide * letters, high * letters)
    large = np.full((round(high * LARGE), round(wide * LARGE), 3), 250, dtype=np.uint8)
    for x, y, text, scale in texts:
        place = round(x * LARGE), round(y * LARGE)
        cv2.putText(
            large, text, place, cv2.FONT_HERSHEY_SIMPLEX, 2.0 * scale, (30, 30, 30), round(5 * scale), cv2.LINE_AA
        )
    small = cv2.resize(large, None, fx=letters / LARGE, fy=letters / LARGE, interpolation=cv2.INTER_AREA)
    blur = chance.choice((0.0, 0.0, 0.5, 0.8))
    small = cv2.GaussianBlur(small, (0, 0), blur) if blur else small
    quality = chance.choice((40, 70, 90))
    done, data = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, quality])
    assert done, "a picture can be written as JPEG"
    return "picture.jpg", data.tobytes(), _size(small.shape[1], small.shape[0])


def _size(width: float, height: float) -> str:
    return f"width={round(width)} height={round(height)}"
