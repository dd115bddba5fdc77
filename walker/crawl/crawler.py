"""The crawl engine: workers that lease a page, fetch it, parse it, and commit it with its links and items."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import lru_cache

from memory.library.pictures import PagePicture
from memory.url_key import BadUrl, key_of, origin_of
from perception.snapshot import Snapshot
from walker.crawl.arrived_pages import ArrivedPages
from walker.crawl.crawl_events import CrawlSink, CrawlStop, PageDone, PageOutcome, Silence
from walker.crawl.earlier_records import EarlierRecords
from walker.crawl.fetch.fetching import Fetched, FetchedFile, Fetcher, GivenUp, Outcome, RetryLater
from walker.crawl.fetch.robots import RobotsRules
from walker.crawl.job.earlier_pages import says_gone
from walker.crawl.job.stored_job import Committed, StoredJob
from walker.crawl.job_records import EarlierPage, Lease, NewPage, PageContent, ReadPage
from walker.crawl.lease_window import LeaseWindow
from walker.crawl.pages.file_store import FileStore, files_folder
from walker.crawl.pages.page_files import FileKeeper, office_page, text_kept
from walker.crawl.pages.page_keeping import PageKeeper, ReadResult
from walker.crawl.pages.page_links import forbids_following
from walker.crawl.pages.page_problems import probe_url
from walker.crawl.script.crawl_scope import CrawlScope, RulesOfPages
from walker.crawl.script.spec import CrawlSpec, PageRule
from walker.errors import WalkerError
from walker.library.filling import LibraryFiller
from walker.library.opening import library_errors
from walker.library.page_passages import snapshot_of_text
from walker.seams.conditional import NotModified
from walker.seams.protocols import Browser

POLL_SECONDS = 0.5
"""Seconds after which an idle worker polls the frontier again; usually it is woken earlier."""

ADDRESSES_KEPT = 1 << 14
"""URLs whose key and scope are cached: menu links are on every page."""


class Crawler:
    """Crawls one job to its end, or until a limit. `robots`, if given, also applies to redirect targets."""

    def __init__(
        self,
        spec: CrawlSpec,
        store: StoredJob,
        fetcher: Fetcher,
        keeper: PageKeeper,
        *,
        robots: RobotsRules | None = None,
        sink: CrawlSink | None = None,
    ) -> None:
        self._spec, self._store, self._fetcher, self._keeper = spec, store, fetcher, keeper
        self._robots = robots
        self._library: LibraryFiller | None = None
        self._sink, self._clock, self._spent = sink or Silence(), fetcher.clock, 0.0
        self._files = FileKeeper(FileStore(files_folder(spec, store.folder)))
        self._earlier = EarlierRecords(spec, store, self._files)
        self._scope, self._rules = CrawlScope(spec), RulesOfPages(spec)
        self._place_of = lru_cache(maxsize=ADDRESSES_KEPT)(self._find_place)
        self._started = self._clock()
        self._window: LeaseWindow[Outcome] = LeaseWindow(spec.concurrency, spec.polite.per_host)
        self._arrived = ArrivedPages(store.folder)
        self._is_settling = False
        self._changed = asyncio.Event()
        self._stop: CrawlStop | None = None
        self._refetch_urls: Callable[[], tuple[str, ...]] = tuple
        self._to_reopen: tuple[str, ...] = ()

    @property
    def seconds(self) -> float:
        """Seconds spent on this job, earlier runs included."""
        return self._spent + self._clock() - self._started

    async def run(
        self,
        browsers: Sequence[Browser],
        refetch_urls: Callable[[], tuple[str, ...]] = tuple,
        *,
        spent_seconds: float = 0.0,
        library: LibraryFiller | None = None,
    ) -> CrawlStop:
        """Crawl with one worker per browser. `refetch_urls` gives, once each, URLs of pages that were stored but must be fetched
        again, rendered; `spent_seconds` is the time of earlier runs of the job; `library` gets every page before it is done."""
        self._refetch_urls, self._spent, self._library = refetch_urls, spent_seconds, library
        self._window = LeaseWindow(len(browsers), self._spec.polite.per_host)
        if library is not None:
            self._earlier.is_in_library = library.has
        try:
            async with asyncio.TaskGroup() as group:
                for browser in browsers:
                    group.create_task(self._work(browser))
        except BaseExceptionGroup as several:
            named, others = several.split(WalkerError)
            if named is None or others is not None:
                raise
            raise named.exceptions[0] from None
        self._arrived.close()
        return self._stop or "complete"

    async def _work(self, browser: Browser) -> None:
        while True:
            self._lease_more()
            if (lease := self._window.start()) is not None:
                await self._crawl_page(lease, browser)
            elif self._stop is not None or (self._store.in_flight == 0 and self._store.waiting == 0):
                break
            else:
                await self._until_something_changes()
                if self._window.pass_over(asyncio.get_running_loop().time()):
                    await self._settle_arrived(browser)
        self._changed.set()

    def _lease_more(self) -> None:
        """Lease pages until enough are under way. Never while one is being settled: which are next follows from it."""
        while not (self._is_settling or self._stop is not None or self._window.is_full):
            self._stop = self._limit_reached()
            if self._stop is None:
                busy = self._window.busy_hosts()
                lease = self._store.lease(busy, now=self._clock(), most=self._spec.scope.pages)
                if lease is None:
                    return
                self._window.add(lease)
        if self._stop is not None:
            self._window.give_back(self._store.release)

    async def _until_something_changes(self) -> None:
        self._changed.clear()
        try:
            # `wait_for` of Python 3.11 loses a cancellation that comes together with the event.
            async with asyncio.timeout(POLL_SECONDS):
                await self._changed.wait()
        except TimeoutError:
            return

    def _reopen_refetch_urls(self) -> None:
        """Reopen pages to refetch: before the page that showed the need is stored, and after each page then in flight."""
        if urls := (*self._to_reopen, *self._refetch_urls()):
            self._to_reopen = self._store.reopen(urls)

    def _limit_reached(self) -> CrawlStop | None:
        scope, store = self._spec.scope, self._store
        if store.is_full:
            return "quota reached" if self._spec.counter.mode == "quota" else "item limit"
        if scope.pages and store.done >= scope.pages:
            return "page limit"
        if scope.bytes and store.size >= scope.bytes:
            return "byte limit"
        if scope.seconds and self.seconds >= scope.seconds:
            return "time limit"
        return None

    async def _crawl_page(self, lease: Lease, browser: Browser) -> None:
        rules = self._rules.of(lease.url)
        steps, keep = [step for rule in rules for step in rule.steps], self._spec.keep_of(rules)
        try:
            fetched = self._arrived.take(lease) or await self._fetcher.fetch(
                lease, browser, steps, keep=keep, condition=self._earlier.condition(lease, steps, keep)
            )
        finally:
            self._window.land(lease)
        self._reopen_refetch_urls()
        if not self._window.arrive(lease, fetched) and isinstance(fetched, Fetched):
            self._arrived.keep(lease, fetched)
        await self._settle_arrived(browser)
        self._changed.set()

    async def _settle_arrived(self, browser: Browser) -> None:
        """Settle every page whose turn it is; `browser` is free for what has to be fetched for it."""
        if self._is_settling:
            # Another worker is at it, and comes to the pages that arrive meanwhile too.
            return
        self._is_settling = True
        try:
            for lease, fetched in self._window.settled():
                await self._settle(lease, fetched, browser)
                self._reopen_refetch_urls()
                self._is_settling = False
                self._lease_more()
                self._is_settling = True
                self._changed.set()
        finally:
            self._is_settling = False

    async def _settle(self, lease: Lease, fetched: Outcome, browser: Browser) -> None:
        rules = self._rules.of(lease.url)
        self._arrived.drop(lease)
        if self._store.is_full:
            # The quota was met while this page was in flight.
            self._store.release(lease)
        elif isinstance(fetched, Fetched):
            await self._keep(lease, rules, fetched, browser)
        elif isinstance(fetched, FetchedFile):
            await self._keep_file(lease, rules, fetched, browser)
        elif isinstance(fetched, NotModified):
            await self._keep_unchanged(lease, rules, self._earlier.unchanged(lease, fetched))
        elif isinstance(fetched, RetryLater):
            self._store.rest(lease, self._clock() + fetched.seconds, fetched.why, tried=fetched.tried)
            if fetched.tried:
                self._tell(lease, "later", fetched.why)
        elif fetched.is_refused:
            self._store.skip(lease, fetched.why)
            self._tell(lease, "skipped", fetched.why)
        else:
            self._fail(lease, rules, fetched.why)

    def _fail(self, lease: Lease, rules: Sequence[PageRule], why: str, status: int = 0) -> None:
        earlier = self._earlier.of(lease)
        if earlier is not None and says_gone(why):
            self._forget(earlier.page.final_url)
        elif earlier is not None:
            # It may be there again next time: what only this page leads to is not gone with it.
            links = self._links_of(self._keeper.recall(lease, earlier, rules))
            closed = self._keeper.why_closed
            self._store.offer(links, parent=lease.id, depth=lease.depth + 1, why_closed=closed)
        self._store.fail(lease, why)
        self._tell(lease, "failed", why, status)

    async def _keep(self, lease: Lease, rules: Sequence[PageRule], fetched: Fetched, browser: Browser) -> None:
        snapshot = fetched.snapshot
        if snapshot.final_url != lease.url and (why := await self._why_not_there(lease, rules, snapshot.final_url)):
            self._store.skip(lease, f"leads to {snapshot.final_url}: {why}")
            self._tell(lease, "skipped", why)
            return
        kept = self._files.files_of(lease, fetched)
        read = self._keeper.read(lease, fetched, rules, kept)
        if not any(rule.steps for rule in rules) and self._keeper.wants_second_look(lease, read):
            self._keeper.learn_changes(lease, snapshot, None)
            self._keeper.learn_changes(lease, snapshot, await self._fetcher.fetch_again(lease, browser))
            read = self._keeper.read(lease, fetched, rules, kept)
        if self._keeper.wants_probe(read):
            await self._probe(origin_of(snapshot.final_url), browser)
            twin, read = read.page.same_as, self._keeper.read(lease, fetched, rules, kept)
            if read.content.problem == "soft 404":
                # The duplicate was stored as a page of the site before; it is a soft 404 too.
                self._forget(self._store.contents.url_of(twin))
                self._store.revoke(twin, read.failure)
        if read.failure:
            self._fail(lease, rules, read.failure, read.page.status)
            return
        if not read.page.same_as:
            await self._files.write_files(lease, fetched)
        # Before it is committed: a crawl that is killed between the two fetches the page again, and adds nothing twice.
        self._add_to_library(snapshot, fetched.pictures, is_copy=bool(read.page.same_as))
        self._commit(lease, read)

    async def _keep_unchanged(self, lease: Lease, rules: Sequence[PageRule], earlier: EarlierPage) -> None:
        url = earlier.page.final_url
        if url != lease.url and (why := await self._why_not_there(lease, rules, url)):
            self._store.skip(lease, f"leads to {url}: {why}")
            self._tell(lease, "skipped", why)
            return
        self._commit(lease, self._keeper.recall(lease, earlier, rules))

    def _commit(self, lease: Lease, read: ReadResult) -> None:
        links = self._links_of(read)
        page = read.page if read.page.record.not_modified else self._earlier.compared(lease, read.page)
        committed = self._store.commit(lease, page, links=links, items=read.items, judge=read.judge)
        if committed.accepted:
            self._keeper.kept(lease, read)
        self._tell_kept(lease, page, committed)

    async def _why_not_there(self, lease: Lease, rules: Sequence[PageRule], url: str) -> str:
        """Why a redirect target is not crawled, "" if it is; for targets of script steps only the host counts."""
        has_steps = any(rule.steps for rule in rules)
        why = self._scope.why_foreign(url) if has_steps else self._scope.why_outside(url, lease.depth)
        if why or has_steps or self._robots is None:
            return why
        verdict = await self._robots.verdict(url)
        return verdict.why if verdict.forbidden else ""

    async def _keep_file(self, lease: Lease, rules: Sequence[PageRule], fetched: FetchedFile, browser: Browser) -> None:
        keep = self._spec.keep_of(rules)
        if "office" in keep and (kind := fetched.office) is not None and (kind.reader or "download" not in keep):
            made = await office_page(fetched, kind, with_file="download" in keep)
            if isinstance(made, Fetched):
                await self._keep(lease, rules, made, browser)
                return
            if "download" not in keep:
                self._store.skip(lease, made.why)
                self._tell(lease, "skipped", made.why)
                return
        url = fetched.answer.final_url
        if url != lease.url and (why := await self._why_not_there(lease, (), url)):
            self._store.skip(lease, f"leads to {url}: {why}")
            self._tell(lease, "skipped", why)
            return
        links = self._links_of_feed(rules, fetched)
        page = await self._files.keep(lease, fetched, keep)
        if isinstance(page, GivenUp):
            self._store.offer(links, parent=lease.id, depth=lease.depth + 1, why_closed=self._keeper.why_closed)
            why = page.why if fetched.entries is None else "a feed: no page, but its entries are links"
            self._store.skip(lease, why)
            self._tell(lease, "skipped", why)
            return
        if self._library is not None and (text := text_kept(page)):
            self._add_to_library(snapshot_of_text((lease.url, page.final_url), page.title, text, page.fetched_at))
        page = self._earlier.compared(lease, page)
        self._tell_kept(lease, page, self._store.commit(lease, page, links=links))

    def _links_of_feed(self, rules: Sequence[PageRule], fetched: FetchedFile) -> list[NewPage]:
        if fetched.entries is None:
            return []
        answer = fetched.answer
        content = PageContent(
            url=answer.final_url,
            links=fetched.entries,
            nofollow=forbids_following(answer.headers.get("x-robots-tag", "")),
        )
        return self._wanted_links(content) if self._keeper.may_follow(content, rules) else []

    def _add_to_library(
        self, snapshot: Snapshot, pictures: tuple[PagePicture, ...] | None = None, *, is_copy: bool = False
    ) -> None:
        """Add a page. Of a copy of another page only the addresses that redirect to what is there, unless it shows pictures: galleries
        may have one text."""
        if self._library is not None:
            with library_errors():
                if not is_copy or pictures or self._library.has(snapshot.final_url):
                    self._library.add(snapshot, pictures)

    def _forget(self, url: str) -> None:
        """Take a page out of the library that is no page of the site."""
        if self._library is not None and url:
            with library_errors():
                self._library.forget(url)

    def _tell_kept(self, lease: Lease, page: ReadPage, committed: Committed) -> None:
        if not committed.accepted and not page.record.not_modified:
            self._files.take_back(page)
        outcome: PageOutcome = "alias" if not committed.accepted else "same" if page.same_as else "kept"
        self._sink.emit(
            PageDone(
                url=lease.url,
                outcome=outcome,
                final_url=page.final_url,
                status=page.status,
                title=page.title,
                depth=lease.depth,
                items=committed.items,
                links=committed.pages,
                cut=committed.cut,
                why=committed.why_cut,
                size=page.size,
                seconds=page.seconds,
                driver=page.driver,
                change=page.record.change,
            )
        )

    async def _probe(self, origin: str, browser: Browser) -> None:
        """Fetch a URL that cannot exist, to learn the site's soft 404 page."""
        self._keeper.learn_probe(origin, None)
        opened = await self._fetcher.open(probe_url(origin), browser)
        if isinstance(opened, Snapshot):
            self._keeper.learn_probe(origin, opened)

    def _links_of(self, read: ReadResult) -> list[NewPage]:
        return self._wanted_links(read.content) if read.follow else []

    def _wanted_links(self, content: PageContent) -> list[NewPage]:
        links: dict[str, NewPage] = {}
        for link in content.links:
            if link.nofollow and self._spec.polite.robots:
                continue
            if (place := self._place_of(link.url)) is None:
                continue
            key, origin = place
            if key not in links and self._keeper.follows(link, content):
                links[key] = NewPage(
                    url=link.url.partition("#")[0] if "#" not in key else link.url,
                    key=key,
                    origin=origin,
                    label=link.label[:200],
                    branch=self._keeper.branch_of(link, content),
                    score=self._keeper.score_of(link),
                )
        return list(links.values())

    def _find_place(self, url: str) -> tuple[str, str] | None:
        """Key and origin of a URL in scope, None for any other."""
        if self._scope.why_outside(url, 0):
            return None
        try:
            return key_of(url), origin_of(url)
        except BadUrl:
            return None

    def _tell(self, lease: Lease, outcome: PageOutcome, why: str, status: int = 0) -> None:
        self._sink.emit(PageDone(url=lease.url, outcome=outcome, why=why, depth=lease.depth, status=status))
