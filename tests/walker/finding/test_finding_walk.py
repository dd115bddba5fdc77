"""A walk that searches and scouts is recorded, replayed offline, and resumed without asking the site for the same again."""

from __future__ import annotations

import json
import time
from collections import Counter
from pathlib import Path

import pytest

from tests.sites.pages_on_loopback import serve_site
from tests.walker.cli.program import started, walker_here
from tests.walker.finding.conftest import PAGES, QUESTION
from traces.events import EdgeCall, PageOpened, PageRejected, StackMoved
from traces.reading.reader import read_run
from walker.seams.searches import is_search

SLOW_SECONDS = 0.3


def run_of(folder: Path) -> Path:
    (path,) = (one for one in (folder / "runs").iterdir() if one.is_dir())
    return path


def test_a_question_is_answered_from_the_page_that_the_scout_found(tmp_path: Path) -> None:
    with serve_site(PAGES) as site:
        ended = walker_here("ask", site.home, QUESTION, "--json", "--scout-pages", "10", folder=tmp_path)
        browsed = walker_here("ask", site.home, QUESTION, "--json", "--no-scout", "--runs", "leafed", folder=tmp_path)
    assert browsed.code in (0, 3)
    answer = json.loads(ended.out)
    assert "1997" in answer["answer"]
    assert {citation["url"] for citation in answer["citations"]} == {site.home + "boats.html"}
    events = read_run(run_of(tmp_path)).events
    opened = [event.url for event in events if isinstance(event, PageOpened)]
    assert opened[0] == site.home
    assert is_search(opened[1])
    assert opened[2] == site.home + "boats.html"
    assert not any(isinstance(event, PageRejected) for event in events)
    assert [event.depth for event in events if isinstance(event, StackMoved)][:3] == [1, 2, 3], "hits lie on the stack"
    scouted = [event for event in events if isinstance(event, EdgeCall) and event.seam == "scout"]
    assert {event.method for event in scouted} == {"page", "file", "sitemaps"}
    (other,) = (tmp_path / "leafed").iterdir()
    assert not any(isinstance(event, EdgeCall) and event.seam == "scout" for event in read_run(other).events)


def test_it_is_replayed_verified_shown_and_compared_without_the_site(tmp_path: Path) -> None:
    with serve_site(PAGES) as site:
        asked = json.loads(walker_here("ask", site.home, QUESTION, "--json", folder=tmp_path).out)
    path = str(run_of(tmp_path))
    replayed = walker_here("replay", path, "--json", folder=tmp_path)
    assert replayed.code == 0, replayed.line
    assert json.loads(replayed.out)["outcome"]["answer"] == asked["answer"]
    assert walker_here("replay", path, "--deep", folder=tmp_path).code == 0
    assert walker_here("verify", "runs", folder=tmp_path).code == 0
    assert walker_here("view", path, "--export", "report.html", folder=tmp_path).code == 0
    assert walker_here("diff", path, path, folder=tmp_path).code == 0


@pytest.mark.parametrize("killed_after", [3, 7])
def test_a_walk_killed_while_it_scouts_goes_on_where_it_was(tmp_path: Path, killed_after: int) -> None:
    with serve_site(PAGES, seconds=SLOW_SECONDS) as site:
        with started("ask", site.home, QUESTION, "--scout-pages", "12", "-q", folder=tmp_path) as walking:
            until = time.monotonic() + 60
            while sum(path.endswith(".html") for path in site.asked) < killed_after and time.monotonic() < until:
                time.sleep(0.02)
            walking.kill()
        kept = [
            str(event.request["url"])
            for event in read_run(run_of(tmp_path)).events
            if isinstance(event, EdgeCall) and event.seam == "scout" and event.method == "page"
        ]
        before = len(site.asked)
        ended = walker_here("ask", "--resume", str(run_of(tmp_path)), "--json", folder=tmp_path)
        again = Counter(site.asked[before:])
    assert "1997" in json.loads(ended.out)["answer"]
    events = read_run(run_of(tmp_path)).events
    assert [event.url for event in events if isinstance(event, PageOpened)][2] == site.home + "boats.html"
    opened = {"/", "/boats.html"}
    repeated = {url.removeprefix(site.home.rstrip("/")) for url in kept} - opened
    assert not repeated & set(again), "what was read before is in the recording"
    assert walker_here("replay", str(run_of(tmp_path)), folder=tmp_path).code == 0


APPLICATION = """<!DOCTYPE html><html lang="en"><head><title>Reef station</title></head><body><main id="page"></main><script>
const pages = {
  "/": "<h1>Reef station</h1><p>The station has been in the lagoon for many years, and this is its handbook.</p>",
  "/first": "<h1>First</h1><p>Whoever arrives reports to the harbour office before anything else is done.</p>",
  "/second": "<h1>Second</h1><p>Fresh water is brought by the supply boat, and is not to be wasted by anybody.</p>",
  "/third": "<h1>Third</h1><p>The crew of the Mantis has nine members, all of whom live on the boat itself.</p>",
};
const names = Object.keys(pages);
const links = names.map((name) => `<li><a href="#${name}">${name}</a> <a href="#${name}?id=top">Top</a></li>`).join("");
const show = () => {
  const name = location.hash.slice(1).split("?")[0] || "/";
  document.querySelector("#page").innerHTML = pages[name] + `<nav><ul>${links}</ul></nav>`;
};
addEventListener("hashchange", show);
show();
</script></body></html>"""


def test_an_application_is_walked_in_the_browser_and_not_asked_for_over_http(tmp_path: Path) -> None:
    with serve_site({"/": APPLICATION}) as site:
        ended = walker_here(
            "ask", site.home, "How many members does the crew of the Mantis have?", "--json", folder=tmp_path
        )
        asked = Counter(site.asked)
    events = read_run(run_of(tmp_path)).events
    opened = [event.final_url.removeprefix(site.home) for event in events if isinstance(event, PageOpened)]
    answer = json.loads(ended.out)
    assert "nine" in (answer["answer"] or answer["nearest"])
    assert "#/third" in opened
    assert not any("?id=" in url for url in opened), "places on pages that were read come last"
    scouted = [
        event for event in events if isinstance(event, EdgeCall) and event.seam == "scout" and event.method == "page"
    ]
    assert len(scouted) <= 2, "the first page and its source once more"
    assert asked["/"] <= 8
