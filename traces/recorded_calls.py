"""The recorded edge calls of a run: each request to an edge and its answer."""

from __future__ import annotations

from collections.abc import Iterable

from traces.events import EdgeCall, Event, WalkEnded

INNER_SEAMS = frozenset(("chat", "picture", "scout", "search"))
"""Edges that are called from within another one: a strategy's chat model, screenshots taken for the recording only, and what is read
over HTTP, or found by a service, to answer a search. A replay need not call them."""


class RecordedCalls:
    """Answers by (seam, method, fingerprint, occurrence), so that concurrent calls replay in any order."""

    def __init__(self, events: Iterable[Event]) -> None:
        seen = tuple(events)
        calls = [event for event in seen if isinstance(event, EdgeCall)]
        self._calls = {(call.seam, call.method, call.fingerprint, call.occurrence): call for call in calls}
        self._order = calls
        self.has_end = any(isinstance(event, WalkEnded) for event in seen)
        """Whether the walk came to its end."""
        self._used: set[tuple[str, str, str, int]] = set()

    def take(self, seam: str, method: str, fingerprint: str, occurrence: int) -> EdgeCall | None:
        """The recorded call, now marked as used; None where there is none."""
        key = (seam, method, fingerprint, occurrence)
        call = self._calls.get(key)
        if call is not None:
            self._used.add(key)
        return call

    def holds(self, seam: str, method: str, fingerprint: str, occurrence: int) -> bool:
        """Whether this call is in the recording."""
        return (seam, method, fingerprint, occurrence) in self._calls

    def nearest(self, seam: str, method: str, step: int) -> EdgeCall | None:
        """The earliest unused call of a method in a step: the one in whose place a different request is made now."""
        for call in self._order:
            if (call.seam, call.method, call.step) == (seam, method, step) and not self._is_used(call):
                return call
        return None

    def use(self, call: EdgeCall) -> None:
        """Mark a call as used, though by a different request."""
        self._used.add((call.seam, call.method, call.fingerprint, call.occurrence))

    def _is_used(self, call: EdgeCall) -> bool:
        return (call.seam, call.method, call.fingerprint, call.occurrence) in self._used

    @property
    def used(self) -> int:
        """Number of calls used."""
        return len(self._used)

    def next_unused(self) -> EdgeCall | None:
        """The earliest unused call: what the recording expects next. A strategy's calls to its model are skipped, since the
        strategy's own answer covers them."""
        for call in self._order:
            if call.seam not in INNER_SEAMS and not self._is_used(call):
                return call
        return None
