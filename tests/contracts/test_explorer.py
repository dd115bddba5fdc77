"""One body for every implementation of the Explorer seam."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import msgspec
import pytest

from memory.counting.counter import Counter
from memory.state import PageNote, WalkMemory
from memory.url_key import key_of
from memory.url_stack import Frame, UntriedLink, UrlStack
from perception.observation import Observation
from tests.fixtures.paper import HOME, PAGES, crew_for, observed, ranker, task_for
from tests.fixtures.scripts import sensible
from traces.manifest import RunManifest
from traces.store.recorder import Recorder
from walker.recording.recording import Recording
from walker.recording.recording_proxies import with_recording
from walker.seams.actions import Action, Click, FollowLink, Jump, Refusal
from walker.seams.chat import ChatFailure
from walker.seams.protocols import Explorer
from walker.seams.task import Task
from walker.settings import ModelSettings
from walker.strategies.builtin.builtin_explorer import BuiltinExplorer
from walker.strategies.model.model_explorer import ModelExplorer
from walker.strategies.model.model_talk import ModelTalk
from walker.testing.fakes import PaperSite, ScriptedChat

TASK = task_for("How long is the research vessel Mantis?")
REFUSALS = 8
"""Proposals of one step that are turned down in the test; the page has six links."""


def model(chat: ScriptedChat) -> ModelExplorer:
    return ModelExplorer(ModelTalk(chat, ModelSettings(name="m"), "seed"), ranker(), BuiltinExplorer(ranker()))


@pytest.fixture(params=["builtin", "model", "model that fails", "recorded"])
def explorer(request: pytest.FixtureRequest, tmp_path: Path) -> Explorer:
    match request.param:
        case "builtin":
            return BuiltinExplorer(ranker())
        case "model":
            return model(ScriptedChat(sensible))
        case "model that fails":
            return model(ScriptedChat(lambda _: ChatFailure(kind="server_error", message="out of order")))
        case _:
            manifest = RunManifest(run_id="r", created=1.0, question="q", root_url=HOME)
            recorder = Recorder.create(tmp_path / "run", manifest, clock=time.time)
            edges = msgspec.structs.replace(crew_for(PaperSite({})), explorer=model(ScriptedChat(sensible)))
            return with_recording(edges, Recording(recorder=recorder)).explorer


def at_home() -> tuple[Observation, WalkMemory]:
    page = observed(str(PAGES[HOME]))
    links = tuple(UntriedLink(url=link.url, key=key_of(link.url), label=link.label) for link in page.links)
    stack = UrlStack().push(Frame(url=HOME, key=key_of(HOME), title="Reef Station")).offer(links)
    pages = (PageNote(step=1, url=HOME, key=key_of(HOME), title="Reef Station"),)
    return page, WalkMemory(step=1, stack=stack, pages=pages, counter=Counter.start(TASK.requirement))


async def test_a_proposal_is_of_this_page_and_gives_its_reason(explorer: Explorer) -> None:
    page, memory = at_home()
    action = await explorer.propose(TASK, page, memory, ())
    assert isinstance(action, FollowLink)
    assert {link.id: link.label for link in page.links}[action.link_id] == "Boats"
    with pytest.raises(AttributeError):
        action.link_id = 0  # type: ignore[misc]


async def test_equal_calls_give_equal_proposals_and_change_nothing(explorer: Explorer) -> None:
    page, memory = at_home()
    before: list[Observation | WalkMemory | Task] = [page, memory, TASK]
    encoded = [msgspec.json.encode(value) for value in before]
    first = await explorer.propose(TASK, page, memory, ())
    assert await explorer.propose(TASK, *at_home(), ()) == first
    assert [msgspec.json.encode(value) for value in before] == encoded


async def test_what_was_refused_gives_way_to_something_that_is_there(explorer: Explorer) -> None:
    page, memory = at_home()
    refused: tuple[Refusal, ...] = ()
    for _ in range(REFUSALS):
        action = await explorer.propose(TASK, page, memory, refused)
        match action:
            case FollowLink(link_id=number):
                assert number in {link.id for link in page.links}
            case Click(control_id=number):
                assert number in {control.id for control in page.controls}
            case Jump(url=url):
                assert url in {link.url for frame in memory.stack.frames for link in frame.untried}
        refused = (*refused, Refusal(action=action, reason="there is a fence"))
    if isinstance(explorer, BuiltinExplorer):
        assert len({_without_reason(refusal.action) for refusal in refused}) >= 3


def _without_reason(action: Action) -> Action:
    return msgspec.structs.replace(action, reason="")


async def test_a_model_is_told_what_was_refused_and_why() -> None:
    chat = ScriptedChat(sensible)
    refused = (Refusal(action=FollowLink(link_id=1), reason="there is a fence"),)
    await model(chat).propose(TASK, *at_home(), refused)
    assert "there is a fence" in chat.asked[0].messages[-1].content


async def test_a_proposal_may_be_cancelled_and_the_next_one_is_made() -> None:
    slow = model(ScriptedChat(sensible, seconds=0.5))
    page, memory = at_home()
    thinking = asyncio.ensure_future(slow.propose(TASK, page, memory, ()))
    await asyncio.sleep(0.05)
    thinking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await thinking
    assert isinstance(await slow.propose(TASK, page, memory, ()), FollowLink)
