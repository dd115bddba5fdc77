"""One body for every implementation of the PassageSource seam."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

from memory.library.protocol import NewPage, PageLine, WholePage
from traces.manifest import RunManifest
from traces.reading.reader import read_run
from traces.recorded_calls import RecordedCalls
from traces.store.recorder import Recorder
from walker.errors import BrowserUnavailable
from walker.library.library_file import LibraryFile
from walker.library.library_passages import LibraryPassages
from walker.recording.recording import Recording
from walker.testing.scripted_passages import ScriptedPassages
from walker.workflows.passage_source import PassageSource
from walker.workflows.recorded_passages import RecordedPassages

FERRY, CANOE = "https://docs.example/ferry", "https://docs.example/canoe"
PAGES = (
    WholePage(
        url=FERRY,
        title="Ferries",
        lines=(
            PageLine(text="The ferry leaves at nine in the morning.", headings=("Ferries",)),
            PageLine(text="Ferry tickets are sold on board."),
        ),
    ),
    WholePage(url=CANOE, title="Canoes", lines=(PageLine(text="A canoe is rented by the hour."),)),
)


def library_at(path: Path) -> Path:
    with contextlib.closing(LibraryFile.write(path)) as library:
        for page in PAGES:
            library.add(NewPage(url=page.url, title=page.title, lines=page.lines))
    return path


@pytest.fixture(params=["scripted", "library", "recorded", "replayed"])
async def source(request: pytest.FixtureRequest, tmp_path: Path) -> PassageSource:
    if request.param == "scripted":
        return ScriptedPassages(PAGES)
    library = LibraryPassages(library_at(tmp_path / "boats.library"))
    if request.param == "library":
        return library
    manifest = RunManifest(run_id="x", created=1.0, question="q", root_url="https://docs.example/")
    recorder = Recorder.create(tmp_path / "run", manifest, clock=lambda: 1.0)
    recorded = RecordedPassages(library, Recording(recorder=recorder))
    if request.param == "recorded":
        return recorded
    for query, most in (("ferry", 10), ("ferry", 1), ("zeppelin", 10), ("", 10)):
        await recorded.search(query, most)
    for url in (FERRY, "https://docs.example/none"):
        await recorded.page(url)
    recorder.close()
    (tmp_path / "boats.library").unlink()
    run = read_run(tmp_path / "run")
    again = Recording(recorded_calls=RecordedCalls(run.events), blobs=run.blobs, may_go_live=False)
    return RecordedPassages(LibraryPassages(tmp_path / "boats.library"), again)


async def test_passages_come_best_first_with_the_page_that_they_stand_on(source: PassageSource) -> None:
    found = await source.search("ferry", 10)
    assert found
    assert {(one.url, one.title) for one in found} == {(FERRY, "Ferries")}
    assert "leaves at nine" in found[0].text
    await source.close()


async def test_no_more_come_than_are_asked_for_and_none_for_what_is_nowhere(source: PassageSource) -> None:
    assert len(await source.search("ferry", 1)) == 1
    assert await source.search("zeppelin", 10) == ()
    assert await source.search("", 10) == ()
    await source.close()


async def test_a_page_is_given_whole_and_none_that_is_not_there(source: PassageSource) -> None:
    page = await source.page(FERRY)
    assert page is not None
    assert page.text == "The ferry leaves at nine in the morning.\nFerry tickets are sold on board."
    assert await source.page("https://docs.example/none") is None
    await source.close()


async def test_a_library_that_is_gone_is_told(tmp_path: Path) -> None:
    with pytest.raises(BrowserUnavailable, match=r"none\.library"):
        await LibraryPassages(tmp_path / "none.library").search("ferry", 1)
