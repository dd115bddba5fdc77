"""Parses Content-Type headers."""

from __future__ import annotations

import re

_BETWEEN = re.compile(r"[,\n]")


def media_type_of(header: str) -> str:
    """The media type of a Content-Type header, in lower case, "" for none; of several joined headers the last valid one (WHATWG
    Fetch).

    >>> media_type_of("Text/HTML; charset=utf-8, text/html"), media_type_of("text/html, */*"), media_type_of("html")
    ('text/html', 'text/html', '')
    """
    named = (part.partition(";")[0].strip().lower() for part in reversed(_BETWEEN.split(header)))
    return next((kind for kind in named if "/" in kind and kind != "*/*"), "")
