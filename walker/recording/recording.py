"""Where the answers of edges come from: live, from the recording, or first from the recording and then live.

Recording, replay, resume and fork are this one mechanism. A recorded call is found by a fingerprint of its request, not
by its position, so concurrent calls replay in any order.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import msgspec

from traces.compare.difference import Difference, find_difference
from traces.compare.matching import RUNGS, Certificate, Mismatch, Rung, grade
from traces.errors import TraceReadError
from traces.events import EdgeCall, Event, MoveTaken, ReplayWarning, StackMoved, WalkStarted
from traces.recorded_calls import INNER_SEAMS, RecordedCalls
from traces.redaction import same_but_for_marks
from traces.store.blobs import BlobRef, BlobStore, ref_of
from traces.store.recorder import Recorder
from walker import errors
from walker.errors import Divergence, WalkerError
from walker.recording.network_events import NetworkEvents
from walker.seams.web.exchange import Heard

T = TypeVar("T")

_DAMAGED = "The recording is damaged from here on; restore it from a backup, or ask again"


class RecordingEnded(Divergence):
    """The recording of an interrupted walk ends here; all of it was equal."""


class Recording:
    """Answers calls from `recorded_calls` up to `last_step`, then live where that is allowed; live calls are recorded."""

    def __init__(
        self,
        *,
        recorded_calls: RecordedCalls | None = None,
        blobs: BlobStore | None = None,
        recorder: Recorder | None = None,
        last_step: int | None = None,
        may_go_live: bool = True,
    ) -> None:
        self._recorded_calls, self._blobs, self._recorder = recorded_calls, blobs, recorder
        self._last_step, self._may_go_live = last_step, may_go_live
        self._asked: Counter[tuple[str, str, str]] = Counter()
        self.is_live = recorded_calls is None
        self._network = NetworkEvents(recorder) if recorder is not None else None
        self.answered = 0
        """Calls answered from the recording."""
        self.step = 0
        self.rederived: frozenset[str] = frozenset()
        """Seams that are asked again in a deep replay, and whose answers are compared with the recording."""
        self.asked_again: frozenset[str] = frozenset()
        """Seams whose settings a fork has changed: their answers are not taken from the recording."""
        self.may_depart = False
        """Whether the walk goes live at a request that is not in the recording, although the recording goes on."""
        self.departure: Divergence | None = None
        """Where it went live."""
        self.tolerance: Rung = "exact"
        """How much a request may differ from the one that its answer was recorded for."""
        self.mismatches: list[Mismatch] = []
        """Calls that were answered although their request had changed."""
        self.unrecorded = 0
        """Calls that are not in the recording."""

    def note(self, event: Event) -> None:
        """Track the walk's step from the loop's events."""
        match event:
            case WalkStarted() | MoveTaken(move="Open" | "Return" | "Operate") | StackMoved(change="return"):
                self.step = event.step + 1  # the next requests belong to the next page
            case _:
                self.step = event.step

    @property
    def certificate(self) -> Certificate:
        """How faithful the replay is so far."""
        minor = sum(mismatch.rung == "minor" for mismatch in self.mismatches)
        major = len(self.mismatches) - minor
        return Certificate(exact=self.answered - minor - major, minor=minor, major=major, unrecorded=self.unrecorded)

    def clean(self, data: bytes) -> bytes:
        """The bytes of a text, secrets redacted."""
        return data if self._recorder is None else self._recorder.redactor.clean(data)

    def clean_text(self, text: str) -> str:
        """A text with secrets redacted."""
        return text if self._recorder is None else self._recorder.redactor.clean_text(text)

    def clean_json(self, data: bytes) -> bytes:
        """The JSON of a value with secrets redacted, of the same shape."""
        return data if self._recorder is None else self._recorder.redactor.clean_json(data)

    def keep(self, data: bytes, media_type: str) -> dict[str, Any]:
        """Reference to bytes that belong to a request; while recording, they are written to a blob."""
        ref = ref_of(data, media_type) if self._recorder is None else self._recorder.put(data, media_type)
        return {"$b": msgspec.to_builtins(ref)["$b"]}

    def keep_network(self, heard: Heard) -> None:
        """Write the network traffic of a page, if it is recorded."""
        if self._network is not None:
            self._network.keep(heard, self.step)

    @property
    def warnings(self) -> tuple[ReplayWarning, ...]:
        """Replay warnings of the traffic that was recorded live."""
        return tuple(self._network.warnings) if self._network is not None else ()

    async def answer(
        self,
        seam: str,
        method: str,
        request: dict[str, Any],
        live: Callable[[], Awaitable[T]],
        form: Form,
        *,
        needed: asyncio.Event | None = None,
    ) -> T:
        """One call of an edge. `form` turns its outcome into plain values and back. `needed` marks a speculative call
        and is set once its answer is needed."""
        fingerprint = self._fingerprint(seam, method, request)
        occurrence = self._asked[seam, method, fingerprint]
        self._asked[seam, method, fingerprint] += 1
        if needed is not None and not self._may_ask_ahead(seam, method, fingerprint, occurrence):
            await needed.wait()
        question = EdgeCall(
            step=self.step, seam=seam, method=method, fingerprint=fingerprint, occurrence=occurrence, request=request
        )
        called = self._from_record(question)
        if called is None:
            return await self._live(question, live, form)
        self.answered += 1
        if called.error:
            raise _error_of(called.error)
        outcome: T = self._load(called, form)
        if seam in self.rederived:
            await self._compare(called, outcome, live)
        if self._recorder is not None and self._last_step is not None:
            # A fork is self-contained: answers taken from its parent are written to its own recording.
            plain = form.dump(outcome, self._recorder.put)
            self._recorder.emit(msgspec.structs.replace(called, outcome=plain))
        return outcome

    def _may_ask_ahead(self, seam: str, method: str, fingerprint: str, occurrence: int) -> bool:
        """Whether a speculative call is answered at once. One that is missing from a recording that goes on was dropped by the
        walk, or interrupted with it; which of the two shows only when its answer is needed."""
        if self.is_live or self._recorded_calls is None or self._recorded_calls.next_unused() is None:
            return True
        return self._recorded_calls.holds(seam, method, fingerprint, occurrence)

    def _from_record(self, question: EdgeCall) -> EdgeCall | None:
        if self._recorded_calls is not None and question.seam in INNER_SEAMS:
            return self._inner(self._recorded_calls, question)
        if self.is_live or self._recorded_calls is None or question.seam in self.asked_again:
            return None
        if self._last_step is not None and self.step > self._last_step:
            self.is_live = True
            return None
        called = self._take(self._recorded_calls, question)
        if called is not None and called.error and self._may_go_live:
            self.is_live = True  # the walk ended with this error; what failed then is tried again now
            return None
        if called is not None:
            return called
        if self._recorded_calls.next_unused() is not None:
            self.departure = self._departure(
                self._recorded_calls, question, "The code, a setting or the recording has changed since the walk"
            )
            if not self.may_depart:
                raise self.departure
        elif not self._may_go_live:
            raise self._ended()
        self.is_live = True
        return None

    def _inner(self, recorded_calls: RecordedCalls, question: EdgeCall) -> EdgeCall | None:
        """A call by an explorer or critic: paid for once, it is not repeated, however the call that contains it ended."""
        if self._last_step is not None and self.step > self._last_step:
            return None
        called = self._take(recorded_calls, question)
        if called is not None and not (called.error and self._may_go_live):
            return called
        if self._may_go_live:
            return None
        if called is None and not recorded_calls.has_end and recorded_calls.next_unused() is None:
            raise self._ended()
        raise self._departure(recorded_calls, question, "A prompt, or what is put into it, has changed since the walk")

    def _ended(self) -> RecordingEnded:
        return RecordingEnded(
            "the recording ends here; the walk was interrupted", where=f"step {self.step}", step=self.step
        )

    def _take(self, recorded_calls: RecordedCalls, question: EdgeCall) -> EdgeCall | None:
        """The answer to this very request, or to one that is similar enough."""
        seam, method = question.seam, question.method
        called = recorded_calls.take(seam, method, question.fingerprint, question.occurrence)
        if called is not None or self.tolerance == "exact":
            return called
        near = recorded_calls.nearest(seam, method, question.step)
        if near is None:
            return None
        asked = self._plain(question.request)
        rung, distance = grade(near.request, asked)
        difference = find_difference(near.request, asked)
        if RUNGS.index(rung) > RUNGS.index(self.tolerance) or difference is None:
            return None
        recorded_calls.use(near)
        self.mismatches.append(
            Mismatch(
                step=question.step,
                seam=seam,
                method=method,
                rung=rung,
                field=difference.field,
                expected=difference.expected,
                got=difference.got,
                distance=distance,
            )
        )
        return near

    def _departure(self, recorded_calls: RecordedCalls, question: EdgeCall, advice: str) -> Divergence:
        """The error for a request that is not in the recording: where, and how it differs from the recorded one."""
        self.unrecorded += 1
        place = f"{question.seam}.{question.method}"
        near = recorded_calls.nearest(question.seam, question.method, question.step)
        expected = near or recorded_calls.next_unused()
        if expected is None:
            what = f"{place} is asked once more, and the recording holds no further call"
            return Divergence(what, where=f"step {self.step}", advice=advice, step=self.step, place=place)
        goes_on = f"the recording goes on with {expected.seam}.{expected.method} of step {expected.step}"
        difference = find_difference(expected.request, self._plain(question.request))
        if near is None or difference is None:
            difference = Difference(field="call", expected=f"{expected.seam}.{expected.method}", got=place)
        what = f"{place} asks for something else: {difference}; {goes_on}"
        return Divergence(
            what, where=f"step {self.step}", advice=advice, step=self.step, place=place, difference=difference
        )

    @staticmethod
    def _plain(request: dict[str, Any]) -> Any:
        """A request as it is read back from a line."""
        return msgspec.json.decode(msgspec.json.encode(request))

    async def _live(self, question: EdgeCall, live: Callable[[], Awaitable[T]], form: Form) -> T:
        if self._recorder is None:
            return await live()
        recorder = self._recorder
        began = recorder.now()
        try:
            outcome = await live()
        except WalkerError as error:
            seconds = round(recorder.now() - began, 6)
            text = f"{type(error).__name__}: {error}"
            recorder.emit(msgspec.structs.replace(question, error=text, seconds=seconds))
            raise
        seconds = round(recorder.now() - began, 6)
        if form.is_large:
            plain, outcome = await asyncio.to_thread(_write, outcome, form, recorder)
        else:
            plain, outcome = _write(outcome, form, recorder)
        recorder.emit(msgspec.structs.replace(question, outcome=plain, seconds=seconds))
        return outcome

    async def _compare(self, called: EdgeCall, recorded: T, live: Callable[[], Awaitable[T]]) -> None:
        outcome = await live()
        if outcome == recorded:
            return
        kept, derived = msgspec.to_builtins(recorded), msgspec.to_builtins(outcome)
        if not same_but_for_marks(kept, derived):
            difference = find_difference(kept, derived)
            place = f"{called.seam}.{called.method}"
            raise Divergence(
                str(difference), where=_place(called), step=called.step, place=place, difference=difference
            )

    def _load(self, called: EdgeCall, form: Form) -> Any:
        assert self._blobs is not None, "a recording has its blobs beside it"
        try:
            return form.load(called.outcome, self._blobs.get)
        except TraceReadError as error:
            raise Divergence(f"{error.what} ({error.where})", where=_place(called), advice=_DAMAGED) from None
        except (msgspec.DecodeError, KeyError, TypeError) as error:
            raise Divergence(f"the answer cannot be read ({error})", where=_place(called), advice=_DAMAGED) from None

    @staticmethod
    def _fingerprint(seam: str, method: str, request: dict[str, Any]) -> str:
        """Fingerprint of the request without redaction, since a replay does not know the secrets. No request contains one, because
        its parts were redacted when they came in; only a word of our own may look like one."""
        body = msgspec.json.encode([seam, method, request], order="sorted")
        return hashlib.sha256(body).hexdigest()[:32]


class Form(msgspec.Struct, frozen=True):
    """Writes and reads the outcomes of one method."""

    dump: Callable[[Any, Callable[..., BlobRef]], Any]
    load: Callable[[Any, Callable[[BlobRef], bytes]], Any]
    is_large: bool = False
    """Whether outcomes are pages or pictures: these are written in a thread, and the event loop goes on."""


def _write(outcome: T, form: Form, recorder: Recorder) -> tuple[Any, T]:
    """The outcome in plain values for the recording, and as the walk goes on with it: where something in it was a secret, as its
    replay will read it."""
    is_changed = False

    def put(data: bytes, media: str, basis: BlobRef | None = None) -> BlobRef:
        nonlocal is_changed
        clean = recorder.clean(data, media)
        is_changed = is_changed or clean != data
        return recorder.put(clean, media, basis)

    plain = form.dump(outcome, put)
    body = msgspec.json.encode(plain)
    clean = recorder.redactor.clean_json(body)
    if is_changed or clean != body:
        plain = msgspec.json.decode(clean)
        outcome = form.load(plain, recorder.get)
    return plain, outcome


def _place(called: EdgeCall) -> str:
    return f"step {called.step}, {called.seam}.{called.method}"


def _error_of(recorded: str) -> WalkerError:
    name, _, message = recorded.partition(": ")
    kind = getattr(errors, name, WalkerError)
    return kind(message) if isinstance(kind, type) and issubclass(kind, WalkerError) else WalkerError(recorded)
