"""Waits until a page has settled, and takes its snapshot."""

from __future__ import annotations

from typing import Protocol

import msgspec
from playwright.async_api import Error

from perception.snapshot import Layout, Notice, Snapshot
from walker.browser.egress.dialing import too_large
from walker.browser.launch.chromium import ContextOptions
from walker.browser.page.isolated_world import World
from walker.browser.scripts.page_functions import page_function
from walker.seams.protocols import PageFailure

SHELL_CHARS = 200
"""Visible characters below which a page with scripts is assumed to be still loading content."""
CALM_MS, SPARSE_QUIET_MS, SETTLE_MS = 50, 1200, 3000
"""Milliseconds without changes after which a page counts as settled, if it has content and if it is still sparse; and the time limit
of a page of a crawl."""
QUIET_MS = 150
"""Milliseconds without changes where what is under way cannot be told: after an action, and where a frame or a thread brings it."""
LATE_MS = 12_000
"""Milliseconds to wait for a nearly empty page with pending requests or timers."""
_LEAN_WAITS = [SHELL_CHARS, CALM_MS, QUIET_MS, SPARSE_QUIET_MS, SETTLE_MS, LATE_MS]
STALL_MS = 4000
"""Of a page of a walk, milliseconds without any sign of what is still pending, after which it is read as it is: requests that are left
open for news never end."""
_WALK_WAITS = [SHELL_CHARS, CALM_MS, SPARSE_QUIET_MS, STALL_MS, LATE_MS]
_STALLED_WAITS = [SHELL_CHARS, CALM_MS, SPARSE_QUIET_MS, 0, LATE_MS - STALL_MS]
"""Of one whose requests were waited for already, and do not end."""
SETTLINGS = 5
"""Most times that a page is waited for again because requests were under way that its scripts cannot tell of."""
LEAN_SETTLINGS = 3
"""The same in a crawl, for scripts: with one that a late one asks for, and one after that; pages that ask by scripts again and again
are taken after nine seconds."""
LEADS_ON_AT_MOST = 5
"""Most client-side redirects (meta refresh, `location.replace`) before it is a loop."""

READ_TYPES = ("text/html", "application/xhtml+xml", "text/plain", "application/json", "application/xml", "text/xml")
"""Media types of pages."""


class RenderedPage(msgspec.Struct, frozen=True, kw_only=True):
    """The result of the snapshot script. `status` is 0 if the browser does not report it."""

    html: str
    url: str
    title: str
    type: str
    status: int
    layout: Layout
    banner: str = ""
    unsettled: str = ""
    """What was still pending when its time was over, "" where the page has settled; in walks only."""
    led_on: int = 0
    """Number of client-side redirects before the page settled."""
    answer_ms: float = 0.0
    """Seconds from the request of the document to its last byte; in crawls only."""
    scrolls: bool = False
    """It has a scroll listener, or an observer of what is in sight."""
    leads_later: bool = False
    """A timer of the page will open another one; in crawls only."""
    needs_frames: bool = False
    """It was opened in a tab that draws nothing, and may be another page where it is drawn; without its document then."""
    elements: int = 0
    bytes: int = 0
    """Number of elements, and size of the response or of the markup, whichever is larger; in crawls only. Beyond the limits `html`
    is empty."""

    def why_unreadable(self, bounds: ContextOptions) -> str:
        """Why it exceeds the limits, "" if it does not."""
        if self.elements > bounds.most_elements:
            return f"more than {bounds.most_elements} elements"
        return too_large(bounds.most_bytes) if self.bytes > bounds.most_bytes else ""

    def why_no_page(self, url: str, bounds: ContextOptions, *, is_cut: bool) -> PageFailure | None:
        """Why it is not a valid page, None if it is. `is_cut`: its response was truncated by the egress proxy."""
        if why := too_large(bounds.most_bytes) if is_cut else self.why_unreadable(bounds):
            return PageFailure(url=url, kind="unreadable", message=why)
        if self.type not in READ_TYPES:
            return PageFailure(
                url=url,
                kind="not_a_page",
                message=f"it is not a web page ({self.type}), and was not kept",
                media_type=self.type,
            )
        return None

    def as_snapshot(self, url: str, notices: tuple[Notice, ...], *, fetched_at: float, load_seconds: float) -> Snapshot:
        """The snapshot for the walk; `url` is the requested URL, `fetched_at` in seconds since the epoch."""
        return Snapshot(
            url=url,
            final_url=self.url,
            # 304: the browser used its cache, which is equivalent to 200.
            status=200 if self.status in (0, 304) else self.status,
            html=self.html,
            content_type=self.type,
            layout=self.layout,
            notices=notices,
            title=" ".join(self.title.split()),
            fetched_at=round(fetched_at, 3),
            load_seconds=round(load_seconds, 4),
            answer_seconds=round(self.answer_ms / 1000, 4),
            scrolls=self.scrolls,
            leads_later=self.leads_later,
        )


