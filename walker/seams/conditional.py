"""Requests that ask for a page only if it has changed (RFC 9110, section 13)."""

from __future__ import annotations

from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Protocol

import msgspec

from perception.snapshot import Snapshot
from walker.seams.protocols import PageFailure

LEAST_SECONDS = 1
"""By which a page must be older than the answer that it was read from: it may have changed once more within the same second."""


class Condition(msgspec.Struct, frozen=True, kw_only=True):
    """The validators of an earlier answer, "" for none, and the URL that it came from after redirects."""

    url: str
    etag: str = ""
    last_modified: str = ""

    @property
    def headers(self) -> dict[str, str]:
        """The header fields of the condition; a server that knows both goes by the first."""
        both = {"If-None-Match": self.etag, "If-Modified-Since": self.last_modified}
        return {name: value for name, value in both.items() if value}


class NotModified(msgspec.Struct, frozen=True, kw_only=True):
    """The answer that a page is as before, with its current validators where they were sent."""

    etag: str = ""
    last_modified: str = ""


class ConditionalBrowser(Protocol):
    """A browser that may be spared a page that has not changed."""

    async def open_if_changed(self, url: str, condition: Condition) -> Snapshot | PageFailure | NotModified:
        """As `open`, but where the server says that the page is as the condition knows it."""
        ...


def usable_date(headers: Mapping[str, str]) -> str:
    """The header Last-Modified if it can tell a later version from this one, else "" (RFC 9110, section 8.8.2.2)."""
    date = headers.get("last-modified", "")
    try:
        modified = parsedate_to_datetime(date)
        answered = parsedate_to_datetime(headers["date"]) if "date" in headers else None
        if answered is not None and (answered - modified).total_seconds() < LEAST_SECONDS:
            return ""
    except (ValueError, TypeError, OverflowError):
        return ""
    return date
