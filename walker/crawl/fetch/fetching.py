"""Fetches one page of a crawl, subject to robots.txt, rate limits and retries."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import cast

import msgspec

from memory.library.pictures import PagePicture
from memory.url_key import origin_of
from perception.images.image import decode_picture, encode_picture
from perception.snapshot import Snapshot
from walker.browser.http.http_browser import type_of, why_no_page
from walker.browser.http.http_client import HttpAnswer, HttpClient
from walker.crawl.fetch.infinite_scroll import InfiniteScroll
from walker.crawl.fetch.page_pictures import PagePictures
from walker.crawl.fetch.page_steps import StepsFailed, steps_then_take
from walker.crawl.fetch.politeness import Pace
from walker.crawl.fetch.pressed_links import with_pressed_links
from walker.crawl.fetch.retrying import Retries, retry_after_seconds
from walker.crawl.fetch.robots import RobotsRules
from walker.crawl.fetch.safe_presses import with_safe_presses
from walker.crawl.fetch.sitemaps import feed_entries
from walker.crawl.job_records import FoundLink, Lease
from walker.crawl.script.crawl_scope import is_file
from walker.crawl.script.spec import Keep, Step
from walker.documents.document_kinds import DocumentKind, document_kind
from walker.seams.conditional import Condition, ConditionalBrowser, NotModified, usable_date
from walker.seams.protocols import Browser, PageFailure, ScriptedBrowser


class Fetched(msgspec.Struct, frozen=True, kw_only=True):
    """A fetched page."""

    snapshot: Snapshot
    seconds: float
    driver: str = ""
    picture: bytes = b""
    """Full-page screenshot as PNG, if wanted."""
    no_picture: str = ""
    """Why there is no screenshot although one was wanted."""
    pictures: tuple[PagePicture, ...] | None = None
    """The pictures on it, None where they were not wanted."""
    file: FetchedFile | None = None
    """The file that the page was made from, if it is kept."""

    @property
    def size(self) -> int:
        """Size of the markup in bytes."""
        html = self.snapshot.html
        return len(html) if html.isascii() else len(html.encode("utf-8", "surrogatepass"))


class FetchedFile(msgspec.Struct, frozen=True, kw_only=True):
    """A fetched file, unparsed."""

    answer: HttpAnswer
    seconds: float
    fetched_at: float
    entries: tuple[FoundLink, ...] | None = None
    """Links to the entries of a feed, None for any other file."""

    @property
    def type(self) -> str:
        """Media type: the server's, else by content sniffing."""
        return type_of(self.answer)

    @property
    def etag(self) -> str:
        """The header `ETag`, "" without one."""
        return str(self.answer.headers.get("etag", ""))

    @property
    def last_modified(self) -> str:
        """The header `Last-Modified`, where it can tell a later version."""
        return usable_date(self.answer.headers)

    @property
    def is_pdf(self) -> bool:
        """Whether it is a PDF, by media type or first bytes, as servers send many files as application/octet-stream."""
        return self.type == "application/pdf" or self.answer.body.startswith(b"%PDF-")

    @property
    def office(self) -> DocumentKind | None:
        """What office, CSV or Markdown file it is, None for another; those of old forms, which nobody reads, too."""
        return office_kind(self.answer)


def office_kind(answer: HttpAnswer) -> DocumentKind | None:
    """What office, CSV or Markdown file a response brings."""
    kind = document_kind(answer.status, answer.final_url, {**answer.headers, "content-type": answer.content_type})
    return kind if kind is not None and kind.reader != "pdf" else None


class RetryLater(msgspec.Struct, frozen=True, kw_only=True):
    """The page may be fetched later; `seconds` from now."""

    seconds: float
    why: str
    tried: bool = True
    """False if no request was sent."""


class GivenUp(msgspec.Struct, frozen=True, kw_only=True):
    """The page could not be fetched, or must not be (`is_refused`)."""

    why: str
    is_refused: bool = False


Outcome = Fetched | FetchedFile | NotModified | RetryLater | GivenUp
"""What came of fetching a page."""


