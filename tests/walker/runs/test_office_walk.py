"""Walks whose answers stand in a workbook and in a Word file: real browser, real server, then their replays without the site."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.sites.office_site import serve_office
from tests.sites.serving import LoopbackSite
from walker.asking import ask
from walker.browser.launch.chromium import Chromium
from walker.browser.launch.find_chromium import find_browser
from walker.browser.launch.kept_chromium import keep_chromium
from walker.runs.browser_replay import replay_in_browser
from walker.runs.replay import replay_run
from walker.runs.verification import verify_run
from walker.seams.outcome import Outcome
from walker.settings import Settings

CHROMIUM = os.environ.get("WALKER_CHROMIUM", "")


@pytest.fixture(scope="module")
def site() -> Iterator[LoopbackSite]:
    with serve_office() as server:
        yield server


async def walked(site: LoopbackSite, question: str, folder: Path, chromium: Chromium) -> Outcome:
    settings = Settings(runs_folder=folder, network=True, chromium=CHROMIUM, page_seconds=60, scout_pages=0)
    with keep_chromium(find_browser(), chromium):
        return await ask(site.home, question, settings=settings)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def of_a_workbook(site: LoopbackSite, tmp_path_factory: pytest.TempPathFactory, chromium: Chromium) -> Path:
    outcome = await walked(site, "What is the height of Sydby?", tmp_path_factory.mktemp("office"), chromium)
    assert outcome.answer == "18.2 metres"
    (citation,) = outcome.citations
    assert citation.url == site.home + "files/towers.xlsx#sheet=One"
    assert citation.place == "sheet One"
    assert "Sydby | 18.2 metres" in citation.quote
    return Path(outcome.trace)


async def test_an_answer_from_a_workbook_names_its_sheet_and_replays(of_a_workbook: Path) -> None:
    for deep in (False, True):
        report = await replay_run(of_a_workbook, deep=deep)
        assert report.problems == ()
        assert report.outcome is not None
        assert report.outcome.citations[0].place == "sheet One"
    assert (await verify_run(of_a_workbook)).is_equal


@pytest.mark.usefixtures("kept_chromium")
async def test_a_browser_that_is_served_from_the_recording_shows_the_same_page(of_a_workbook: Path) -> None:
    report = await replay_in_browser(of_a_workbook, Settings(chromium=CHROMIUM, page_seconds=60))
    assert [page.rung for page in report.pages] == ["exact"] * len(report.pages), report
    assert report.unrecorded == ()


async def test_an_answer_from_a_word_file(site: LoopbackSite, tmp_path: Path, chromium: Chromium) -> None:
    outcome = await walked(site, "Who ground the lens of Nordby?", tmp_path, chromium)
    assert outcome.answer == "Ingrid Moe"
    (citation,) = outcome.citations
    assert citation.url == site.home + "files/handbook.docx"
    assert "The lens of Nordby was ground by Ingrid Moe in 1889" in citation.quote
