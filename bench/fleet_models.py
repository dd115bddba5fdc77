"""Prints what it saves and costs that the workers of one machine share one process with OCR and icons on a Ray cluster
(`--share-models always`), against models of their own (`never`).

    python bench/fleet_models.py [--workers 1 2 4] [--pictures 4]

Workers are actors of Ray without a browser that read screenshots of 20 lines at the same time, by the classes that a walk uses.
Memory is the proportional set size (PSS) of workers and models, Ray's part of them included; time is their processor time, and by the
clock.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
from figures import print_figure
from fleet_readers import FRAME, LINES, Watched, drawn

from perception.images.freed_memory import give_back_memory, keep_few_arenas
from walker.cli.places.walk_places import quiet_cluster
from walker.fleet.borrowed_models import BorrowedModels
from walker.fleet.node_models import NodeModels, SharedCounts
from walker.fleet.ray_cluster import RayCluster, asker, node_here
from walker.settings import Settings
from walker.vision.model_source import OwnModels

MEMORY = 200_000_000
"""Bytes that Ray is told each takes; what they take is measured."""


class Reading:
    """A worker that reads pictures and does nothing else. It has the modules of a walk loaded."""

    def __init__(self, models: Any | None) -> None:
        import walker.fleet.walk_worker  # noqa: F401, PLC0415 - what a worker's process holds anyway

        keep_few_arenas()
        self._models = models
        self._reader: Any = None

    async def ready(self) -> str:
        """The version, as of any worker."""
        from importlib.metadata import version  # noqa: PLC0415 - in Ray's process

        return version("gemwalker")

    async def process(self) -> tuple[int, str]:
        """Its number, and the machine."""
        return os.getpid(), node_here()

    async def read(self, first: int, count: int) -> int:
        """The lines of so many pictures."""
        return await asyncio.to_thread(self._read, first, count)

    def _read(self, first: int, count: int) -> int:
        if self._reader is None:
            own = OwnModels(Settings())
            source = own if self._models is None else BorrowedModels(asker(self._models), own)
            self._reader = source.text_reader()
        lines = 0
        for number in range(first, first + count):
            lines += len(self._reader.read(drawn(number), FRAME))
            give_back_memory()
        return lines


class CountedModels(NodeModels):
    """The same, which tells its process."""

    async def process(self) -> int:
        """Its number."""
        return os.getpid()


async def measure(cluster: RayCluster, shares: bool, workers: int, pictures: int) -> None:
    """Print what one kind costs with so many workers."""
    first = await cluster.worker(Reading, None, memory=MEMORY)
    _, node = await cluster.call(first, "process")
    cluster.end(first)
    models = await cluster.beside(CountedModels, Settings(), 0, node=node, memory=MEMORY, gpu=0.0) if shares else None
    made = await asyncio.gather(*(cluster.worker(Reading, models, memory=MEMORY) for _ in range(workers)))
    processes = [(await cluster.call(one, "process"))[0] for one in made]
    if models is not None:
        processes.append(await cluster.call(models, "process"))

    async def read_all(begin: int, count: int) -> int:
        begun = enumerate(made)
        return sum(
            await asyncio.gather(*(cluster.call(one, "read", begin + place * count, count) for place, one in begun))
        )

    await read_all(10_000, 1)  # models are loaded, and first runs plan their memory
    before = time.perf_counter()
    with Watched(processes) as watched:
        lines = await read_all(0, pictures)
    seconds, count = time.perf_counter() - before, workers * pictures
    assert lines == LINES * count, f"{lines} of {LINES * count} lines were read"
    name = f"{workers} workers, {'one process for all' if shares else 'own models'}"
    for unit, value in {
        "MB idle": watched.before / 1e6,
        "MB at its peak": watched.peak / 1e6,
        "CPU s a picture": watched.spent / count,
        "s a picture": seconds / count,
    }.items():
        print_figure(name, round(value, 2), unit, "told", ok=True)
    if models is not None:
        counts: SharedCounts = await cluster.call(models, "counts")
        print_figure(
            f"{name}, a batch", round(counts.pictures / counts.picture_batches, 2), "pictures", "told", ok=True
        )
        cluster.end(models)
    for one in made:
        cluster.end(one)


async def compare(numbers: list[int], pictures: int) -> None:
    """Both kinds with as many workers as are named."""
    import ray  # noqa: PLC0415 - an extra

    quiet_cluster()
    ray.init(num_cpus=max(numbers) + 1, include_dashboard=False, log_to_driver=False, logging_level="error")
    os.environ["RAY_ADDRESS"] = ray.get_runtime_context().gcs_address
    cluster = RayCluster("ray")
    for workers in numbers:
        for shares in (False, True):
            await measure(cluster, shares, workers, pictures)
    ray.shutdown()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--pictures", type=int, default=4)
    given = parser.parse_args()
    asyncio.run(compare(given.workers, given.pictures))


if __name__ == "__main__":
    main()
