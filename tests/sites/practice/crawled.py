"""Crawls a practice site, and hands over what came of it with the server's address left out."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from tests.sites.serving import LoopbackSite
from walker.crawl.crawl_report import CrawlReport
from walker.crawl.crawling import CrawlSettings, crawl
from walker.crawl.script.spec_loader import CrawlScript, spec_of_root

ENVIRONMENT = {"SITE_USER": "ann", "SITE_PASSWORD": "practice"}


class Crawled(msgspec.Struct, frozen=True, kw_only=True):
    """A crawl that ended."""

    report: CrawlReport
    pages: list[dict[str, Any]]
    items: list[dict[str, Any]]
    asked: Counter[str]

    def paths(self, prefix: str = "/") -> list[str]:
        """Of the pages that were kept, where they were found in the end, sorted."""
        kept = [page for page in self.pages if page.get("status", 400) < 400 and not page.get("problem")]
        return sorted(path for page in kept if (path := page.get("final_url", page["url"])).startswith(prefix))

    def column(self, name: str) -> list[Any]:
        """Of the items."""
        return [item.get(name) for item in self.items]


async def crawled(server: LoopbackSite, folder: Path, start: str | Iterable[str] = "/", **parts: Any) -> Crawled:
    """Crawl from these paths; `parts` are keys of a script."""
    home = server.home.rstrip("/")
    starts = [home + path for path in ([start] if isinstance(start, str) else start)]
    parts = {"driver": "http", "polite": {"retries": 1}, **parts}
    if "login" in parts:
        parts["login"] = {**parts["login"], "url": home + parts["login"]["url"]}
    spec = spec_of_root(home + "/", **{**parts, "start": starts})
    server.asked.clear()
    report = await crawl(CrawlScript(spec=spec), CrawlSettings(folder=folder, environment=ENVIRONMENT))
    pages, items = (
        [json.loads(line.replace(home, "")) for line in (folder / name).read_text().splitlines()]
        for name in ("pages.jsonl", "items.jsonl")
    )
    return Crawled(report=report, pages=pages, items=items, asked=Counter(server.asked))
