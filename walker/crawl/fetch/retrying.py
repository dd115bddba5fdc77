"""Which fetches are worth repeating, and when."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

FIRST_WAIT_SECONDS = 1.0
LONGEST_WAIT_SECONDS = 120.0
LONGEST_RETRY_AFTER_SECONDS = 3600.0
"""A host that wants to be left alone for longer is not waited for."""
WORTH_AGAIN_STATUS = frozenset((408, 421, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524))
WORTH_AGAIN_FAILURE = frozenset(("refused", "timeout", "crashed", "empty", "other"))
"""Kinds of `PageFailure` that may pass by themselves. Not: unknown hosts, certificates, redirects in a ring, refused addresses."""


class Retries:
    """Decides about repeating. `chance` gives numbers from 0 to 1 that keep many fetches from coming back together."""

    def __init__(self, most: int, *, chance: Callable[[], float] = random.random) -> None:
        self._most, self._chance = most, chance

    def retry_in(self, problem: int | str, tries: int, retry_after: float | None = None) -> float | None:
        """Seconds to wait before the next try after an HTTP status or a kind of `PageFailure`; None where it is given up.
        `tries`: those that were made, 1 after the first. The wait doubles with each, from half to one and a half times as long."""
        is_worth = problem in (WORTH_AGAIN_STATUS if isinstance(problem, int) else WORTH_AGAIN_FAILURE)
        if not is_worth or tries > self._most or (retry_after or 0.0) > LONGEST_RETRY_AFTER_SECONDS:
            return None
        wait = min(LONGEST_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2.0 ** min(tries - 1, 30)) * (0.5 + self._chance())
        return max(wait, retry_after or 0.0)


def retry_after_seconds(header: str, now: float) -> float | None:
    """What a Retry-After header asks for (RFC 9110, section 10.2.3), in seconds from now (seconds since 1970); None where it says
    nothing that can be read, 0 for a date that is over."""
    text = header.strip()
    if text.isascii() and text.replace(".", "", 1).isdigit():
        return float(text)
    try:
        date = parsedate_to_datetime(text)
        if date.tzinfo is None:
            date = date.replace(tzinfo=UTC)
        return max(0.0, (date - datetime.fromtimestamp(now, UTC)).total_seconds())
    except (ValueError, OverflowError):
        return None
