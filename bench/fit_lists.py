"""Fits how lists are chosen for questions that count or name several, on the building sites, and writes the weights into the package.

usage: python bench/fit_lists.py [--others 8] [--only NAME,NAME] [--gathered FILE] [--written CLONES] [--every N] [--mean] [--dry]
Of each question that counts, the lists of its source pages and of as many other pages as a search finds are weighed, and of "how many"
the passages too. Fitted are: which lists of a page come first (first_list_weights.json); which list of all pages is meant, with
a reader and without (`read`, `near` of list_weights.json); a list beside sentences that may state the number (`beside`); and what the
answer is worth (`quota`, `count`). What is printed is of sites held out. --written adds questions about lists of
other sites (--every: each n-th of them). --mean writes the mean of the weights of the package and the
fitted ones, as of few questions. --dry writes nothing; --gathered keeps what was read in a file, or takes it from there.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))
from answers.fitting import fit_for, fit_options, kept_or, mean_of_weights, write_weights
from answers.options import parser_of, sites_of
from answers.question_set import Question
from gathered_lists import Gathered, Kit, SeenList, SeenPage, gathered_of, gathered_of_written, is_said, is_written

from memory.findings import Finding
from memory.retrieval import Ranker, WordLlamaEmbedder
from tools.reader_training.examples import cloned_sites
from tools.reader_training.written_lists import load_list_questions
from walker.calibration.logistic_fit import SignalExample, fit_choice, held_out, reliability
from walker.strategies.answers import answer_chance
from walker.strategies.answers.answer_chance import Logistic, finding_score, log_odds_of
from walker.strategies.answers.list_signals import LIST_SIGNALS, FirstListWeights, first_list_weights
from walker.strategies.builtin import list_chance
from walker.strategies.builtin.answer_confidence import ANSWER_SIGNALS, answer_signals
from walker.strategies.builtin.counted_lists import states
from walker.strategies.builtin.list_chance import (
    BESIDE_SIGNALS,
    COUNT_SIGNALS,
    ListWeights,
    beside_signals,
    list_weights,
)
from walker.strategies.builtin.list_reading import LISTS_READ, NEAR_LIST_SIGNALS, READ_LIST_SIGNALS, list_chances
from walker.strategies.reader.passage_reader import NetReader

OTHERS = 8
WRITTEN_WEIGHT = 0.3
"""Of building sites held out 31 of 43 answers given are right with 0.3, 26 of 33 with 1, 19 of 23 without written questions."""
WRITTEN_WALK = {"quota": 1.0, "count": 2.0}
"""The same for what an answer is worth. Of building sites held out 32 of 42 quotas given are right with 1, 31 of 41 with 0.2; of
counts, which are too few there, 23 of 36 with 2, 21 of 30 with 1, 15 of 20 with 0.2."""
SPEAK_FOR = ("asks_list",)
FIRST = (1, 2, 4, 1000)
"""Pages after which the best answer is looked at: a walk has to know whether it needs more."""
WITHOUT = 0.5
"""Weight of an answer that was given without the source pages."""
RIDGE, RIDGE_BESIDE = 6.0, 1.0
"""Of sites held out 24 of 31 quotas and 15 of 34 counts are right with 6, 24 and 13 with 2."""
STEPS, PACE = 2000, 0.02
ANSWERS, BUILTIN = Path(answer_chance.__file__).parent, Path(list_chance.__file__).parent


class Weights(msgspec.Struct, frozen=True, kw_only=True):
    """The functions that choose a list."""

    list: Logistic
    near: Logistic
    read: Logistic
    beside: Logistic


def fit_weights(gathered: Sequence[Gathered]) -> Weights:
    """The functions of least loss on these questions."""
    first = fit_choice(
        LIST_SIGNALS, [one for each in gathered for one in list_examples(each, None, "first")], ridge=RIDGE
    )
    near = fit_choice(
        NEAR_LIST_SIGNALS, [one for each in gathered for one in list_examples(each, first, "near")], ridge=RIDGE
    )
    readable = [each for each in gathered if any(page.is_read for page in each.pages)]
    read = fit_choice(
        READ_LIST_SIGNALS, [one for each in readable for one in list_examples(each, first, "read")], ridge=RIDGE
    )
    # Of written questions none has a number that a sentence states.
    counted = [one for one in gathered if not one.target and not is_written(one.fold)]
    chosen = Weights(list=first, near=near, read=read, beside=Logistic(intercept=0.0, weights={"list": 1.0}))
    return msgspec.structs.replace(chosen, beside=fit_beside(counted, chosen))


def list_examples(one: Gathered, first: Logistic | None, stage: str) -> Iterator[SignalExample]:
    """The lists of a question, those of each page that come first by `first`; and once more those of the pages that do not answer, of
    which none is meant: a walk sees such pages first."""
    weight = WRITTEN_WEIGHT if is_written(one.fold) else 1.0
    for page in one.pages:
        if stage == "read" and not page.is_read:
            continue
        for seen in best_lists(page, first):
            signals = {
                "first": seen.signals,
                "near": near_signals(seen),
                "read": (*near_signals(seen), seen.read),
            }
            example = SignalExample(
                signals=signals[stage], right=seen.is_right, group=one.fold, among=one.question.id, weight=weight
            )
            yield example
            if not page.is_source:
                among = f"{one.question.id} without its sources"
                yield msgspec.structs.replace(example, right=False, among=among, weight=WITHOUT * weight)


def best_lists(page: SeenPage, first: Logistic | None) -> Sequence[SeenList]:
    """The lists of a page that are weighed again."""
    if first is None:
        return page.lists
    return sorted(page.lists, key=lambda seen: -first.chance(LIST_SIGNALS, seen.signals))[:LISTS_READ]


def near_signals(seen: SeenList) -> tuple[float, ...]:
    """What `NEAR_LIST_SIGNALS` names."""
    return (*seen.signals, seen.words)


def chosen_list(page: SeenPage, weights: Weights, *, is_quota: bool) -> tuple[SeenList, float] | None:
    """The list of a page that is meant most likely, with its chance."""
    lists = best_lists(page, weights.list)
    log_odds = [
        weights.read.log_odds(READ_LIST_SIGNALS, (*near_signals(seen), seen.read))
        if page.is_read
        else weights.near.log_odds(NEAR_LIST_SIGNALS, near_signals(seen))
        for seen in lists
    ]
    return max(
        zip(lists, list_chances(log_odds, is_quota=is_quota), strict=True), key=lambda entry: entry[1], default=None
    )


def beside_of(one: Gathered, page: SeenPage, seen: SeenList, chance: float) -> tuple[float, ...]:
    """What `BESIDE_SIGNALS` names."""
    return beside_signals(
        chance, asks_list=one.asks_list, agrees=states(seen.number, [each.text for each in page.passages])
    )


def fit_beside(gathered: Sequence[Gathered], weights: Weights) -> Logistic:
    """A list beside passages, whose odds stay as they are: one of all answers, or none. By steps along the slope."""
    questions = []
    for one in gathered:
        # Once more those that do not answer: a walk sees such pages first, and none of what they say is meant.
        for pages, has_answer, weight in (
            (one.pages, True, 1.0),
            ([page for page in one.pages if not page.is_source], False, WITHOUT),
        ):
            rows, right_rows = [], []
            fixed, fixed_right = [1.0], [0.0]
            for page in pages:
                if (best := chosen_list(page, weights, is_quota=bool(one.target))) is not None:
                    rows.append((1.0, *beside_of(one, page, *best)))
                    right_rows.append(float(has_answer and best[0].is_right))
                for passage in page.passages:
                    fixed.append(np.exp(log_odds_of(passage.chance)))
                    fixed_right.append(float(has_answer and passage.is_right))
            if rows:
                said = float(np.dot(fixed, fixed_right))
                questions.append((np.array(rows), np.array(right_rows), sum(fixed), said, weight))
    found = np.array([0.0, 1.0, *([0.0] * (len(BESIDE_SIGNALS) - 1))])
    prior = found.copy()
    penalty = np.array([0.0, *([RIDGE_BESIDE] * len(BESIDE_SIGNALS))])
    for _ in range(STEPS):
        slope = penalty * (found - prior)
        for lists, right, rest, rest_right, weight in questions:
            odds = np.exp(np.clip(lists @ found, -30, 30))
            good = float(odds @ right) + rest_right
            gap = odds / (rest + odds.sum()) - (odds * right / good if good > 0 else 0.0)
            slope += weight * (lists.T @ gap)
        found = found - PACE * slope / len(questions) * 10
    return Logistic(
        intercept=round(float(found[0]), 3),
        weights={name: round(float(value), 3) for name, value in zip(BESIDE_SIGNALS, found[1:], strict=True)},
    )


class Answered(msgspec.Struct, frozen=True, kw_only=True):
    """The best that is found for a question."""

    question: Question
    fold: str
    is_quota: bool
    is_list: bool
    is_right: bool
    signals: tuple[float, ...]
    is_whole: bool
    weight: float


def answered(one: Gathered, weights: Weights, *, with_sources: bool, first: int) -> Answered | None:
    """What is found on the first pages of a question."""
    found: list[tuple[float, str, str, bool, bool]] = []
    pages = [page for page in one.pages if with_sources or not page.is_source][:first]
    for page in pages:
        found += [(each.chance, each.text, page.path, False, each.is_right) for each in page.passages]
        if (best := chosen_list(page, weights, is_quota=bool(one.target))) is not None:
            seen, chance = best
            if not one.target:
                chance = weights.beside.chance(BESIDE_SIGNALS, beside_of(one, page, seen, chance))
            found.append((chance, seen.text, page.path, True, seen.is_right or is_told(one.question, seen)))
    findings = [
        Finding(text=text, quote=text, url=path, step=0, score=finding_score(chance))
        for chance, text, path, _, _ in found
    ]
    signals = answer_signals(findings, 0)
    if signals is None:
        return None
    best_found = max(found, key=lambda entry: entry[0])
    return Answered(
        question=one.question,
        fold=one.fold,
        is_quota=bool(one.target),
        is_list=best_found[3],
        is_right=best_found[4] and one.question.kind != "none",
        signals=(*signals, float(one.asks_list)),
        is_whole=with_sources and first == FIRST[-1],
        weight=(1.0 if with_sources else WITHOUT)
        * (WRITTEN_WALK["quota" if one.target else "count"] if is_written(one.fold) else 1.0)
        / len(FIRST),
    )


def is_told(question: Question, seen: SeenList) -> bool:
    """Whether the number alone is right."""
    return question.kind not in ("quota", "none") and is_said(question, str(seen.number))


def fit_all(gathered: Sequence[Gathered]) -> tuple[Weights, ListWeights]:
    """Fit without each site in turn, print what comes of it there, and fit on all."""
    written = {one.question.site for one in gathered if is_written(one.fold)}
    sites = sorted({one.question.site for one in gathered} - written)
    folds = sorted({one.fold for one in gathered})
    without = {fold: fit_weights([one for one in gathered if one.fold != fold]) for fold in folds}
    told = [
        found
        for one in gathered
        for first in FIRST
        for with_sources in ((True, False) if one.question.sources else (True,))
        if (found := answered(one, without[one.fold], with_sources=with_sources, first=first)) is not None
    ]
    functions: dict[str, Logistic] = {}
    for name, members in (
        ("quota", [one for one in told if one.is_quota]),
        ("count", [one for one in told if not one.is_quota and one.is_list]),
    ):
        names = ANSWER_SIGNALS if name == "quota" else COUNT_SIGNALS
        examples = [
            SignalExample(signals=one.signals[: len(names)], right=one.is_right, group=one.fold, weight=one.weight)
            for one in members
        ]
        print_held_out(name, members, held_out(names, examples, ridge=RIDGE))
        functions[name] = fit_for(names, examples, SPEAK_FOR, ridge=RIDGE)
    for written_ones in (False, True):
        whole = [one for one in told if one.is_whole and is_written(one.fold) is written_ones]
        for kind in ("single", "multi", "quota", "exhaustive"):
            of_kind = [one for one in whole if one.question.kind == kind]
            right, lists = sum(one.is_right for one in of_kind), sum(one.is_list for one in of_kind)
            print(
                f"{'written' if written_ones else 'building'} {kind}: best right {right} of {len(of_kind)}, lists {lists}"
            )
    weights = fit_weights(gathered)
    further = f", {len(written)} sites of tools/reader_training" if written else ""
    fitted_on = f"{len(gathered)} questions of {', '.join(sites)}{further}"
    fitted = ListWeights(fitted_on=fitted_on, near=weights.near, read=weights.read, beside=weights.beside, **functions)
    return weights, fitted


def print_held_out(name: str, told: Sequence[Answered], chances: Sequence[float]) -> None:
    """What is given, and rightly, on sites held out, with the source pages."""
    for written_ones in (False, True):
        own = [
            (one, chance)
            for one, chance in zip(told, chances, strict=True)
            if one.is_whole and is_written(one.fold) is written_ones
        ]
        given = [one.is_right for one, chance in own if chance >= 0.5]
        print(
            f"{'written' if written_ones else 'building'} {name}: best right {sum(one.is_right for one, _ in own)} of {len(own)},"
            f" given {len(given)}, rightly {sum(given)}"
        )
        for line in reliability([chance for _, chance in own], [one.is_right for one, _ in own]):
            print(f"    {line}")


def main() -> None:
    """Gather, fit without each site, then with all, and write."""
    parser = parser_of(__doc__)
    parser.add_argument(
        "--written", type=Path, help="clones of the sites of tools/reader_training, whose list questions count too"
    )
    parser.add_argument("--every", type=int, default=1, help="of these questions only every n-th")
    parser.add_argument("--mean", action="store_true", help="write the mean with the weights that are there")
    options = fit_options(parser, others=OTHERS)
    weights, lists = fit_all(kept_or(options.gathered, Gathered, lambda: gather(options)))
    if not options.dry:
        first = FirstListWeights(fitted_on=lists.fitted_on, list=weights.list)
        if options.mean:
            lists, first = mean_of_weights(list_weights(), lists), mean_of_weights(first_list_weights(), first)
        write_weights(BUILTIN / "list_weights.json", lists)
        write_weights(ANSWERS / "first_list_weights.json", first)


def gather(options: argparse.Namespace) -> list[Gathered]:
    """What is read for every question that counts or names several."""
    kit = Kit(ranker=Ranker(WordLlamaEmbedder.load()), reader=NetReader())
    with sites_of(options) as sites:
        found = [one for served in sites for one in gathered_of(served, options.others, kit)]
    if options.written is not None:
        found += gathered_of_written(
            options.written, kit, cloned_sites(options.written), load_list_questions()[:: options.every]
        )
    return found


if __name__ == "__main__":
    main()
