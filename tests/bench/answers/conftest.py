"""A small site with the troubles of real ones, and a question set about it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

sys.path.append(str(Path(__file__).parents[3] / "bench"))

from answers.question_set import Question, Site
from answers.serving import serve_folder
from answers.site_map import OverHttp, SiteMap, map_site

PAGES = {
    "index.html": """<!doctype html><title>The ferry line</title><h1>The ferry line</h1>
        <nav><a href="boats/">Boats</a> <a href="fares">Fares</a> <a href="/history.html#top">Our history</a>
        <a href="old.html">Harbours</a> <a href="https://example.org/">elsewhere</a></nav><p>Crossing since long ago.</p>""",
    "boats/index.html": """<title>Boats</title><h1>Our boats</h1><table><tr><th>Boat<th>Seats<tr><td>Ferry Alma<td>120
        <tr><td>Ferry Berta<td>80</table><ul><li>Alma<li>Berta<li>Cora</ul><a href="alma.html">The <em>Alma</em></a>
        <a href="deck.html"><img src="deck.png" alt="Plan of the deck"></a>""",
    "boats/alma.html": """<title>Alma</title><main><p>The “Alma” was built in 1931 – in Rostock.</p>
        <details><summary>Engine</summary><p>Her engine gives 450 horsepower.</p></details>
        <div style="display: none"><p>She sleeps in the old dock.</p></div></main>""",
    "boats/deck.html": '<title>Deck</title><p>See the plan.</p><img src="deck.png" alt="Plan of the deck">',
    "fares.html": "<title>Fares</title><h1>Fares</h1><p>A crossing costs 4.50 for adults.</p>",
    "history.html": """<title>History</title><p>The line was founded by Marta Lind.</p><p>Crossing since long ago.</p>""",
    "old.html": '<title>Moved</title><meta http-equiv="refresh" content="0; url=harbours.html">',
    "harbours.html": "<title>Harbours</title><ol><li>Northport<li>Southport</ol>",
}
PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63f8ffff3f0005fe02fea72d9d"
    "a10000000049454e44ae426082"
)


def made_question(**given: object) -> Question:
    """A question that passes every check, with other values where they are given."""
    right = {
        "id": "ferry-001",
        "site": "ferry",
        "root": "index.html",
        "question": "In which year was the ferry Alma built?",
        "answer": "1931",
        "kind": "single",
        "sources": ["boats/alma.html"],
        "evidence": ["The “Alma” was built in 1931"],
        "depth": [2],
        "difficulty": "easy",
    }
    return msgspec.convert(right | given, Question)


@pytest.fixture(scope="session")
def site() -> Site:
    return msgspec.convert(
        {
            "name": "ferry",
            "kind": "organisation",
            "language": "en",
            "half": "building",
            "pages": "static",
            "root": "index.html",
            "what": "a ferry line",
            "licence": "none",
            "source": {"debian": "ferry-doc", "folder": "usr/share/doc/ferry"},
        },
        Site,
    )


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("ferry")
    for name, text in PAGES.items():
        (home / name).parent.mkdir(exist_ok=True)
        (home / name).write_text(text, encoding="utf-8")
    (home / "boats" / "deck.png").write_bytes(PIXEL)
    return home


@pytest.fixture(scope="session")
def base(folder: Path) -> Iterator[str]:
    with serve_folder(folder) as served:
        yield served


@pytest.fixture(scope="session")
def ferry(base: str) -> SiteMap:
    with OverHttp(base) as fetch:
        return map_site("index.html", fetch)
