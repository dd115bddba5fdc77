"""What one call may cost at most, and how long a client is kept waiting. A client asks for less, never for more."""

from __future__ import annotations

from typing import TypeVar

import msgspec

N = TypeVar("N", int, float)


class ServerLimits(msgspec.Struct, frozen=True, kw_only=True):
    """The maxima of a server."""

    pages: int = 60
    """Of one question, or of one crawl."""
    seconds: float = 600.0
    """Of one question, or of one crawl."""
    chars: int = 40_000
    """Of a page's Markdown: some 10,000 tokens, and clients cut off results above 25,000."""
    wait_seconds: float = 45.0
    """Until a call returns with the id of its job: clients give up after a minute."""
    at_once: int = 4
    """Questions and crawls that run at the same time; further ones wait."""


def at_most(wanted: N, most: N) -> N:
    """What a client gets that asks for `wanted`; the most for what is no positive number.

    >>> at_most(10, 60), at_most(1000, 60), at_most(0, 60)
    (10, 60, 60)
    """
    return min(wanted, most) if wanted > 0 else most
