"""Reduces a list or a page as long as a test holds (delta debugging)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from lxml import etree
from lxml import html as lxml_html

T = TypeVar("T")
Persists = Callable[[list[T]], Awaitable[bool]]
PageTest = Callable[[str], Awaitable[bool]]
_NEVER = ("html", "head", "body")
_DROPPED = ("style", "script", "link", "meta", "noscript", "template")


async def shortest(items: Sequence[T], persists: Persists[T]) -> list[T]:
    """The items that are needed (delta debugging, ddmin of Zeller and Hildebrandt): no single remaining one can be
    dropped. `persists` must hold for `items`.
    """
    kept, pieces = list(items), 2
    while kept:
        size = max(1, -(-len(kept) // pieces))
        for start in range(0, len(kept), size):
            rest = kept[:start] + kept[start + size :]
            if await persists(rest):
                kept, pieces = rest, max(2, pieces - 1)
                break
        else:
            if size == 1:
                return kept
            pieces = min(len(kept), 2 * pieces)
    return kept


async def smallest_page(html: str, persists: PageTest) -> str:
    """The page without the subtrees that are not needed, from the largest down; as it was where it cannot be taken apart."""
    try:
        root = lxml_html.document_fromstring(html)
    except (etree.ParserError, ValueError):
        return html
    written = _written(root)
    if not await persists(written):
        return html
    for element in list(root.iter(*_DROPPED)):
        await _without([element], root, persists)
    waiting = [root]
    while waiting:
        parent = waiting.pop(0)
        children = [child for child in parent if isinstance(child.tag, str)]
        droppable = [child for child in children if child.tag not in _NEVER]

        async def still(rest: list[lxml_html.HtmlElement], droppable: list[lxml_html.HtmlElement] = droppable) -> bool:
            return await _holds_without([child for child in droppable if child not in rest], root, persists)

        needed = await shortest(droppable, still)
        _cut([child for child in droppable if child not in needed])
        waiting += [child for child in children if child in needed or child.tag in _NEVER]
    await _without_attributes(root, persists)
    return _written(root)


async def _without(elements: list[lxml_html.HtmlElement], root: lxml_html.HtmlElement, persists: PageTest) -> None:
    if await _holds_without(elements, root, persists):
        _cut(elements)


async def _holds_without(
    elements: list[lxml_html.HtmlElement], root: lxml_html.HtmlElement, persists: PageTest
) -> bool:
    """Whether the page would do without these; the page is restored afterwards."""
    places = [(element, element.getparent(), element.getparent().index(element)) for element in elements]
    for element, parent, _ in reversed(places):
        parent.remove(element)
    try:
        return await persists(_written(root))
    finally:
        for element, parent, place in places:
            parent.insert(place, element)


def _cut(elements: list[lxml_html.HtmlElement]) -> None:
    for element in elements:
        element.getparent().remove(element)


async def _without_attributes(root: lxml_html.HtmlElement, persists: PageTest) -> None:
    """All attributes of one name at once: most of them say how a page looks."""
    for name in sorted(
        {str(name) for element in root.iter() if isinstance(element.tag, str) for name in element.attrib}
    ):
        having = [(element, element.attrib[name]) for element in root.iter() if name in element.attrib]
        for element, _ in having:
            del element.attrib[name]
        if not await persists(_written(root)):
            for element, value in having:
                element.set(name, value)


def _written(root: lxml_html.HtmlElement) -> str:
    return str(lxml_html.tostring(root, encoding="unicode"))
