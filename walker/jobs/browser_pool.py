"""The browser that all work of a server shares, and the next one: a browser that runs for days grows, so it is replaced in time."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable

from walker.assembly import WalkResources
from walker.jobs.kept_jobs import JobProgress


class BrowserPool:
    """Lends the browser of now. Once that has shown `most_pages`, or takes `most_bytes` of memory, new work gets a new one, and the
    old one is closed when the last work in it ends. 0 for no limit. An async context manager."""

    def __init__(
        self,
        resources: WalkResources,
        *,
        most_pages: int = 0,
        most_bytes: int = 0,
        memory: Callable[[], int] = lambda: 0,
    ) -> None:
        """`memory` measures the browsers of this process, in bytes. Whoever made `resources` closes them."""
        self._most_pages, self._most_bytes, self._memory = most_pages, most_bytes, memory
        self._own = self._now = _Lent(resources)
        self.recycled = 0
        """How often a browser was replaced."""

    @contextlib.asynccontextmanager
    async def lent(self, progress: JobProgress) -> AsyncIterator[WalkResources]:
        """A browser for one piece of work, which counts its pages in `progress`."""
        one = self._now
        if self._is_worn(one):
            self._now, self.recycled = _Lent(_with_new_browser(one.resources)), self.recycled + 1
            await self._close_unused(one)
            one = self._now
        one.users += 1
        before = progress.pages
        try:
            yield one.resources
        finally:
            one.users -= 1
            one.pages += progress.pages - before
            await self._close_unused(one)

    async def close(self) -> None:
        """Close the browser of now."""
        if self._now is not self._own:
            await self._now.resources.browsers.close()

    async def _close_unused(self, one: _Lent) -> None:
        if one is not self._now and not one.users:
            await one.resources.browsers.close()

    def _is_worn(self, one: _Lent) -> bool:
        if not one.pages:
            return False  # it has just been replaced: what takes the memory is the one before, or is not a browser
        if self._most_pages and one.pages >= self._most_pages:
            return True
        return bool(self._most_bytes) and self._memory() > self._most_bytes


class _Lent:
    """A browser with its users."""

    def __init__(self, resources: WalkResources) -> None:
        self.resources = resources
        self.users = self.pages = 0


def _with_new_browser(resources: WalkResources) -> WalkResources:
    """The same models with another browser, which starts with its first page."""
    sibling = resources.with_settings(resources.settings)
    sibling.browsers = resources.browsers.again()
    return sibling
