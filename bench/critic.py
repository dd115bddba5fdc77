"""Prints how well the built-in passage critic keeps the passages that hold the evidence of the questions of bench/answers, and whether
answers from what it keeps are better than answers from the 8 best passages of a search. Totals only.

usage: python bench/critic.py [--half building|validation] [--only NAME,NAME] [--part more] [--pages 20] [--skip-answers] [--shared]
Recall is the share of evidence that a kept passage holds, specificity the share of other passages that are left out. Libraries are
kept in bench/out/critic; remove them after a change of perception.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))
from answers.options import parser_of, sites_of
from answers.question_set import Kind, Question
from answers.scoring import is_right
from answers.shared_sites import shared_sites
from answers.sites_here import ServedSite
from answers.walks import Ended
from critic_cases import cases_of, site_library
from figures import print_figure

from evaluation.critic.answering import BEST, Answerer
from evaluation.critic.cases import PassageCase
from evaluation.critic.filtering import PAGES, THRESHOLDS, WeighedCase, filtering_at
from memory.library.errors import BadQuery
from memory.library.protocol import Library
from memory.retrieval import Ranker, WordLlamaEmbedder
from walker.seams.passage_critic import KEEP_FROM
from walker.settings import SURE
from walker.strategies.builtin.builtin_critic import BuiltinCritic
from walker.strategies.passages.builtin_passage_critic import BuiltinPassageCritic
from walker.strategies.passages.kept_passages import KeptAnswer

RECALL, SPECIFICITY = 0.95, 0.95
PASSAGES, MILLISECONDS = 1240, 60.0


class Given(msgspec.Struct, frozen=True, kw_only=True):
    """The answers to one question, from what is kept and from the best of a search."""

    question: Question
    kept: KeptAnswer
    best: KeptAnswer


def best_places(library: Library, case: PassageCase) -> list[int]:
    """Places of the passages that a search finds best, as a retrieval workflow takes them."""
    try:
        hits = library.search(case.sought.question, BEST, a_page=0)
    except BadQuery:
        return []
    places = {(one.url, one.place): place for place, one in enumerate(case.passages)}
    return [places[hit.url, hit.passage.place] for hit in hits if (hit.url, hit.passage.place) in places]


def weigh(cases: Sequence[PassageCase], times: list[tuple[int, float]]) -> list[WeighedCase]:
    """The cases weighed, and how long each took."""
    critic, found = BuiltinPassageCritic(), []
    for case in cases:
        began = time.process_time()
        weights = asyncio.run(critic.weigh(case.sought.question, case.passages, case.sought.language))
        times.append((len(case.passages), time.process_time() - began))
        found.append(WeighedCase(case=case, weights=weights))
    return found


def measure(served: Sequence[ServedSite], options: argparse.Namespace) -> None:
    """Tables over pages and thresholds, the time of weighing, and answers."""
    answerer = None if options.skip_answers else Answerer(BuiltinCritic(Ranker(WordLlamaEmbedder.load())))
    by_pages: dict[int, list[WeighedCase]] = {most: [] for most in sorted({*PAGES, options.pages})}
    times: list[tuple[int, float]] = []
    given: list[Given] = []
    kinds: dict[str, Kind] = {}
    for site in served:
        questions = [one for one in site.questions if one.kind != "visual"]
        by_id = {one.id: one for one in questions}
        kinds |= {one.id: one.kind for one in questions}
        with site_library(site) as library:
            for most in by_pages:
                found = weigh(cases_of(site, questions, library, most), times)
                by_pages[most] += found
                if most == options.pages and answerer is not None:
                    given += [asyncio.run(_both(answerer, library, one, by_id)) for one in found]
    print_filtering(by_pages, options.pages)
    print_kinds(by_pages[options.pages], kinds)
    print_time(times)
    print_answers(given)


async def _both(answerer: Answerer, library: Library, one: WeighedCase, by_id: dict[str, Question]) -> Given:
    return Given(
        question=by_id[one.case.sought.id],
        kept=await answerer.from_kept(one, KEEP_FROM),
        best=await answerer.from_best(one.case, best_places(library, one.case)),
    )


def print_filtering(by_pages: dict[int, list[WeighedCase]], pages: int) -> None:
    """A line for each number of pages and threshold, and what is wanted of one of them."""
    for most, weighed in by_pages.items():
        lost = sum(not one.case.evidence for one in weighed)
        print(f"{most} pages: of {lost} of {len(weighed)} questions no passage holds evidence")
        for threshold in THRESHOLDS:
            row = filtering_at(weighed, threshold, most)
            if row is not None:
                print(
                    f"  at {threshold:<4g} recall {row.recall:.3f} of {row.pieces}, specificity {row.specificity:.3f} "
                    f"({row.specificity_a_question:.3f} a question), kept {row.kept:.1f} of {row.offered:.0f}"
                )
    row = filtering_at(by_pages[pages], KEEP_FROM, pages)
    if row is not None:
        name = f"critic: {{}} at {KEEP_FROM}, {pages} pages, {row.questions} questions"
        print_figure(name.format("recall"), round(row.recall, 3), "share", f">= {RECALL}", row.recall >= RECALL)
        is_enough = row.specificity >= SPECIFICITY
        print_figure(name.format("specificity"), round(row.specificity, 3), "share", f">= {SPECIFICITY}", is_enough)


def print_kinds(weighed: Sequence[WeighedCase], kinds: dict[str, Kind]) -> None:
    """A line for each kind of question, what is kept of its evidence and what would be where `SPECIFICITY` of all other passages are
    left out; then the same share of the questions for lists, and of the others, where so many of their own are left out."""
    if not any(one.case.evidence for one in weighed):
        return
    apart = _apart(weighed)
    for kind in sorted({*kinds.values()}):
        found = _best_chances([one for one in weighed if kinds[one.case.sought.id] == kind])
        if found:
            print(
                f"  {kind}: of {len(found)} pieces {sum(best >= KEEP_FROM for best in found)} are kept, "
                f"{sum(best > apart for best in found)} where {SPECIFICITY:.0%} of the other passages of all questions are left out"
            )
    for name, members in (("lists", ("quota", "exhaustive")), ("one answer", ("single", "multi"))):
        own = [one for one in weighed if kinds[one.case.sought.id] in members]
        if found := _best_chances(own):
            share = sum(best > _apart(own) for best in found) / len(found)
            print(
                f"  questions for {name}: {share:.3f} of {len(found)} pieces where {SPECIFICITY:.0%} of their own are left out"
            )


def _apart(weighed: Sequence[WeighedCase]) -> float:
    """The chance that `SPECIFICITY` of the passages without evidence do not exceed."""
    usable = [one for one in weighed if one.case.evidence]
    others = [
        weight.chance for one in usable for place, weight in enumerate(one.weights) if place not in one.case.right
    ]
    return float(np.quantile(others, SPECIFICITY))


def _best_chances(weighed: Sequence[WeighedCase]) -> list[float]:
    """Of each piece of evidence the highest chance of a passage that holds it."""
    return [max(one.weights[place].chance for place in held) for one in weighed for held in one.case.evidence]


def print_time(times: Sequence[tuple[int, float]]) -> None:
    """Processor time for as many passages as 20 pages have."""
    large = [1000 * PASSAGES * seconds / number for number, seconds in times[1:] if number >= PASSAGES / 2]
    if large:
        median = statistics.median(large)
        name = f"critic: processor time for {PASSAGES:,} passages, median of {len(large)}"
        print_figure(name, round(median, 1), "ms", f"<= {MILLISECONDS:g}", median <= MILLISECONDS)


def print_answers(given: Sequence[Given]) -> None:
    """How many questions are answered rightly in both ways, and how many bests are right, given or not."""
    if not given:
        return
    ways: dict[str, Callable[[Given], KeptAnswer]] = {
        f"kept from {KEEP_FROM}": lambda one: one.kept,
        f"{BEST} best": lambda one: one.best,
    }
    right: dict[str, int] = {}
    for name, way in ways.items():
        ended = [(one.question, _ended(way(one))) for one in given]
        told = [(question, end if end.confidence >= SURE else Ended(id="", answer="")) for question, end in ended]
        right[name] = sum(is_right(question, end) for question, end in ended if question.kind != "none")
        given_right = sum(is_right(question, end) for question, end in told)
        said = sum(bool(end.answer) for _, end in told)
        print(
            f"answers, {name}: the best right {right[name]} of {sum(one.question.kind != 'none' for one in given)}, "
            f"given {said}, questions rightly answered or left {given_right} of {len(given)}"
        )
    kept, best = right.values()
    print_figure(
        "critic: right answers from kept passages less those from the best", kept - best, "", ">= 0", kept >= best
    )


def _ended(answer: KeptAnswer) -> Ended:
    return Ended(id="", answer=answer.answer, items=answer.items, confidence=answer.confidence)


def main() -> None:
    """Measure the sites that the options name."""
    parser = parser_of(__doc__)
    parser.add_argument("--pages", type=int, default=max(PAGES), help="pages that are searched for a question")
    parser.add_argument("--skip-answers", action="store_true")
    parser.add_argument("--shared", action="store_true", help="the two shared sites instead")
    options = parser.parse_args()
    with shared_sites() if options.shared else sites_of(options) as sites:
        measure(sites, options)


if __name__ == "__main__":
    main()
