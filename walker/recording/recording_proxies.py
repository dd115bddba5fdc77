"""Edges whose every answer passes a recording, and the sinks that compare a replay with its recording."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from memory.findings import Findings
from memory.state import WalkMemory
from perception.element_map import View
from perception.geometry import Box
from perception.observation import Observation
from perception.snapshot import Snapshot
from traces.compare.difference import Difference, find_difference
from traces.events import OUTSIDE_THE_WALK, EdgeCall, Envelope, Event, WalkFailed
from traces.reading.reader import Run
from traces.redaction import same_but_for_marks
from traces.session_events import WalkStopped
from traces.store.blobs import BlobRef, ref_of
from traces.store.encoding import decode_body, encode_body
from traces.store.recorder import Recorder
from walker.errors import Divergence
from walker.recording.clean_pages import clean_page, clean_view
from walker.recording.digests import Digests, memory_digest
from walker.recording.recorded_observations import load_observation
from walker.recording.recorded_pages import Get, PageDump, dump_view, load_page, load_view, whole_value
from walker.recording.recorded_summariser import RecordedSummariser
from walker.recording.recording import Form, Recording
from walker.seams.actions import Action, Operate, Refusal
from walker.seams.chat import ChatFailure, ChatReply, ChatRequest, Spent
from walker.seams.code_runner import CodeRunner, CodeValue, Ran
from walker.seams.protocols import (
    Analyst,
    Browser,
    ChatModel,
    Critic,
    Edges,
    Explorer,
    Look,
    LookRequest,
    PageFailure,
    PageReader,
    Person,
    Verdict,
    VisionModel,
)
from walker.seams.task import Task
from walker.seams.task_analysis import TaskAnalysis
from walker.seams.web.asked_person import Answerable, Picked
from walker.seams.web.exchange import NetworkSource
from walker.seams.web.handover import Handover, Obstacle, Passed


def with_recording(
    edges: Edges, recording: Recording, *, network: NetworkSource | None = None, pictures: bool = False
) -> Edges:
    """The edges behind recording proxies. `network` is the pages' traffic, None where that is not recorded;
    with `pictures`, a screenshot of every page is recorded for people."""
    digests = Digests()
    return Edges(
        browser=_RecordedBrowser(edges.browser, recording, network, pictures=pictures),
        reader=_RecordedReader(edges.reader, recording, digests),
        vision=_RecordedVision(edges.vision, recording, digests),
        vision_model=None
        if edges.vision_model is None
        else _RecordedVision(edges.vision_model, recording, digests, "vision_model"),
        explorer=_RecordedExplorer(edges.explorer, recording, digests),
        ahead=lambda needed: _RecordedExplorer(edges.explorer, recording, digests, needed),
        critic=_RecordedCritic(edges.critic, recording, digests),
        code=None if edges.code is None else RecordedCode(edges.code, recording),
        analyst=None if edges.analyst is None else _RecordedAnalyst(edges.analyst, recording, digests),
        summariser=None if edges.summariser is None else RecordedSummariser(edges.summariser, recording),
        spent=edges.spent,
        found_sites=edges.found_sites,
        handover=None if edges.handover is None else RecordedHandover(edges.handover, recording),
        person=None if edges.person is None else _RecordedPerson(edges.person, recording, digests),
    )


def recorded_pages(
    browser: Browser,
    reader: PageReader,
    recording: Recording,
    network: NetworkSource | None = None,
    *,
    pictures: bool = False,
) -> tuple[Browser, PageReader]:
    """Browser and reader behind recording proxies, where no walk is led by them; `pictures` as in `with_recording`."""
    return _RecordedBrowser(browser, recording, network, pictures=pictures), _RecordedReader(
        reader, recording, Digests()
    )


def _form_of(kind: Any) -> Form:
    return Form(
        lambda outcome, _put: msgspec.to_builtins(outcome),
        lambda plain, get: msgspec.convert(whole_value(plain, get), kind),
    )


_VIEW = Form(dump_view, load_view, is_large=True)


def _observation_form(html: bytes) -> Form:
    """An observation is recorded whole, compressed with its page as dictionary, so that a replay need not parse the page."""
    return Form(
        lambda outcome, put: msgspec.to_builtins(
            put(msgspec.json.encode(outcome), "application/json", ref_of(html, "text/html"))
        ),
        lambda plain, get: load_observation(get(msgspec.convert(plain, BlobRef))),
        is_large=True,
    )


_LOOK, _ACTION, _FINDINGS, _VERDICT = _form_of(Look), _form_of(Action), _form_of(Findings), _form_of(Verdict)


_CHAT, _ANALYSIS, _RAN = _form_of(ChatReply | ChatFailure), _form_of(TaskAnalysis), _form_of(Ran)
_PASSED, _PICKED = _form_of(Passed), _form_of(Picked)


class RecordedChat:
    """Recording proxy of a language model; those that call it have proxies of their own."""

    def __init__(self, live: ChatModel, recording: Recording) -> None:
        self._live, self._recording = live, recording

    async def complete(self, request: ChatRequest) -> ChatReply | ChatFailure:
        """The recorded answer to this very request, or a live one."""
        return await self._recording.answer(
            "chat", "complete", self._plain(request), lambda: self._live.complete(request), _CHAT
        )

    def _plain(self, request: ChatRequest) -> dict[str, Any]:
        """The request in its recorded form: images are in blobs, each once."""
        if not request.image_tokens:
            return msgspec.to_builtins(request)  # type: ignore[no-any-return]
        bare = tuple(
            msgspec.structs.replace(
                message, images=tuple(msgspec.structs.replace(image, data=b"") for image in message.images)
            )
            for message in request.messages
        )
        plain: dict[str, Any] = msgspec.to_builtins(msgspec.structs.replace(request, messages=bare))
        for message, shown in zip(request.messages, plain["messages"], strict=True):
            for image, kept in zip(message.images, shown.get("images", ()), strict=True):
                kept["data"] = self._recording.keep(image.data, image.media_type)
        return plain


def spent_on(called: Iterable[EdgeCall], get: Get) -> Spent:
    """What the recorded calls to a model cost."""
    spent = Spent()
    for call in called:
        if call.seam == "chat" and not call.error:
            spent = spent.plus(_CHAT.load(call.outcome, get))
    return spent


class _RecordedBrowser:
    def __init__(
        self, live: Browser, recording: Recording, network: NetworkSource | None = None, *, pictures: bool = False
    ) -> None:
        self._live, self._recording, self._network, self._pictures = live, recording, network, pictures
        self._since_open: list[Operate] = []
        self._open_url = self._told_url = ""
        self._in_step = recording.is_live
        self._form = Form(PageDump(), load_page, is_large=True)

    async def open(self, url: str) -> Snapshot | PageFailure:
        async def live() -> Snapshot | PageFailure:
            self._in_step = True
            return await self._kept(await self._live.open(url))

        self._open_url, self._told_url, self._since_open = url, self._recording.clean_text(url), []
        outcome = await self._recording.answer("browser", "open", {"url": self._told_url}, live, self._form)
        await self._draw(outcome)
        return outcome

    async def act(self, move: Operate) -> Snapshot | PageFailure:
        async def live() -> Snapshot | PageFailure:
            await self._catch_up()
            return await self._kept(await self._live.act(move))

        request = {"move": msgspec.to_builtins(move), "url": self._told_url, "before": len(self._since_open)}
        outcome = await self._recording.answer("browser", "act", request, live, self._form)
        self._since_open.append(move)
        await self._draw(outcome)
        return outcome

    async def fetch_ahead(self, urls: tuple[str, ...]) -> None:
        if self._recording.is_live and self._in_step:
            await self._live.fetch_ahead(urls)

    async def see(self, *, whole: bool = False, box: Box | None = None, scale: float = 1.0) -> View | PageFailure:
        async def live() -> View | PageFailure:
            await self._catch_up()
            return await asyncio.to_thread(
                clean_view, await self._live.see(whole=whole, box=box, scale=scale), self._recording
            )

        request = {"whole": whole, "box": msgspec.to_builtins(box), "scale": scale}
        request |= {"url": self._told_url, "before": len(self._since_open)}
        return await self._recording.answer("browser", "see", request, live, _VIEW)

    async def close(self) -> None:
        await self._live.close()

    async def _draw(self, outcome: Snapshot | PageFailure) -> None:
        """Record a screenshot of the window, for people who view the recording."""
        if not self._pictures or not self._recording.is_live or isinstance(outcome, PageFailure):
            return

        async def live() -> View | PageFailure:
            return await asyncio.to_thread(clean_view, await self._live.see(), self._recording)

        await self._recording.answer(
            "picture", "see", {"url": self._told_url, "before": len(self._since_open)}, live, _VIEW
        )

    async def _kept(self, outcome: Snapshot | PageFailure) -> Snapshot | PageFailure:
        if self._network is not None:
            self._recording.keep_network(await self._network.take())
        return await asyncio.to_thread(clean_page, outcome, self._recording)

    async def _catch_up(self) -> None:
        """When going live in the middle of a page, bring the real browser to the state in the recording."""
        if self._in_step:
            return
        self._in_step = True
        await self._live.open(self._open_url)
        for move in self._since_open:
            await self._live.act(move)


class _RecordedReader:
    def __init__(self, live: PageReader, recording: Recording, digests: Digests) -> None:
        self._live, self._recording, self._digests = live, recording, digests

    async def read(self, snapshot: Snapshot) -> Observation:
        html = snapshot.html.encode("utf-8", "surrogatepass")
        digest = hashlib.sha256(html).hexdigest()[:16]
        observation: Observation = await self._recording.answer(
            "reader",
            "read",
            {"url": snapshot.final_url, "html": digest},
            lambda: self._live.read(snapshot),
            _observation_form(html),
        )
        # An observation is a function of its page, so the page's digest identifies it.
        self._digests.keep(observation, digest)
        return observation


class _RecordedVision:
    def __init__(self, live: VisionModel, recording: Recording, digests: Digests, seam: str = "vision") -> None:
        self._live, self._recording, self._digests, self._seam = live, recording, digests, seam

    async def look(self, request: LookRequest) -> Look:
        asked = {
            "question": request.question,
            "observation": self._digests.of(request.observation),
            "view": self._digests.of(request.view),
            "regions": msgspec.to_builtins(request.regions),
            **({"thing": request.thing} if request.thing else {}),
        }
        return await self._recording.answer(self._seam, "look", asked, lambda: self._live.look(request), _LOOK)


class _RecordedExplorer:
    def __init__(
        self, live: Explorer, recording: Recording, digests: Digests, needed: asyncio.Event | None = None
    ) -> None:
        self._live, self._recording, self._digests, self._needed = live, recording, digests, needed

    async def propose(
        self, task: Task, observation: Observation, memory: WalkMemory, refused: tuple[Refusal, ...]
    ) -> Action:
        request = {
            "step": memory.step,
            "observation": self._digests.of(observation),
            "memory": memory_digest(memory),
            "refused": msgspec.to_builtins(refused),
        }
        return await self._recording.answer(
            "explorer",
            "propose",
            request,
            lambda: self._live.propose(task, observation, memory, refused),
            _ACTION,
            needed=self._needed,
        )


class _RecordedCritic:
    def __init__(self, live: Critic, recording: Recording, digests: Digests) -> None:
        self._live, self._recording, self._digests = live, recording, digests

    async def find(self, task: Task, observation: Observation, memory: WalkMemory) -> Findings:
        seen = len(observation.seen_text)
        request = {
            "step": memory.step,
            "observation": self._digests.of(observation),
            "seen": seen,
            "memory": memory_digest(memory),
        }
        return await self._recording.answer(
            "critic", "find", request, lambda: self._live.find(task, observation, memory), _FINDINGS
        )

    async def judge(self, task: Task, memory: WalkMemory) -> Verdict:
        request = {"step": memory.step, "memory": memory_digest(memory)}
        return await self._recording.answer(
            "critic", "judge", request, lambda: self._live.judge(task, memory), _VERDICT
        )


class _RecordedAnalyst:
    def __init__(self, live: Analyst, recording: Recording, digests: Digests) -> None:
        self._live, self._recording, self._digests = live, recording, digests

    async def analyse(self, task: Task, observation: Observation) -> TaskAnalysis:
        request = {"question": task.question, "observation": self._digests.of(observation)}
        return await self._recording.answer(
            "analyst", "analyse", request, lambda: self._live.analyse(task, observation), _ANALYSIS
        )


class RecordedCode:
    """A `CodeRunner` whose runs are recorded."""

    def __init__(self, live: CodeRunner, recording: Recording) -> None:
        self._live, self._recording = live, recording

    async def run(self, code: str, inputs: Mapping[str, CodeValue]) -> Ran:
        """The recorded output of this very run, or a live one."""
        request = {"code": code, "inputs": msgspec.to_builtins(dict(inputs))}
        return await self._recording.answer("code", "run", request, lambda: self._live.run(code, inputs), _RAN)

    async def close(self) -> None:
        """End the interpreter."""
        await self._live.close()


class RecordedHandover:
    """Implements `Handover`: what was done about an obstacle is recorded, and a replay asks nobody."""

    def __init__(self, live: Handover, recording: Recording) -> None:
        self._live, self._recording = live, recording

    async def overcome(self, obstacle: Obstacle) -> Passed:
        """As recorded, or by the live one."""
        request = {**msgspec.to_builtins(obstacle), "url": self._recording.clean_text(obstacle.url)}
        return await self._recording.answer(
            "handover", "overcome", request, lambda: self._live.overcome(obstacle), _PASSED
        )


class _RecordedPerson:
    def __init__(self, live: Person, recording: Recording, digests: Digests) -> None:
        self._live, self._recording, self._digests = live, recording, digests

    async def pick_answer(self, question: str, found: Sequence[Answerable], confidence: float) -> Picked:
        request = {"question": question, "found": [msgspec.to_builtins(one) for one in found], "confidence": confidence}
        return await self._recording.answer(
            "person", "pick_answer", request, lambda: self._live.pick_answer(question, found, confidence), _PICKED
        )

    async def pick_step(self, task: Task, observation: Observation, memory: WalkMemory, action: Action) -> Picked:
        request = {
            "step": memory.step,
            "observation": self._digests.of(observation),
            "memory": memory_digest(memory),
            "action": msgspec.to_builtins(action),
        }
        return await self._recording.answer(
            "person", "pick_step", request, lambda: self._live.pick_step(task, observation, memory, action), _PICKED
        )


class ComparingSink:
    """Compares every derived event with the recording, and stops at the first that differs."""

    def __init__(self, run: Run, recording: Recording) -> None:
        self._recording = recording
        self._expected = [
            envelope
            for envelope, event in zip(run.envelopes, run.events, strict=True)
            if not isinstance(event, OUTSIDE_THE_WALK)
        ]
        self._blobs = run.blobs
        self.compared = 0

    @property
    def is_done(self) -> bool:
        """Whether the whole recording was compared."""
        return self.compared >= len(self._expected)

    def emit(self, event: Event) -> None:
        """Compare an event with the recording's next."""
        self._recording.note(event)
        if isinstance(event, WalkStopped | WalkFailed):
            return
        if self.is_done:
            return
        expected = self._expected[self.compared]
        kind, step, body = encode_body(event, ref_of)
        is_same = (kind, step) == (expected.k, expected.step) and (
            body == bytes(expected.d) or same_but_for_marks(self._recorded_fields(expected), _plain_fields(event))
        )
        if not is_same:
            raise self._divergence(expected, event, kind)
        self.compared += 1

    def _divergence(self, expected: Envelope, event: Event, kind: str) -> Divergence:
        k, s, step = expected.k, expected.step, event.step
        where = f"step {step}, event {self.compared + 1} ({kind})"
        advice = "The code or a setting has changed since the walk"
        if (k, s) != (kind, step):
            difference: Difference | None = Difference(
                field="event", expected=f"{k} of step {s}", got=f"{kind} of step {step}"
            )
            what = f"the recording goes on with {k} of step {s}"
            return Divergence(what, where=where, step=step, place=kind, difference=difference)
        one = self._recorded_fields(expected)
        other = _plain_fields(event)
        missing = next((name for name in other if name not in one), None)
        if missing is not None:
            what = f"the recording has no field {missing!r}"
            return Divergence(what, where=where, advice=advice, step=step, place=kind)
        difference = find_difference({name: one[name] for name in other}, other)
        return Divergence(str(difference), where=where, advice=advice, step=step, place=kind, difference=difference)

    def _recorded_fields(self, expected: Envelope) -> dict[str, Any]:
        return _plain_fields(decode_body(expected.k, expected.step, bytes(expected.d), self._blobs.get))


def _plain_fields(event: Event) -> dict[str, Any]:
    fields: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(event))
    return {name: value for name, value in fields.items() if name not in ("type", "step")}


class ResumingSink:
    """Compares while the recording lasts, then writes."""

    def __init__(self, comparing: ComparingSink, recorder: Recorder) -> None:
        self._comparing, self._recorder = comparing, recorder

    def emit(self, event: Event) -> None:
        """Compare or write."""
        if self._comparing.is_done:
            self._comparing.emit(event)
            self._recorder.emit(event)
        else:
            self._comparing.emit(event)


class RecordingSink:
    """Writes every event, and keeps the recording's step up to date."""

    def __init__(self, recorder: Recorder, recording: Recording) -> None:
        self._recorder, self._recording = recorder, recording

    def emit(self, event: Event) -> None:
        """Write an event."""
        self._recording.note(event)
        self._recorder.emit(event)
