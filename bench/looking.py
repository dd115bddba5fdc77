"""Where the gate looks on real pages, and what looking costs: the building sites of bench/answers, with their questions.

usage: python bench/looking.py pages [--sites NAME,NAME] [--again]     which pages each gate looks at, by where the answer is; on the
                                                                       building sites also for bench/gate_pages/picture_questions.jsonl
       python bench/looking.py memory [--sites NAME,NAME] [--walks N]  walks of 12 pages in one process: its memory at most in each
                                                                       ten of them, and the share of their time spent looking
       python bench/looking.py parts                                   what a walk's process consists of: its memory after each thing
                                                                       that it loads, without pages
       python bench/looking.py ... --half validation                   the same for the other half: figures of all its sites only
"""

from __future__ import annotations

import argparse
import asyncio
import random
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import get_args

import msgspec

sys.path.insert(0, str(Path(__file__).parent))
from answers.question_set import HALVES, Question, SiteQuestions, read_questions, read_set
from answers.rendering import folder_of
from answers.serving import serve_site
from answers.unpacking import CACHE, pages_of
from figures import print_figure
from looking_cost import questions_of, report_memory, report_share, walk_questions, walk_settings

from memory.counting.counter import Counter
from memory.findings import Findings
from memory.state import WalkMemory
from perception.images.freed_memory import keep_few_arenas
from perception.observation import Observation
from walker.assembly import WalkResources, read_task
from walker.calibration.pages import gate_inputs_of
from walker.rules.gate import decide_by_score, decide_glance
from walker.rules.pictures.blindness import find_blindness
from walker.rules.pictures.picture_shots import pages_to_look_at
from walker.seams.protocols import PageFailure
from walker.settings import PAPER_THRESHOLD, SURE, GateName, GateWeights, Settings
from walker.strategies.builtin.answer_confidence import confidence_in

KEPT = Path(__file__).parent / "out" / "looking.jsonl"
FURTHER = Path(__file__).parent / "gate_pages" / "picture_questions.jsonl"
"""Further questions about pages of the building sites that are full of pictures: what only a picture says, most of them without a word
that means one, and what the text beside the pictures says."""
OTHERS = 1
"""Pages besides its sources that a question is measured on: what a walk passes on its way."""
PAGES = 12
SEED = 15


class Passed(msgspec.Struct, frozen=True, kw_only=True):
    """A page as a walk with a question meets it, and what the critic found in its text."""

    site: str
    question: str
    kind: str
    url: str
    is_source: bool
    is_further: bool = False
    """Of the further questions about pages with pictures."""
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
                further = {question.id for question in each.questions if not question.root}
                for question in each.questions:
                    if question.id in further:
                        done.append(await _pass_page(resources, each, question, base, folder_path(question.sources[0])))
                        continue
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
        is_further=not question.root,
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


def is_gone_back_to(passed: Passed) -> bool:
    """Whether the pictures of a page are read before a walk ends that found no more than this page's text says."""
    is_sure = confidence_in(passed.findings.findings, 0, read=True) >= SURE
    return not is_sure and bool(pages_to_look_at(passed.question, {passed.url: passed.observation}, (), ()))


def report_pages(done: Sequence[Passed], *, by_site: bool, list_all: bool) -> None:
    """Shares of pages looked at, by both gates."""
    for gate in get_args(GateName):
        looked = [is_looked_at(one, gate) for one in done]
        if list_all and gate == "walker":
            for one, look in zip(done, looked, strict=True):
                if look != one.needs_look:
                    _explain(one)
        rows = list(zip(done, looked, strict=True))
        first = [row for row in rows if not row[0].is_further]
        for name in (*(dict.fromkeys(one.site for one in done) if by_site else ()), "all"):
            ours = [row for row in first if name in (row[0].site, "all")]
            _report_share(f"{gate} gate, {name}", ours, pictured=False)
        _report_share(f"{gate} gate", first, pictured=True)
        if further := [row for row in rows if row[0].is_further]:
            _report_share(f"{gate} gate, further questions", further, pictured=False)
            _report_share(f"{gate} gate, further questions", further, pictured=True)
        if gate == "walker":
            late = [(one, look or is_gone_back_to(one)) for one, look in rows]
            name = "walker gate, or before the walk ends unsure"
            _report_share(name, [row for row in late if not row[0].is_further], pictured=True)
            _report_late([one for one, _ in first])
            if further := [row for row in late if row[0].is_further]:
                _report_share(f"{name}, further questions", further, pictured=True)


