"""Letters too small to read as a page shows them are read at the picture's own size."""

from __future__ import annotations

from pathlib import Path

from tests.sites.pages_on_loopback import serve
from tests.walker.cli.program import walker

LINES = [("Rope", "3.90"), ("Lantern", "12.40"), ("Compass", "71.15"), ("Anchor", "88.25")]
LIST = "".join(
    f'<text x="80" y="{150 + 90 * at}" font-size="30" font-family="sans-serif">{name}</text>'
    f'<text x="1100" y="{150 + 90 * at}" font-size="30" font-family="sans-serif">{cost} EUR</text>'
    for at, (name, cost) in enumerate(LINES)
)
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
        ended = walker("ask", base, "What is the price of the compass?", folder=tmp_path, seconds=120)
    assert (ended.code, ended.out.splitlines()[0]) == (0, "71.15"), ended.err
    (run,) = (tmp_path / "runs").glob("2*")
    assert '"scale":4.0' in (run / "events.jsonl").read_text()
    replayed = walker("replay", str(run), folder=tmp_path)
    assert replayed.code == 0, replayed.err
