"""When the calls of a walk's models have to be over. The budget of pages is judged by the dates of pages, which do not come while a
model takes minutes over one."""

from __future__ import annotations

import math
import time
from collections.abc import Callable


class Deadline:
    """A number of seconds by the clock, from now on; without a number it is never reached."""

    def __init__(self, seconds: float = math.inf, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds, self._clock = seconds, clock
        self._ends = clock() + seconds

    def begin_again(self, seconds: float) -> None:
        """Count so many seconds from now; what is told stays the number that was given first."""
        self._ends = self._clock() + seconds

    def put_off(self, seconds: float) -> None:
        """So much later: a person was waited for."""
        self._ends += seconds

    @property
    def left(self) -> float | None:
        """Seconds that are left, from 0; None where there is no end."""
        return None if math.isinf(self._ends) else max(0.0, self._ends - self._clock())

    @property
    def why(self) -> str:
        """What was reached, in words."""
        return f"{self._seconds:g} seconds have passed"
