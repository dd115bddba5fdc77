"""The links of a page, each with its label and the text around it."""

from __future__ import annotations

from perception.document.addresses import absolute_url, without_fragment
from perception.document.dom import Element
from perception.document.page_text import Mark, PageText
from perception.observation import Block, Link, Place

CONTEXT_CHARS = 160
LINKS_AT_MOST = 20_000
"""Far more than a reader takes in; a page of ten megabytes stays a matter of seconds."""


def read_links(page: PageText, base: str, page_url: str) -> tuple[Link, ...]:
    """All links that lead to another page, in document order, each (address, label) once."""
    here = without_fragment(page_url)
    seen: dict[tuple[str, str], list[Place]] = {}
    found: list[tuple[str, str, Mark]] = []
    for mark in page.marks:
        if mark.kind != "a" or len(found) >= LINKS_AT_MOST:
            continue
        href = mark.element.get("href")
        url = absolute_url(base, href) if href else ""
        if not url or without_fragment(url) == here:
            continue
        label = page.text(mark.start, mark.end) or _substitute(mark.element)
        again = seen.get((url, label))
        if again is None:
            seen[url, label] = []
            found.append((url, label, mark))
        elif mark.block:
            again.append(Place(block=mark.block, start=mark.text_start, end=mark.text_end))
    return tuple(
        _link(number, url, label, mark, page.blocks, tuple(seen[url, label]))
        for number, (url, label, mark) in enumerate(found, start=1)
    )


def _link(number: int, url: str, label: str, mark: Mark, blocks: list[Block], again: tuple[Place, ...]) -> Link:
    block = blocks[mark.block - 1] if mark.block else None
    rel = tuple((mark.element.get("rel") or "").lower().split())
    if block is None:
        return Link(id=number, url=url, label=label, rel=rel, again=again)
    heading = block.text if block.kind == "heading" else (block.headings[-1] if block.headings else "")
    return Link(
        id=number,
        url=url,
        label=label,
        context=_around(block.text, label),
        heading=heading if heading != label else (block.headings[-1] if block.headings else ""),
        region=block.region,
        rel=rel,
        hidden=block.hidden,
        block=block.id,
        start=mark.text_start,
        end=mark.text_end,
        again=again,
    )


def _around(text: str, label: str) -> str:
    """The text next to the label in its block; "" where the block is nothing but the label."""
    place = text.find(label) if label else -1
    if place < 0:
        return text[:CONTEXT_CHARS]
    room = CONTEXT_CHARS // 2
    before, after = text[:place].rstrip(), text[place + len(label) :].lstrip()
    return f"{before[-room:]} {after[:room]}".strip()


def _substitute(element: Element) -> str:
    """A label for a link without text: title, aria-label or alternative text."""
    for name in ("aria-label", "title"):
        if value := (element.get(name) or "").strip():
            return " ".join(value.split())
    for inner in element.iter("img", "svg"):
        for name in ("alt", "aria-label", "title"):
            if value := (inner.get(name) or "").strip():
                return " ".join(value.split())
    return ""
