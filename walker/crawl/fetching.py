"""One page of a crawl, fetched as its host wishes: robots.txt, pace, and what is worth another try."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence

import msgspec

from memory.url_key import origin_of
from perception.snapshot import Snapshot
from walker.crawl.page_steps import StepsFailed, steps_then_take
from walker.crawl.politeness import Pace
from walker.crawl.pressed_links import with_pressed_links
from walker.crawl.retrying import Retries, retry_after_seconds
from walker.crawl.robots import RobotsRules
from walker.crawl.spec import Step
from walker.crawl.values import Lease
from walker.seams import Browser, PageFailure, ScriptedBrowser


class Fetched(msgspec.Struct, frozen=True, kw_only=True):
    """A page that was had."""

    snapshot: Snapshot
    seconds: float
    driver: str = ""

    @property
    def size(self) -> int:
        """Bytes of its markup."""
        html = self.snapshot.html
        return len(html) if html.isascii() else len(html.encode("utf-8", "surrogatepass"))


class Later(msgspec.Struct, frozen=True, kw_only=True):
    """A page that may be had at another time; `seconds` from now."""

    seconds: float
    why: str
    tried: bool = True
    """False where it was not asked for at all."""


class Never(msgspec.Struct, frozen=True, kw_only=True):
    """A page that cannot be had, or is not to be (`is_refused`)."""

    why: str
    is_refused: bool = False


PATIENCE_SECONDS = 2.0
"""What a worker waits for a host at most; a page that must wait longer is put back."""
_NO_PAGE = ("not_a_page", "download")


class Fetcher:
    """Fetches for all workers of a crawl. `clock` gives seconds since the epoch."""

    def __init__(
        self,
        robots: RobotsRules,
        pace: Pace,
        retries: Retries,
        *,
        environment: Mapping[str, str],
        driver: str = "",
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._robots, self._pace, self._retries = robots, pace, retries
        self._environment, self._driver, self.clock = environment, driver, clock
        self._met: set[str] = set()

    async def fetch(self, lease: Lease, browser: Browser, steps: Sequence[Step] = ()) -> Fetched | Later | Never:
        """The page of a lease, its steps done; or what is to become of it."""
        if refused := await self._refused_by_robots(lease):
            return refused
        origin = origin_of(lease.url)
        if (wait := self._pace.next_free(origin)) > PATIENCE_SECONDS:
            # A worker that waited here could do nothing else, and would not see the crawl end.
            return Later(seconds=wait, why="its host asks for patience", tried=False)
        async with self._pace.slot(origin):
            started = time.monotonic()
            opened = await browser.open(lease.url)
            seconds = time.monotonic() - started
            self._tell_pace(origin, opened, seconds)
            if steps and isinstance(opened, Snapshot) and opened.status < 400:
                stepped = await self._do_steps(browser, steps)
                if isinstance(stepped, Never):
                    return stepped
                opened = (
                    msgspec.structs.replace(stepped, url=opened.url, status=opened.status, redirects=opened.redirects)
                    if isinstance(stepped, Snapshot)
                    else stepped
                )
            elif isinstance(opened, Snapshot) and opened.status < 400:
                opened = await with_pressed_links(opened, browser)
        return self._judged(lease, opened, seconds, getattr(browser, "driver", self._driver))

    async def _refused_by_robots(self, lease: Lease) -> Later | Never | None:
        verdict = await self._robots.verdict(lease.url)
        if not verdict.allowed:
            if verdict.wait_seconds > 0:
                return Later(seconds=verdict.wait_seconds, why=verdict.why)
            return Never(why=verdict.why, is_refused=verdict.forbidden)
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
        self._pace.answered(origin, opened.status, seconds, retry_after_seconds(opened.retry_after, self.clock()))

    async def _do_steps(self, browser: Browser, steps: Sequence[Step]) -> Snapshot | PageFailure | Never:
        if not hasattr(browser, "run"):
            return Never(why="steps need a browser: driver playwright or selenium")
        scripted: ScriptedBrowser = browser  # type: ignore[assignment]
        done = await steps_then_take(scripted, steps, self._environment)
        return Never(why=done.message) if isinstance(done, StepsFailed) else done

    def _judged(
        self, lease: Lease, opened: Snapshot | PageFailure, seconds: float, driver: str
    ) -> Fetched | Later | Never:
        tries = lease.tries + 1
        if isinstance(opened, PageFailure):
            if opened.kind in _NO_PAGE:
                return Never(why=f"a file: {opened.message}", is_refused=True)
            wait = self._retries.retry_in(opened.kind, tries)
            why = f"{opened.kind}: {opened.message}"
            return Later(seconds=wait, why=why) if wait is not None else Never(why=why)
        if opened.status >= 400:
            after = retry_after_seconds(opened.retry_after, self.clock())
            wait = self._retries.retry_in(opened.status, tries, after)
            if wait is not None:
                return Later(seconds=wait, why=f"HTTP {opened.status}")
        return Fetched(snapshot=opened, seconds=seconds, driver=driver)
