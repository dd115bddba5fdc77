"""Where the answers of edges come from: live and recorded, from the record, or the one after the other.

Record, replay, resume and fork are this one mechanism. A recorded call is found by what was asked (a fingerprint of
the request), not by when, so calls made side by side replay in any order.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import msgspec

from traces.blobs import BlobRef, BlobStore
from traces.cassette import Cassette
from traces.events import Called, Event, MoveTaken
from traces.recorder import Recorder
from walker import errors
from walker.errors import Divergence, WalkerError

T = TypeVar("T")

_OPENING_MOVES = ("Open", "Return", "Operate")


class TapeEnded(Divergence):
    """The record of a walk that was cut off ends here; all of it was equal."""


class Tape:
    """Answers calls from `cassette` up to `last_step`, then live where that is allowed; what is live is recorded."""

    def __init__(
        self,
        *,
        cassette: Cassette | None = None,
        blobs: BlobStore | None = None,
        recorder: Recorder | None = None,
        last_step: int | None = None,
        may_go_live: bool = True,
    ) -> None:
        self._cassette, self._blobs, self._recorder = cassette, blobs, recorder
        self._last_step, self._may_go_live = last_step, may_go_live
        self._asked: Counter[tuple[str, str, str]] = Counter()
        self.is_live = cassette is None
        self.answered = 0
        """Calls answered from the record."""
        self.step = 0
        self.rederived: frozenset[str] = frozenset()
        """Seams that are asked again in a deep replay, and whose answers are compared with the record."""

    def note(self, event: Event) -> None:
        """Follow the walk's step; the loop's events pass here."""
        self.step = event.step
        if isinstance(event, MoveTaken) and event.move in _OPENING_MOVES:
            self.step += 1

    def clean(self, text: str) -> str:
        """Text as it may be kept; a walk that is recorded goes on with this, so that its replay sees the same."""
        if self._recorder is None:
            return text
        data = text.encode("utf-8", "surrogatepass")
        cleaned = self._recorder.redactor.clean(data)
        return text if cleaned == data else cleaned.decode("utf-8", "surrogatepass")

    async def answer(
        self, seam: str, method: str, request: dict[str, Any], live: Callable[[], Awaitable[T]], form: Form
    ) -> T:
        """One call of an edge. `form` turns its outcome into plain values and back."""
        fingerprint = self._fingerprint(seam, method, request)
        occurrence = self._asked[seam, method, fingerprint]
        self._asked[seam, method, fingerprint] += 1
        called = self._from_record(seam, method, fingerprint, occurrence)
        if called is None:
            return await self._live(
                Called(
                    step=self.step,
                    seam=seam,
                    method=method,
                    fingerprint=fingerprint,
                    occurrence=occurrence,
                    request=request,
                ),
                live,
                form,
            )
        self.answered += 1
        if seam in self.rederived:
            return await self._compare(called, live, form)
        if self._recorder is not None and self._last_step is not None:
            self._copy(called)
        if called.error:
            raise _error_of(called.error)
        outcome: T = form.load(called.outcome, self._get)
        return outcome

    def _from_record(self, seam: str, method: str, fingerprint: str, occurrence: int) -> Called | None:
        if self.is_live or self._cassette is None:
            return None
        if self._last_step is not None and self.step > self._last_step:
            self.is_live = True
            return None
        called = self._cassette.take(seam, method, fingerprint, occurrence)
        if called is not None:
            return called
        expected = self._cassette.next_unused()
        if expected is not None:
            raise Divergence(
                f"{seam}.{method} was asked with {fingerprint}, the record goes on with"
                f" {expected.seam}.{expected.method} {expected.fingerprint} (step {expected.step})",
                where=f"step {self.step}",
                advice="The code, a setting or the record has changed since the walk",
            )
        if not self._may_go_live:
            raise TapeEnded("the record ends here; the walk was cut off", where=f"step {self.step}")
        self.is_live = True
        return None

    async def _live(self, question: Called, live: Callable[[], Awaitable[T]], form: Form) -> T:
        if self._recorder is None:
            return await live()
        recorder = self._recorder
        try:
            outcome = await live()
        except WalkerError as error:
            recorder.emit(msgspec.structs.replace(question, error=f"{type(error).__name__}: {error}"))
            raise
        plain = form.dump(outcome, recorder.put)
        recorder.emit(msgspec.structs.replace(question, outcome=plain))
        return outcome

    async def _compare(self, called: Called, live: Callable[[], Awaitable[T]], form: Form) -> T:
        outcome = await live()
        recorded = form.load(called.outcome, self._get)
        if outcome != recorded:
            where = f"step {called.step}, {called.seam}.{called.method}"
            raise Divergence(first_difference(msgspec.to_builtins(recorded), msgspec.to_builtins(outcome)), where=where)
        return outcome

    def _copy(self, called: Called) -> None:
        """A fork is complete by itself: answers taken over from its parent stand in its own record."""
        assert self._recorder is not None
        for ref in _refs_in(called.outcome):
            if ref.basis is not None:
                self._recorder.put(self._get(ref.basis), ref.basis.media)
            self._recorder.put(self._get(ref), ref.media, ref.basis)
        self._recorder.emit(called)

    def _get(self, ref: BlobRef) -> bytes:
        assert self._blobs is not None, "a record has its blobs beside it"
        return self._blobs.get(ref)

    def _fingerprint(self, seam: str, method: str, request: dict[str, Any]) -> str:
        body = msgspec.json.encode([seam, method, request], order="sorted")
        if self._recorder is not None:
            body = self._recorder.redactor.clean(body)
        return hashlib.sha256(body).hexdigest()[:32]


class Form(msgspec.Struct, frozen=True):
    """How the outcomes of one method are written and read."""

    dump: Callable[[Any, Callable[..., BlobRef]], Any]
    load: Callable[[Any, Callable[[BlobRef], bytes]], Any]


def first_difference(expected: Any, got: Any, path: str = "") -> str:
    """Where two plain values differ first, with both values."""
    if isinstance(expected, dict) and isinstance(got, dict):
        for name in expected.keys() | got.keys():
            if expected.get(name) != got.get(name):
                return first_difference(expected.get(name), got.get(name), f"{path}.{name}" if path else str(name))
    if isinstance(expected, list | tuple) and isinstance(got, list | tuple):
        for place, (one, other) in enumerate(zip(expected, got, strict=False)):
            if one != other:
                return first_difference(one, other, f"{path}[{place}]")
        return f"{path}: expected {len(expected)} entries, got {len(got)}"
    return f"{path}: expected {_brief(expected)}, got {_brief(got)}"


def _brief(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 160 else f"{text[:159]}…"


def _refs_in(value: Any) -> list[BlobRef]:
    if isinstance(value, dict):
        if "$b" in value:
            return [msgspec.convert(value, BlobRef)]
        return [ref for inner in value.values() for ref in _refs_in(inner)]
    if isinstance(value, list | tuple):
        return [ref for inner in value for ref in _refs_in(inner)]
    return []


def _error_of(recorded: str) -> WalkerError:
    name, _, message = recorded.partition(": ")
    kind = getattr(errors, name, WalkerError)
    return kind(message) if isinstance(kind, type) and issubclass(kind, WalkerError) else WalkerError(recorded)
