"""The edge to a site beside the browser: pages and files over HTTP, read politely, for what looks for pages."""

from __future__ import annotations

from typing import Protocol

import msgspec

from perception.snapshot import Snapshot
from walker.seams.protocols import PageFailure


class SiteFile(msgspec.Struct, frozen=True, kw_only=True):
    """A response of any status; the body is decompressed, and ends at the limit that was asked for."""

    url: str
    """After redirects."""
    status: int
    content_type: str = ""
    body: bytes = b""


class SiteReader(Protocol):
    """Reads one site over HTTP: robots.txt, rate limits and egress hold for every request. Calls may run concurrently."""

    async def page(self, url: str) -> Snapshot | PageFailure:
        """The source of a page, redirects followed. Fails with `other` where robots.txt forbids it or the host asks for more time than
        there is. Raises nothing."""
        ...

    async def file(self, url: str, most_bytes: int) -> SiteFile | PageFailure:
        """A file that is no page, such as a sitemap; its first `most_bytes` bytes. Fails as `page` does."""
        ...

    async def sitemaps(self) -> tuple[str, ...]:
        """The sitemaps that robots.txt names. Raises nothing."""
        ...

    async def close(self) -> None:
        """Close connections; no call may follow."""
        ...
