"""When the next check is due."""

from __future__ import annotations

import datetime
import re

import msgspec

from walker.errors import MissingExtra, UsageError

_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}
_EVERY = re.compile(r"(\d+(?:\.\d+)?)([smhdw])$")
LEAST_SECONDS = 10.0
"""Between two checks: a watch is no load test of somebody's site."""


class Every(msgspec.Struct, frozen=True, kw_only=True):
    """A check each so many seconds, counted from the beginning of the one before."""

    seconds: float

    def next_after(self, moment: float) -> float:
        """The moment one interval later."""
        return moment + self.seconds


class Cron(msgspec.Struct, frozen=True, kw_only=True):
    """A check at the moments of a cron line, in the time zone of this machine."""

    line: str

    def next_after(self, moment: float) -> float:
        """The next moment of the line; hours that the clock skips or repeats are as the system takes them."""
        from croniter import croniter  # noqa: PLC0415 - an extra

        local = datetime.datetime.fromtimestamp(moment)  # noqa: DTZ006 - the line means local time
        due: datetime.datetime = croniter(self.line, local).get_next(datetime.datetime)
        return max(due.timestamp(), moment + 1)


Schedule = Every | Cron


def read_every(text: str) -> Every:
    """`90s`, `15m`, `1h`, `2d`. Raises `UsageError`."""
    match = _EVERY.match(text.strip().lower())
    if match is None:
        raise UsageError("is no interval", where=f"--every {text}", advice="Write it as 15m, 1h or 2d")
    seconds = float(match[1]) * _UNITS[match[2]]
    if seconds < LEAST_SECONDS:
        raise UsageError(
            f"shorter than {LEAST_SECONDS:g} seconds", where=f"--every {text}", advice="Write it as 15m, 1h or 2d"
        )
    return Every(seconds=seconds)


def read_cron(line: str) -> Cron:
    """Five fields of a cron line. Raises `UsageError`, and `MissingExtra` without the package that reads it."""
    try:
        from croniter import croniter  # noqa: PLC0415 - an extra
    except ImportError:
        raise MissingExtra(
            "a cron line needs croniter, which is not installed",
            where=f"--cron {line}",
            advice="Install it with: pip install 'gemwalker[watch]', or use --every",
        ) from None
    if len(line.split()) != 5 or not croniter.is_valid(line):
        advice = "Write minute, hour, day, month and weekday, such as '0 7 * * 1-5'"
        raise UsageError("is no cron line", where=f"--cron {line}", advice=advice)
    return Cron(line=line)
