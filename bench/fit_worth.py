"""Fits what the best answer of a walk is worth (`answer` of read_weights.json) and writes it into the package; after fit_answers.py.

usage: python bench/fit_worth.py [--written CLONES] [--others 6] [--only NAME,NAME] [--gathered FILE] [--dry]
Of each question of one part of the building sites its source pages and as many other pages as a search finds are read by the built-in
critic as it is; `fit_answers.py` weighs passages without what a walk adds (values at labels, what stands in pictures). What was found
on the first pages, on all, and on all but the sources gives examples. --written adds the questions of tools/reader_training that the
reader has not learnt, whose answers are harder to find; CLONES holds their sites. What is printed is of sites held out. --gathered
keeps what was read in a file, or takes it from there; --dry writes nothing.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))
from answers.fitting import fit_options, kept_or, write_weights
from answers.kept_pages import PageShelf, pages_for
from answers.leafing import leaf_through
from answers.options import parser_of, sites_of
from answers.question_set import Question
from answers.scoring import is_right
from answers.sites_here import ServedSite
from answers.walks import Ended
from builtin_answers import KEPT
from fit_answers import WRITTEN, written_questions

from evaluation.grading.match import says
from memory.findings import Finding
from memory.retrieval import Ranker, WordLlamaEmbedder
from perception.observation import Observation
from walker.calibration.logistic_fit import SignalExample, fit_logistic, held_out, reliability
from walker.strategies.answers import answer_chance
from walker.strategies.answers.answer_chance import answer_weights
from walker.strategies.builtin.answer_confidence import ANSWER_SIGNALS, answer_signals, best_answer
from walker.strategies.builtin.builtin_critic import BuiltinCritic
from walker.strategies.question.question import read_question
from walker.strategies.reader.passage_reader import NetReader

OTHERS, ALL = 6, 1000
FIRST = (1, 2, 4, ALL)
"""Pages after which the best answer is looked at: a walk has to know whether it needs more."""
WITHOUT = 0.5
"""Weight of an answer that was given without the source pages."""
KINDS = ("single", "multi", "none")
RIDGE = 1.0
_SIGNS = re.compile(r"[\W_]+")
FILE = Path(answer_chance.__file__).parent / "read_weights.json"
WORTH = "; the worth of an answer on "


class Gathered(msgspec.Struct, frozen=True, kw_only=True):
    """What was found on each page of a question, in the order in which they were read."""

    question: Question
    pages: tuple[str, ...]
    sources: tuple[str, ...]
    findings: tuple[Finding, ...]


class Worth(msgspec.Struct, frozen=True, kw_only=True):
    """The best answer after some pages."""

    example: SignalExample
    kind: str
    is_whole: bool
    """Of all pages, the sources among them."""


def gathered_of(served: ServedSite, others: int, critic: BuiltinCritic) -> Iterator[Gathered]:
    """What is found for each question of one part of a site."""
    shelf = PageShelf(served, KEPT)
    found = shelf.found()
    for question in served.questions:
        if question.kind not in KINDS or len(read_question(question.text, question.lang).parts) > 1:
            continue
        observed = shelf.observed(pages_for(question, found[question.id], others=others, with_sources=True))
        if observed:
            home = shelf.observed([question.root]).get(question.root)
            yield _found_on(question, observed, critic, home)


def gathered_of_written(folder: Path, others: int, critic: BuiltinCritic) -> Iterator[Gathered]:
    """What is found for each written question, on its page and those that a search finds, in the order of the search."""
    for question, site in written_questions(folder):
        found = site.found(question.text)
        beside = [path for path in found if path not in question.sources][:others]
        chosen = [path for path in found if path in (*beside, *question.sources)]
        yield _found_on(question, site.read(dict.fromkeys((*chosen, *question.sources))), critic)


def _found_on(
    question: Question, pages: Mapping[str, Observation], critic: BuiltinCritic, home: Observation | None = None
) -> Gathered:
    read = leaf_through(question.text, question.lang, list(pages.values()), critic, home=home, to_the_end=True)
    _, memory, _ = asyncio.run(read)
    return Gathered(
        question=question,
        pages=tuple(page.url for page in pages.values()),
        sources=tuple(pages[path].url for path in question.sources if path in pages),
        findings=memory.findings,
    )


def worth_of(one: Gathered) -> Iterator[Worth]:
    """The best answers to a question after some of its pages."""
    for with_sources in (True, False) if one.question.sources else (True,):
        pages = [page for page in one.pages if with_sources or page not in one.sources]
        for first in FIRST:
            seen = frozenset(pages[:first])
            findings = [finding for finding in one.findings if finding.url in seen]
            best, signals = best_answer(findings, 0), answer_signals(findings, 0)
            if best is None or signals is None:
                continue
            example = SignalExample(
                signals=signals,
                right=_is_right(one.question, best.text),
                group=one.question.site,
                weight=(1.0 if with_sources else WITHOUT) / len(FIRST),
            )
            yield Worth(example=example, kind=one.question.kind, is_whole=with_sources and first == ALL)


def _is_right(question: Question, answer: str) -> bool:
    """Whether an answer is right: of a written question, which has one wording, also where that is all or half of what is said."""
    if not question.site.startswith(WRITTEN):
        return question.kind != "none" and is_right(question, Ended(id="", answer=answer))
    told, wanted = (_SIGNS.sub("", text.casefold()) for text in (answer, question.answer))
    is_half = told in wanted and 2 * len(told) >= len(wanted)
    return bool(told) and (says(answer, question.answer) or wanted in told or is_half)


def print_worth(name: str, told: Sequence[Worth], chances: Sequence[float]) -> None:
    """What is given with all pages."""
    whole = [(one, chance) for one, chance in zip(told, chances, strict=True) if one.is_whole]
    print(f"{name}: best right {sum(one.example.right for one, _ in whole)} of {len(whole)}")
    for least in (0.5, 0.8):
        given = [one for one, chance in whole if chance >= least]
        right, none = sum(one.example.right for one in given), sum(one.kind == "none" for one in given)
        print(f"  at {least}: {len(given)} given, {right} rightly, {none} where there is no answer")
    for line in reliability([chance for _, chance in whole], [one.example.right for one, _ in whole]):
        print(f"    {line}")


def gather(options: argparse.Namespace) -> list[Gathered]:
    """What is found for every question."""
    critic = BuiltinCritic(Ranker(WordLlamaEmbedder.load()), NetReader())
    with sites_of(options) as sites:
        found = [one for served in sites for one in gathered_of(served, options.others, critic)]
    if options.written is not None:
        found += gathered_of_written(options.written, options.others, critic)
    return found


def main() -> None:
    """Gather, fit and write."""
    parser = parser_of(__doc__)
    parser.add_argument("--written", type=Path, help="clones of the sites of tools/reader_training")
    options = fit_options(parser, others=OTHERS)
    told = [worth for one in kept_or(options.gathered, Gathered, lambda: gather(options)) for worth in worth_of(one)]
    examples = [one.example for one in told]
    before = answer_weights(read=True)
    print_worth("before", told, [before.answer.chance(ANSWER_SIGNALS, one.signals) for one in examples])
    print_worth("held out", told, held_out(ANSWER_SIGNALS, examples, ridge=RIDGE))
    fitted = fit_logistic(ANSWER_SIGNALS, examples, ridge=RIDGE)
    print(fitted)
    if not options.dry:
        said = f"{before.fitted_on.partition(WORTH)[0]}{WORTH}{sum(one.is_whole for one in told)} questions"
        write_weights(FILE, msgspec.structs.replace(before, fitted_on=said, answer=fitted))


if __name__ == "__main__":
    main()
