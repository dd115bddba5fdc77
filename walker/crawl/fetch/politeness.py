"""Adaptive rate limiting per host.

A host has a *window*, the number of concurrent fetches. It starts at what the script allows and then adapts to the host's
responses. By Little's law, of `window` fetches about `window * (1 - quickest / usual)` are in the host's queue, where `quickest` is
the response time when it is idle and `usual` the current one: if more than half a window is queued, the window shrinks by one, else
it grows by one. 429 and 503 halve it, and the host is paused for as long as it asks (Retry-After), or with exponential backoff from
one second. A host that still refuses at a window of one gets a delay between fetches, which shrinks with every successful response.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import msgspec

from walker.crawl.script.polite import Polite

REFUSING = frozenset((429, 503))
LONGEST_PAUSE_SECONDS = 3600.0
FIRST_PAUSE_SECONDS = 1.0
LONGEST_GAP_SECONDS = 60.0
QUICK_SECONDS = 0.25
"""Seconds; a host that usually responds within this is not overloaded, whatever its quickest response was."""
ANSWERS_A_CHANGE = 6
"""Responses between two changes of a window."""
_SLACK = 1e-6


class _Host(msgspec.Struct, kw_only=True):
    """State of one host."""

    most: int
    window: int
    delay: float
    gap: float = 0.0
    active: int = 0
    next_start: float = 0.0
    paused_until: float = 0.0
    cut_at: float = float("-inf")
    refusals: int = 0
    answers: int = 0
    quickest: float = 0.0
    usual: float = 0.0
    waiting: deque[asyncio.Future[None]] = msgspec.field(default_factory=deque)


class Pace:
    """The rate limits of all hosts of a crawl.

        async with pace.slot(host):
            ...fetch...
        pace.answered(host, status, seconds, retry_after)

    A host is any string that identifies a server, such as `example.org:8080`."""

    def __init__(
        self,
        polite: Polite,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._polite, self._clock, self._sleep = polite, clock, sleep
        self._hosts: dict[str, _Host] = {}

    def ask_for_delay(self, host: str, seconds: float) -> None:
        """Set the minimum delay between two fetches, from Crawl-delay in robots.txt. A longer delay of the script has precedence."""
        known = self._host(host)
        known.delay = max(self._polite.delay, seconds)

    @asynccontextmanager
    async def slot(self, host: str) -> AsyncIterator[None]:
        """Wait, first come, first served, for a slot in the host's window, and occupy it for the block."""
        known = self._host(host)
        await self._enter(known)
        try:
            yield
        finally:
            self._leave(known)

    def answered(self, host: str, status: int, seconds: float, retry_after: float | None = None) -> None:
        """Report the result of a fetch: HTTP status (0 for none), response time, and Retry-After in seconds."""
        known, now = self._host(host), self._clock()
        if status in REFUSING:
            self._refused(known, now, seconds, retry_after)
        elif 0 < status < 500:
            known.refusals = 0
            known.gap = known.gap * 0.9 if known.gap > 0.05 else 0.0
            self._learn(known, seconds)
        elif retry_after:
            known.paused_until = max(known.paused_until, now + min(retry_after, LONGEST_PAUSE_SECONDS))
        self._wake(known)

    def next_free(self, host: str = "") -> float:
        """Seconds until the host has a free slot, 0 for now; without a host, until the first known host has one. If the window is
        full, an estimate by the usual response time."""
        if not host:
            return min((self.next_free(one) for one in self._hosts), default=0.0)
        known = self._hosts.get(host)
        if known is None:
            return 0.0
        now = self._clock()
        busy = max(known.usual, 0.05) if known.waiting or known.active >= known.window else 0.0
        return max(0.0, known.next_start - now, known.paused_until - now, busy)

    def window(self, host: str) -> int:
        """Current number of concurrent fetches allowed."""
        return self._host(host).window

    def gap(self, host: str) -> float:
        """Seconds between the beginnings of two fetches."""
        known = self._host(host)
        return max(known.delay, known.gap)

    def pause(self, host: str) -> float:
        """Seconds for which the host is still paused, 0 if it is not."""
        return max(0.0, self._host(host).paused_until - self._clock())

    def _host(self, host: str) -> _Host:
        known = self._hosts.get(host)
        if known is None:
            most = self._polite.per_host
            known = self._hosts[host] = _Host(most=most, window=most, delay=self._polite.delay)
        return known

    async def _enter(self, known: _Host) -> None:
        is_back = False
        while True:
            await self._turn(known, is_back=is_back)
            try:
                start = max(self._clock(), known.next_start, known.paused_until)
                known.next_start = start + max(known.delay, known.gap)
                while (wait := start - self._clock()) > _SLACK:
                    await self._sleep(wait)
            except asyncio.CancelledError:
                self._leave(known)
                raise
            if known.paused_until <= self._clock() + _SLACK:
                return
            is_back = True  # the host refused other fetches meanwhile: wait again, ahead of later ones
            self._leave(known)

    async def _turn(self, known: _Host, *, is_back: bool) -> None:
        """Wait for a slot in the window and take it."""
        if known.active < known.window and (is_back or not known.waiting):
            known.active += 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if is_back:
            known.waiting.appendleft(turn)
        else:
            known.waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._leave(known)
            elif turn in known.waiting:  # not if it came up, and was passed over, between its cancellation and now
                known.waiting.remove(turn)
            raise

    def _leave(self, known: _Host) -> None:
        known.active -= 1
        self._wake(known)

    def _wake(self, known: _Host) -> None:
        while known.waiting and known.active < known.window:
            turn = known.waiting.popleft()
            if not turn.done():
                known.active += 1
                turn.set_result(None)

    def _refused(self, known: _Host, now: float, seconds: float, retry_after: float | None) -> None:
        """Handle 429 or 503. Fetches that began before the window was last reduced do not reduce it again, but their Retry-After is
        obeyed."""
        is_new = now - seconds >= known.cut_at
        if is_new:
            known.cut_at, known.answers = now, 0
            if known.window == 1:
                known.gap = min(LONGEST_GAP_SECONDS, max(0.5, known.gap * 2))
            known.window = max(1, known.window // 2)
            known.refusals += 1
        pause = FIRST_PAUSE_SECONDS * 2 ** min(known.refusals - 1, 10) if retry_after is None else retry_after
        known.paused_until = max(known.paused_until, now + min(max(pause, 0.0), LONGEST_PAUSE_SECONDS))

    def _learn(self, known: _Host, seconds: float) -> None:
        known.usual = 0.8 * known.usual + 0.2 * seconds if known.usual else seconds
        known.quickest = min(known.quickest, seconds) if known.quickest else seconds
        known.answers += 1
        if known.answers < ANSWERS_A_CHANGE:
            return
        known.answers = 0
        if known.window == 1:
            known.quickest = known.usual  # none of our fetches is queued: the host itself has become slower
        share_queued = 1 - known.quickest / known.usual if known.usual > QUICK_SECONDS else 0.0
        step = -1 if share_queued > 0.5 else 1
        known.window = min(known.most, max(1, known.window + step))
