"""What looking costs on walks over real sites: the memory of the Python process, and the share of time that is waited for it."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import ExitStack
from itertools import chain, cycle, islice, zip_longest
from typing import Any

import msgspec
import psutil
from answers.question_set import Question, SiteQuestions
from answers.rendering import folder_of
from answers.serving import serve_site
from answers.unpacking import CACHE, pages_of
from figures import print_figure

from walker.assembly import WalkResources, make_rules, read_task
from walker.seams.outcome import Outcome
from walker.seams.protocols import Edges, VisionModel
from walker.settings import Components, Limits, Settings
from walker.testing.fakes import EventList
from walker.walk.loop import walk

MOST_MEMORY, MOST_SHARE, MOST_GROWTH = 450.0, 0.15, 1.05
"""MB of the process; share of a walk's time; memory of the last walks over that of the first."""
BATCH = 10
"""Walks whose most memory is printed as one figure."""
WEIGHED_EVERY = 0.02
"""Seconds between two readings of memory: a picture is read in some tenths."""


class WalkCost(msgspec.Struct, frozen=True, kw_only=True):
    """One walk: MB at most and at its end; seconds, those of looking at pictures, and those of taking screenshots for it; how often
    it looked."""

    site: str
    question: str
    peak: float
    end: float
    seconds: float
    looking: float
    drawing: float
    looks: int
    pages: int


class LookClock:
    """Adds up the seconds for which the walk waits for screenshots and for what is read in them; together, where they overlap."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.drawing = 0.0
        self.looks = 0
        self._since = 0.0
        self._open = 0

    def on(self, edges: Edges) -> Edges:
        """The edges, with their looks timed."""
        edges.browser.see = self._timed(edges.browser.see)  # type: ignore[method-assign]
        return msgspec.structs.replace(edges, vision=_TimedVision(edges.vision, self))

    async def wait_for(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Wait, and count the time."""
        now = time.perf_counter()
        if not self._open:
            self._since = now
        self._open += 1
        try:
            return await work
        finally:
            self._open -= 1
            if not self._open:
                self.seconds += time.perf_counter() - self._since

    def _timed(self, see: Callable[..., Coroutine[Any, Any, Any]]) -> Callable[..., Coroutine[Any, Any, Any]]:
        async def timed(**options: Any) -> Any:
            started = time.perf_counter()
            try:
                return await self.wait_for(see(**options))
            finally:
                self.drawing += time.perf_counter() - started

        return timed


class _TimedVision:
    def __init__(self, vision: VisionModel, clock: LookClock) -> None:
        self._vision, self._clock = vision, clock

    async def look(self, request: Any) -> Any:
        self._clock.looks += 1
        return await self._clock.wait_for(self._vision.look(request))


def questions_of(sets: Sequence[SiteQuestions], most: int, *, pictures_first: bool) -> list[tuple[str, Question]]:
    """So many questions, of the sites in turn; again from the start where there are fewer. With `pictures_first` what the first
    walks need stays in memory from then on."""

    def ordered(each: SiteQuestions) -> list[tuple[str, Question]]:
        asked = sorted(each.questions, key=_is_of_text) if pictures_first else each.questions
        return [(each.site.name, question) for question in asked]

    in_turn = chain.from_iterable(zip_longest(*map(ordered, sets)))
    return list(islice(cycle([one for one in in_turn if one is not None]), most))


def _is_of_text(question: Question) -> bool:
    return question.kind != "visual"


