"""Spans cleared of what nobody sees."""

from __future__ import annotations

import re
from collections.abc import Iterable

from walker.office.parts.office_document import Span

_SPACE = re.compile(r"[^\S\n]+")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")

_FILE = re.compile(r"^(?:\w+://\S+|[A-Za-z]:\\.*|\S+\.(?:png|jpe?g|gif|bmp|tiff?|emf|wmf|svg|webp))$", re.IGNORECASE)
ALT_CHARS = 500


def without_controls(text: str) -> str:
    """A text without control characters; tabs and line feeds stay."""
    return _CONTROL.sub("", text)


def tidied(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Spans of one address joined, white space and control characters cleared away; () for nothing but these."""
    joined: list[Span] = []
    for span in spans:
        if joined and joined[-1].url == span.url:
            joined[-1] = Span(joined[-1].text + span.text, span.url)
        else:
            joined.append(span)
    cleaned = [Span(_SPACE.sub(" ", without_controls(span.text)), span.url) for span in joined]
    while cleaned and not cleaned[0].text.strip():
        cleaned.pop(0)
    while cleaned and not cleaned[-1].text.strip():
        cleaned.pop()
    if not cleaned:
        return ()
    cleaned[0] = Span(cleaned[0].text.lstrip(), cleaned[0].url)
    cleaned[-1] = Span(cleaned[-1].text.rstrip(), cleaned[-1].url)
    return tuple(span for span in cleaned if span.text)


def alternative_text(said: str | None) -> str:
    """What is said of a picture for those who do not see it; "" for nothing, and for the name or address of its file."""
    text = " ".join(without_controls(said or "").split())
    return "" if _FILE.search(text) else text[:ALT_CHARS]
