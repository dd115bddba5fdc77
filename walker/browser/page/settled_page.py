"""What a page looks like once it has come to rest."""

from __future__ import annotations

import msgspec
from playwright.async_api import Error

from perception.snapshot import Layout, Notice, Snapshot
from walker.browser.egress.dialing import too_large
from walker.browser.launch.chromium import ContextOptions
from walker.browser.page.isolated_world import World
from walker.browser.scripts.page_functions import page_function
from walker.seams.protocols import PageFailure

SHELL_CHARS = 200
"""Visible characters below which a page with scripts is taken for one that still fills itself."""
QUIET_MS, SPARSE_QUIET_MS, SETTLE_MS = 150, 1200, 3000
"""How long a page that filled itself must rest, one that is still sparse, and how long either is waited for at most."""
LATE_MS = 12_000
"""How long a page taken for a crawl is waited for that shows next to nothing, while a request of its own or a timer is to come."""
_WAITS = [SHELL_CHARS, QUIET_MS, SPARSE_QUIET_MS, SETTLE_MS, LATE_MS]
LEADS_ON_AT_MOST = 5
"""Times that a page may go elsewhere by itself (meta refresh, `location.replace`) before it is a loop."""

READ_TYPES = ("text/html", "application/xhtml+xml", "text/plain", "application/json", "application/xml", "text/xml")
"""What is read as a page."""


class RenderedPage(msgspec.Struct, frozen=True, kw_only=True):
    """What the page's script handed over. `status` is 0 where the browser does not tell it."""

    html: str
    url: str
    title: str
    type: str
    status: int
    layout: Layout
    banner: str = ""
    led_on: int = 0
    """Times that the page went elsewhere by itself before it rested."""
    answer_ms: float = 0.0
    """From asking for the document to its last byte; of a page that was taken for a crawl."""
    scrolls: bool = False
    """Of a page that was taken for a crawl: a program of its hears of scrolling."""
    elements: int = 0
    bytes: int = 0
    """Of a page that was taken for a crawl: its elements, and how large its answer or its markup is, whichever is larger. Beyond
    the bounds `html` is empty."""

    def why_unreadable(self, bounds: ContextOptions) -> str:
        """Why it is not read, "" where it is within its bounds."""
        if self.elements > bounds.most_elements:
            return f"more than {bounds.most_elements} elements"
        return too_large(bounds.most_bytes) if self.bytes > bounds.most_bytes else ""

    def why_no_page(self, url: str, bounds: ContextOptions, *, is_cut: bool) -> PageFailure | None:
        """Why it is not kept as a page, None where it is. `is_cut`: its answer was ended on the way, for it was too large."""
        if why := too_large(bounds.most_bytes) if is_cut else self.why_unreadable(bounds):
            return PageFailure(url=url, kind="unreadable", message=why)
        if self.type not in READ_TYPES:
            return PageFailure(url=url, kind="not_a_page", message=f"it is no page ({self.type}), and was not kept")
        return None

    def as_snapshot(self, url: str, notices: tuple[Notice, ...], *, fetched_at: float, load_seconds: float) -> Snapshot:
        """The page as the walk gets it: asked for at `url`, at this time (seconds since the epoch)."""
        return Snapshot(
            url=url,
            final_url=self.url,
            # 304: the browser showed its own copy, which is as good as new.
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
        )


async def take_rendered(world: World, *, seconds: float, lean: ContextOptions | None = None) -> RenderedPage | None:
    """Wait for rest, pass a cookie banner, read the page. None if it goes elsewhere without end.

    `lean`, as a crawl wants it, within these bounds: nothing is measured, hidden things are not marked, banners stay; a third
    of the cost.
    """
    banner = ""
    for led_on in range(LEADS_ON_AT_MOST + 1):
        try:
            await world.enter()
            if lean is not None:
                take = page_function("snapshot/take_lean_page.js", "takeLeanPage")
                taken = await world.call(take, [lean.most_elements, lean.most_bytes, *_WAITS])
            else:
                await world.call(page_function("snapshot/settling.js", "settle"), _WAITS)
                banner = await world.call(page_function("snapshot/consent_banner.js", "passBanner")) or banner
                taken = await world.call(page_function("snapshot/take_snapshot.js", "takeSnapshot"))
        except Error as error:
            if not was_left(error):
                raise
            await world.wait_loaded(seconds)
        else:
            rendered = msgspec.json.decode(taken, type=RenderedPage, strict=False)
            return msgspec.structs.replace(rendered, banner=banner, led_on=led_on)
    return None


def as_one_line(value: str) -> str:
    """Header lines of one name as one (RFC 9110, section 5.3); Chromium tells them as lines of one value."""
    return ", ".join(value.split("\n"))


def was_left(error: Error) -> bool:
    """Whether the script ended because the page went elsewhere under it."""
    return any(
        words in error.message
        for words in ("context was destroyed", "Cannot find context", "target navigated or closed")
    )
