"""A walk that waits at a terminal is shown what it asks in `walker view`, and one press there is its answer; nobody else's is."""

from __future__ import annotations

import asyncio
import http.client
import json
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from tests.sites.pages_on_loopback import serve
from tests.sites.two_minds import PAGES, QUESTION
from traces.manifest import RunManifest
from traces.store.recorder import Recorder
from traces.viewer.library import Library
from traces.viewer.server import PageKeys, ViewerServer, serve_runs
from walker.asking import ask
from walker.cli.asked_person import AskedTerminal
from walker.handover.open_question import NotAsked, OpenQuestion
from walker.handover.question_socket import answer_in, answerable, asked_in, place_of
from walker.handover.whom_to_ask import ask_by
from walker.runs.viewer_tools import WalkTools
from walker.seams.web.asked_person import Choice, Pause
from walker.settings import Limits, Settings

TWO = Pause(kind="answer", text="Which is the answer?", choices=(Choice(text="1871"), Choice(text="1884")))
"""What most tests ask."""


@pytest.fixture(autouse=True)
def _short_data_folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A socket's path has at most some hundred characters."""
    with tempfile.TemporaryDirectory(prefix="asked-", dir="/tmp") as folder:
        monkeypatch.setattr("walker.handover.question_socket.user_data_path", lambda *_, **__: Path(folder))
        yield


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Path]:
    """A walk that goes on."""
    manifest = RunManifest(run_id="live", created=1.0, question=QUESTION, root_url="http://made.example/")
    recorder = Recorder.create(tmp_path / "runs" / "live", manifest, clock=lambda: 1.0)
    yield tmp_path / "runs" / "live"
    recorder.close()


def posted(server: ViewerServer, path: str, body: object, **headers: str) -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=60)
    try:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request("POST", path, json.dumps(body), named)
        answer = connection.getresponse()
        return answer.status, answer.read().decode().strip()
    finally:
        connection.close()


async def test_another_program_of_this_user_reads_what_is_asked_and_answers_it_once(run: Path) -> None:
    question = OpenQuestion(seconds=60)
    asked = question.put(TWO)
    async with answerable(question, run) as elsewhere:
        place = place_of(run)
        assert elsewhere.can_be
        assert stat.S_IMODE(place.parent.stat().st_mode) == 0o700
        assert await asyncio.to_thread(asked_in, run) == asked
        for number, choice, why in ((asked.number + 1, 1, "not asked any more"), (asked.number, 3, "from 0 to 2")):
            with pytest.raises(NotAsked, match=why):
                await asyncio.to_thread(answer_in, run, number, choice)
        assert not elsewhere.has_answered
        await asyncio.to_thread(answer_in, run, asked.number, 2)
        assert await question.chosen() == 2
        assert elsewhere.has_answered
        with pytest.raises(NotAsked):
            await asyncio.to_thread(answer_in, run, asked.number, 1)
    assert not place.exists()
    assert asked_in(run) is None


async def test_a_folder_that_others_may_enter_is_not_used(run: Path) -> None:
    place_of(run).parent.mkdir(mode=0o700)
    place_of(run).parent.chmod(0o755)
    question = OpenQuestion()
    question.put(TWO)
    async with answerable(question, run) as elsewhere:
        assert not elsewhere.can_be
    assert asked_in(run) is None


async def test_what_a_killed_walk_left_is_nobody_and_in_nobodys_way(run: Path) -> None:
    place = place_of(run)
    place.parent.mkdir(mode=0o700)
    place.touch()
    assert asked_in(run) is None
    question = OpenQuestion()
    asked = question.put(TWO)
    async with answerable(question, run):
        assert await asyncio.to_thread(asked_in, run) == asked


