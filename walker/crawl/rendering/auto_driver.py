"""The `auto` driver: reads a page over HTTP if that is equivalent to rendering it, and renders it otherwise.

A page never has silently less content than in a browser: the first pages of each URL template are fetched both ways and compared,
one in fifty after that, and every page with scripts or empty elements that no sample had. After a difference, pages of this
template with the scripts of that page are always rendered, and so is any page whose source has a sign that it needs JavaScript; a
template without any equivalent page is soon no longer fetched over HTTP.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any, Protocol

import msgspec

from perception.element_map import View
from perception.geometry import Box
from perception.snapshot import Snapshot
from walker.browser.page.shared_cookies import SharedCookies
from walker.crawl.rendering.needs_javascript import PageFacts, facts_of
from walker.crawl.rendering.page_difference import difference_of, words_of
from walker.crawl.rendering.render_decisions import RenderDecisions
from walker.seams.actions import Operate
from walker.seams.conditional import Condition, ConditionalBrowser, NotModified
from walker.seams.protocols import FailureKind, PageFailure, ScriptedBrowser, StatefulBrowser
from walker.seams.web.storage_state import StorageState

_BETTER_ASK_A_BROWSER: frozenset[FailureKind] = frozenset(("other", "tls", "redirect_loop"))
"""Failures that a browser may not have: an unsupported content encoding, bot detection, a redirect loop that a cookie would end."""
_REFUSALS = frozenset((401, 403, 406, 503))
"""Statuses that a server may send to non-browsers only."""
_HTML = ("text/html", "application/xhtml+xml")


class _Rendered(ScriptedBrowser, StatefulBrowser, Protocol):
    """The browser for rendering."""


class _Plain(ConditionalBrowser, StatefulBrowser, Protocol):
    """The browser for sources."""


class AutoDriver:
    """Implements `seams.ScriptedBrowser` over two other drivers, which it closes. For one task at a time; several instances share
    their `RenderDecisions` and cookies."""

    def __init__(self, http: _Plain, rendered: _Rendered, choices: RenderDecisions, cookies: SharedCookies) -> None:
        self._http, self._rendered, self.choices, self._cookies = http, rendered, choices, cookies
        self._url = ""
        self.driver = ""
        """Driver of the open page: `http` or `rendered`."""

    async def open(self, url: str) -> Snapshot | PageFailure:
        """Open a URL with the cheaper driver that gives the complete page."""
        opened = await self._open(url, None)
        assert not isinstance(opened, NotModified), "no condition was sent"
        return opened

    async def open_if_changed(self, url: str, condition: Condition) -> Snapshot | PageFailure | NotModified:
        """As `open`, but where the server says that the source is as the condition knows it, which was proved to be the page."""
        return await self._open(url, condition)

    async def _open(self, url: str, condition: Condition | None) -> Snapshot | PageFailure | NotModified:
        self._url = url
        if url.partition("#")[2].startswith(("/", "!")):
            return await self._open_rendered(url, "a hash route")
        if self.choices.why_rendered(url):
            self.choices.record_rendered(url)
            return await self._open_rendered(url, "")
        async with nullcontext() if self.choices.is_settled(url) else self.choices.turn(url):
            return await self._choose(url, condition)

    async def act(self, move: Operate) -> Snapshot | PageFailure:
        """Perform an action on the open page, which is rendered first if it was not."""
        if failure := await self._shown():
            return failure
        async with self._cookies.rendering():
            return await self._rendered.act(move)

    async def see(self, *, whole: bool = False, box: Box | None = None, scale: float = 1.0) -> View | PageFailure:
        """Screenshot and element map of the open page, which is rendered first if it was not."""
        return await self._shown() or await self._rendered.see(whole=whole, box=box, scale=scale)

    async def run(self, function: str, argument: Any, *, seconds: float) -> Any | PageFailure:
        """Run a JavaScript function on the open page, which is rendered first if it was not."""
        if failure := await self._shown():
            return failure
        async with self._cookies.rendering():
            return await self._rendered.run(function, argument, seconds=seconds)

    async def take(self) -> Snapshot | PageFailure:
        """A snapshot of the open page, rendered."""
        return await self._shown() or await self._rendered.take()

    async def state(self) -> StorageState:
        """Storage state, which both drivers share."""
        await self._cookies.from_browser()
        plain, rendered = await self._http.state(), await self._rendered.state()
        return msgspec.structs.replace(rendered.over(plain), cookies=plain.cookies)

    async def restore(self, state: StorageState) -> None:
        """Set the storage state of both drivers."""
        await self._http.restore(state)
        await self._rendered.restore(state)

    async def fetch_ahead(self, urls: tuple[str, ...]) -> None:
        """No prefetching: the driver is not decided yet."""

    async def close(self) -> None:
        """Close both drivers."""
        await self._http.close()
        await self._rendered.close()

    async def _choose(self, url: str, condition: Condition | None) -> Snapshot | PageFailure | NotModified:
        source = await self._open_over_http(url, condition)
        if isinstance(source, NotModified):
            self.choices.counts["http: not modified"] += 1
            self.driver = "http"
            return source
        if isinstance(source, PageFailure):
            if source.kind in _BETTER_ASK_A_BROWSER:
                return await self._open_rendered(url, f"over HTTP: {source.kind}")
            return self._over_http(source, f"failed: {source.kind}")
        facts = facts_of(source.html, source.final_url)
        if source.status >= 400:
            if facts.reasons or source.status in _REFUSALS:
                return await self._open_rendered(url, "an error page")
            return self._over_http(source, "an error page")
        if source.content_type not in _HTML and not facts.reasons:
            return self._over_http(source, "no markup")
        place = source.final_url
        if reason := self.choices.why_needs_rendering(place, facts):
            self.choices.record_needs_rendering(place, facts, reason)
            return await self._open_rendered(url, "")
        if why := self.choices.why_sampled(place, facts):
            return await self._compare(url, source, facts, why)
        self.choices.record_http_read(place, facts)
        self.driver = "http"
        return source

    async def _compare(self, url: str, source: Snapshot, facts: PageFacts, why: str) -> Snapshot | PageFailure:
        """Fetch a page both ways and compare; the rendered page is the result."""
        rendered = await self._open_rendered(url, "")
        if isinstance(rendered, PageFailure):
            self.choices.record_failed_sample(source.final_url)
            return rendered
        if reason := await self._difference(url, source, rendered):
            self.choices.record_needs_rendering(source.final_url, facts, reason)
        else:
            self.choices.record_same(source.final_url, facts, why)
            rendered = msgspec.structs.replace(rendered, etag=source.etag, last_modified=source.last_modified)
        return rendered

    async def _difference(self, url: str, source: Snapshot, rendered: Snapshot) -> str:
        if rendered.status != source.status:
            return f"a browser gets status {rendered.status}, not {source.status}"
        if _plain(rendered.final_url) != _plain(source.final_url):
            return "it redirects a browser elsewhere"
        if rendered.leads_later:
            return "a timer that opens another page"
        had = words_of(source.html, source.final_url)
        shown = words_of(rendered.html, rendered.final_url)
        difference = difference_of(had, shown)
        if difference:
            again = await self._open_over_http(url, None)
            if isinstance(again, Snapshot):
                return difference_of(had, shown, words_of(again.html, again.final_url))
        return difference

    async def _open_rendered(self, url: str, why: str) -> Snapshot | PageFailure:
        if why:
            self.choices.counts[f"rendered: {why}"] += 1
        self.driver = "rendered"
        async with self._cookies.rendering():
            return await self._rendered.open(url)

    async def _open_over_http(self, url: str, condition: Condition | None) -> Snapshot | PageFailure | NotModified:
        await self._cookies.from_browser()
        return await (self._http.open(url) if condition is None else self._http.open_if_changed(url, condition))

    def _over_http(self, opened: Snapshot | PageFailure, why: str) -> Snapshot | PageFailure:
        self.choices.counts[f"http: {why}"] += 1
        self.driver = "http"
        return opened

    async def _shown(self) -> PageFailure | None:
        """Open the page in the browser; returns the failure if it cannot be."""
        if self.driver == "http":
            opened = await self._open_rendered(self._url, "to be operated")
            return opened if isinstance(opened, PageFailure) else None
        return None


def _plain(url: str) -> str:
    return url.partition("#")[0]
