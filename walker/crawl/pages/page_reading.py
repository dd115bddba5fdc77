"""Parses a page for a crawl: links, items, text and problems. Much cheaper than an observation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Any

from memory.near_duplicates import hash_numbers, mark_text
from perception.document.dom import Element, parse_page, text_in
from perception.snapshot import Snapshot
from walker.crawl.job_records import CrawlItem, FoundLink, PageContent
from walker.crawl.pages.detected_items import find_items
from walker.crawl.pages.header_links import read_header_links
from walker.crawl.pages.items import read_items
from walker.crawl.pages.markdown import page_markdown
from walker.crawl.pages.page_links import PageHead, forbids_following, read_head, read_page_links
from walker.crawl.pages.page_problems import PageFacts, problem_of
from walker.crawl.pages.page_words import PageWords, take_words
from walker.crawl.script.spec import CrawlSpec, ItemRule, Keep, PageRule

LEADS_NOWHERE = frozenset(("http error", "soft 404", "challenge page"))
"""Problems of pages whose links are not followed, since their content is not the site's."""


def read_crawl_page(
    snapshot: Snapshot,
    spec: CrawlSpec,
    rules: Sequence[PageRule],
    probe: str = "",
    steady: Callable[[PageWords], str] = lambda words: words.main,
) -> PageContent:
    """The content of a page for a crawl. Pure. `rules` are those that match its URL; `probe` is the main text of the site's response
    to a URL that cannot exist, if its status was 200; `steady` gives the main text without what is another each time."""
    root = parse_page(snapshot.html)
    if _is_beyond(root, snapshot.html, spec.page_elements):
        detail = f"more than {spec.page_elements} elements"
        return PageContent(url=snapshot.final_url, title=snapshot.title, problem="unreadable", detail=detail)
    head = read_head(root, snapshot.final_url)
    headers = read_header_links(snapshot.link, snapshot.refresh, snapshot.final_url)
    links = read_page_links(root, head, snapshot.final_url, snapshot.html, headers)
    heading = text_in(next(root.iter("h1"), None))
    wanted = spec.keep_of(rules)
    items = _items(root, head, snapshot, spec, rules)
    kept: dict[str, Any] = {}
    if "markdown" in wanted:
        kept["markdown"] = page_markdown(root, head.base, snapshot.html)
    words = take_words(root, snapshot.html)
    title = head.title or snapshot.title
    facts = PageFacts(
        status=snapshot.status, title=title, heading=heading, text=words.main, links=len(links), probe=probe
    )
    problem, detail = problem_of(snapshot.html, facts)
    if problem in LEADS_NOWHERE:
        links = ()
    text = steady(words)
    return PageContent(
        url=snapshot.final_url,
        title=title,
        links=links,
        items=() if problem else items,
        words=words.count,
        mark=mark_text(text, f"{title}\n{heading}"),
        numbers=hash_numbers(text).tobytes(),
        text_hash=blake2b(words.main.encode("utf-8", "surrogatepass"), digest_size=16).digest(),
        canonical_url=head.canonical_url or headers.canonical_url,
        problem=problem,
        detail=detail,
        kept=kept | _kept(wanted, snapshot, words, links),
        nofollow=head.nofollow or forbids_following(snapshot.robots_tag),
    )


def main_text(snapshot: Snapshot) -> str:
    """The main text of a page, in lines; "" for an error."""
    return words_of(snapshot).main


def words_of(snapshot: Snapshot) -> PageWords:
    """The text of a page; none for an error."""
    return (
        take_words(parse_page(snapshot.html), snapshot.html) if snapshot.status < 400 else PageWords(whole="", main="")
    )


def _is_beyond(root: Element, html: str, most: int) -> bool:
    """Whether a page has too many elements; tags are counted first, which is fast, and the parser adds at most three elements."""
    return html.count("<") + 3 > most and sum(1 for _ in root.iter("*")) > most


def _items(
    root: Element, head: PageHead, snapshot: Snapshot, spec: CrawlSpec, rules: Sequence[PageRule]
) -> tuple[CrawlItem, ...]:
    named: list[ItemRule] = [item for rule in rules for item in rule.items]
    if named:
        return read_items(root, named, head.base, snapshot)
    return find_items(root, snapshot) if spec.items == "auto" and snapshot.status < 400 else ()


def _kept(wanted: frozenset[Keep], snapshot: Snapshot, words: PageWords, links: Sequence[FoundLink]) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    if "text" in wanted:
        kept["text"] = words.whole
    if "html" in wanted:
        kept["html"] = snapshot.html
    if "links" in wanted:
        kept["links"] = [link.url for link in links]
    return kept
