"""Prints what reading pictures costs on a Ray machine with so many workers: each with models of its own, or all through one actor that
holds them.

python bench/fleet_readers.py [--workers 4] [--pictures 6]

Memory is the proportional set size (PSS) of the processes of workers and actor: shared pages are divided among who shares them. Time
is processor time of the same processes, which does not depend on who else uses the machine.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import sys
import threading
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
import cv2
import numpy as np
import psutil
from figures import print_figure

from memory.retrieval import embed_texts
from perception.geometry import Box, CoordinateFrame
from perception.icons.icon_reader import IconReader
from perception.images.freed_memory import give_back_memory, keep_few_arenas
from perception.ocr.ocr import Line, PaddleReader

WIDTH, HEIGHT, LINES = 1280, 800, 20
WORDS = (
    "lamp chair table river stone garden window letter bridge market forest harbour kettle ladder mirror pillow".split()
)
FRAME = CoordinateFrame(shown=Box(x=0, y=0, width=WIDTH, height=HEIGHT), width=WIDTH, height=HEIGHT)


def drawn(number: int) -> Any:
    """A picture of so many lines of words, another for each number."""
    chosen = random.Random(number)
    picture = np.full((HEIGHT, WIDTH, 3), 255, dtype=np.uint8)
    for line in range(LINES):
        text = " ".join(chosen.choice(WORDS) + str(chosen.randrange(100)) for _ in range(9))
        cv2.putText(picture, text, (20, 40 + line * 37), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (20, 20, 20), 1, cv2.LINE_AA)
    return picture


class Readers:
    """OCR and icon reader, loaded."""

    def __init__(self) -> None:
        keep_few_arenas()
        self.letters, self.icons = PaddleReader(), IconReader.load(embed_texts)
        give_back_memory()

    def read(self, picture: Any) -> tuple[Line, ...]:
        """Lines of a picture; what is free goes back, as after a look of a walk."""
        try:
            return self.letters.read(picture, FRAME)
        finally:
            give_back_memory()


class SharedReaders:
    """An actor that reads for all workers of a machine, one picture after the other."""

    def __init__(self) -> None:
        self._readers = Readers()

    def process(self) -> int:
        return os.getpid()

    def read(self, picture: Any) -> tuple[Line, ...]:
        return self._readers.read(picture)


class ReadingWorker:
    """Stands for a worker that walks: the modules of a walk are loaded, no browser is."""

    def __init__(self, shared: Any) -> None:
        import walker.fleet.walk_worker  # noqa: F401, PLC0415 - what a worker's process holds anyway

        self._shared, self._own = shared, None if shared is not None else Readers()

    def process(self) -> int:
        return os.getpid()

    async def read(self, first: int, pictures: int) -> int:
        """The number of lines that were read."""
        lines = 0
        for number in range(first, first + pictures):
            picture = drawn(number)
            if self._own is not None:
                lines += len(await asyncio.to_thread(self._own.read, picture))
            else:
                lines += len(await self._shared.read.remote(picture))
        return lines


class Watched:
    """PSS of several processes at its peak, and their processor time, while the block runs."""

    def __init__(self, processes: list[int]) -> None:
        self._processes = [psutil.Process(one) for one in processes]
        self._stop = threading.Event()
        self.peak = 0

    def pss(self) -> int:
        return sum(one.memory_full_info().pss for one in self._processes)

    def cpu(self) -> float:
        return sum(sum(one.cpu_times()[:2]) for one in self._processes)

    def __enter__(self) -> Watched:
        self.before, self._began = self.pss(), self.cpu()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        self.spent, self.after = self.cpu() - self._began, self.pss()

    def _watch(self) -> None:
        while not self._stop.wait(0.1):
            self.peak = max(self.peak, self.pss())


def measure(ray: Any, kind: str, workers: int, pictures: int) -> None:
    shared = ray.remote(SharedReaders).options(num_cpus=0).remote() if kind == "actor" else None
    crew = [ray.remote(ReadingWorker).options(num_cpus=0).remote(shared) for _ in range(workers)]
    ids = ray.get([one.process.remote() for one in (*crew, *([] if shared is None else [shared]))])
    ray.get([one.read.remote(10_000 + n, 1) for n, one in enumerate(crew)])  # first runs plan their memory
    with Watched(ids) as watched:
        began = time.monotonic()
        lines = sum(ray.get([one.read.remote(n * pictures, pictures) for n, one in enumerate(crew)]))
        seconds = time.monotonic() - began
    count = workers * pictures
    assert lines == LINES * count, f"{lines} of {LINES * count} lines were read"
    told = {
        "MB idle": watched.before / 1e6,
        "MB at its peak": watched.peak / 1e6,
        "MB after": watched.after / 1e6,
        "CPU s a picture": watched.spent / count,
        "s a picture": seconds / count,
    }
    for unit, value in told.items():
        print_figure(f"{workers} workers, {kind}", round(value, 2), unit, "less than the other", ok=True)
    for one in (*crew, *([] if shared is None else [shared])):
        ray.kill(one)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--pictures", type=int, default=6)
    given = parser.parse_args()
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    import ray  # noqa: PLC0415 - an extra

    ray.init(num_cpus=given.workers + 1, include_dashboard=False, log_to_driver=False, logging_level="error")
    try:
        for workers in sorted({1, 2, given.workers}):
            for kind in ("each its own", "actor"):
                measure(ray, kind, workers, given.pictures)
    finally:
        ray.shutdown()


if __name__ == "__main__":
    main()
