from __future__ import annotations

import json
import os
from pathlib import Path

import msgspec
import pytest
import pytest_asyncio

from memory.counting.requirement import Requirement
from memory.findings import Item
from perception.document.dom import parse_page
from perception.images.image import decode_picture, is_blank, size_of
from tests.fixtures.paper import HOME, PAGES, page
from tests.fixtures.recorded_walk import record
from tests.recordings.make import FOLDER
from tests.sites.pages_on_loopback import serve
from tests.walker.cli.program import walker_here
from traces.reading.reader import read_run
from walker.asking import ask
from walker.browser.launch.chromium import Chromium
from walker.browser.launch.find_chromium import find_browser
from walker.browser.launch.kept_chromium import keep_chromium
from walker.errors import UsageError
from walker.runs.count_provenance import Account, account_for
from walker.runs.recorded_run import open_run
from walker.runs.unit_places import MARGIN, PagesOfSteps, find_element
from walker.seams.task_analysis import TaskAnalysis
from walker.settings import Settings
from walker.walk.walk_events import task_analysed

TWICE = dict(PAGES) | {
    HOME + "people.html?page=2": page(
        "People",
        "<p>These people work at the station; the list goes on over two pages, 4-5 of 5.</p><h2>People of the station</h2>"
        '<ul class="people"><li><a href="/p/3">Cem Kaya</a></li><li><a href="/p/5">Emil Berg</a></li></ul>',
    ),
}


def account_of(folder: Path) -> Account:
    run = open_run(folder)
    return account_for(run, PagesOfSteps(run))


def test_each_unit_has_its_page_and_address() -> None:
    account = account_of(FOLDER / "count")
    assert (account.found, account.complete, account.mode, account.noun) == (5, True, "exhaustive", "people")
    assert [unit.name for unit in account.units] == ["Ana Ruiz", "Bo Lind", "Cem Kaya", "Dora Papp", "Emil Berg"]
    assert [(unit.number, unit.step) for unit in account.units] == [(1, 2), (2, 2), (3, 2), (4, 3), (5, 3)]
    assert account.units[3].key == "http://reef.example/p/4"
    assert (account.rejected, account.units[0].merged) == ((), ())


async def test_what_was_met_twice_is_told_with_its_reason(tmp_path: Path) -> None:
    await record(tmp_path / "run", "How many people are listed on the 'People' page?", pages=TWICE)
    account = account_of(tmp_path / "run")
    assert [unit.name for unit in account.units] == ["Ana Ruiz", "Bo Lind", "Cem Kaya", "Emil Berg"]
    (merge,) = account.units[2].merged
    assert (merge.name, merge.into, merge.reason, merge.step) == ("Cem Kaya", "Cem Kaya", "same key", 3)


async def test_what_a_quota_turned_away_is_told(tmp_path: Path) -> None:
    await record(tmp_path / "run", "Name two people who are listed on the 'People' page.")
    account = account_of(tmp_path / "run")
    assert (account.mode, account.target, account.found) == ("quota", 2, 2)
    assert [rejected.name for rejected in account.rejected] == ["Cem Kaya"]
    assert account.rejected[0].reason == "the 2 that were asked for had been found"


def test_a_walk_that_counted_nothing_says_so(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="its question asks for no number"):
        account_of(FOLDER / "single")
    with pytest.raises(UsageError, match="there is no run there"):
        account_of(tmp_path)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def drawn(tmp_path_factory: pytest.TempPathFactory, chromium: Chromium) -> tuple[Path, Account]:
    """A count by a real browser, with a picture of every page."""
    pages = {url.removeprefix(HOME[:-1]): content for url, content in PAGES.items() if isinstance(content, str)}
    path = os.environ.get("WALKER_CHROMIUM", "")
    settings = Settings(runs_folder=tmp_path_factory.mktemp("drawn"), pictures=True, chromium=path)
    with serve(pages) as root, keep_chromium(find_browser(), chromium):
        outcome = await ask(root + "/", "How many people are listed on the 'People' page?", settings=settings)
    return Path(outcome.trace), account_of(Path(outcome.trace))


def test_each_unit_has_its_element_and_box_and_is_seen_in_its_crop(drawn: tuple[Path, Account]) -> None:
    folder, account = drawn
    pages = PagesOfSteps(read_run(folder))
    assert account.found == 5
    for unit in account.units:
        place = unit.place
        assert place.selector.endswith("a:nth-of-type(1)")
        assert place.box is not None
        assert place.element > 0
        crop, (left, top, right, bottom) = decode_picture(pages.crop_of(unit.step, place)), place.region
        assert size_of(crop) == (right - left, bottom - top)
        assert abs(right - left - place.box.width - 2 * MARGIN) <= 2
        assert not is_blank(crop), "its name is drawn"
    boxes = [(unit.step, unit.place.box) for unit in account.units]
    assert len(set(map(str, boxes))) == 5


def test_a_person_gets_the_crops_as_files(drawn: tuple[Path, Account], tmp_path: Path) -> None:
    folder, account = drawn
    told = walker_here("why", str(folder), "4", "--crops", "shown", folder=tmp_path).out.splitlines()
    assert any(line.endswith("unit-004.png") for line in told), told
    assert [file.name for file in (tmp_path / "shown").iterdir()] == ["unit-004.png"]
    place = json.loads(walker_here("why", str(folder), "4", "--json", folder=tmp_path).out)["place"]
    assert place["element"] == account.units[3].place.element
    bare = walker_here("why", str(FOLDER / "count"), "1", "--crops", "none", folder=tmp_path).out
    assert "shown in no recorded picture" in bare


TABLE = (
    "<nav><a href='/p/1'>Ana Ruiz</a></nav><table><tr><td>Ana Ruiz</td><td>diver</td></tr>"
    "<tr id=lead><td>Bo Lind</td><td>leads <b>Ana Ruiz</b></td></tr></table><script>'Bo Lind | leads Ana Ruiz'</script>"
)


@pytest.mark.parametrize(
    ("name", "quote", "key", "found"),
    [
        ("Ana Ruiz", "Ana Ruiz | diver", "http://a/p/1", "td"),
        ("Ana Ruiz", "Bo Lind | leads Ana Ruiz", "", "b"),
        ("Bo", "nowhere", "", "td"),
        ("nobody", "", "http://a/p/1", "a"),
        ("nobody", "", "", None),
    ],
)
def test_an_element_is_found_by_quote_then_address_then_name(
    name: str, quote: str, key: str, found: str | None
) -> None:
    item = Item(name=name, page_url="http://a/", step=1, quote=quote, key=key)
    element = find_element(parse_page(TABLE), "http://a/", item)
    assert (element.tag if element is not None else None) == found


async def test_what_the_analysis_says_of_the_counted_things_is_told(tmp_path: Path) -> None:
    await record(tmp_path / "run", "How many people are listed on the 'People' page?")
    said = TaskAnalysis(by="model", requirement=Requirement(mode="exhaustive", noun="people"), constraint="of the crew")
    assert _with_analysis(tmp_path / "run", said).constraint == "of the crew"
    with pytest.raises(UsageError, match="its model took the number for one that the site states"):
        _with_analysis(tmp_path / "run", TaskAnalysis(by="model"))


def _with_analysis(folder: Path, said: TaskAnalysis) -> Account:
    run = open_run(folder)
    run = msgspec.structs.replace(run, events=(run.events[0], task_analysed(1, said), *run.events[1:]))
    return account_for(run, PagesOfSteps(open_run(folder)))
