"""Pages that were read over HTTP before another of their kind was seen to differ in a browser are rendered after all."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.sites.half_scripted import PROSE
from tests.sites.pages_on_loopback import serve
from walker.crawl.crawling import CrawlSettings, crawl
from walker.crawl.script.spec import CrawlSpec
from walker.crawl.script.spec_loader import CrawlScript

LAST = 6
ADDS = "if (number > 2) document.body.insertAdjacentHTML('beforeend', `<p class=late>revealed ${number}</p>`)"
"""On the first two pages, which are compared, it does nothing; nothing in a source tells that it does on the others."""


def page(number: int) -> str:
    # Only the last page has a place that no page before it had: it is compared again.
    place = "<span id=price></span>" if number == LAST else ""
    script = f"<script>const number = +location.pathname.split('/')[2]; {ADDS}</script>"
    follows = f"<a href=/sly/{number + 1}>on</a>" if number < LAST else ""
    return f"<title>Sly {number}</title><h1>Sly {number}</h1>{PROSE}<p>number {number}</p>{place}{follows}{script}"


async def crawled(folder: Path, home: str, **parts: Any) -> tuple[list[dict[str, Any]], list[str]]:
    """Pages by their address, and what was found on them."""
    found = {"items": [{"fields": {"late": {"select": "p.late", "required": True}}}]}
    spec = CrawlSpec.model_validate(
        {"start": f"{home}/sly/1", "driver": "auto", "concurrency": 1, "pages": [found], "keep": "text", **parts}
    )
    await crawl(CrawlScript(spec=spec), CrawlSettings(folder=folder))
    pages, items = (
        [json.loads(line) for line in (folder / name).read_text().splitlines()]
        for name in ("pages.jsonl", "items.jsonl")
    )
    return pages, sorted(item["late"] for item in items)


async def test_what_was_read_before_the_doubt_is_rendered(tmp_path: Path) -> None:
    with serve({f"/sly/{number}": page(number) for number in range(1, LAST + 1)}) as home:
        pages, items = await crawled(tmp_path, home)
    assert [row["driver"] for row in pages] == ["rendered"] * LAST
    assert all(("revealed" in row["text"]) == (number > 2) for number, row in enumerate(pages, 1))
    assert items == [f"revealed {number}" for number in range(3, LAST + 1)]
