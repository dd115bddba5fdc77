"""Resolves the URLs that a page writes against its base."""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import urljoin, urlsplit

_PLAIN = re.compile(r"(?!\.)[\w-][\w.-]*(?:/(?!\.)[\w-][\w.-]*)*(?:#[\w.:-]*)?$", re.ASCII)
"""A path relative to the current folder, without dot segments: the base folder is simply prefixed. Most links match."""
_ROOTED = re.compile(r"/(?:(?!\.)[\w-][\w.-]*(?:/(?!\.)[\w-][\w.-]*)*/?)?(?:\?[\w.=&%+-]+)?(?:#[\w.:-]+)?\Z", re.ASCII)
"""An absolute path without dot segments: the origin is simply prefixed. Most menu links match."""
_SITE = re.compile(r"https?://[a-z0-9.-]*[a-z0-9](?::[1-5]?[0-9]{1,4})?(?=[/?#]|\Z)")
_BEFORE_HOST = re.compile(r"(?:(https?):)?(/*)", re.IGNORECASE)
_TRIMMED = "\t\n\r\x0c "


@lru_cache(maxsize=1 << 13)
def absolute_url(base: str, href: str) -> str:
    """The http(s) URL that `href` resolves to against that base, "" for anything else (mailto:, javascript: ...)."""
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
    if head or "///" in written:
        written = _with_host(base, written)
        if not written:
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


def _with_host(base: str, written: str) -> str:
    """As in browsers (WHATWG URL): any number of slashes may precede the host, none too where the scheme is not the base's. "" where
    no host follows."""
    match = _BEFORE_HOST.match(written)
    if match is None:
        return written
    scheme, slashes = match[1] or "", match[2]
    is_other = bool(scheme) and base[: len(scheme) + 1].lower() != f"{scheme.lower()}:"
    if len(slashes) > 2 or (is_other and len(slashes) < 2):
        rest = written[match.end() :]
        return f"{scheme}{':' if scheme else ''}//{rest}" if rest else ""
    return written


@lru_cache(maxsize=256)
def _folder(base: str) -> str:
    """The URL up to the last slash of its path; one is added to a bare host."""
    return urljoin(base, "./x")[:-1]


@lru_cache(maxsize=256)
def _site(base: str) -> str:
    """Scheme and host of an http(s) URL, spelled as in the URL; "" for any other."""
    match = _SITE.match(base)
    return match[0] if match else ""


def without_fragment(url: str) -> str:
    """The URL without its fragment, except for a fragment that is a client-side route (`#/...`, `#!...`)."""
    page, mark, fragment = url.partition("#")
    return url if mark and fragment.startswith(("/", "!")) else page
