"""What a process and everything that ever ran below it cost: CPU seconds, and memory at its peak."""

from __future__ import annotations

import os
import re
import threading
from collections import defaultdict
from pathlib import Path

_PROC = Path("/proc")
_TICKS = os.sysconf("SC_CLK_TCK")
_TYPE = re.compile(rb"--type=([\w-]+)")
"""What a process of Chromium is for."""
LOOK_SECONDS = 0.02
"""Renderers come and go; what a process had spent when it was last seen stays counted."""
WEIGH_EVERY = 25
"""Looks between two of memory: the kernel walks all pages of a process for it."""


class ProcessTree:
    """Watches a process and those below it while the block runs.

    >>> with ProcessTree() as tree:
    ...     spent = tree.cpu()
    """

    def __init__(self, root: int = 0, *, weigh: bool = False) -> None:
        """`root` 0 is this process. `weigh` looks at memory too."""
        self._root, self._weigh = root or os.getpid(), weigh
        self._spent: dict[tuple[int, int], float] = {}
        self._kinds: dict[tuple[int, int], str] = {}
        self._looks = 0
        self.peak_pss = 0
        """Bytes, shared pages divided among who shares them: the largest sum that was seen."""
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> ProcessTree:
        self._look()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def cpu(self) -> float:
        """Seconds so far, of processes that ended too."""
        self._look()
        return sum(self._spent.values())

    def cpu_by_kind(self) -> dict[str, float]:
        """Seconds so far by what a process is for, or its program; most first."""
        spent: dict[str, float] = defaultdict(float)
        for process, seconds in self._spent.items():
            spent[self._kinds.get(process, "unknown")] += seconds
        return dict(sorted(spent.items(), key=lambda one: -one[1]))

    def _watch(self) -> None:
        while not self._stop.wait(LOOK_SECONDS):
            self._look()
            self._looks += 1
            if self._weigh and self._looks % WEIGH_EVERY == 0:
                self.peak_pss = max(self.peak_pss, sum(map(_pss, tree_of(self._root))))

    def _look(self) -> None:
        with self._lock:
            for process in tree_of(self._root):
                if found := _cpu(process):
                    started, seconds = found
                    self._spent[process, started] = seconds
                    if kind := _kind(process):
                        self._kinds[process, started] = kind


def tree_of(root: int) -> list[int]:
    """Numbers of a process and all below it."""
    found = [root]
    for process in found:
        try:
            tasks = list((_PROC / str(process) / "task").iterdir())
        except OSError:  # it ended meanwhile
            continue
        for task in tasks:
            try:
                found += map(int, (task / "children").read_text().split())
            except OSError:
                continue
    return found


def _cpu(process: int) -> tuple[int, float] | None:
    """When it started, and CPU seconds of all its threads. None where it is gone."""
    try:
        fields = (_PROC / str(process) / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return int(fields[19]), (int(fields[11]) + int(fields[12])) / _TICKS


def _kind(process: int) -> str:
    """What it is for; "" where it is gone. Asked at each look: a process becomes another program."""
    try:
        command = (_PROC / str(process) / "cmdline").read_bytes()
    except OSError:
        return ""
    found = _TYPE.search(command)
    return found[1].decode() if found else Path(os.fsdecode(command.partition(b"\0")[0])).name


def _pss(process: int) -> int:
    try:
        lines = (_PROC / str(process) / "smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:")), 0)
