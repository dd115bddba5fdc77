"""Prints what a place takes of a whole batch: the same questions asked one after the other in a bare loop, and as a batch `--on local`
with its queue, its tasks and its file of answers, in turn.

The same walk takes some percent more or less each time, so what a place takes is told twice: as what the batch takes besides its
walks, more than the loop does, which is exact to a few milliseconds; and as whole batches against whole loops, which holds what is
within the walks too.

    python bench/fleet_batches.py [--rounds 10] [--repeats 2]
    python bench/fleet_batches.py --ray         and on a Ray cluster of this machine, which is begun for each batch
"""

from __future__ import annotations

import argparse
import asyncio
import io
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).parents[1]))
import msgspec
from figures import print_figure
from process_tree import ProcessTree
from rich.console import Console

from walker.asking import ask_in
from walker.assembly import WalkResources
from walker.batch import places
from walker.batch.jobs import run_batch
from walker.batch.places import WalkPlace
from walker.batch.questions import Assignment, read_questions
from walker.cli.places.walk_places import environment, quiet_cluster
from walker.demo.questions import bundled_questions
from walker.demo.server import serve_institute
from walker.fleet.ray_place import RayPlace
from walker.seams.outcome import Outcome
from walker.settings import Limits, Settings

MOST = 0.05
"""Of a batch that `--on local` may take."""
PAGES = 8
Walk = Callable[..., Awaitable[Outcome]]


class Times(NamedTuple):
    """Of one batch: by the clock, in processor time of all processes, and by the clock within walks."""

    seconds: float
    used: float
    walked: float


Arm = Callable[["WalkClock", Path], Awaitable[int]]
"""Asks all in a folder of its own, and gives the pages that it opened."""


def write_questions(path: Path, home: str, repeats: int) -> tuple[Assignment, ...]:
    """The questions of the demo that need no picture, so many times."""
    asked = [one for one in bundled_questions() if one.kind != "picture"]
    lines = [
        msgspec.json.encode({"id": f"{one.id}-{number}", "root": home, "question": one.question, "lang": one.lang})
        for number in range(repeats)
        for one in asked
    ]
    path.write_bytes(b"\n".join(lines))
    return read_questions(path, {})


def settings_in(folder: Path) -> Settings:
    """Those of both arms."""
    return Settings(runs_folder=folder / "runs", limits=Limits(pages=PAGES))


class WalkClock:
    """Adds up what is spent within walks, of which there is one at a time."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def timed(self, walk: Walk) -> Walk:
        """The same walk, on this clock."""

        async def walk_timed(*given: Any, **named: Any) -> Outcome:
            started = time.perf_counter()
            try:
                return await walk(*given, **named)
            finally:
                self.seconds += time.perf_counter() - started

        return walk_timed


async def ask_barely(asked: tuple[Assignment, ...], clock: WalkClock, folder: Path) -> int:
    """The walks alone, one after the other, in one browser."""
    ask_timed, pages = clock.timed(ask_in), 0
    async with WalkResources(settings_in(folder)) as resources:
        for one in asked:
            outcome = await ask_timed(resources, one.roots, one.question, language=one.language)
            pages += outcome.pages
    return pages


async def ask_in_place(path: Path, place: WalkPlace, folder: Path) -> int:
    """The batch as `walker ask --batch` runs it."""
    out = folder / "answers.jsonl"
    report = await run_batch(
        path, sites={}, out=out, place=place, settings=settings_in(folder), console=Console(file=io.StringIO())
    )
    assert report.failed == 0, report
    return sum(msgspec.json.decode(line)["pages"] for line in out.read_bytes().splitlines())


async def ask_locally(path: Path, clock: WalkClock, folder: Path) -> int:
    """The batch in this process."""
    with patch.object(places, "walk_anew", clock.timed(places.walk_anew)):
        return await ask_in_place(path, places.LocalPlace(settings_in(folder), jobs=1), folder)


def take_times(arms: dict[str, Arm], rounds: int) -> dict[str, list[Times]]:
    """Of each arm in each round; the first, in which models are loaded, does not count. Every second round goes the other way."""
    found: dict[str, list[Times]] = {name: [] for name in arms}
    for number in range(rounds + 1):
        for name, arm in list(arms.items())[:: -1 if number % 2 else 1]:
            clock = WalkClock()
            with tempfile.TemporaryDirectory() as folder, ProcessTree() as tree:
                started, used = time.perf_counter(), tree.cpu()
                pages = asyncio.run(_asked(arm, clock, Path(folder)))
                times = Times(time.perf_counter() - started, tree.cpu() - used, clock.seconds)
            told = f"{times.seconds:.2f} s, {times.walked:.2f} of them in walks, {times.used:.2f} s of processor time"
            print(f"{name}: {pages} pages, {told}", flush=True)
            if number:
                found[name].append(times)
    return found


async def _asked(arm: Arm, clock: WalkClock, folder: Path) -> int:
    return await arm(clock, folder)


def print_besides(found: dict[str, list[Times]]) -> None:
    """What `--on local` takes besides the walks, more than a loop does, of a batch."""
    besides = {name: statistics.median(one.seconds - one.walked for one in times) for name, times in found.items()}
    part = (besides["--on local"] - besides["bare"]) / statistics.median(one.seconds for one in found["--on local"])
    what = f"--on local besides the walks ({besides['--on local']:.2f} s, a bare loop {besides['bare']:.2f} s)"
    print_figure(what, round(part * 100, 2), "%", f"<= {MOST * 100:.0f}", part <= MOST)


def print_overhead(found: dict[str, list[Times]], name: str, most: float | None) -> None:
    """By how much whole batches take longer than the loop."""
    for field, what in enumerate(("seconds", "processor seconds")):
        pairs = zip(found[name], found["bare"], strict=True)
        part = statistics.median(one[field] / bare[field] - 1 for one, bare in pairs)
        want, is_ok = ("told", True) if most is None else (f"<= {most * 100:.0f}", part <= most)
        print_figure(f"whole batches {name} take more {what} than a bare loop", round(part * 100, 2), "%", want, is_ok)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--ray", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place, serve_institute() as home:
        path = Path(place) / "qa.jsonl"
        asked = write_questions(path, home, given.repeats)
        arms: dict[str, Arm] = {
            "bare": lambda clock, folder: ask_barely(asked, clock, folder),
            "--on local": lambda clock, folder: ask_locally(path, clock, folder),
        }
        if given.ray:
            quiet_cluster()
            arms["--on ray"] = lambda _, folder: ask_in_place(
                path, RayPlace("ray", settings_in(folder), environment, jobs=1), folder
            )
        found = take_times(arms, given.rounds)
    print(f"{len(asked)} questions a batch, one at a time, medians of {given.rounds} rounds")
    print_besides(found)
    print_overhead(found, "--on local", MOST)
    if given.ray:
        print_overhead(found, "--on ray", None)


if __name__ == "__main__":
    main()
