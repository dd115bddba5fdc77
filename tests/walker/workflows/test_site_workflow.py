"""A workflow that searches a site by its browser: pages of hits, pages, passages; replayed without the site."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.walker.cli.program import walker_here
from traces.events import PageObserved, PassagesFound
from traces.reading.reader import read_run
from walker.demo.server import serve_institute
from walker.seams.searches import is_search

pytestmark = pytest.mark.usefixtures("kept_chromium")
QUESTION = "What is the greatest depth of water in the tidal flume?"


@pytest.fixture(scope="module")
def institute() -> Iterator[str]:
    with serve_institute() as root:
        yield root


def test_a_site_is_searched_by_its_browser_and_replayed_without_it(institute: str, tmp_path: Path) -> None:
    flags = ("--workflow", "retrieval", "--hits", "4", "--passages", "12", "--scout-pages", "30", "--json", "-q")
    asked = walker_here("ask", institute, QUESTION, *flags, folder=tmp_path)
    outcome = json.loads(asked.out)
    assert asked.code == 0, asked.err
    assert "1.8 m" in outcome["answer"]
    assert outcome["citations"][0]["url"].endswith("/lab/tidal-flume.html")
    events = read_run(tmp_path / outcome["trace"]).events
    observed = [event.url for event in events if isinstance(event, PageObserved)]
    assert [is_search(url) for url in observed[:2]] == [False, True]
    assert 1 <= outcome["pages"] <= 4
    (found,) = [event for event in events if isinstance(event, PassagesFound)]
    assert len(found.passages) <= 12
    for more in ((), ("--deep",)):
        replayed = walker_here("replay", outcome["trace"], "--json", *more, folder=tmp_path)
        again = json.loads(replayed.out)["outcome"]
        assert (again["answer"], again["citations"], again["confidence"], again["pages"]) == (
            outcome["answer"], outcome["citations"], outcome["confidence"], outcome["pages"],
        )  # fmt: skip
    assert walker_here("verify", outcome["trace"], folder=tmp_path).code == 0


def test_a_root_that_cannot_be_had_is_told(tmp_path: Path) -> None:
    ended = walker_here("ask", "http://127.0.0.1:9/", QUESTION, "--workflow", "retrieval", "-q", folder=tmp_path)
    assert ended.code == 1
    assert "the first page cannot be had" in ended.err
