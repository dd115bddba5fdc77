"""The tape of a run: what each edge was asked, and what it answered."""

from __future__ import annotations

from collections.abc import Iterable

from traces.events import Called, Event


class Cassette:
    """Answers by (seam, method, fingerprint, occurrence), so that calls made side by side replay in any order."""

    def __init__(self, events: Iterable[Event]) -> None:
        calls = [event for event in events if isinstance(event, Called)]
        self._calls = {(call.seam, call.method, call.fingerprint, call.occurrence): call for call in calls}
        self._order = calls
        self._used: set[tuple[str, str, str, int]] = set()

    def take(self, seam: str, method: str, fingerprint: str, occurrence: int) -> Called | None:
        """The recorded answer, or None where this was not asked."""
        key = (seam, method, fingerprint, occurrence)
        call = self._calls.get(key)
        if call is not None:
            self._used.add(key)
        return call

    @property
    def used(self) -> int:
        """How many answers were taken."""
        return len(self._used)

    def next_unused(self) -> Called | None:
        """The earliest recorded call that nobody asked for yet: what the record expects to come."""
        for call in self._order:
            if (call.seam, call.method, call.fingerprint, call.occurrence) not in self._used:
                return call
        return None

    def last_of(self, seam: str, methods: tuple[str, ...]) -> tuple[Called, ...]:
        """All recorded calls of a seam's methods, in order."""
        return tuple(call for call in self._order if call.seam == seam and call.method in methods)
