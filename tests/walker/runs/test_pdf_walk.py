"""Walks whose answer stands in a PDF: real browser, real server, then their replays without the site."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.sites.pdf_site import serve_pdfs
from tests.sites.serving import LoopbackSite
from tests.walker.cli.program import walker_here
from walker.asking import ask
from walker.browser.launch.chromium import Chromium
from walker.browser.launch.find_chromium import find_browser
from walker.browser.launch.kept_chromium import keep_chromium
from walker.runs.browser_replay import replay_in_browser
from walker.runs.replay import replay_run
from walker.runs.verification import verify_run
from walker.settings import Settings

QUESTION = "In which year was the ferry Halcyon launched?"
CHROMIUM = os.environ.get("WALKER_CHROMIUM", "")


@pytest.fixture(scope="module")
def site() -> Iterator[LoopbackSite]:
    with serve_pdfs() as server:
        yield server


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def recorded(site: LoopbackSite, tmp_path_factory: pytest.TempPathFactory, chromium: Chromium) -> Path:
    """A walk from the front page, with its network."""
    folder = tmp_path_factory.mktemp("pdf")
    settings = Settings(runs_folder=folder, network=True, chromium=CHROMIUM, page_seconds=60, scout_pages=0)
    with keep_chromium(find_browser(), chromium):
        outcome = await ask(site.home, QUESTION, settings=settings)
    assert outcome.answer == "1987"
    (citation,) = outcome.citations
    assert citation.url == site.home + "files/report.pdf#page=2"
    assert citation.page == 2
    assert "Halcyon was launched in 1987" in citation.quote
    return Path(outcome.trace)


async def test_the_replays_are_equal(recorded: Path) -> None:
    for deep in (False, True):
        report = await replay_run(recorded, deep=deep)
        assert report.problems == ()
        assert report.outcome is not None
        assert report.outcome.citations[0].page == 2
    assert (await verify_run(recorded)).is_equal


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def searched(site: LoopbackSite, tmp_path_factory: pytest.TempPathFactory, chromium: Chromium) -> Path:
    """A walk for what the site does not say: it reads all files, the one that cannot be read among them."""
    folder = tmp_path_factory.mktemp("pdf-searched")
    settings = Settings(runs_folder=folder, network=True, chromium=CHROMIUM, page_seconds=60, scout_pages=0)
    with keep_chromium(find_browser(), chromium):
        outcome = await ask(site.home, "Who is the cook of the submarine Zephyr?", settings=settings)
    return Path(outcome.trace)


@pytest.mark.usefixtures("kept_chromium")
async def test_a_browser_that_is_served_from_the_recording_shows_the_same_page(searched: Path) -> None:
    report = await replay_in_browser(searched, Settings(chromium=CHROMIUM, page_seconds=60))
    assert [page.rung for page in report.pages] == ["exact"] * len(report.pages), report
    assert "large.pdf" in " ".join(page.url for page in report.pages), "what cannot be read fails again"
    assert report.unrecorded == ()


def test_a_pdf_may_be_the_root_and_the_answer_tells_the_page(site: LoopbackSite, tmp_path: Path) -> None:
    ended = walker_here("ask", site.home + "files/report.pdf", QUESTION, "--page-seconds", "60", folder=tmp_path)
    assert ended.out.startswith("1987\n"), ended.err
    assert f"{site.home}files/report.pdf#page=2 (page 2)" in ended.out


def test_a_pdf_that_cannot_be_read_as_the_root_is_one_line(site: LoopbackSite, tmp_path: Path) -> None:
    ended = walker_here("ask", site.home + "locked.pdf", QUESTION, "--page-seconds", "60", folder=tmp_path)
    assert (ended.code, ended.out) == (1, "")
    assert "it is a PDF that cannot be read: it is protected by a password" in ended.err
