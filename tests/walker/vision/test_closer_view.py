"""Text too small to be read at the size on the page is read at the picture's intrinsic size."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.sites.pages_on_loopback import serve
from tests.walker.cli.program import walker_here

LINES = [("Rope", "3.90"), ("Lantern", "12.40"), ("Compass", "71.15"), ("Anchor", "88.25")]
LIST = "".join(
    f'<text x="80" y="{150 + 90 * at}" font-size="30" font-family="sans-serif">{name}</text>'
    f'<text x="1100" y="{150 + 90 * at}" font-size="30" font-family="sans-serif">{cost} EUR</text>'
    for at, (name, cost) in enumerate(LINES)
)
SMALL = "".join(
    f'<text x="40" y="{100 + 40 * at}" font-size="13" font-family="sans-serif">{name}</text>'
    f'<text x="1100" y="{100 + 40 * at}" font-size="13" font-family="sans-serif">{cost} EUR</text>'
    for at, (name, cost) in enumerate(LINES)
)


def board(lines: list[tuple[str, str]], letters: int = 30, height: int = 660) -> str:
    """A price list 1560 pixels across."""
    text = "".join(
        f'<text x="80" y="{100 + 70 * at}" font-size="{letters}" font-family="sans-serif">{name}</text>'
        f'<text x="1100" y="{100 + 70 * at}" font-size="{letters}" font-family="sans-serif">{cost} EUR</text>'
        for at, (name, cost) in enumerate(lines)
    )
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="1560" height="{height}">{text}</svg>'


PAGES: dict[str, str | bytes] = {
    "/": '<html lang=en><title>Shop</title><h1>Shop</h1><p>Things for the sea.</p><a href="/prices">Prices</a>',
    "/prices": (
        "<html lang=en><title>Prices</title><h1>Our prices</h1><p>All prices are on the board.</p>"
        '<img src="/board.svg" width=195 height=82>'
    ),
    "/board.svg": f'<svg xmlns="http://www.w3.org/2000/svg" width="1560" height="660">{LIST}</svg>',
}


def test_a_board_shown_at_an_eighth_of_its_size_is_read(tmp_path: Path) -> None:
    with serve(PAGES) as base:
        ended = walker_here("ask", base, "What is the price of the compass?", folder=tmp_path)
    assert (ended.code, ended.out.splitlines()[0]) == (0, "71.15 EUR"), ended.err
    (run,) = (tmp_path / "runs").glob("2*")
    assert '"scale":4.0' in (run / "events.jsonl").read_text()
    replayed = walker_here("replay", str(run), folder=tmp_path)
    assert replayed.code == 0, replayed.err


def prices(body: str, **boards: str) -> dict[str, str | bytes]:
    head = "<html lang=en><title>Prices</title><h1>Our prices</h1><p>All prices are on the board.</p>"
    return {"/": PAGES["/"], "/prices": head + body, **{f"/{name}.svg": drawn for name, drawn in boards.items()}}


def asked_and_replayed(pages: dict[str, str | bytes], folder: Path) -> list[dict[str, Any]]:
    """The events of a walk that finds the price of the compass, and replays."""
    with serve(pages) as base:
        ended = walker_here("ask", base, "What is the price of the compass?", folder=folder)
    assert (ended.code, ended.out.splitlines()[0]) == (0, "71.15 EUR"), ended.err
    (run,) = (folder / "runs").glob("2*")
    for more in ((), ("--deep",)):
        replayed = walker_here("replay", str(run), *more, folder=folder)
        assert replayed.code == 0, replayed.err
    assert "enlarging a part of image" in ended.err
    return [json.loads(line) for line in (run / "events.jsonl").read_text().splitlines()]


def test_the_built_in_explorer_crops_what_the_gate_left_small(tmp_path: Path) -> None:
    """Two boards are drawn larger with the page; the answer stands on the third."""
    image = "<h2>Prices, board {0}</h2><img src=/{0}.svg width=195 height=82>"
    pages = prices(
        "".join(image.format(name) for name in "abc"),
        a=board([("Rope", "3.90"), ("Lantern", "12.40"), ("Bell", "5.15")]),
        b=board([("Anchor", "88.25"), ("Oar", "17.30"), ("Buoy", "21.60")]),
        c=board([("Compass", "71.15"), ("Sextant", "140.20"), ("Chart", "9.75")]),
    )
    events = asked_and_replayed(pages, tmp_path)
    (crop,) = [event["d"] for event in events if event["k"] == "crop"]
    assert (crop["image_index"], crop["number"], crop["scale"], crop["failure"]) == (3, 4, 4.0, "")
    drawn = [event["d"] for event in events if event["k"] == "call" and event["d"]["method"] == "see"]
    assert drawn[-1]["request"]["box"]["width"] == 195


def test_text_of_five_pixels_that_was_misread_is_read_again(tmp_path: Path) -> None:
    small = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="254" viewBox="0 0 1560 660">' + SMALL + "</svg>"
    )
    events = asked_and_replayed(prices("<img src=/a.svg width=600 height=254>", a=small), tmp_path)
    assert [event["d"]["image_index"] for event in events if event["k"] == "crop"] == [1]
