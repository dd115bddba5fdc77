"""Pictures, drawings, charts and videos, with all text that the page gives for them."""

from __future__ import annotations

from typing import Any

from perception.document.addresses import absolute_url
from perception.document.dom import Element
from perception.observation import Figure

FIGURES_AT_MOST = 400
TINY_PIXELS = 16
"""A picture whose declared size is at most this is a bullet, a spacer or a tracking pixel."""


def read_figures(elements: list[tuple[Element, str]], base: str) -> tuple[Figure, ...]:
    """Figures in document order, numbered from 1; decorations are left out."""
    figures: list[Figure] = []
    for element, heading in elements:
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
                heading=heading,
            )
        )
    return tuple(figures)


def _is_tiny(element: Element) -> bool:
    sizes = [element.get(name) or "" for name in ("width", "height")]
    return any(size.removesuffix("px").isdigit() and int(size.removesuffix("px")) <= TINY_PIXELS for size in sizes)


def _caption(element: Element) -> str:
    figure = next(element.iterancestors("figure"), None)
    caption = figure.find(".//figcaption") if figure is not None else None
    return _words("".join(caption.itertext())) if caption is not None else ""


def _svg_title(element: Element) -> str:
    title = element.find("title") if element.tag == "svg" else None
    return _words(title.text) if title is not None else ""


def _words(text: str | None) -> str:
    return " ".join((text or "").split())