def _report_late(done: Sequence[Passed]) -> None:
    """Of the pages whose text holds the answer those that a walk may go back to, one at most where the question points to none."""
    text = [is_gone_back_to(one) for one in done if _has_pictures(one) and one.kind not in ("visual", "none")]
    share = round(sum(text) / max(1, len(text)), 4)
    name = "pages with pictures, answer in text, that a walk may go back to: one of each, where it ends unsure"
    print_figure(name, [share, len(text)], "share, pages", "-", True)


def _report_share(name: str, rows: Sequence[tuple[Passed, bool]], *, pictured: bool) -> None:
    """The share of pages looked at whose picture holds the answer, or of those with pictures whose text holds it."""
    if pictured:
        needed = [look for one, look in rows if one.needs_look]
        _print_share(f"{name}: pages whose picture holds the answer, looked at", needed, least=0.9)
        return
    text = [look for one, look in rows if _has_pictures(one) and one.kind not in ("visual", "none")]
    _print_share(f"{name}: pages with pictures, answer in text, looked at", text, most=0.05)


def _has_pictures(one: Passed) -> bool:
    return bool(one.observation.blind or one.observation.described)


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


async def measure_walks(sets: Sequence[SiteQuestions], options: argparse.Namespace) -> None:
    """Walks in one process: what they cost, of all sites together, and of each where that may be told."""
    tell = options.half == "building"
    keep_few_arenas()  # before the servers of the sites begin their threads, which no walk has
    settings = walk_settings(options.pages, may_look=not options.without_vision)
    asked = questions_of(sets, options.walks, pictures_first=options.pictures_first)
    costs = await walk_questions(sets, asked, settings, tell_each=tell)
    name = f"{options.half}{' without vision' if options.without_vision else ''}, {len(costs)} walks"
    report_memory(name, costs)
    if tell:
        for site in dict.fromkeys(one.site for one in costs):
            report_share(site, [one for one in costs if one.site == site])
    report_share(name, costs)


def _with_further(each: SiteQuestions, *, only: bool) -> SiteQuestions:
    """A site of the building half with its further questions."""
    further = tuple(one for one in read_questions(FURTHER) if one.site == each.site.name)
    return msgspec.structs.replace(each, questions=further if only else (*each.questions, *further))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("pages", "memory", "parts"))
    parser.add_argument("--sites", "--site", default="", help="names, separated by commas")
    parser.add_argument("--half", choices=HALVES, default="building")
    parser.add_argument("--walks", type=int, default=100, help="questions of the sites in turn, over and over")
    parser.add_argument("--pictures-first", action="store_true", help="begin with the questions about pictures")
    parser.add_argument("--pages", type=int, default=PAGES, help="pages a walk opens at most")
    parser.add_argument("--again", action="store_true", help="decide anew on the pages read last")
    parser.add_argument("--further", action="store_true", help="read the pages of the further questions only")
    parser.add_argument("--list", action="store_true", help="say why of every page decided wrongly")
    parser.add_argument("--without-vision", action="store_true")
    options = parser.parse_args()
    if options.what == "parts":
        subprocess.run([sys.executable, str(Path(__file__).parent / "memory_parts.py")], check=True)
        return
    wanted = set(filter(None, options.sites.split(",")))
    if options.half == "validation" and (options.list or wanted):
        parser.error("of the validation half only the counts of all sites together are printed")
    sets = [each for each in read_set(halves=(options.half,)) if not wanted or each.site.name in wanted]
    if options.what == "pages":
        sets = [_with_further(each, only=options.further) for each in sets]
    if options.what == "memory":
        asyncio.run(measure_walks(sets, options))
        return
    kept_in = KEPT.with_stem(f"looking_{options.half}")
    kept = []
    if kept_in.exists():
        kept = [msgspec.json.decode(line, type=Passed) for line in kept_in.read_bytes().splitlines()]
    done = kept
    if not options.again:
        kept_in.parent.mkdir(parents=True, exist_ok=True)
        for each in sets:
            others = (one for one in done if one.site != each.site.name or (options.further and not one.is_further))
            done = [*others, *asyncio.run(pass_pages([each]))]
            kept_in.write_bytes(b"\n".join(map(msgspec.json.encode, done)))
    chosen = [one for one in done if not wanted or one.site in wanted]
    report_pages(chosen, by_site=options.half == "building", list_all=options.list)


if __name__ == "__main__":
    main()
