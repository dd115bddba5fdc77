"""Addresses as a page writes them, made absolute."""

from __future__ import annotations

from urllib.parse import urljoin, urlsplit

_TRIMMED = "\t\n\r\x0c "


def absolute_url(base: str, href: str) -> str:
    """The http(s) address that `href` means on a page with that base, "" where it means none (mailto:, javascript: ...)."""
    written = href.strip(_TRIMMED).replace("\n", "").replace("\r", "").replace("\t", "")
    if not written:
        return ""
    head = written.split(":", 1)[0] if ":" in written[:16] else ""
    if head and head.isalpha() and head.lower() not in ("http", "https"):
        return ""
    try:
        url = urljoin(base, written)
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            return ""
        _ = parts.port
    except ValueError:
        return ""
    return url


def without_fragment(url: str) -> str:
    """The address up to its fragment; a fragment that is a route of its own (`#/...`, `#!...`) is kept."""
    page, mark, fragment = url.partition("#")
    return url if mark and fragment.startswith(("/", "!")) else page
