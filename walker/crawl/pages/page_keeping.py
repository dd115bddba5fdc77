"""Prepares a fetched page for storage: content by the script's rules, duplicate detection, and trap detection."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from hashlib import blake2b
from typing import Any

import msgspec
import numpy as np

from memory.near_duplicates import SeenHashes, SeenText, SimilarTexts, TextMark
from memory.url_key import key_of, origin_of
from perception.snapshot import Snapshot
from walker.crawl.fetch.fetching import Fetched
from walker.crawl.job.stored_job import StoredJob
from walker.crawl.job_records import CrawlItem, EarlierPage, FoundLink, Lease, PageContent, PageRecord, ReadPage
from walker.crawl.pages.items import identity_at
from walker.crawl.pages.page_problems import probe_statement
from walker.crawl.pages.page_reading import main_text, read_crawl_page, words_of
from walker.crawl.pages.page_words import PageWords
from walker.crawl.script.script_functions import ScriptFunctions
from walker.crawl.script.spec import CrawlSpec, PageRule
from walker.crawl.traps.best_links import BestLinks
from walker.crawl.traps.branch_judge import BranchRecords, PageJudge
from walker.crawl.traps.branches import Found, branch_of, family_name
from walker.crawl.traps.changing_text import ChangingText

_JSON = msgspec.json.Encoder(order="deterministic")
_WHOLE = " whole"
"""Behind the name of a family: its pages that have no main part."""
PROBE_WORDS = 150
"""Words; a page with more is not a soft 404."""


class ReadResult(msgspec.Struct, frozen=True, kw_only=True):
    """A parsed page, ready to be committed."""

    content: PageContent
    page: ReadPage
    items: tuple[CrawlItem, ...] = ()
    judge: PageJudge | None = None
    failure: str = ""
    """Why it is stored as a failure, "" for a success."""
    follow: bool = True


class PageKeeper:
    """Parses pages for all workers of a job, and keeps the index of stored texts."""

    def __init__(self, spec: CrawlSpec, store: StoredJob, *, functions: ScriptFunctions | None = None) -> None:
        self._spec, self._store, self._best = spec, store, BestLinks(spec.best)
        self._functions = functions or ScriptFunctions()
        self._branches = BranchRecords(store.contents.branches(), spec.cut_after)
        self._probes: dict[str, str] = {}
        self._changing = ChangingText()
        self._similar, self._seen, self._numbers = SimilarTexts(), SeenText(), SeenHashes()
        for row, mark in store.contents.marks():
            self._similar.add(row, mark.fingerprint, mark.details)
            self._seen.add(mark)

    def read(self, lease: Lease, fetched: Fetched, rules: Sequence[PageRule], kept: dict[str, Any]) -> ReadResult:
        """Parse a page; `kept` are further fields of its record (names of files)."""
        snapshot = fetched.snapshot
        for row, other in self._store.marks_of_others():
            self._similar.add(row, other.fingerprint, other.details)
            self._seen.add(other)
        probe = self._probes.get(origin_of(snapshot.final_url), "")
        steady = partial(self._steady, family_name(lease.branch))
        content = read_crawl_page(snapshot, self._spec, rules, probe, steady)
        mark = content.mark
        same_as = self._same_as(lease, mark)
        items = (*content.items, *self._items_of_functions(content, snapshot.html))
        page = ReadPage(
            final_url=snapshot.final_url,
            final_key=key_of(snapshot.final_url),
            final_origin=origin_of(snapshot.final_url),
            status=snapshot.status,
            title=content.title,
            driver=fetched.driver,
            size=fetched.size,
            seconds=round(fetched.seconds, 4),
            fetched_at=round(snapshot.fetched_at, 3),
            words=content.words,
            mark=mark,
            same_as=same_as,
            kept=b"" if same_as or not (content.kept or kept) else _JSON.encode({**content.kept, **kept}),
            record=PageRecord(
                etag=snapshot.etag,
                last_modified=snapshot.last_modified,
                digest=_digest_of(content, items),
                links=content.links,
                numbers=content.numbers,
                nofollow=content.nofollow,
            ),
        )
        return ReadResult(
            content=content,
            page=page,
            items=items,
            judge=self._judge(lease, page, content),
            failure=_failure(content, snapshot.status),
            follow=self.may_follow(content, rules),
        )

    def recall(self, lease: Lease, earlier: EarlierPage, rules: Sequence[PageRule]) -> ReadResult:
        """A page that is as the crawl before has stored it."""
        page, record = earlier.page, earlier.page.record
        content = PageContent(
            url=page.final_url,
            title=page.title,
            links=record.links,
            words=page.words,
            mark=page.mark,
            numbers=record.numbers,
            nofollow=record.nofollow,
        )
        same_as = self._same_as(lease, page.mark)
        page = msgspec.structs.replace(page, same_as=same_as, kept=b"" if same_as else page.kept)
        return ReadResult(
            content=content,
            page=page,
            items=earlier.items,
            judge=self._judge(lease, page, content),
            follow=self.may_follow(content, rules),
        )

    def why_closed(self, branch: str) -> str:
        """Why pages of a branch are not fetched, "" if they are."""
        return self._branches.why_closed(branch)

    def _same_as(self, lease: Lease, mark: TextMark) -> int:
        """Row of a stored page that this one duplicates, 0 for none."""
        similar = self._similar.neighbours(mark.fingerprint, mark.details) if mark.fingerprint else ()
        return next((row for row in similar if row != lease.id), 0)

    def may_follow(self, content: PageContent, rules: Sequence[PageRule]) -> bool:
        """Whether the links of a page are followed: by the script, and by the site's robots directives."""
        return all(rule.follow for rule in rules) and not (content.nofollow and self._spec.polite.robots)

    def wants_probe(self, read: ReadResult) -> bool:
        """Whether a page may be a soft 404, so that the site should be probed: short, and a duplicate."""
        if not (self._spec.polite.probe and read.page.same_as) or read.failure or read.content.words > PROBE_WORDS:
            return False
        return read.page.final_origin not in self._probes

    def learn_probe(self, origin: str, page: Snapshot | None) -> None:
        """Record the site's response to a URL that cannot exist; None if it is unknown."""
        self._probes[origin] = probe_statement(main_text(page), origin) if page is not None else ""

    def wants_second_look(self, lease: Lease, read: ReadResult) -> bool:
        """Whether to fetch a page twice: its branch may be a trap, and new text would speak for it."""
        if read.failure or not lease.branch or self._changing.is_learned(family_name(lease.branch)):
            return False
        return self._branches.is_suspected(lease.branch)

    def learn_changes(self, lease: Lease, first: Snapshot, second: Snapshot | None) -> None:
        """Record what of a page changed when it was fetched again; None if it could not be."""
        family, words = family_name(lease.branch), words_of(first)
        others = words_of(second) if second is not None else words
        has_changed = self._changing.learn(family, words.main, others.main)
        # A shorter page of the family may be whole where this one has a main part.
        if self._changing.learn(family + _WHOLE, words.whole, others.whole) or has_changed:
            self._branches.start_over(lease.branch)

    def _steady(self, family: str, words: PageWords) -> str:
        return self._changing.steady(family if words.main != words.whole else family + _WHOLE, words.main)

    def kept(self, lease: Lease, read: ReadResult) -> None:
        """Add the text of a page that was committed as itself to the index."""
        mark = read.content.mark
        if mark.fingerprint and not read.page.same_as:
            self._similar.add(lease.id, mark.fingerprint, mark.details)
            self._seen.add(mark)
            self._numbers.add(np.frombuffer(read.content.numbers, dtype=np.uint32))

    def follows(self, link: FoundLink, page: PageContent) -> bool:
        """Whether the script follows this link."""
        return self._functions.follows(link, page)

    def branch_of(self, link: FoundLink, page: PageContent) -> str:
        """The branch of a link."""
        return branch_of(link.url, page.url)

    def score_of(self, link: FoundLink) -> float:
        """Link score for best-first order, 0..1."""
        return self._best.score_of(link)

    def _items_of_functions(self, content: PageContent, html: str) -> tuple[CrawlItem, ...]:
        if content.problem:
            return ()
        return tuple(
            CrawlItem(identity=identity_at(fields.get("url"), fields), fields=fields)
            for fields in self._functions.items_of(content, html)
        )

    def _judge(self, lease: Lease, page: ReadPage, content: PageContent) -> PageJudge | None:
        if not lease.branch:
            return None
        found = Found(
            branch=lease.branch,
            duplicate_of=page.same_as,
            novelty=self._seen.novelty(content.mark),
            text_size=content.mark.size,
            numbers=len(content.numbers) // 4,
            new_numbers=self._numbers.unseen(np.frombuffer(content.numbers, dtype=np.uint32)),
            failed=bool(content.problem),
        )
        return self._branches.judge_of(found, frozenset((lease.key, page.final_key)))


def _digest_of(content: PageContent, items: Sequence[CrawlItem]) -> bytes:
    """Of all that is kept of a page, as the crawl before would have it if nothing had changed."""
    said = [content.title, content.text_hash.hex(), content.kept, [[item.identity, item.fields] for item in items]]
    return blake2b(_JSON.encode(said), digest_size=16).digest()


def _failure(content: PageContent, status: int) -> str:
    if content.problem == "http error":
        return f"HTTP {status}"
    return f"{content.problem}: {content.detail}".rstrip(": ") if content.problem else ""
