"""stand-in"""

from __future__ import annotations

from collections.abc import Sequence

from lxml import html as lxml_html

from memory.near_duplicates import mark_text
from memory.url_key import join_link
from perception.snapshot import Snapshot
from walker.crawl.spec import CrawlSpec, PageRule
from walker.crawl.values import FoundLink, PageContent


def read_crawl_page(snapshot: Snapshot, spec: CrawlSpec, rules: Sequence[PageRule]) -> PageContent:
    if not snapshot.html.strip():
        return PageContent(url=snapshot.final_url)
    root = lxml_html.document_fromstring(snapshot.html)
    links = {}
    for a in root.iter("a"):
        href = a.get("href")
        if href and (url := join_link(snapshot.final_url, href)):
            links.setdefault(url, FoundLink(url=url, label=a.text_content().strip()))
    body = root.find("body")
    text = "\n".join(t.strip() for t in (body if body is not None else root).itertext() if t.strip())
    mark = mark_text(text, snapshot.title)
    return PageContent(
        url=snapshot.final_url,
        title=snapshot.title,
        links=tuple(links.values()),
        words=len(text.split()),
        fingerprint=mark.fingerprint,
        details=mark.details,
        sketch=mark.sketch,
        text_size=mark.size,
        problem="http error" if snapshot.status >= 400 else "",
        detail=f"HTTP {snapshot.status}" if snapshot.status >= 400 else "",
    )
