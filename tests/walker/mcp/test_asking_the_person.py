"""Where a login is in the way, the client of the server asks its person, who acts in the window."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
from mcp import Client
from mcp.client import ClientRequestContext
from mcp_types import ElicitRequestFormParams, ElicitRequestParams, ElicitResult

from tests.sites.members import NAME, WORD, MembersSite
from tests.sites.pages_on_loopback import serve
from tests.sites.serving import serving
from tests.sites.two_minds import PAGES, QUESTION
from tests.walker.mcp.serving import options
from walker.browser.launch.browser_kinds import BrowserKinds
from walker.browser.playwright.movable_browser import MovableBrowser
from walker.jobs.server_limits import ServerLimits
from walker.mcp import asked_client
from walker.mcp.server import opened_server
from walker.settings import Settings

pytestmark = pytest.mark.usefixtures("kept_chromium")
LOG_IN = """([name, word]) => {
    document.querySelector('#name').value = name;
    document.querySelector('#word').value = word;
    document.querySelector('#go').click();
}"""


@pytest.fixture
def site() -> Iterator[MembersSite]:
    with serving(MembersSite()) as server:
        yield server


class Person:
    """Logs in when asked, in the browser of the walk, or declines, once they are back. The window itself is another test's."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, says: Literal["accept", "decline"]) -> None:
        self._says = says
        self._shown: list[MovableBrowser] = []
        self.asked: list[str] = []
        self.away_seconds = 0.0

        async def show(browser: MovableBrowser, _kind: str) -> None:
            self._shown.append(browser)

        monkeypatch.setattr(BrowserKinds, "can_show", lambda _: True)
        monkeypatch.setattr(MovableBrowser, "move_to", show)

    async def answer(self, context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:
        self.asked.append(params.message)
        await asyncio.sleep(self.away_seconds)
        if self._says == "accept":
            (browser,) = self._shown
            await browser.run(LOG_IN, [NAME, WORD], seconds=5)
            while not any(one.name == "session" for one in (await browser.state()).cookies):
                pass
        return ElicitResult(action=self._says, content={} if self._says == "accept" else None)


async def asked_of(site: MembersSite, data: Path, person: Person | None, mode: Any = "auto") -> dict[str, Any]:
    """What the server answers to a question whose page is for members."""
    settings = Settings(runs_folder=data / "runs", ask_me=True, scout_pages=0)
    given = {"root": f"{site.home}members/hours", "question": "When does the lighthouse open?", "max_pages": 3}
    async with (
        opened_server(options(site.home, data, ServerLimits(wait_seconds=60), settings)) as server,
        Client(server, mode=mode, elicitation_callback=person.answer if person else None) as client,
    ):
        structured: dict[str, Any] | None = (await client.call_tool("ask", given)).structured_content
    assert structured is not None
    return structured


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
async def test_a_person_who_accepts_has_logged_in_and_the_question_is_answered(
    site: MembersSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    person = Person(monkeypatch, "accept")
    told = await asked_of(site, tmp_path, person, mode)
    assert "9:45" in told["answer"]
    (asked,) = person.asked
    assert asked.startswith(f"{site.home}members/hours asks for a login. Act in the window")


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
async def test_one_who_declines_is_asked_once_and_the_walk_ends_without(
    site: MembersSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    person = Person(monkeypatch, "decline")
    told = await asked_of(site, tmp_path, person, mode)
    assert (told["answer"], told["stop_reason"], len(person.asked)) == ("", "needs login", 1)


async def test_a_client_that_can_ask_nobody_is_not_waited_for(
    site: MembersSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Person(monkeypatch, "accept")
    told = await asked_of(site, tmp_path, None)
    assert (told["answer"], told["stop_reason"]) == ("", "needs login")


async def test_a_person_who_is_away_keeps_no_call_waiting_once_the_walk_has_gone_on(
    site: MembersSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asked_client, "WAIT_SECONDS", 1.0)
    person = Person(monkeypatch, "decline")
    person.away_seconds = 600
    async with asyncio.timeout(120):
        told = await asked_of(site, tmp_path, person, "legacy")
    assert (told["answer"], told["stop_reason"]) == ("", "needs login")


async def test_an_answer_that_comes_when_the_walk_has_ended_gets_its_result_and_begins_no_other(
    site: MembersSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asked_client, "WAIT_SECONDS", 0.5)
    person = Person(monkeypatch, "decline")
    person.away_seconds = 5
    told = await asked_of(site, tmp_path, person, "2026-07-28")
    assert (told["answer"], told["stop_reason"], told["state"]) == ("", "needs login", "done")
    assert len(list((tmp_path / "runs").glob("2*"))) == 1


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
async def test_the_person_chooses_among_answers_of_which_none_is_sure(tmp_path: Path, mode: Any) -> None:
    """What is asked before, where to go on, is declined by choosing what is proposed."""
    messages: list[str] = []

    async def choose(context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:
        assert isinstance(params, ElicitRequestFormParams)
        messages.append(params.message)
        labels = params.requested_schema["properties"]["choice"]["enum"]
        wanted = next((one for one in labels if "1884" in one), labels[0])
        return ElicitResult(action="accept", content={"choice": wanted})

    settings = Settings(runs_folder=tmp_path / "runs", ask_me=True, scout_pages=0)
    with serve(PAGES) as home:
        async with (
            opened_server(options(home, tmp_path, ServerLimits(wait_seconds=120), settings)) as server,
            Client(server, mode=mode, elicitation_callback=choose) as client,
        ):
            given = {"root": f"{home}/", "question": QUESTION, "max_pages": 4}
            told = (await client.call_tool("ask", given)).structured_content
    assert told is not None
    assert "1884" in told["answer"]
    assert told["answered"]
    assert told["by_person"]
    assert (told["helped"][-1]["about"], "1884" in told["helped"][-1]["chosen"]) == ("answer", True)
    assert "Which is the answer?" in messages[-1]