class _Wanted(msgspec.Struct, frozen=True, kw_only=True):
    steps: Sequence[Step]
    keep: Collection[Keep]
    condition: Condition | None

    @property
    def file(self) -> bool:
        """Whether a file is wanted if it is not a page."""
        return not _FILES.isdisjoint(self.keep)


PATIENCE_SECONDS = 2.0
"""Most seconds that a worker waits for a host; a page that must wait longer is returned to the frontier."""
_NO_PAGE = ("not_a_page", "download")
_FEED_TYPES = frozenset(("application/rss+xml", "application/atom+xml", "application/rdf+xml"))
_SHOWN_FEED_TYPES = frozenset(("application/xml", "text/xml", "text/plain"))
"""Of pages that may be a browser's own view of a feed."""
_FEED_ROOT = re.compile(r"(?:<|&lt;)(?:rss|feed|rdf:RDF)(?:\s|>|&gt;)", re.IGNORECASE)
_ROOT_WITHIN = 20_000
"""Characters of the page up to the document's first element: a browser shows it below a style sheet and a notice."""
_OF_THE_WAY = ("url", "status", "redirects")
_OF_THE_ANSWER = ("retry_after", "robots_tag", "link", "refresh", "answer_seconds")
"""Snapshot fields that are known only when a page is opened, not after steps on it."""
_FILES: frozenset[Keep] = frozenset(("download", "pdf", "office"))


