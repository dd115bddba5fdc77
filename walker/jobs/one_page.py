"""One page for a client: its text as Markdown within a limit, or what is seen on it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from memory.retrieval import Ranker
from perception.document.dom import base_address, parse_page
from perception.document.visible import shortened
from perception.snapshot import Snapshot
from walker.assembly import WalkResources, read_task
from walker.browser.launch.find_chromium import find_browser
from walker.browser.launch.kept_chromium import keep_chromium
from walker.crawl.pages.markdown import page_markdown
from walker.errors import RootUnreachable
from walker.inspect_page import ANY_QUESTION, PageLook, look_at_page
from walker.seams.protocols import PageFailure

ELEMENTS_SHOWN, TEXTS_SHOWN = 120, 40
CHARS_OF_A_TEXT = 120
GAP = "\n\n[...]\n\n"
"""What may stand between two parts of a page that was cut."""


async def read_page(resources: WalkResources, url: str, most: int, question: str) -> dict[str, Any]:
    """The main part of a page as Markdown of at most so many characters: its start, or with a question the parts that bear on it.
    Raises `RootUnreachable`."""
    settings = msgspec.structs.replace(resources.settings, record=False, scout_pages=0, library=None)
    edges = resources.with_settings(settings).edges(read_task(url, question or ANY_QUESTION))
    try:
        opened = await edges.browser.open(url)
    finally:
        await edges.browser.close()
    if isinstance(opened, PageFailure):
        raise RootUnreachable(opened.message, where=url, advice="Check the address")
    written = markdown_of(opened)
    text = written
    if len(written) > most:
        text = best_parts(written, question, most, resources.ranker) if question else written[:most]
    return {
        "url": opened.final_url,
        "title": opened.title,
        "status": opened.status,
        "markdown": text,
        "cut": text != written,
    }


def markdown_of(page: Snapshot) -> str:
    """The main part of a page as Markdown."""
    root = parse_page(page.html)
    return page_markdown(root, base_address(root, page.final_url), page.html)


def best_parts(markdown: str, question: str, most: int, ranker: Ranker) -> str:
    """The paragraphs that bear most on a question, each under its heading, in the order of the page, of at most so many characters
    together."""
    parts = [part for part in markdown.split("\n\n") if part.strip()]
    headings = _headings_above(parts)
    # A heading says what the text just below is about, and is nothing without it.
    texts = [place for place, part in enumerate(parts) if not part.startswith("#")] or list(range(len(parts)))
    kept: set[int] = set()
    left = most
    told = [f"{parts[place - 1]}\n{parts[place]}" if headings[place] == place - 1 else parts[place] for place in texts]
    for ranked in ranker.rank(question, told):
        added = {texts[ranked.index], headings[texts[ranked.index]]} - kept
        size = sum(len(parts[place]) + len(GAP) for place in added)
        if size <= left:
            kept |= added
            left -= size
    written: list[str] = []
    for place, part in enumerate(parts):
        if place in kept:
            if written and place - 1 not in kept:
                written.append("[...]")
            written.append(part)
    return "\n\n".join(written)


def _headings_above(parts: Sequence[str]) -> list[int]:
    """For each part the place of its heading; of a heading, and of what stands above the first, its own."""
    above: list[int] = []
    last = -1
    for place, part in enumerate(parts):
        last = place if part.startswith("#") else last
        above.append(last if last >= 0 else place)
    return above


async def see_page(resources: WalkResources, url: str, find: str) -> dict[str, Any]:
    """What can be pressed on a page, what only its pictures say, what is hidden, and where the element is that is looked for. Raises
    `RootUnreachable`."""
    settings = msgspec.structs.replace(resources.settings, record=False)
    with keep_chromium(find_browser(settings.chromium), resources.chromium):
        look = await look_at_page(url, "", settings, whole=True, find=find)
    elements = look.view.map.elements
    return {
        "url": look.view.url,
        "title": look.title,
        "elements": [
            f"{one.role} {_told(one.label)!r} at {one.x:.0f},{one.y:.0f} {one.width:.0f}x{one.height:.0f}"
            for one in elements
            if one.is_interactive and not one.unseen
        ][:ELEMENTS_SHOWN],
        "hidden": [f"{one.unseen}: {_told(one.text)}" for one in elements if one.unseen and one.text][:TEXTS_SHOWN],
        "in_pictures": [_told(seen.text) for seen in look.look.seen if seen.text][:TEXTS_SHOWN],
        "found": _found(look),
    }


def _found(look: PageLook) -> dict[str, Any] | None:
    if look.found is None:
        return None
    element = look.view.map.element(look.found.element)
    if element is None:
        return {"is_found": False, "reason": look.found.reason}
    return {
        "is_found": True,
        "role": element.role,
        "name": _told(element.label),
        "selector": element.selector,
        "x": element.x,
        "y": element.y,
        "width": element.width,
        "height": element.height,
        "confidence": round(look.found.confidence, 2),
    }


def _told(text: str) -> str:
    return shortened(text, CHARS_OF_A_TEXT)
