"""How a benchmark prints: one JSON line a figure; and how it takes the time of plain work."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any


def print_figure(name: str, value: Any, unit: str, want: str, ok: bool) -> None:
    """Print one figure with what it is measured against."""
    print(json.dumps({"figure": name, "value": value, "unit": unit, "want": want, "ok": ok}), flush=True)


def best_seconds(work: Callable[[], object], rounds: int) -> float:
    """The least processor time that the work took in so many rounds: what others do on the machine does not count."""
    times = []
    for _ in range(rounds):
        started = time.process_time()
        work()
        times.append(time.process_time() - started)
    return min(times)
