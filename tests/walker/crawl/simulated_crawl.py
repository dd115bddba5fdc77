"""A crawl of a hundred lines: what the rule of branches does to a real site, without an engine around it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field
from typing import Literal

import numpy as np

from memory.near_duplicates import SeenHashes, SeenText, SimilarTexts
from memory.url_key import BadUrl, key_of, origin_of
from perception.encodings import decode_html
from perception.snapshot import Snapshot
from walker.crawl.pages.page_reading import read_crawl_page
from walker.crawl.script.spec import CrawlSpec
from walker.crawl.traps.branches import Branch, Found, branch_of, is_open, judge
from walker.crawl.traps.family_links import FamilyLinks
from walker.crawl.traps.templates import template_of


@dataclass
class Row:
    url: str
    parent: str
    branch: str
    id: int
    fetched: bool = False
    skipped: bool = False


@dataclass
class SimulatedCrawl:
    """Fetches what the rule lets it, in one of the orders, up to `most` pages."""

    start: str
    order: Literal["depth-first", "breadth-first"] = "depth-first"
    _: KW_ONLY
    fetch: Callable[[str], tuple[int, str, bytes]]
    """Status, final address and page of an address."""
    cut_after: int = 12
    most: int = 20_000
    rows: dict[str, Row] = field(default_factory=dict)
    branches: dict[str, Branch] = field(default_factory=dict)
    cuts: list[str] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)
    probes: int = 0

    def run(self) -> None:
        self._similar, self._seen, self._links = SimilarTexts(), SeenText(), FamilyLinks()
        self._numbers = SeenHashes()
        self._waiting: list[Row] = []
        self._spec = CrawlSpec(start=(self.start,))
        self._enter([self.start], "")
        fetched = 0
        while self._waiting and fetched < self.most:
            row = self._waiting.pop(-1 if self.order == "depth-first" else 0)
            if row.fetched or row.skipped:
                continue
            if not is_open(row.branch, self.branches):
                row.skipped = True
                continue
            row.fetched = True
            fetched += 1
            self._visit(row)

    def _visit(self, row: Row) -> None:
        status, final, page = self.fetch(row.url)
        if key_of(final) != key_of(row.url):
            if key_of(final) in self.rows:
                return
            self.rows[key_of(final)] = Row(final, row.parent, row.branch, len(self.rows) + 1, fetched=True)
        snapshot = Snapshot(url=row.url, final_url=final, status=status, html=decode_html(page))
        content = read_crawl_page(snapshot, self._spec, ())
        links, mark = [link.url for link in content.links], content.mark
        new, known = self._enter(links, row.url)
        near = self._similar.neighbours(mark.fingerprint, mark.details)
        found = Found(
            branch=row.branch,
            duplicate_of=near[0] if near else 0,
            novelty=self._seen.novelty(mark),
            reached=self._links.reached(row.branch, known),
            text_size=mark.size,
            numbers=len(content.numbers) // 4,
            new_numbers=self._numbers.unseen(np.frombuffer(content.numbers, dtype=np.uint32)),
            failed=bool(content.problem),
            new_links=new,
            known_links=sum(self._leads_back(link, row.url) for link in known),
        )
        standing = judge(
            found,
            self.branches,
            self.cut_after,
        )
        self.branches.update((branch.name, branch) for branch in standing.changed)
        self.kinds[standing.kind] += 1
        if not near:
            self._similar.add(row.id, mark.fingerprint, mark.details)
            self._seen.add(mark)
            self._numbers.add(np.frombuffer(content.numbers, dtype=np.uint32))
        if standing.kind == "cut":
            self.cuts.append(f"{row.branch}: {standing.reason}")
        if standing.probe:
            self._probe(standing.probe)

    def _enter(self, links: list[str], parent: str) -> tuple[Counter[str], list[str]]:
        new: Counter[str] = Counter()
        known: list[str] = []
        entered: list[Row] = []
        for link in links:
            try:
                key = key_of(link)
                inside = origin_of(link) == origin_of(self.start)
            except BadUrl:
                continue
            branch = branch_of(link, parent)
            if not inside:
                continue
            if key in self.rows:
                row = self.rows[key]
                known.append(link)
                if row.skipped and row.branch != branch and is_open(branch, self.branches):
                    row.skipped, row.branch = False, branch
                    entered.append(row)
                continue
            row = Row(link, parent, branch, len(self.rows) + 1)
            self.rows[key] = row
            new[branch] += 1
            entered.append(row)
        self._waiting += reversed(entered) if self.order == "depth-first" else entered
        return new, known

    def _leads_back(self, link: str, page: str) -> bool:
        return template_of(link) == template_of(page) and link not in (page, self.rows[key_of(page)].parent)

    def _probe(self, branch: str) -> None:
        place = next((i for i, row in enumerate(self._waiting) if row.branch == branch and not row.fetched), -1)
        if place >= 0:
            self.probes += 1
            self._waiting.insert(len(self._waiting) if self.order == "depth-first" else 0, self._waiting.pop(place))

    def fetched(self) -> list[str]:
        return [row.url for row in self.rows.values() if row.fetched]
