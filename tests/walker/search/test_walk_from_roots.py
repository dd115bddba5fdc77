"""A walk from several roots: a page of our own names them, each site is walked and scouted, and a replay needs none of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.sites.pages_on_loopback import serve_site
from tests.walker.cli.program import walker_here
from tests.walker.finding.conftest import PAGES, QUESTION, page
from traces.events import EdgeCall, PageOpened
from traces.reading.reader import read_run
from walker.asking import ask
from walker.errors import NotAUrl
from walker.seams.searches import is_search, start_address
from walker.settings import Settings

MUSEUM = {
    "/": page("Museum", '<p>The museum shows boats.</p><a href="/hall.html">Hall</a>'),
    "/hall.html": page("Hall", "<p>Open at nine.</p>"),
}


@pytest.mark.parametrize("scouts", [[], ["--no-scout"]])
def test_a_question_is_answered_from_the_site_that_knows(tmp_path: Path, scouts: list[str]) -> None:
    with serve_site(PAGES) as reef, serve_site(MUSEUM) as museum, serve_site(PAGES) as stranger:
        asked = walker_here("ask", museum.home, reef.home, QUESTION, "--json", *scouts, folder=tmp_path)
        answer = json.loads(asked.out)
        assert stranger.asked == []
    assert "1997" in answer["answer"]
    assert {citation["url"] for citation in answer["citations"]} == {reef.home + "boats.html"}
    (run,) = (tmp_path / "runs").iterdir()
    events = read_run(run).events
    opened = [event.url for event in events if isinstance(event, PageOpened)]
    assert opened[0] == start_address((museum.home, reef.home))
    assert answer["pages"] == len([url for url in opened if "library.invalid" not in url]), "our own pages cost nothing"
    scouted = [event.request for event in events if isinstance(event, EdgeCall) and event.seam == "scout"]
    assert bool(scouted) == (not scouts)
    if not scouts:
        assert is_search(opened[1])
        assert {request["root"] for request in scouted if "root" in request} == {museum.home, reef.home}
    replayed = walker_here("replay", str(run), "--json", folder=tmp_path)
    assert replayed.code == 0, replayed.line
    assert json.loads(replayed.out)["outcome"]["answer"] == answer["answer"]
    assert walker_here("replay", str(run), "--deep", folder=tmp_path).code == 0


async def test_one_root_given_twice_is_one_and_none_is_an_error(tmp_path: Path) -> None:
    settings = Settings(runs_folder=tmp_path, record=False)
    with pytest.raises(NotAUrl, match="no address was given"):
        await ask((), QUESTION, settings=settings)
    with pytest.raises(NotAUrl, match="scheme is missing"):
        await ask(("https://a.example/", "b.example"), QUESTION, settings=settings)
