"""Where the gate looks on real pages, and what looking costs: the building sites of bench/answers, with their questions.

usage: python bench/looking.py pages [--sites NAME,NAME] [--again]     which pages each gate looks at, by where the answer is
       python bench/looking.py pages --half validation                 the same for the other half: counts of all its sites only
       python bench/looking.py walk --site NAME [--questions N]        memory and seconds of walks of 12 pages
       python bench/looking.py walk --site NAME --walks 100            the same questions again and again, in one process
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import random
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from itertools import cycle, islice
from pathlib import Path
from typing import get_args

import msgspec
import psutil

sys.path.insert(0, str(Path(__file__).parent))
from answers.question_set import HALVES, Question, SiteQuestions, read_set
from answers.rendering import folder_of
from answers.serving import serve_site
from answers.unpacking import CACHE, pages_of
from figures import print_figure

from memory.counting.counter import Counter
from memory.findings import Findings
from memory.state import WalkMemory
from perception.observation import Observation
from walker.assembly import WalkResources, make_rules, read_task
from walker.calibration.pages import gate_inputs_of
from walker.rules.blindness import find_blindness
from walker.rules.gate import decide_by_score, decide_glance
from walker.seams.protocols import Edges, Look, LookRequest, PageFailure
from walker.settings import PAPER_THRESHOLD, Components, GateName, GateWeights, Limits, Settings
from walker.testing.fakes import EventList
from walker.walk.loop import walk

KEPT = Path(__file__).parent / "out" / "looking.jsonl"
OTHERS = 1
"""Pages besides its sources that a question is measured on: what a walk passes on its way."""
PAGES = 12
SEED = 15
QUARTER = 4


class Passed(msgspec.Struct, frozen=True, kw_only=True):
    """A page as a walk with a question meets it, and what the critic found in its text."""

    site: str
    question: str
    kind: str
    url: str
    is_source: bool
    observation: Observation
    findings: Findings

    @property
    def needs_look(self) -> bool:
        """Whether a picture of this page holds the answer."""
        return self.is_source and self.kind == "visual"


async def pass_pages(sets: Sequence[SiteQuestions]) -> list[Passed]:
    """Every question on its sources and on some other pages of its site, in a real browser."""
    done: list[Passed | None] = []
    async with WalkResources(Settings(record=False)) as resources:
        for each in sets:
            folder = pages_of(each.site, CACHE)
            if folder is None:
                print(f"{each.site.name}: not unpacked", file=sys.stderr)
                continue
            others = sorted(
                path.relative_to(folder).as_posix() for path in folder.rglob("*.html") if path.stat().st_size > 1000
            )
            with serve_site(each.site, folder) as base:
                for question in each.questions:
                    chance = random.Random(f"{SEED} {question.id}")
                    more = chance.sample(others, min(OTHERS, len(others)))
                    paths = dict.fromkeys(map(folder_path, (*question.sources, question.root, *more)))
                    done += [await _pass_page(resources, each, question, base, path) for path in paths]
            print(f"{each.site.name}: {len(done)} pages", file=sys.stderr)
    return [one for one in done if one is not None]


async def _pass_page(
    resources: WalkResources, each: SiteQuestions, question: Question, base: str, path: str
) -> Passed | None:
    task = read_task(base + path, question.text)
    edges = resources.edges(task)
    try:
        opened = await edges.browser.open(base + path)
        if isinstance(opened, PageFailure):
            return None
        observation = await edges.reader.read(opened)
    finally:
        await edges.browser.close()
    memory = WalkMemory(step=1, counter=Counter.start(task.requirement))
    findings = await edges.critic.find(task, observation, memory)
    return Passed(
        site=each.site.name,
        question=question.text,
        kind=question.kind,
        url=path,
        is_source=path in map(folder_path, question.sources),
        observation=observation,
        findings=findings,
    )


def folder_path(path: str) -> str:
    """The path of an index page without the file's name, with its route."""
    bare, mark, route = path.partition("#")
    return folder_of(bare) + mark + route