async def test_the_terminal_says_what_was_chosen_in_the_viewer(
    run: Path, keyboard: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert keyboard
    monkeypatch.setattr("walker.cli.asked_person.asking_run", lambda: run)
    asking = asyncio.create_task(AskedTerminal().ask(TWO))
    while (asked := await asyncio.to_thread(asked_in, run)) is None:  # noqa: ASYNC110 - it is asked from outside
        await asyncio.sleep(0.01)
    await asyncio.to_thread(answer_in, run, asked.number, 2)
    assert await asking == 2
    shown = capsys.readouterr().err
    assert "or choose in walker view" in shown
    assert "chosen in the viewer: 1884" in shown
    assert "nobody answered" not in shown


async def test_only_who_has_the_key_may_answer_and_a_code_is_good_once(run: Path) -> None:
    keys, question = PageKeys(), OpenQuestion(seconds=60)
    asked, code = question.put(TWO), keys.code()
    body = {"number": asked.number, "choice": 1}
    async with answerable(question, run):
        with serve_runs(Library(run.parent, tools=WalkTools()), keys=keys) as server:

            async def answered(value: object = body, path: str = "/api/live/asked", **headers: str) -> tuple[int, str]:
                return await asyncio.to_thread(posted, server, path, value, **headers)

            assert (await answered())[0] == 403
            assert (await answered(Walker_Key="x" * 32))[0] == 403
            assert (await answered(Walker_Key=code))[0] == 403, "a code is no key"
            assert (await answered(Walker_Key=keys.key, Sec_Fetch_Site="cross-site"))[0] == 403
            assert (await answered(Walker_Key=keys.key, Host="evil.example"))[0] == 403
            assert (await answered({"number": "one"}, Walker_Key=keys.key))[0] == 400
            assert (await answered(path="/api/live/overview", Walker_Key=keys.key))[0] == 404
            assert await answered(path="/api/key", Walker_Key=code) == (200, keys.key)
            assert (await answered(path="/api/key", Walker_Key=code))[0] == 403
            status, why = await answered({**body, "choice": 9}, Walker_Key=keys.key)
            assert (status, "from 0 to 2" in why) == (409, True)
            assert question.asked is not None, "none of these was an answer"
            assert (await answered(Walker_Key=keys.key))[0] == 200
            assert await question.chosen() == 1
        with serve_runs(Library(run.parent, tools=WalkTools())) as reading:
            assert (await asyncio.to_thread(posted, reading, "/api/live/asked", body, Walker_Key=keys.key))[0] == 501


@pytest.mark.usefixtures("kept_chromium")
async def test_a_press_in_the_viewer_answers_a_walk_at_a_terminal_and_a_reader_only_sees_it(
    tmp_path: Path, keyboard: int, browser: Browser, capsys: pytest.CaptureFixture[str]
) -> None:
    assert keyboard
    ask_by(AskedTerminal().ask)
    settings = Settings(limits=Limits(pages=5, seconds=90), runs_folder=tmp_path / "runs", scout_pages=0, ask_me=True)
    with serve(PAGES) as home:
        walking = asyncio.create_task(ask(f"{home}/", QUESTION, settings=settings))
        while "Type its number" not in capsys.readouterr().err:  # noqa: ASYNC110 - a person reads it
            await asyncio.sleep(0.05)
        (folder,) = (tmp_path / "runs").glob("2*")
        keys = PageKeys()
        with serve_runs(Library(folder, tools=WalkTools()), keys=keys) as server:
            contexts = [await browser.new_context() for _ in range(2)]
            reader, owner = [await one.new_page() for one in contexts]
            await reader.goto(server.url)
            await owner.goto(f"{server.url}?key={keys.code()}")
            await expect(reader.locator(".asks")).to_contain_text("open the address that walker view printed")
            await expect(reader.locator(".asks .choice").first).to_be_disabled()
            assert "key=" not in owner.url, "a link to a step can be given away"
            while not walking.done():
                choice = owner.locator(".asks .choice:enabled")
                right = choice.filter(has_text="1884")
                if await choice.count():
                    await (right if await right.count() else choice).first.click()
                await asyncio.sleep(0.1)
            outcome = await walking
            await expect(owner.locator(".asks")).to_be_hidden()
            await expect(owner.locator(".asked .answer")).to_contain_text("1884")
            for one in contexts:
                await one.close()
    assert outcome.by_person
    assert "1884" in outcome.answer
    assert outcome.helped[-1].about == "answer"
    assert "chosen in the viewer" in capsys.readouterr().err
