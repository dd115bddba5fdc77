"""Fits what an answer is worth that was read in a picture, on the building sites, and writes the weights into the package.

usage: python bench/fit_pictured.py [--only NAME,NAME] [--gathered FILE] [--dry]
Of each question about a picture, and of bench/gate_pages/picture_questions.jsonl, the pictures of its source page are read in a
browser, as a walk reads them that ends unsure; the best answer of that page, of it with the pages of text that a search finds, and of
these with a page of the site whose pictures were read for another question, is right or wrong. What is printed is of sites held out.
--gathered keeps what was found in a file, or takes it from there; --dry writes nothing.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))
from answers.fitting import fit_options, kept_or, write_weights
from answers.kept_pages import PageShelf
from answers.options import parser_of, sites_of
from answers.question_set import Question, read_questions
from answers.scoring import is_right
from answers.sites_here import ServedSite
from answers.walks import Ended
from builtin_answers import KEPT
from looking import FURTHER
from looking_cost import walk_settings

from memory.counting.counter import Counter
from memory.findings import Finding, Findings
from memory.state import PageNote, WalkMemory
from perception.observation import Observation
from walker.assembly import WalkResources, make_rules, read_task
from walker.calibration.logistic_fit import SignalExample, fit_logistic, held_out, reliability
from walker.seams.protocols import Critic, Verdict
from walker.seams.task import Task
from walker.strategies.builtin.answer_confidence import best_answer, pictured_signals
from walker.strategies.pictured import pictured_chance
from walker.strategies.pictured.pictured_chance import PICTURED_SIGNALS, PicturedWeights
from walker.strategies.question.question import read_question
from walker.strategies.question.question_analysis import analyse_question
from walker.testing.fakes import EventList
from walker.walk.loop import walk

TEXTS = 2
"""Pages of text besides, of those that a search finds."""
ALONE, WITHOUT = 0.5, 0.5
"""Weights of what is found on the source page alone, and of what is found without it."""
RIDGE = 1.0


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """What was found for a question on its source page, on pages of text, and on another page whose pictures were read."""

    question: Question
    source: tuple[Finding, ...]
    texts: tuple[Finding, ...] = ()
    other: tuple[Finding, ...] = ()


class Keeping:
    """A critic that keeps the page that it read last."""

    def __init__(self, critic: Critic) -> None:
        self._critic = critic
        self.page: Observation | None = None

    async def find(self, task: Task, observation: Observation, memory: WalkMemory) -> Findings:
        """What the critic finds."""
        self.page = observation
        return await self._critic.find(task, observation, memory)

    async def judge(self, task: Task, memory: WalkMemory) -> Verdict:
        """What the critic says."""
        return await self._critic.judge(task, memory)


async def with_pictures_read(resources: WalkResources, question: Question, address: str) -> Observation | None:
    """The page of an address with its pictures read, those that the gate chooses and those that an unsure walk goes back to."""
    task = read_task(address, question.text, question.lang)
    edges = resources.edges(task)
    keeping = Keeping(edges.critic)
    rules = msgspec.structs.replace(make_rules(task, walk_settings(1, may_look=True), resources), sure=1.0)
    try:
        await walk(task, msgspec.structs.replace(edges, critic=keeping), rules, EventList())
    finally:
        await edges.browser.close()
    return keeping.page


async def found_on(
    critic: Critic, question: Question, page: Observation, home: Observation | None
) -> tuple[Finding, ...]:
    """What the critic finds on a page."""
    task = read_task(page.url, question.text, question.lang)
    task = task.analysed(analyse_question(task.question, task.language, task.requirement))
    note = (PageNote(step=1, url=home.url, key=home.url, title=home.title),) if home is not None else ()
    memory = WalkMemory(step=2, counter=Counter.start(task.requirement), pages=note)
    return (await critic.find(task, page, memory)).findings


async def gather_site(served: ServedSite, resources: WalkResources) -> list[Found]:
    """What is found for the questions about pictures of a site."""
    asked = [one for one in served.questions if one.kind == "visual"]
    asked += [one for one in read_questions(FURTHER) if one.site == served.site.name and one.kind == "visual"]
    if not asked:
        return []
    shelf = PageShelf(served, KEPT)
    hits, read = shelf.found(), dict[str, Observation]()
    for question in asked:
        page = await with_pictures_read(resources, question, served.address(question.sources[0]))
        if page is not None:
            read[question.id] = page
    return [await _found(served, shelf, hits, question, read, resources) for question in asked if question.id in read]


async def _found(
    served: ServedSite,
    shelf: PageShelf,
    hits: dict[str, tuple[str, ...]],
    question: Question,
    read: dict[str, Observation],
    resources: WalkResources,
) -> Found:
    task = read_task(served.base, question.text, question.lang)
    edges = resources.edges(task)
    home = (await asyncio.to_thread(shelf.observed, [served.site.root])).get(served.site.root)
    paths = [path for path in hits.get(question.id, ()) if path not in question.sources][:TEXTS]
    texts = await asyncio.to_thread(shelf.observed, paths)
    own = read[question.id]
    others = [page for page in read.values() if page.url != own.url and page.picture_lines]
    other = random.Random(question.id).sample(others, min(1, len(others)))
    try:
        return Found(
            question=question,
            source=await found_on(edges.critic, question, own, home),
            texts=tuple([one for page in texts.values() for one in await found_on(edges.critic, question, page, home)]),
            other=tuple([one for page in other for one in await found_on(edges.critic, question, page, home)]),
        )
    finally:
        await edges.browser.close()


async def gather_all(options: argparse.Namespace) -> list[Found]:
    """What is found for every question about a picture."""
    found: list[Found] = []
    with sites_of(options) as sites:
        async with WalkResources(walk_settings(1, may_look=True)) as resources:
            for served in sites:
                found += await gather_site(served, resources)
                print(f"{served.site.name}: {len(found)} questions", file=sys.stderr)
    return found


def examples_of(one: Found) -> Iterator[tuple[SignalExample, bool]]:
    """The best answer of each choice of pages, where it was read in a picture; and whether that is of the source with all others. None
    of a question of several parts."""
    if len(read_question(one.question.text, one.question.lang).parts) > 1:
        return
    choices = (
        (1.0, True, (*one.texts, *one.source)),
        (ALONE, False, one.source),
        (WITHOUT, False, (*one.texts, *one.other)),
    )
    for weight, is_whole, findings in choices:
        best = best_answer(findings, 0)
        signals = pictured_signals(findings, 0)
        if best is not None and signals is not None and best.pictured is True:
            right = is_right(one.question, Ended(id="", answer=best.text))
            yield SignalExample(signals=signals, right=right, group=one.question.site, weight=weight), is_whole


def print_held_out(examples: Sequence[tuple[SignalExample, bool]]) -> None:
    """How many are right and given, of sites held out."""
    chances = held_out(PICTURED_SIGNALS, [one for one, _ in examples], ridge=RIDGE)
    for name, wanted in (("with the source and other pages", (True,)), ("all", (True, False))):
        rows = [(chance, one.right) for chance, (one, whole) in zip(chances, examples, strict=True) if whole in wanted]
        given = [right for chance, right in rows if chance >= 0.5]
        all_right = sum(right for _, right in rows)
        print(f"{name}: of {len(rows)} best answers {all_right} right; given {len(given)}, right {sum(given)}")
        for line in reliability([chance for chance, _ in rows], [right for _, right in rows]):
            print(f"    {line}")


def main() -> None:
    """Gather, fit without each site, then with all, and write."""
    options = fit_options(parser_of(__doc__), others=TEXTS)
    found = kept_or(options.gathered, Found, lambda: asyncio.run(gather_all(options)))
    examples = [pair for one in found for pair in examples_of(one)]
    print_held_out(examples)
    fitted = fit_logistic(PICTURED_SIGNALS, [one for one, _ in examples], ridge=RIDGE)
    sites = sorted({one.question.site for one in found})
    weights = PicturedWeights(fitted_on=f"{len(found)} questions about pictures of {', '.join(sites)}", answer=fitted)
    print(msgspec.json.encode(weights).decode())
    if not options.dry:
        write_weights(Path(pictured_chance.__file__).parent / "pictured_weights.json", weights)


if __name__ == "__main__":
    main()
