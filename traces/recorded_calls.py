"""The tape of a run: what each edge was asked, and what it answered."""

from __future__ import annotations

from collections.abc import Iterable

from traces.events import EdgeCall, Event

INNER_SEAMS = frozenset(("chat", "picture"))
"""Seams that are asked from within another one: a mind's model, and the pictures that are only taken for the record. A replay
need not ask them."""


class RecordedCalls:
    """Answers by (seam, method, fingerprint, occurrence), so that calls made side by side replay in any order."""

    def __init__(self, events: Iterable[Event]) -> None:
        calls = [event for event in events if isinstance(event, EdgeCall)]
        self._calls = {(call.seam, call.method, call.fingerprint, call.occurrence): call for call in calls}
        self._order = calls
        self._used: set[tuple[str, str, str, int]] = set()

    def take(self, seam: str, method: str, fingerprint: str, occurrence: int) -> EdgeCall | None:
        """The recorded answer, or None where this was not asked."""
        key = (seam, method, fingerprint, occurrence)
        call = self._calls.get(key)
        if call is not None:
            self._used.add(key)
        return call

    def holds(self, seam: str, method: str, fingerprint: str, occurrence: int) -> bool:
        """Whether this was asked in the walk."""
        return (seam, method, fingerprint, occurrence) in self._calls

    def nearest(self, seam: str, method: str, step: int) -> EdgeCall | None:
        """The earliest call of a method in a step that nobody asked for yet: what stands where another request is made now."""
        for call in self._order:
            if (call.seam, call.method, call.step) == (seam, method, step) and not self._is_used(call):
                return call
        return None

    def use(self, call: EdgeCall) -> None:
        """Count a call as asked for, though by another request."""
        self._used.add((call.seam, call.method, call.fingerprint, call.occurrence))

    def _is_used(self, call: EdgeCall) -> bool:
        return (call.seam, call.method, call.fingerprint, call.occurrence) in self._used

    @property
    def used(self) -> int:
        """How many answers were taken."""
        return len(self._used)

    def next_unused(self) -> EdgeCall | None:
        """The earliest recorded call that nobody asked for yet: what the record expects to come. Calls that a mind made of
        its model stand behind the mind's own answer, and need not be asked for."""
        for call in self._order:
            if call.seam not in INNER_SEAMS and not self._is_used(call):
                return call
        return None
