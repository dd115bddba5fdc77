"""Prints what reading pictures costs so many workers of a machine: each with models of its own, or all through one process that holds
them, as an actor of Ray would.

python bench/fleet_readers.py [--workers 1 2 4] [--pictures 6]

Memory is the proportional set size (PSS) of all these processes: shared pages are divided among who shares them. Time is processor
time of the same processes, which does not depend on who else uses the machine. Ray's own part comes on top.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import sys
import threading
from collections.abc import Sequence
from multiprocessing.connection import Connection, wait
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

OWN, SHARED = "each with its own models", "one process for all"
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


def read_for_others(callers: Sequence[Connection]) -> None:
    """The process that holds the models for all workers: reads one picture after the other, of whoever asked first."""
    readers, open_ones = Readers(), list(callers)
    while open_ones:
        for caller in wait(open_ones):
            assert isinstance(caller, Connection)
            try:
                caller.send(readers.read(caller.recv()))
            except EOFError:
                open_ones.remove(caller)


def work(orders: Connection, shared: Connection | None) -> None:
    """A worker: it has the modules of a walk loaded, no browser, and reads pictures from a number on whenever it is told to."""
    import walker.fleet.walk_worker  # noqa: F401, PLC0415 - what a worker's process holds anyway

    own = None if shared is not None else Readers()
    while (order := orders.recv()) is not None:
        lines = 0
        for number in range(*order):
            if own is not None:
                lines += len(own.read(drawn(number)))
            elif shared is not None:
                shared.send(drawn(number))
                lines += len(shared.recv())
        orders.send(lines)


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


def measure(kind: str, workers: int, pictures: int) -> None:
    """Print what one kind costs."""
    context = multiprocessing.get_context("spawn")
    orders = [context.Pipe() for _ in range(workers)]
    shared = [context.Pipe() for _ in range(workers)] if kind == SHARED else []
    processes = [
        context.Process(target=work, args=(orders[n][1], shared[n][0] if shared else None)) for n in range(workers)
    ]
    if shared:
        processes.append(context.Process(target=read_for_others, args=([theirs for _, theirs in shared],)))
    for process in processes:
        process.start()
    for mine, theirs in shared:
        mine.close()
        theirs.close()
    tell(orders, 10_000, 1)  # first runs plan their memory
    with Watched([process.pid or 0 for process in processes]) as watched:
        lines = tell(orders, 0, pictures)
    count = workers * pictures
    assert lines == LINES * count, f"{lines} of {LINES * count} lines were read"
    told = {
        "MB idle": watched.before / 1e6,
        "MB at its peak": watched.peak / 1e6,
        "MB after": watched.after / 1e6,
        "CPU s a picture": watched.spent / count,
    }
    for unit, value in told.items():
        print_figure(f"{workers} workers, {kind}", round(value, 2), unit, "less than the other", ok=True)
    for order, _ in orders:
        order.send(None)
    for process in processes:
        process.join()


def tell(orders: Sequence[tuple[Connection, Connection]], first: int, pictures: int) -> int:
    """Let all workers read other pictures at the same time; the lines that they found."""
    for number, (order, _) in enumerate(orders):
        begin = first + number * pictures
        order.send((begin, begin + pictures))
    return sum(order.recv() for order, _ in orders)


def main() -> None:
    """Measure both kinds with as many workers as are named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--pictures", type=int, default=6)
    given = parser.parse_args()
    for workers in given.workers:
        for kind in (OWN, SHARED):
            measure(kind, workers, given.pictures)


if __name__ == "__main__":
    main()
