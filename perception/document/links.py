"""The links of a page, each with its label and the text around it."""

from __future__ import annotations

import re

from perception.document.addresses import absolute_url, without_fragment
from perception.document.dom import Element
from perception.document.page_text import Mark, PageText
from perception.observation import Block, Link, Place

CONTEXT_CHARS = 160
_ICON = re.compile(r"^(?:fa|fas|far|fab|icon|icons|bi|ti|mdi|ri|octicon|glyphicon|lni|simple-icons)-(?=[a-z])")
_ICON_STYLES = frozenset("solid brands regular light fw lg sm xs 2x 3x stack inverse spin".split())
_ICON_FILE = re.compile(r"(?:/|^|#)((?:[A-Za-z]{2,}[-_]?){1,3})(?:\.(?:svg|png|gif|webp|ico|jpe?g))?$")
"""Names of words; digests and numbers say nothing."""
_XLINK = "{http://www.w3.org/1999/xlink}href"
LINKS_AT_MOST = 20_000
"""Far more than a reader takes in; a page of ten megabytes stays a matter of seconds."""


def read_links(page: PageText, base: str, page_url: str) -> tuple[Link, ...]:
    """All links that lead to another page, in document order, each (address, label) once."""
    here = without_fragment(page_url)
    found: dict[tuple[str, str], list[Mark]] = {}
    for mark in page.marks:
        if mark.kind != "a":
            continue
        href = mark.element.get("href")
        url = absolute_url(base, href) if href else ""
        if not url or without_fragment(url) == here:
            continue
        label = page.text(mark.start, mark.end) or _substitute(mark.element)
        known = found.get((url, label))
        if known is None:
            if len(found) < LINKS_AT_MOST:
                found[url, label] = [mark]
        elif _reach(mark) < _reach(known[0]):
            # A menu for small windows repeats, unseen, what stands further down: the link is where it is seen.
            found[url, label] = [mark, *found.pop((url, label))]
        else:
            known.append(mark)
    return tuple(
        _link(number, url, label, marks, page.blocks)
        for number, ((url, label), marks) in enumerate(found.items(), start=1)
    )


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
    for inner in element.iter("img", "svg"):
        for name in ("alt", "aria-label", "title"):
            if value := (inner.get(name) or "").strip():
                return " ".join(value.split())
    return _icon_name(element)


def _icon_name(element: Element) -> str:
    """What an icon shows, as far as its class or its file says so: "github" for `fa fa-github` or `img/github.svg`."""
    for inner in element.iter("i", "span", "use", "img"):
        classes = (inner.get("class") or "").split()
        named = [name for word in classes if (name := _ICON.sub("", word)) != word and name not in _ICON_STYLES]
        if named:
            return named[-1].replace("-", " ")
        source = inner.get("src") or inner.get("href") or inner.get(_XLINK) or ""
        if match := _ICON_FILE.search(source):
            return re.sub(r"^icon[-_]|[-_]", " ", match[1]).strip()
    return ""
