"""Opens pages where nothing is drawn, and again where it is if that may make a difference.

Laying out, painting and rasterising is a third of what a page costs a browser, and a crawl looks at none of it. A page tells by
what its scripts use whether it may be another one when it is drawn; then it is opened anew, as all further pages of its template.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from memory.url_key import origin_of
from perception.element_map import View
from perception.geometry import Box
from perception.snapshot import Snapshot
from walker.browser.scripts.page_functions import page_function
from walker.seams.actions import Operate
from walker.seams.protocols import FailureKind, PageFailure, ScriptedBrowser, StatefulBrowser
from walker.seams.web.storage_state import StorageState

MOST_TEMPLATES = 2
"""Templates of an origin whose pages had to be drawn, after which all pages there are: so few are opened twice."""
_BETTER_DRAWN: frozenset[FailureKind] = frozenset(("timeout", "crashed"))
"""Failures that may come of a frame that never came."""
_PROBE = page_function("steps/click_probe.js", "probeClicks")
"""The one function of a crawl that needs no frame itself, and tells whether the page needed some meanwhile."""


class _Drawing(ScriptedBrowser, StatefulBrowser, Protocol):
    """A browser that draws pages."""

    async def leave(self) -> None:
        """End what the open page does."""


class _Undrawing(Protocol):
    """One that draws none."""

    @property
    def needs_frames(self) -> bool:
        """Whether the page that it opened last may be another one where it is drawn."""
        ...

    async def open(self, url: str) -> Snapshot | PageFailure:
        """The page of a URL, which is not drawn."""
        ...

    async def run(self, function: str, argument: Any, *, seconds: float) -> Any | PageFailure:
        """Run a JavaScript function on the open page."""
        ...

    async def leave(self) -> None:
        """End what the open page does."""

    async def state(self) -> StorageState:
        """Storage state after the last page."""
        ...

    async def restore(self, state: StorageState) -> None:
        """Set the storage state for the next page."""

    async def close(self) -> None:
        """Close it and all it has opened."""


class DrawnPages:
    """Which pages are known to need drawing; shared by the browsers of a crawl."""

    def __init__(self, template_of: Callable[[str], str]) -> None:
        """`template_of` gives the template of an address."""
        self._template_of = template_of
        self._templates: dict[str, set[str]] = {}

    def has(self, url: str) -> bool:
        """Whether a page is of them."""
        known = self._templates.get(origin_of(url), ())
        return len(known) >= MOST_TEMPLATES or self._template_of(url) in known

    def add(self, url: str) -> None:
        """A page needed it."""
        self._templates.setdefault(origin_of(url), set()).add(self._template_of(url))


class SparingDriver:
    """Implements `seams.ScriptedBrowser` over two other drivers of one context, which it closes. For one task at a time."""

    def __init__(self, undrawn: _Undrawing, drawn: _Drawing, pages: DrawnPages) -> None:
        self._undrawn, self._drawn, self._pages = undrawn, drawn, pages
        self._url = ""
        self._is_drawn = True
        """Whether the open page is; as long as there is none, it is the other driver's to say so."""

    async def open(self, url: str) -> Snapshot | PageFailure:
        """Open a URL; drawn, if the page may be another one then."""
        self._url = url
        if not self._pages.has(url):
            if self._is_drawn:
                # What it does by itself would go on beside the next page.
                await self._drawn.leave()
            self._is_drawn = False
            opened = await self._undrawn.open(url)
            lost = isinstance(opened, PageFailure) and opened.kind in _BETTER_DRAWN
            if not (lost or self._undrawn.needs_frames):
                return opened
            self._pages.add(url)
        return await self._open_drawn()

    async def act(self, move: Operate) -> Snapshot | PageFailure:
        """Perform an action on the open page, which is drawn first if it was not."""
        return await self._shown() or await self._drawn.act(move)

    async def see(self, *, whole: bool = False, box: Box | None = None, scale: float = 1.0) -> View | PageFailure:
        """Screenshot and element map of the open page, which is drawn first if it was not."""
        return await self._shown() or await self._drawn.see(whole=whole, box=box, scale=scale)

    async def run(self, function: str, argument: Any, *, seconds: float) -> Any | PageFailure:
        """Run a JavaScript function on the open page, which is drawn first if it was not and the function may need that."""
        if not self._is_drawn and function == _PROBE:
            done = await self._undrawn.run(function, argument, seconds=seconds)
            if isinstance(done, dict) and not done.get("needs_frames"):
                return done
        return await self._shown() or await self._drawn.run(function, argument, seconds=seconds)

    async def take(self) -> Snapshot | PageFailure:
        """A snapshot of the open page, drawn."""
        return await self._shown() or await self._drawn.take()

    async def state(self) -> StorageState:
        """Storage state, which both share."""
        return await (self._drawn if self._is_drawn else self._undrawn).state()

    async def restore(self, state: StorageState) -> None:
        """Set the storage state of both."""
        self._is_drawn = True
        await self._undrawn.restore(state)
        await self._drawn.restore(state)

    async def fetch_ahead(self, urls: tuple[str, ...]) -> None:
        """No prefetching: a crawl knows its next page, and takes it in turn."""

    async def close(self) -> None:
        """Close both."""
        await self._undrawn.close()
        await self._drawn.close()

    async def _shown(self) -> PageFailure | None:
        """Open the page anew where it is drawn; returns the failure if it cannot be."""
        if self._is_drawn:
            return None
        self._pages.add(self._url)
        opened = await self._open_drawn()
        return opened if isinstance(opened, PageFailure) else None

    async def _open_drawn(self) -> Snapshot | PageFailure:
        if not self._is_drawn:
            await self._undrawn.leave()
        self._is_drawn = True
        return await self._drawn.open(self._url)