async def walk_questions(
    sets: Sequence[SiteQuestions], asked: Sequence[tuple[str, Question]], settings: Settings, *, tell_each: bool
) -> list[WalkCost]:
    """Walks in one process, one after the other, as a batch makes them: one Chromium, one set of models."""
    costs: list[WalkCost] = []
    with ExitStack() as served:
        bases = {each.site.name: served.enter_context(serve_site(each.site, _folder(each))) for each in sets}
        async with WalkResources(settings) as resources:
            for site, question in asked:
                cost = await _walk_one(resources, settings, site, question, bases[site])
                costs.append(cost)
                if tell_each:
                    print(
                        f"{question.id}: {cost.pages} pages, {cost.looks} looks,"
                        f" {cost.looking:.1f} ({cost.drawing:.1f} drawing) of {cost.seconds:.1f} s,"
                        f" {cost.peak:.0f} MB at most, {cost.end:.0f} MB at the end",
                        file=sys.stderr,
                    )
    return costs


def _folder(each: SiteQuestions) -> Any:
    folder = pages_of(each.site, CACHE)
    assert folder is not None, f"{each.site.name} is not unpacked: run bench/fetch_answer_sites.py"
    return folder


async def _walk_one(resources: WalkResources, settings: Settings, site: str, question: Question, base: str) -> WalkCost:
    path, _, route = question.root.partition("#")
    task = read_task(base + folder_of(path) + (f"#{route}" if route else ""), question.text)
    clock, process = LookClock(), psutil.Process()
    edges = clock.on(resources.edges(task))
    most = [0.0]
    watch = asyncio.create_task(_watch_memory(process, most))
    started = time.perf_counter()
    try:
        outcome: Outcome = await walk(task, edges, make_rules(task, settings, resources), EventList())
    finally:
        watch.cancel()
    seconds = time.perf_counter() - started
    await edges.browser.close()
    return WalkCost(
        site=site,
        question=question.id,
        peak=most[0],
        end=process.memory_info().rss / 1e6,
        seconds=seconds,
        looking=clock.seconds,
        drawing=clock.drawing,
        looks=clock.looks,
        pages=outcome.pages,
    )


async def _watch_memory(process: psutil.Process, most: list[float]) -> None:
    while True:
        most[0] = max(most[0], process.memory_info().rss / 1e6)
        await asyncio.sleep(WEIGHED_EVERY)


def walk_settings(pages: int, *, may_look: bool) -> Settings:
    """As the command line has them, without a model and without a recording."""
    return Settings(record=False, components=Components(vision=may_look), limits=Limits(pages=pages))


def report_memory(name: str, costs: Sequence[WalkCost]) -> None:
    """The most memory of the process in each batch of walks, and whether it grows."""
    batches = [max(one.peak for one in batch) for batch in _batched(costs)]
    print_figure(
        f"{name}: most memory of the process, by {BATCH} walks",
        [round(most) for most in batches],
        "MB",
        f"<= {MOST_MEMORY:.0f}",
        max(batches) <= MOST_MEMORY,
    )
    if len(batches) >= 4:
        # Whatever is loaded once is there after the first quarter.
        half = len(batches) // 2
        early, late = max(batches[:half]), max(batches[half:])
        print_figure(
            f"{name}: most memory, first and second half of the walks",
            [round(early), round(late)],
            "MB",
            f"no more than {MOST_GROWTH} times as much",
            late <= MOST_GROWTH * early,
        )


def _batched(costs: Sequence[WalkCost]) -> Iterator[Sequence[WalkCost]]:
    return (costs[at : at + BATCH] for at in range(0, len(costs), BATCH))


def report_share(name: str, costs: Sequence[WalkCost]) -> None:
    """The share of the walks' time for which they waited for looking."""
    spent, looking = sum(one.seconds for one in costs), sum(one.looking for one in costs)
    share = looking / spent
    print_figure(f"{name}: share of time spent looking", round(share, 3), "", f"<= {MOST_SHARE}", share <= MOST_SHARE)
    looks, pages = sum(one.looks for one in costs), sum(one.pages for one in costs)
    print_figure(
        f"{name}: seconds of walks, of looking, of that for screenshots; looks; pages",
        [round(spent, 1), round(looking, 1), round(sum(one.drawing for one in costs), 1), looks, pages],
        "",
        "",
        True,
    )
