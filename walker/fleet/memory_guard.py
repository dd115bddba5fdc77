"""Keeps a worker within its memory while a walk is under way: a page that takes too much costs its renderer, not the machine.

Without it the system would choose whom to end when the machine has none left, which may be the worker of another walk.
"""

from __future__ import annotations

import os
import signal
import threading
from contextlib import suppress

LOOK_SECONDS = 0.5
TIMES = 2
"""A worker may grow to so many times what it asked its machine for; above one it gets a new browser after the walk. On ordinary pages
workers with a browser stay below the 1.5 GB that they ask for."""
LEAST = 1_000_000_000
"""Bytes that nobody is ended for: a browser with an empty page and the readers take some 600 MB."""


class MemoryGuard:
    """Looks at this process and all below it in a thread. Beyond `most` bytes the largest process is ended: a renderer, which a walk
    sees as a page that crashed, or this one, which is a worker that was lost."""

    def __init__(self, most: int) -> None:
        self.most = most
        threading.Thread(target=self._watch, name="walker-memory", daemon=True).start()

    def _watch(self) -> None:
        never = threading.Event()
        while not never.wait(LOOK_SECONDS):
            if memory_used() <= self.most:  # quickly told, and too much sooner than too little
                continue
            sizes = memory_of_processes(exactly=True)
            if sum(sizes.values()) > self.most:
                largest = max(sizes, key=lambda one: sizes[one])
                with suppress(ProcessLookupError):
                    os.kill(largest, signal.SIGKILL)


def most_for(asked: int) -> int:
    """Beyond how many bytes a worker that asked for so many is not let grow."""
    return max(TIMES * asked, LEAST)


def memory_used() -> int:
    """Bytes of memory of this process and all below it; what they share counts once for each, so that it is too much sooner than too
    little."""
    return sum(memory_of_processes().values())


def memory_of_processes(*, exactly: bool = False) -> dict[int, int]:
    """The same of each process, by its number. `exactly`: what several share is divided among them, where the system tells."""
    import psutil  # noqa: PLC0415 - an extra

    sizes: dict[int, int] = {}
    here = psutil.Process()
    for process in (here, *here.children(recursive=True)):
        with suppress(psutil.Error):  # it has ended
            found = process.memory_full_info() if exactly else process.memory_info()
            sizes[process.pid] = getattr(found, "pss", 0) or found.rss
    return sizes