def is_looked_at(passed: Passed, gate: GateName) -> bool:
    """What a gate decides for a page, each at the threshold that it ships with."""
    observation = passed.observation
    blindness = find_blindness(observation, passed.question)
    inputs = gate_inputs_of(observation, passed.findings, blindness)
    if gate == "paper":
        return decide_by_score(inputs, PAPER_THRESHOLD, may_look=True).choice == "glance"
    return decide_glance(inputs, GateWeights(), Settings().threshold, may_look=True).choice == "glance"


def report_pages(done: Sequence[Passed], *, by_site: bool, list_all: bool) -> None:
    """Shares of pages looked at, by both gates."""
    pictured = [bool(one.observation.blind or one.observation.described) for one in done]
    for gate in get_args(GateName):
        looked = [is_looked_at(one, gate) for one in done]
        if list_all and gate == "walker":
            for one, look in zip(done, looked, strict=True):
                if look != one.needs_look:
                    _explain(one)
        rows = list(zip(done, looked, pictured, strict=True))
        for name in (*(dict.fromkeys(one.site for one in done) if by_site else ()), "all"):
            ours = [row for row in rows if name in (row[0].site, "all")]
            text = [look for one, look, has in ours if has and one.kind not in ("visual", "none")]
            _print_share(f"{gate} gate, {name}: pages with pictures, answer in text, looked at", text, most=0.05)
        needed = [look for one, look, _ in rows if one.needs_look]
        _print_share(f"{gate} gate: pages whose picture holds the answer, looked at", needed, least=0.9)


def _print_share(name: str, looked: Sequence[bool], *, least: float = 0.0, most: float = 1.0) -> None:
    share = sum(looked) / max(1, len(looked))
    wanted = f">= {least}" if least else f"<= {most}"
    print_figure(name, [round(share, 4), len(looked)], "share, pages", wanted, least <= share <= most)


def _explain(one: Passed) -> None:
    blindness = find_blindness(one.observation, one.question)
    inputs = gate_inputs_of(one.observation, one.findings, blindness)
    decision = decide_glance(inputs, GateWeights(), Settings().threshold, may_look=True)
    print(
        f"{one.site} {one.url} {one.kind} needed={one.needs_look} {decision.trust:.0f} {decision.terms}",
        file=sys.stderr,
    )
    print(f"    {one.question}", file=sys.stderr)
    for weight, region in blindness.regions[:3]:
        box = f"{region.box.width:.0f}x{region.box.height:.0f}"
        print(
            f"    {weight:.2f} {region.kind} {box} {region.source[-50:]} | {region.name[:50]} | {region.near[:70]}",
            file=sys.stderr,
        )


class Timed:
    """Vision that adds up its seconds."""

    def __init__(self, edges: Edges) -> None:
        self._vision = edges.vision
        self.seconds = 0.0
        self.pictures = 0

    async def look(self, request: LookRequest) -> Look:
        """As the vision behind it."""
        started = time.perf_counter()
        try:
            return await self._vision.look(request)
        finally:
            self.seconds += time.perf_counter() - started
            self.pictures += 1


