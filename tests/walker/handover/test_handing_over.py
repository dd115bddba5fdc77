"""A check page is opened once more in a fuller browser, or by the person; both are recorded, and a replay asks nobody."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import msgspec
import psutil
import pytest

from tests.sites.members import NAME, WORD, MembersSite
from tests.sites.serving import serving
from traces.events import EdgeCall
from traces.reading.reader import read_run
from traces.session_events import HandedOver
from walker.asking import ask, ask_in
from walker.assembly import WalkResources
from walker.browser.launch.browser_kinds import BrowserKinds
from walker.browser.playwright.movable_browser import MovableBrowser
from walker.handover import live_handover
from walker.handover.whom_to_ask import ask_by
from walker.runs.replay import replay_run
from walker.seams.outcome import Outcome, StopReason
from walker.seams.web.asked_person import Pause
from walker.seams.web.handover import Obstacle
from walker.settings import Limits, Settings

QUESTION = "When does the lighthouse open?"
HAS_XVFB = shutil.which("Xvfb") is not None


@pytest.fixture
def site() -> Iterator[MembersSite]:
    with serving(MembersSite()) as server:
        yield server


def settings(folder: Path, **more: object) -> Settings:
    return Settings(limits=Limits(pages=3, seconds=60), runs_folder=folder, scout_pages=0, **more)  # type: ignore[arg-type]


def handed_over(outcome: Outcome) -> list[HandedOver]:
    return [event for event in read_run(Path(outcome.trace)).events if isinstance(event, HandedOver)]


@pytest.mark.usefixtures("kept_chromium")
async def test_where_there_is_no_fuller_browser_the_walk_is_blocked_and_says_why(
    site: MembersSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BrowserKinds, "fuller", lambda _: None)
    used = msgspec.structs.replace(settings(tmp_path), scout_pages=None)  # the search of a scout leads no further
    outcome = await ask(f"{site.home}guarded", QUESTION, settings=used)
    assert outcome.stop_reason is StopReason.BLOCKED
    assert "--ask-me" in outcome.advice
    (event,) = handed_over(outcome)
    assert (event.by, event.obstacle) == ("nobody", "challenge page")
    assert "Xvfb" in event.note


@pytest.mark.skipif(not HAS_XVFB, reason="no Xvfb is installed")
async def test_a_check_page_is_opened_once_more_in_a_window(site: MembersSite, tmp_path: Path) -> None:
    outcome = await ask(f"{site.home}guarded", QUESTION, settings=settings(tmp_path, windows="virtual"))
    assert "9:45" in outcome.answer
    (event,) = handed_over(outcome)
    assert (event.by, event.url) == ("headed", f"{site.home}guarded")
    assert (await replay_run(Path(outcome.trace))).outcome is not None
    assert not [one for one in psutil.Process().children(recursive=True) if one.name().startswith("Xvfb")]


class Person:
    """Logs in when asked, in the browser of the walk, as a person would in its window."""

    def __init__(self, resources: WalkResources) -> None:
        self._resources = resources
        self.asked: list[Pause] = []

    async def act(self, pause: Pause) -> int:
        self.asked.append(pause)
        browser = self._resources.movable
        assert isinstance(browser, MovableBrowser)
        fill = "([name, word]) => { document.querySelector('#name').value = name; document.querySelector('#word').value = word; "
        await browser.run(fill + "document.querySelector('#go').click(); }", [NAME, WORD], seconds=5)
        for _ in range(20):
            if any(one.name == "session" for one in (await browser.state()).cookies):
                return 1
        return 0


@pytest.mark.usefixtures("kept_chromium", "window_left_out")
async def test_a_person_logs_in_and_the_walk_goes_on_with_their_cookies(site: MembersSite, tmp_path: Path) -> None:
    used = settings(tmp_path, ask_me=True)
    async with WalkResources(used) as resources:
        person = Person(resources)
        ask_by(person.act)
        outcome = await ask_in(resources, f"{site.home}members/hours", QUESTION)
    assert "9:45" in outcome.answer
    assert [one.kind for one in person.asked] == ["login wall"]
    (event,) = handed_over(outcome)
    assert event.by == "person"
    assert [(one.about, one.url) for one in outcome.helped] == [("login wall", f"{site.home}members/hours")]
    assert not outcome.by_person, "the answer is the walk's"
    calls = [
        one for one in read_run(Path(outcome.trace)).events if isinstance(one, EdgeCall) and one.seam == "handover"
    ]
    assert len(calls) == 1
    assert WORD not in str(calls[0].outcome), "nothing that was typed is recorded"
    again = await replay_run(Path(outcome.trace))
    assert again.outcome is not None
    assert again.outcome.answer == outcome.answer
    assert len(person.asked) == 1, "a replay asks nobody"


async def test_a_person_who_is_not_there_is_not_waited_for_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Pause] = []

    async def nobody(pause: Pause) -> int:
        asked.append(pause)
        return 0

    class Still:
        async def open(self, url: str) -> object:
            return url

        async def move_to(self, kind: str) -> None:
            assert kind == "headed"

    monkeypatch.setattr(BrowserKinds, "can_show", lambda _: True)
    handover = live_handover.LiveHandover(BrowserKinds(), Still(), nobody)  # type: ignore[arg-type]
    wall = Obstacle(url="http://127.0.0.1:9/", kind="login wall")
    assert [(await handover.overcome(wall)).by for _ in range(2)] == ["nobody", "nobody"]
    assert len(asked) == 1
