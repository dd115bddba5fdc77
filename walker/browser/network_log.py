"""What the pages of a walk ask for and are given, for its tape."""

from __future__ import annotations

from walker.browser.traffic import ContextTraffic
from walker.exchange import Exchange

BODY_BYTES = 10_000_000
"""Of a response that is kept; a larger one is told, and not kept."""
WAIT_SECONDS = 3.0
"""For bodies that are on their way when a page is done."""


class NetworkLog:
    """Exchanges in the order in which they were complete. `watch` is given to a browser, `take` asked after each page.
    Implements `traffic.Traffic`."""

    def __init__(self) -> None:
        self._done: list[Exchange] = []
        self._traffic = ContextTraffic(self, most_bytes=BODY_BYTES)
        self.watch = self._traffic.watch

    def add(self, exchange: Exchange) -> None:
        """Keep it until it is taken."""
        self._done.append(exchange)

    async def take(self) -> tuple[Exchange, ...]:
        """What has come since the last call; waits a little for what is on its way."""
        await self._traffic.finish(WAIT_SECONDS)
        done, self._done = tuple(self._done), []
        return done
