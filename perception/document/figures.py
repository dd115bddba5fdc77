"""Pictures, drawings, charts and videos, with all text that the page gives for them."""

from __future__ import annotations

from itertools import islice
from typing import Any

from perception.document.addresses import absolute_url
from perception.document.dom import Element
from perception.document.page_text import Pictured
from perception.document.tags import HEADINGS
from perception.observation import Figure

FIGURES_AT_MOST = 400
TINY_PIXELS = 16
"""A picture whose declared size is at most this is a bullet, a spacer or a tracking pixel."""

CARD_DEPTH = 8
"""Most elements around a picture that are looked at for its card."""
_PICTURES = ("img", "canvas", "video")


def read_figures(pictured: list[Pictured], base: str) -> tuple[Figure, ...]:
    """Figures in document order, numbered from 1; decorations are left out."""
    figures: list[Figure] = []
    for element, heading, block, inside in pictured:
        if len(figures) >= FIGURES_AT_MOST or _is_tiny(element):
            continue
        source = element.get("src") or element.get("data-src") or element.get("data") or ""
        kind: Any = element.tag
        figures.append(
            Figure(
                id=len(figures) + 1,
                kind=kind,
                url=absolute_url(base, source),
                alt=_words(element.get("alt")),
                caption=_caption(element),
                label=_words(element.get("aria-label") or element.get("title")) or _svg_title(element),
                heading=_heading(element, heading),
                block=block,
                region=inside.region,
                hidden=inside.hidden or any(element.get(name) is not None for name in ("data-walker-hidden", "hidden")),
                linked=next(element.iterancestors("a"), None) is not None,
            )
        )
    return tuple(figures)


def _is_tiny(element: Element) -> bool:
    sizes = [element.get(name) or "" for name in ("width", "height")]
    return any(size.removesuffix("px").isdigit() and int(size.removesuffix("px")) <= TINY_PIXELS for size in sizes)


def _caption(element: Element) -> str:
    """The caption of the nearest figure, which is not that of another figure within it."""
    figure = next(element.iterancestors("figure"), None)
    captions = figure.iterfind(".//figcaption") if figure is not None else ()
    own = next((one for one in captions if next(one.iterancestors("figure"), None) is figure), None)
    return _words("".join(own.itertext())) if own is not None else ""


def _heading(element: Element, above: str) -> str:
    """The heading of the card that a picture stands in, though it may stand below the picture; else the heading above, unless that
    is another card's."""
    card = _card_of(element)
    if card is None:
        return above
    headings = [text for one in card.iter(*HEADINGS) if (text := _words("".join(one.itertext())))]
    if headings:
        return headings[0] if len(headings) == 1 or above not in headings else above
    others = (one for sibling in card.itersiblings(card.tag, preceding=True) for one in sibling.iter(*HEADINGS))
    return "" if above and any(_words("".join(one.itertext())) == above for one in others) else above


def _card_of(element: Element) -> Element | None:
    """The largest element around a picture that holds no other one and has siblings of its kind that hold pictures; None for a picture
    that stands by itself."""
    inner = element
    for depth, around in enumerate(element.iterancestors()):
        if depth >= CARD_DEPTH or around.tag in ("body", "main"):
            return None
        pictures = (one for one in around.iter(*_PICTURES) if not _is_tiny(one))
        if len(tuple(islice(pictures, 2))) > 1:
            beside = (one for one in around.iterchildren(inner.tag) if one is not inner)
            has_like = any(next(one.iter(*_PICTURES), None) is not None for one in beside)
            return inner if has_like and inner is not element else None
        inner = around
    return None


def _svg_title(element: Element) -> str:
    title = element.find("title") if element.tag == "svg" else None
    return _words(title.text) if title is not None else ""


def _words(text: str | None) -> str:
    return " ".join((text or "").split())
