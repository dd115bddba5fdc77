"""Addresses as a page writes them, made absolute."""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import urljoin, urlsplit

_PLAIN = re.compile(r"(?!\.)[\w-][\w.-]*(?:/(?!\.)[\w-][\w.-]*)*(?:#[\w.:-]*)?$", re.ASCII)
"""A file in this folder or below it: nothing to resolve. Most links are so."""
_ROOTED = re.compile(r"/(?:(?!\.)[\w-][\w.-]*(?:/(?!\.)[\w-][\w.-]*)*/?)?(?:\?[\w.=&%+-]+)?(?:#[\w.:-]+)?\Z", re.ASCII)
"""A path from the root of the site: nothing to resolve either, and most links of menus are so."""
_SITE = re.compile(r"https?://[a-z0-9.-]*[a-z0-9](?::[1-5]?[0-9]{1,4})?(?=[/?#]|\Z)")
_SLASHES = re.compile(r"^(https?:)?/{3,}", re.IGNORECASE)
_TRIMMED = "\t\n\r\x0c "


@lru_cache(maxsize=1 << 15)
def absolute_url(base: str, href: str) -> str:
    """The http(s) address that `href` means on a page with that base, "" where it means none (mailto:, javascript: ...)."""
    written = href.strip(_TRIMMED)
    if not written:
        return ""
    if _PLAIN.match(written):
        return _folder(base) + written
    if _ROOTED.match(written) and (site := _site(base)):
        return site + written
    if written[0] == "#":
        return base.partition("#")[0] + written
    written = written.replace("\n", "").replace("\r", "").replace("\t", "")
    head = written.split(":", 1)[0] if ":" in written[:16] else ""
    if head and head.isalpha() and head.lower() not in ("http", "https"):
        return ""
    if "///" in written:
        # As browsers read them: whatever number of slashes there is, a host follows.
        written = _SLASHES.sub(r"\1//", written)
        if written.endswith("//") and written.strip("/") in ("", "http:", "https:"):
            return ""
    try:
        url = urljoin(base, written)
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            return ""
        _ = parts.port
    except ValueError:
        return ""
    return parts.scheme + url[len(parts.scheme) :]


@lru_cache(maxsize=256)
def _folder(base: str) -> str:
    """The address up to the last slash of its path; a host alone gets one."""
    return urljoin(base, "./x")[:-1]


@lru_cache(maxsize=256)
def _site(base: str) -> str:
    """Scheme and host of a web address as it writes them, "" where it is none."""
    match = _SITE.match(base)
    return match[0] if match else ""


def without_fragment(url: str) -> str:
    """The address up to its fragment; a fragment that is a route of its own (`#/...`, `#!...`) is kept."""
    page, mark, fragment = url.partition("#")
    return url if mark and fragment.startswith(("/", "!")) else page