class Fetcher:
    """Fetches pages for all workers of a crawl, and files through `files`."""

    def __init__(
        self,
        robots: RobotsRules,
        pace: Pace,
        retries: Retries,
        *,
        environment: Mapping[str, str],
        driver: str = "",
        files: HttpClient | None = None,
    ) -> None:
        self._robots, self._pace, self._retries = robots, pace, retries
        self._environment, self._driver, self._files = environment, driver, files
        self.clock: Callable[[], float] = time.time
        """Seconds since the epoch."""
        self.presses = False
        """Whether pages without steps are pressed where that is safe (safe_presses)."""
        self.pictures: PagePictures | None = None
        """Who fetches the pictures of pages, if the crawl keeps them."""
        self._met: set[str] = set()
        self._growing = InfiniteScroll()

    async def fetch(
        self,
        lease: Lease,
        browser: Browser,
        steps: Sequence[Step] = (),
        *,
        keep: Collection[Keep] = (),
        condition: Condition | None = None,
    ) -> Outcome:
        """Fetch the page of a lease and do its steps. `keep` says whether a file is wanted if it is not a page, and a screenshot
        if it is one; `condition`, which goes with neither steps nor screenshots, what an earlier answer was."""
        if refused := await self._refused_by_robots(lease):
            return refused
        origin = origin_of(lease.url)
        if (wait := self._pace.next_free(origin)) > PATIENCE_SECONDS:
            # A worker that waited here would be blocked, and would not notice the end of the crawl.
            return RetryLater(seconds=wait, why="its host is rate limited", tried=False)
        async with self._pace.slot(origin):
            wanted = _Wanted(steps=steps, keep=keep, condition=condition)
            if wanted.file and is_file(lease.url) and (file := await self._fetch_file(lease, wanted)) is not None:
                return file
            outcome = await self._fetch_page(lease, browser, wanted)
        # After the page has left its place at the host, which its pictures need.
        if "pictures" in keep and self.pictures is not None and isinstance(outcome, Fetched):
            return msgspec.structs.replace(
                outcome, pictures=await self.pictures.of(outcome.snapshot, with_text="picture-text" in keep)
            )
        return outcome

    async def open(self, url: str, browser: Browser) -> Snapshot | PageFailure:
        """A page that belongs to no lease, in its turn at the host like any other."""
        async with self._pace.slot(origin_of(url)):
            return await browser.open(url)

    async def fetch_again(self, lease: Lease, browser: Browser) -> Snapshot | None:
        """The page of a lease as it is fetched another time, None if it cannot be."""
        async with self._pace.slot(origin_of(lease.url)):
            opened = await browser.open(lease.url)
            if not isinstance(opened, Snapshot) or opened.status >= 400:
                return None
            worked = await self._worked_on(opened, browser, ())
            return worked if isinstance(worked, Snapshot) else None

    async def _fetch_page(self, lease: Lease, browser: Browser, wanted: _Wanted) -> Outcome:
        started = time.monotonic()
        opened = await self._open(lease, browser, wanted.condition)
        seconds = time.monotonic() - started
        if isinstance(opened, NotModified):
            self._pace.answered(origin_of(lease.url), 304, seconds)
            return opened
        self._tell_pace(origin_of(lease.url), opened, seconds)
        if _may_be_feed(opened) and (feed := await self._fetch_feed(lease)) is not None:
            return feed
        if isinstance(opened, Snapshot) and opened.status < 400:
            worked = await self._worked_on(opened, browser, wanted.steps)
            if isinstance(worked, GivenUp):
                return worked
            opened = worked
        if wanted.file and isinstance(opened, PageFailure) and opened.kind in _NO_PAGE:
            file = await self._fetch_file(lease, wanted)
            return file if file is not None else self._judged(lease, opened, seconds, "")
        judged = self._judged(lease, opened, seconds, getattr(browser, "driver", self._driver))
        if "screenshot" in wanted.keep and isinstance(judged, Fetched) and judged.snapshot.status < 400:
            return await _with_picture(judged, browser)
        return judged

    async def _worked_on(
        self, opened: Snapshot, browser: Browser, steps: Sequence[Step]
    ) -> Snapshot | PageFailure | GivenUp:
        """The page after its steps; without steps, after infinite scrolling and with links from click handlers."""
        if steps:
            worked = await self._do_steps(browser, steps)
        else:
            worked = await self._growing.at_its_end(opened, browser)
            if isinstance(worked, Snapshot) and self.presses:
                worked = await with_safe_presses(worked, browser)
            if isinstance(worked, Snapshot):
                worked = await with_pressed_links(worked, browser)
        if not isinstance(worked, Snapshot):
            return worked
        is_same = worked.final_url == opened.final_url
        told = (*_OF_THE_WAY, *_OF_THE_ANSWER) if is_same else _OF_THE_WAY
        return msgspec.structs.replace(worked, **{name: getattr(opened, name) for name in told})

    async def _open(
        self, lease: Lease, browser: Browser, condition: Condition | None
    ) -> Snapshot | PageFailure | NotModified:
        if condition is None or not hasattr(browser, "open_if_changed"):
            return await browser.open(lease.url)
        conditional = cast("ConditionalBrowser", browser)
        return await conditional.open_if_changed(lease.url, condition)

    async def _fetch_file(self, lease: Lease, wanted: _Wanted) -> Outcome | None:
        """The file at a URL; None if it is a page."""
        if self._files is None:
            return None
        condition = wanted.condition
        started = time.monotonic()
        answer = await self._files.fetch(lease.url, headers=condition.headers if condition is not None else None)
        if condition is not None and isinstance(answer, HttpAnswer) and answer.status == 304:
            if answer.final_url == condition.url:
                self._pace.answered(origin_of(lease.url), 304, time.monotonic() - started)
                return NotModified(etag=answer.headers.get("etag", ""), last_modified=usable_date(answer.headers))
            answer = await self._files.fetch(lease.url)
        seconds = time.monotonic() - started
        if isinstance(answer, PageFailure):
            self._pace.answered(origin_of(lease.url), 0, seconds)
            return self._why_not_now(lease, answer.kind, f"{answer.kind}: {answer.message}")
        after = retry_after_seconds(answer.headers.get("retry-after", ""), self.clock())
        self._pace.answered(origin_of(lease.url), answer.status, seconds, after)
        if answer.status >= 400:
            return self._why_not_now(lease, answer.status, f"HTTP {answer.status}", after)
        failure = why_no_page(lease.url, answer)
        is_office = "office" in wanted.keep and office_kind(answer) is not None
        if failure is None and not is_office:
            return None
        if failure is not None and failure.kind not in _NO_PAGE:
            return self._why_not_now(lease, failure.kind, f"{failure.kind}: {failure.message}")
        return FetchedFile(answer=answer, seconds=seconds, fetched_at=self.clock())

    async def _fetch_feed(self, lease: Lease) -> FetchedFile | None:
        """The feed at a URL, from its bytes: a browser shows a view of its own. None if it is none after all."""
        if self._files is None:
            return None
        started = time.monotonic()
        answer = await self._files.fetch(lease.url)
        seconds = time.monotonic() - started
        status = 0 if isinstance(answer, PageFailure) else answer.status
        self._pace.answered(origin_of(lease.url), status, seconds)
        if isinstance(answer, PageFailure) or status >= 400:
            return None
        entries = await asyncio.to_thread(feed_entries, answer.final_url, answer.body)
        if entries is None:
            return None
        links = tuple(FoundLink(url=url) for url in entries)
        return FetchedFile(answer=answer, seconds=seconds, fetched_at=self.clock(), entries=links)

    def _why_not_now(
        self, lease: Lease, problem: int | str, why: str, retry_after: float | None = None
    ) -> RetryLater | GivenUp:
        wait = self._retries.retry_in(problem, lease.tries + 1, retry_after)
        return RetryLater(seconds=wait, why=why) if wait is not None else GivenUp(why=why)

    async def _refused_by_robots(self, lease: Lease) -> RetryLater | GivenUp | None:
        verdict = await self._robots.verdict(lease.url)
        if not verdict.allowed:
            if verdict.wait_seconds > 0:
                return RetryLater(seconds=verdict.wait_seconds, why=verdict.why)
            return GivenUp(why=verdict.why, is_refused=verdict.forbidden)
        origin = origin_of(lease.url)
        if origin not in self._met:
            self._met.add(origin)
            if delay := await self._robots.crawl_delay(lease.url):
                self._pace.ask_for_delay(origin, delay)
        return None

    def _tell_pace(self, origin: str, opened: Snapshot | PageFailure, seconds: float) -> None:
        if isinstance(opened, PageFailure):
            if opened.kind not in _NO_PAGE:
                self._pace.answered(origin, 0, seconds)
            return
        # Time for rendering, and the page's own timers, do not indicate an overloaded host.
        answered = opened.answer_seconds or seconds
        self._pace.answered(origin, opened.status, answered, retry_after_seconds(opened.retry_after, self.clock()))

    async def _do_steps(self, browser: Browser, steps: Sequence[Step]) -> Snapshot | PageFailure | GivenUp:
        if not hasattr(browser, "run"):
            return GivenUp(why="steps need a browser: driver playwright or selenium")
        scripted: ScriptedBrowser = browser  # type: ignore[assignment]
        done = await steps_then_take(scripted, steps, self._environment)
        return GivenUp(why=done.message) if isinstance(done, StepsFailed) else done

    def _judged(
        self, lease: Lease, opened: Snapshot | PageFailure, seconds: float, driver: str
    ) -> Fetched | RetryLater | GivenUp:
        if isinstance(opened, PageFailure):
            if opened.kind in _NO_PAGE:
                return GivenUp(why=f"a file: {opened.message}", is_refused=True)
            return self._why_not_now(lease, opened.kind, f"{opened.kind}: {opened.message}")
        if opened.status >= 400:
            after = retry_after_seconds(opened.retry_after, self.clock())
            later = self._why_not_now(lease, opened.status, f"HTTP {opened.status}", after)
            if isinstance(later, RetryLater):
                return later
        return Fetched(snapshot=opened, seconds=seconds, driver=driver)


def _may_be_feed(opened: Snapshot | PageFailure) -> bool:
    if isinstance(opened, PageFailure):
        return opened.media_type in _FEED_TYPES
    return opened.content_type in _SHOWN_FEED_TYPES and _FEED_ROOT.search(opened.html, 0, _ROOT_WITHIN) is not None


async def _with_picture(fetched: Fetched, browser: Browser) -> Fetched:
    view = await browser.see(whole=True)
    if isinstance(view, PageFailure):
        return msgspec.structs.replace(fetched, no_picture=f"{view.kind}: {view.message}")
    return msgspec.structs.replace(fetched, picture=await asyncio.to_thread(_as_png, view.picture))


def _as_png(picture: bytes) -> bytes:
    return picture if picture.startswith(b"\x89PNG") else encode_picture(decode_picture(picture))
