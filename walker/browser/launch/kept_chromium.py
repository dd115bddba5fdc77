"""A Chromium that outlives the walks of a program: they share it, instead of starting one each."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextvars import ContextVar

from playwright.async_api import BrowserContext

from walker.browser.launch.chromium import Chromium, ContextOptions
from walker.browser.launch.find_chromium import BrowserChoice

_KEPT: ContextVar[tuple[BrowserChoice, Chromium] | None] = ContextVar("kept_chromium", default=None)


@contextlib.contextmanager
def keep_chromium(choice: BrowserChoice, chromium: Chromium) -> Iterator[None]:
    """Within the block, walks that want this program without a window open their pages in this one. All of them must run in the event
    loop in which it was started; who made it closes it."""
    token = _KEPT.set((choice, chromium))
    try:
        yield
    finally:
        _KEPT.reset(token)


def get_chromium(choice: BrowserChoice, *, headed: bool = False, virtual: bool = False) -> Chromium:
    """The one that is kept, if it is what is wanted, else a new one; whoever gets it closes it, which a kept one ignores."""
    kept = _KEPT.get()
    if kept is None or headed or kept[0] != choice:
        return Chromium(choice, headed=headed, virtual=virtual)
    return _Lent(*kept)


class _Lent(Chromium):
    """The kept one, for one user."""

    def __init__(self, choice: BrowserChoice, kept: Chromium) -> None:
        super().__init__(choice)
        self._kept = kept

    async def new_context(self, settings: ContextOptions) -> BrowserContext:
        return await self._kept.new_context(settings)

    @property
    def alive(self) -> bool:
        return self._kept.alive

    async def close(self) -> None:
        """The walks that come next go on with it."""
