"""Retry policy: which fetches are retried, and when."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

FIRST_WAIT_SECONDS = 1.0
LONGEST_WAIT_SECONDS = 120.0
LONGEST_RETRY_AFTER_SECONDS = 3600.0
"""Seconds; a page with a longer Retry-After is given up."""
WORTH_AGAIN_STATUS = frozenset((408, 421, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524))
WORTH_AGAIN_FAILURE = frozenset(("refused", "proxy", "timeout", "crashed", "empty", "other"))
"""Transient kinds of `PageFailure`. Not: unknown hosts, certificates, redirect loops, blocked addresses."""


class Retries:
    """The retry policy. `chance` gives random numbers 0..1 for jitter."""

    def __init__(self, most: int, *, chance: Callable[[], float] = random.random) -> None:
        self._most, self._chance = most, chance

    def retry_in(self, problem: int | str, tries: int, retry_after: float | None = None) -> float | None:
        """Seconds until the next try after an HTTP status or a kind of `PageFailure`; None to give up. `tries` is the number of
        tries so far, from 1. Exponential backoff with a jitter of 0.5 to 1.5."""
        is_worth = problem in (WORTH_AGAIN_STATUS if isinstance(problem, int) else WORTH_AGAIN_FAILURE)
        if not is_worth or tries > self._most or (retry_after or 0.0) > LONGEST_RETRY_AFTER_SECONDS:
            return None
        wait = min(LONGEST_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2.0 ** min(tries - 1, 30)) * (0.5 + self._chance())
        return max(wait, retry_after or 0.0)


def retry_after_seconds(header: str, now: float) -> float | None:
    """The delay of a Retry-After header (RFC 9110, section 10.2.3) in seconds from `now` (seconds since the epoch); None for an
    invalid header, 0 for a date in the past."""
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
