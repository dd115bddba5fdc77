"""What a worker takes of its machine: memory and processor time, its browsers included."""

from __future__ import annotations

import os
import resource
import sys
import time
from contextlib import suppress
from pathlib import Path

import msgspec

PROCESSES = Path("/proc")
_RSS, _USER, _SYSTEM = 21, 11, 12
"""Fields of /proc/PID/stat behind the name of the program (proc(5))."""


class ProcessUse(msgspec.Struct, frozen=True):
    """Of a process and those that it has started."""

    memory: int
    """Bytes in memory; what several of them share is counted for each. Where there is no /proc, the most so far, without children."""
    cpu_seconds: float
    """Processor time of those that run now, and of this one's that have ended."""


def use_of(process: int | None = None) -> ProcessUse:
    """Of a process, this one unless one is named."""
    if not (PROCESSES / "self" / "stat").exists():
        scale = 1 if sys.platform == "darwin" else 1024
        return ProcessUse(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * scale, time.process_time())
    page, tick = os.sysconf("SC_PAGE_SIZE"), os.sysconf("SC_CLK_TCK")
    memory = ticks = 0
    for one in _tree(process or os.getpid()):
        with suppress(OSError, ValueError, IndexError):  # it may have ended meanwhile
            fields = (PROCESSES / str(one) / "stat").read_text().rpartition(")")[2].split()
            memory += int(fields[_RSS]) * page
            ticks += int(fields[_USER]) + int(fields[_SYSTEM])
    ended = sum(os.times()[2:4]) if process is None else 0.0
    return ProcessUse(memory, ticks / tick + ended)


def _tree(process: int) -> list[int]:
    """A process and all below it."""
    found, at = [process], 0
    while at < len(found):
        for path in (PROCESSES / str(found[at]) / "task").glob("*/children"):
            with suppress(OSError):
                found += [int(one) for one in path.read_text().split()]
        at += 1
    return found
