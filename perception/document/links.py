"""The links of a page, each with its label and the text around it."""

from __future__ import annotations

from perception.document.addresses import absolute_url, without_fragment
from perception.document.controls.icon_names import likely_name, stated_name
from perception.document.controls.option_links import address_of_option
from perception.document.dom import Element, text_in
from perception.document.page_text import Mark, PageText
from perception.observation import Block, Link, Place

CONTEXT_CHARS = 160
LINKS_AT_MOST = 20_000
"""Far more than a reader takes in; a page of ten megabytes stays a matter of seconds."""


def read_links(page: PageText, base: str, page_url: str) -> tuple[tuple[Link, ...], tuple[Place, ...]]:
    """All links that lead to another page, in document order, each (address, label) once; and where the labels of those stand that
    lead to this page as a whole."""
    here = without_fragment(page_url)
    found: dict[tuple[str, str], list[Mark]] = {}
    own: list[Place] = []
    for mark in page.marks:
        if mark.kind != "a":
            continue
        href = mark.element.get("href") or address_of_option(mark.element)
        url = absolute_url(base, href) if href else ""
        if not url or without_fragment(url) == here:
            if url == here and href and mark.block and mark.text_end > mark.text_start:
                own.append(_place(mark))
            continue
        label = page.text(mark.start, mark.end) or _substitute(mark.element) or text_in(mark.element)
        known = found.get((url, label))
        if known is None:
            if len(found) < LINKS_AT_MOST:
                found[url, label] = [mark]
        elif _reach(mark) < _reach(known[0]):
            # A menu for small windows repeats, unseen, what stands further down: the link is where it is seen.
            found[url, label] = [mark, *found.pop((url, label))]
        else:
            known.append(mark)
    links = tuple(
        _link(number, url, label, marks, page.blocks)
        for number, ((url, label), marks) in enumerate(found.items(), start=1)
    )
    return links, tuple(own)


def _reach(mark: Mark) -> int:
    """0 for a link that is seen, 1 for one in a closed part, 2 for one that nobody sees."""
    span = mark.span
    if span is None or not (span.hidden or span.opener):
        return 0
    return 1 if span.opener else 2


def _link(number: int, url: str, label: str, marks: list[Mark], blocks: list[Block]) -> Link:
    mark = marks[0]
    block = blocks[mark.block - 1] if mark.block else None
    rel = tuple((mark.element.get("rel") or "").lower().split())
    reach = _reach(mark)
    opener = mark.span.opener if mark.span is not None else ""
    again = tuple(_place(each) for each in marks[1:] if each.block and _reach(each) == 0)
    if block is None:
        region = mark.span.region if mark.span is not None else "main"
        return Link(
            id=number, url=url, label=label, region=region, rel=rel, hidden=reach == 2, opener=opener, again=again
        )
    heading = block.text if block.kind == "heading" else (block.headings[-1] if block.headings else "")
    return Link(
        id=number,
        url=url,
        label=label,
        # What is around a link in a closed menu is text that nobody sees.
        context="" if block.hidden else _around(block.text, label, mark.text_start, mark.text_end),
        heading=heading if heading != label else (block.headings[-1] if block.headings else ""),
        region=block.region,
        rel=rel,
        hidden=reach == 2,
        opener=opener,
        block=block.id,
        start=mark.text_start,
        end=mark.text_end,
        again=again,
    )


def _place(mark: Mark) -> Place:
    return Place(block=mark.block, start=mark.text_start, end=mark.text_end)


def _around(text: str, label: str, start: int, end: int) -> str:
    """The text next to the label in its block; "" where the block is nothing but the label."""
    if not label or end == start:
        return text[:CONTEXT_CHARS]
    room = CONTEXT_CHARS // 2
    before, after = text[max(0, start - room - 1) : start].rstrip(), text[end : end + room + 1].lstrip()
    return f"{before[-room:]} {after[:room]}".strip()


def _substitute(element: Element) -> str:
    """A label for a link without text: title, aria-label or alternative text, else the name of its icon or its file."""
    for name in ("aria-label", "title"):
        if value := (element.get(name) or "").strip():
            return " ".join(value.split())
    stated = (stated_name(inner) for inner in element.iter("img", "svg"))
    return next(filter(None, stated), "") or likely_name(element)
