"""Redirects by `<meta http-equiv=refresh>` and the Refresh header."""

from __future__ import annotations

import re
from html import unescape

from memory.url_key import join_link

SOON_SECONDS = 3
"""Seconds; a page that refreshes within this time is a redirect, one that does so later is a page."""

_META = re.compile(r"""<meta\b[^>]*\bhttp-equiv\s*=\s*["']?refresh\b[^>]*>""", re.IGNORECASE)
_CONTENT = re.compile(r"""\bcontent\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))""", re.IGNORECASE)
_UNREAD = re.compile(
    r"<!--.*?-->|<(script|noscript|template|textarea|title|style)\b.*?</\1\s*>", re.IGNORECASE | re.DOTALL
)
"""Parts of the markup whose tags a browser with scripting does not parse."""
_SOON = re.compile(rf"\s*([0-{SOON_SECONDS - 1}]?(?:\.\d*)?)\s*[;,]\s*(?:url\s*=\s*)?(.*)", re.IGNORECASE | re.DOTALL)


def leads_on_to(html: str, url: str, header: str = "") -> str:
    """The URL that a page at `url` immediately redirects to, "" for none.

    >>> leads_on_to("<meta http-equiv=refresh content='0; url=/b'>", "http://a.example/")
    'http://a.example/b'
    """
    for content in (header, _content_of(html)):
        if (found := _SOON.fullmatch(content)) and (target := _unquoted(found[2])):
            return join_link(url, target) or ""
    return ""


def _content_of(html: str) -> str:
    if not _META.search(html):
        return ""
    for tag in _META.finditer(_UNREAD.sub(" ", html)):
        if found := _CONTENT.search(tag[0]):
            return unescape(found[1] or found[2] or found[3] or "")
    return ""


def _unquoted(target: str) -> str:
    target = target.strip()
    if target[:1] in ("'", '"'):
        return target[1:].partition(target[0])[0].strip()
    return target