class _Taken(msgspec.Struct, frozen=True):
    """The result of the script that takes a page of a walk: the button of a banner that it pressed, or else the page."""

    pressed: str = ""
    page: RenderedPage | None = None


class Arrivals(Protocol):
    """The requests of a page, as the browser tells of them: a script does not hear of modules that it imports."""

    @property
    def are_under_way(self) -> bool:
        """Whether a request has begun and not ended."""
        ...

    async def ended(self, seconds: float, most_seconds: float) -> bool:
        """Wait until no request is under way. Whether all ended: none later than `seconds` after the one before, and all within
        `most_seconds`."""
        ...


class NoArrivals:
    """Implements `Arrivals` for a driver that does not tell."""

    are_under_way = False

    async def ended(self, seconds: float, most_seconds: float) -> bool:  # noqa: ARG002 - the protocol's
        """No request is known."""
        return True


async def take_rendered(
    world: World, *, seconds: float, lean: ContextOptions | None = None, arrivals: Arrivals | None = None
) -> RenderedPage | None:
    """Wait until the page settles, dismiss a cookie banner, take the snapshot. None for an endless client-side redirect.

    `lean` is the mode of crawls, within these limits: no layout, no marking of hidden elements, banners remain; a third of the
    cost.
    """
    taking = _Settled(world, arrivals or NoArrivals())
    for led_on in range(LEADS_ON_AT_MOST + 1):
        try:
            if lean is not None:
                rendered = await _lean_page(world, lean, arrivals or NoArrivals())
            else:
                rendered = await taking.page()
        except Error as error:
            if not was_left(error):
                raise
            await world.wait_loaded(seconds)
        else:
            return msgspec.structs.replace(rendered, led_on=led_on)
    return None


async def _lean_page(world: World, lean: ContextOptions, arrivals: Arrivals) -> RenderedPage:
    take = page_function("snapshot/take_lean_page.js", "takeLeanPage")
    for left in reversed(range(LEAN_SETTLINGS)):
        # A script that comes after the page was loaded may bring all of it; one that does not come is not waited for again.
        is_late = not await arrivals.ended(SETTLE_MS / 1000, SETTLE_MS / 1000)
        await world.enter()
        taken = await world.call(take, [lean.most_elements, lean.most_bytes, *_LEAN_WAITS])
        page = msgspec.json.decode(taken, type=RenderedPage, strict=False)
        if is_late or page.needs_frames or not left or not arrivals.are_under_way:
            return page
    raise AssertionError("the last page is returned")


class _Settled:
    """Takes a page of a walk once it is at rest and no request is under way."""

    def __init__(self, world: World, arrivals: Arrivals) -> None:
        self._world, self._arrivals = world, arrivals
        self._banner = ""
        """What was done with a banner, which may have led to another page."""

    async def page(self) -> RenderedPage:
        """The page of the document that is open now."""
        await self._world.enter()
        waits, unsettled = _WALK_WAITS, ""
        for left in reversed(range(SETTLINGS)):
            # First: a page that waits for these alone is taken once, and not before they came.
            if not await self._arrivals.ended(STALL_MS / 1000, LATE_MS / 1000):
                waits, unsettled = _STALLED_WAITS, "requests"
            taken = await self._take(waits, passes_banner=left > 0 and not self._banner)
            if taken.page is None:
                self._banner = taken.pressed
                continue
            banner, unsettled = self._banner or taken.page.banner, taken.page.unsettled or unsettled
            if unsettled or not left or not self._arrivals.are_under_way:
                return msgspec.structs.replace(taken.page, unsettled=unsettled, banner=banner)
            self._banner = banner
        raise AssertionError("the last page is returned, and no banner is passed before it")

    async def _take(self, waits: list[int], *, passes_banner: bool) -> _Taken:
        take = page_function("snapshot/take_settled_page.js", "takeSettledPage")
        taken = await self._world.call(take, [passes_banner, *waits])
        return msgspec.json.decode(taken, type=_Taken, strict=False)


def as_one_line(value: str) -> str:
    """Join header lines of one name (RFC 9110, section 5.3), which Chromium reports as lines of one value."""
    return ", ".join(value.split("\n"))


def was_left(error: Error) -> bool:
    """Whether a script failed because the page navigated."""
    return any(
        words in error.message
        for words in ("context was destroyed", "Cannot find context", "target navigated or closed")
    )


msgspec.json.Decoder(_Taken)  # described at import: docs/design/msgspec.md
msgspec.json.Decoder(RenderedPage)  # described at import: docs/design/msgspec.md