async def walk_site(each: SiteQuestions, most: int, pages: int, *, may_look: bool, as_they_come: bool) -> None:
    """Walks in one process, one after the other; memory after each."""
    folder = pages_of(each.site, CACHE)
    assert folder is not None, f"{each.site.name} is not unpacked: run bench/fetch_answer_sites.py"
    settings = Settings(record=False, components=Components(vision=may_look), limits=Limits(pages=pages))
    process, peaks, spent, looking = psutil.Process(), [], 0.0, 0.0
    with ExitStack() as open_:
        base = open_.enter_context(serve_site(each.site, folder))
        async with WalkResources(settings) as resources:
            # Else those about pictures first: what they need stays in memory.
            asked = each.questions if as_they_come else sorted(each.questions, key=_is_of_text)
            for question in islice(cycle(asked), most):
                task = read_task(base + folder_path(question.root), question.text)
                edges = resources.edges(task)
                timed = Timed(edges)
                drawn = _time_drawing(edges)
                edges = msgspec.structs.replace(edges, vision=timed)
                started = time.perf_counter()
                watch = asyncio.create_task(_peak(process))
                outcome = await walk(task, edges, make_rules(task, settings, resources), EventList())
                watch.cancel()
                spent += time.perf_counter() - started
                looking += timed.seconds + drawn[0]
                await edges.browser.close()
                gc.collect()
                peaks.append(process.memory_info().rss / 1e6)
                print(
                    f"{question.id}: {outcome.pages} pages, {timed.pictures} looks, {peaks[-1]:.0f} MB",
                    file=sys.stderr,
                )
    name = f"{each.site.name}{'' if may_look else ' without vision'}, {most} walks"
    print_figure(
        f"{name}: memory of the process, first and last",
        [round(peaks[0]), round(peaks[-1])],
        "MB",
        "<= 450",
        max(peaks) <= 450,
    )
    if len(peaks) >= 2 * QUARTER:
        # All is loaded after the first quarter.
        early, late = max(peaks[: len(peaks) // QUARTER]), max(peaks[-(len(peaks) // QUARTER) :])
        print_figure(
            f"{name}: most after a walk of the first and of the last quarter",
            [round(early), round(late)],
            "MB",
            "no more than a tenth more",
            late <= 1.1 * early,
        )
    print_figure(f"{name}: most memory", round(_MOST[0]), "MB", "<= 450", _MOST[0] <= 450)
    print_figure(
        f"{name}: share of time spent looking", round(looking / spent, 3), "", "<= 0.15", looking <= 0.15 * spent
    )


def _is_of_text(question: Question) -> bool:
    return question.kind != "visual"


_MOST = [0.0]


async def _peak(process: psutil.Process) -> None:
    while True:
        _MOST[0] = max(_MOST[0], process.memory_info().rss / 1e6)
        await asyncio.sleep(0.05)


def _time_drawing(edges: Edges) -> list[float]:
    """Adds up the seconds that the browser takes for screenshots."""
    spent, see = [0.0], edges.browser.see

    async def timed(**options: object) -> object:
        started = time.perf_counter()
        try:
            return await see(**options)  # type: ignore[arg-type]
        finally:
            spent[0] += time.perf_counter() - started

    edges.browser.see = timed  # type: ignore[method-assign, assignment]
    return spent


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("pages", "walk"))
    parser.add_argument("--sites", "--site", default="", help="names, separated by commas")
    parser.add_argument("--half", choices=HALVES, default="building")
    parser.add_argument("--questions", type=int, default=1, help="walks, those about pictures first")
    parser.add_argument("--walks", type=int, default=0, help="walks, questions in their order, over and over")
    parser.add_argument("--pages", type=int, default=PAGES, help="pages a walk opens at most")
    parser.add_argument("--again", action="store_true", help="decide anew on the pages read last")
    parser.add_argument("--list", action="store_true", help="say why of every page decided wrongly")
    parser.add_argument("--without-vision", action="store_true")
    options = parser.parse_args()
    wanted = set(filter(None, options.sites.split(",")))
    if options.half == "validation" and (options.list or wanted or options.what == "walk"):
        parser.error("of the validation half only the counts of all sites together are printed")
    sets = [each for each in read_set(halves=(options.half,)) if not wanted or each.site.name in wanted]
    if options.what == "walk":
        for each in sets:
            walks = options.walks or options.questions
            asyncio.run(
                walk_site(
                    each, walks, options.pages, may_look=not options.without_vision, as_they_come=bool(options.walks)
                )
            )
        return
    kept_in = KEPT.with_stem(f"looking_{options.half}")
    kept = []
    if kept_in.exists():
        kept = [msgspec.json.decode(line, type=Passed) for line in kept_in.read_bytes().splitlines()]
    done = kept
    if not options.again:
        kept_in.parent.mkdir(parents=True, exist_ok=True)
        for each in sets:
            done = [*(one for one in done if one.site != each.site.name), *asyncio.run(pass_pages([each]))]
            kept_in.write_bytes(b"\n".join(map(msgspec.json.encode, done)))
    chosen = [one for one in done if not wanted or one.site in wanted]
    report_pages(chosen, by_site=options.half == "building", list_all=options.list)


if __name__ == "__main__":
    main()
