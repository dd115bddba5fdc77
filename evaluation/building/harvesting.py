"""Harvests a site into a tree: a breadth-first crawl job, whose pages are parsed as in a walk."""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec

from evaluation.building.facts.marked import marked_up
from evaluation.building.tree import DEEPEST_LEVEL, HarvestedPage, SiteTree, build_tree, read_passages, read_site_links
from memory.url_key import key_of
from perception.document.reading import observe
from perception.observation import Observation
from perception.snapshot import Snapshot
from walker.crawl.crawl_events import CrawlSink
from walker.crawl.crawling import CrawlSettings, crawl
from walker.crawl.script.spec import CrawlSpec, Driver, Keep
from walker.crawl.script.spec_loader import CrawlScript, spec_of_root
from walker.errors import RootUnreachable
from walker.rules.scope import WalkScope, check_root, root_folder
from walker.settings import Scope

LEAST_CHARS = 80
"""Least characters of a page that questions are made from."""
RETRIES = 2
_FEED = re.compile(r"\s*(?:<\?xml[^>]*>|<!--.*?-->|\s)*<(?:rss|feed|rdf:RDF|urlset|sitemapindex)\b", re.DOTALL)
"""How a feed or a list of addresses begins that a server sends as a page: machines read it."""


class HarvestLimits(msgspec.Struct, frozen=True, kw_only=True):
    """How much of a site is crawled, and how."""

    pages: int = 120
    """Pages in all; each level below the root gets an equal share, and unused shares pass to the next level."""
    deepest: int = DEEPEST_LEVEL
    jobs: int = 2
    scope: Scope = "host"
    driver: Driver = "auto"
    robots: bool = True
    """Obey robots.txt."""
    chromium: str = ""
    """Path of a Chromium, searched for if ""."""


class Harvested(msgspec.Struct, frozen=True, kw_only=True):
    """A site that was read: its tree, its pages as they were delivered, and the library of its pages and pictures."""

    tree: SiteTree
    pages: tuple[Snapshot, ...]
    library: Path
    folder: Path
    """Where all of it is kept."""


async def harvest(root: str, store: Path, limits: HarvestLimits, sink: CrawlSink | None = None) -> SiteTree:
    """Crawl the site under `root` within the limits, and return its tree. The job has a folder of its own below `store`, named by
    root and limits: an interrupted harvest is resumed, and a finished one is reused.

    Raises `RootUnreachable` if the first page cannot be fetched, `NotAUrl`, `BrowserUnavailable`, and what a crawl raises.
    """
    start = check_root(root)
    return await _crawled_tree(start, _job_folder(start, store, limits), limits, sink)


async def harvest_with_pictures(
    root: str, store: Path, limits: HarvestLimits, sink: CrawlSink | None = None, *, read: bool = True
) -> Harvested:
    """As `harvest`, with the pictures of the pages in a library; in a job of its own. `read`: with what is written in them. Raises
    what `harvest` raises, and `UsageError` where pictures are to be read and no OCR engine is here."""
    start = check_root(root)
    folder = _job_folder(start, store, limits, b" with pictures, read" if read else b" with pictures")
    library = folder.with_suffix(".library")
    pictures: tuple[Keep, ...] = ("pictures", "picture-text") if read else ("pictures",)
    tree = await _crawled_tree(start, folder, limits, sink, library, pictures)
    return Harvested(
        tree=tree,
        pages=await asyncio.to_thread(read_snapshots, folder / "pages.jsonl"),
        library=library,
        folder=folder,
    )


async def _crawled_tree(
    start: str,
    folder: Path,
    limits: HarvestLimits,
    sink: CrawlSink | None,
    library: Path | None = None,
    pictures: tuple[Keep, ...] = (),
) -> SiteTree:
    settings = CrawlSettings(folder=folder, chromium=limits.chromium, library=library)
    report = await crawl(CrawlScript(spec=_spec(start, limits, pictures)), settings, sink=sink)
    snapshots = await asyncio.to_thread(read_snapshots, folder / "pages.jsonl")
    pages = await asyncio.to_thread(_read_pages, snapshots, WalkScope(root_url=start, kind=limits.scope))
    try:
        return build_tree(start, pages)
    except ValueError:
        why = next(iter({**report.failures, **report.skips}), "the site has no usable page")
        raise RootUnreachable(why, where=start, advice="Check the address, then build again") from None


def _job_folder(start: str, store: Path, limits: HarvestLimits, more: bytes = b"") -> Path:
    read = msgspec.json.encode(msgspec.structs.replace(limits, jobs=1, chromium=""))
    return store / folder_name(start, read + more)


def _spec(start: str, limits: HarvestLimits, pictures: tuple[Keep, ...]) -> CrawlSpec:
    return spec_of_root(
        start,
        order="level-by-level",
        driver=limits.driver,
        concurrency=limits.jobs,
        scope={
            "depth": limits.deepest - 1,
            "pages": limits.pages,
            "path": root_folder(start) if limits.scope == "path" else "/",
        },
        polite={"retries": RETRIES, "robots": limits.robots},
        keep=("html", *pictures),
    )


def folder_name(root: str, more: bytes = b"") -> str:
    """Folder name for a site's data: its host for people, and a hash of the root and of `more`."""
    host = urlsplit(root).netloc.replace(":", "-") or "site"
    return f"{host}-{hashlib.sha256(root.encode() + more).hexdigest()[:8]}"


def read_snapshots(file: Path) -> tuple[Snapshot, ...]:
    """The pages that a job stored, as they were delivered."""
    with file.open("rb") as lines:
        records = (msgspec.json.decode(line) for line in lines)
        read = (record for record in records if record["state"] == "done" and "html" in record)
        return tuple(_snapshot(record) for record in read if not _FEED.match(record["html"][:500]))


def _read_pages(snapshots: Iterable[Snapshot], scope: WalkScope) -> list[HarvestedPage]:
    """The pages without empty ones and duplicates."""
    read = [_read_page(snapshot, scope) for snapshot in snapshots]
    root = str(key_of(scope.root_url))
    return [page for page in read if page.key == root or len(page.text) >= LEAST_CHARS]


def _snapshot(record: dict[str, Any]) -> Snapshot:
    return Snapshot(
        url=record["url"],
        final_url=record["final_url"],
        status=record["status"],
        html=record["html"],
        title=record["title"],
        fetched_at=record["fetched_at"],
    )


def visible_lines(observation: Observation) -> tuple[str, ...]:
    """The lines of a page that can be quoted."""
    return tuple(block.text for block in observation.blocks if not block.hidden and block.text.strip())


def _read_page(snapshot: Snapshot, scope: WalkScope) -> HarvestedPage:
    observation = observe(snapshot)
    return HarvestedPage(
        key=str(key_of(snapshot.url)),
        url=snapshot.url,
        place=snapshot.final_url,
        title=observation.title,
        language=observation.language,
        lines=visible_lines(observation),
        passages=read_passages(observation),
        marked_up=marked_up(snapshot.html),
        record_sets=tuple(found for found in observation.record_sets if found.region == "main"),
        ways=read_site_links(observation, scope),
        seen=datetime.fromtimestamp(snapshot.fetched_at, UTC).date().isoformat(),
    )
