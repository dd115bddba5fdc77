"""Fits what the best answer of a walk is worth (`answer` of read_weights.json) and writes it into the package; after fit_answers.py.

usage: python bench/fit_worth.py [--others 6] [--only NAME,NAME] [--gathered FILE] [--dry]
Of each question of one part of the building sites its source pages and as many other pages as a search finds are read by the built-in
critic as it is; `fit_answers.py` weighs passages without what a walk adds (values at labels, what stands in pictures). What was found
on the first pages, on all, and on all but the sources gives examples. Passages were weighed by functions that were fitted on these
questions, so that what a finding is worth by itself says more here than elsewhere: what is written is the mean of the function of
least loss and the one before, that of `fit_answers.py`. What is printed is of sites held out. --gathered keeps what was read in a
file, or takes it from there; --dry writes nothing.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))
from answers.fitting import fit_options, kept_or, mean_of, write_weights
from answers.kept_pages import PageShelf, pages_for
from answers.leafing import leaf_through
from answers.options import parser_of, sites_of
from answers.question_set import Question
from answers.scoring import is_right
from answers.sites_here import ServedSite
from answers.walks import Ended
from builtin_answers import KEPT

from memory.findings import Finding
from memory.retrieval import Ranker, WordLlamaEmbedder
from walker.calibration.logistic_fit import SignalExample, fit_logistic, reliability
from walker.strategies.answers import answer_chance
from walker.strategies.answers.answer_chance import Logistic, answer_weights
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
        if not observed:
            continue
        home = shelf.observed([question.root]).get(question.root)
        read = leaf_through(question.text, question.lang, list(observed.values()), critic, home=home, to_the_end=True)
        _, memory, _ = asyncio.run(read)
        yield Gathered(
            question=question,
            pages=tuple(page.url for page in observed.values()),
            sources=tuple(observed[path].url for path in question.sources if path in observed),
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
                right=one.question.kind != "none" and is_right(one.question, Ended(id="", answer=best.text)),
                group=one.question.site,
                weight=(1.0 if with_sources else WITHOUT) / len(FIRST),
            )
            yield Worth(example=example, kind=one.question.kind, is_whole=with_sources and first == ALL)


def fitted_with(before: Logistic, told: Sequence[Worth]) -> Logistic:
    """The mean of a function and of that of least loss."""
    return mean_of(before, fit_logistic(ANSWER_SIGNALS, [one.example for one in told], ridge=RIDGE))


def print_held_out(before: Logistic, told: Sequence[Worth]) -> None:
    """What is given on sites held out, with all pages."""
    by_site = {
        site: fitted_with(before, [one for one in told if one.example.group != site])
        for site in {one.example.group for one in told}
    }
    whole = [one for one in told if one.is_whole]
    held_out = [by_site[one.example.group].chance(ANSWER_SIGNALS, one.example.signals) for one in whole]
    for when, chances in (
        ("before", [before.chance(ANSWER_SIGNALS, one.example.signals) for one in whole]),
        ("held out", held_out),
    ):
        print(f"{when}: best right {sum(one.example.right for one in whole)} of {len(whole)}")
        for least in (0.5, 0.8):
            given = [one for chance, one in zip(chances, whole, strict=True) if chance >= least]
            right, none = sum(one.example.right for one in given), sum(one.kind == "none" for one in given)
            print(f"  at {least}: {len(given)} given, {right} rightly, {none} where there is no answer")
        for line in reliability(chances, [one.example.right for one in whole]):
            print(f"    {line}")


def gather(options: argparse.Namespace) -> list[Gathered]:
    """What is found for every question."""
    critic = BuiltinCritic(Ranker(WordLlamaEmbedder.load()), NetReader())
    with sites_of(options) as sites:
        return [one for served in sites for one in gathered_of(served, options.others, critic)]


def main() -> None:
    """Gather, fit and write."""
    options = fit_options(parser_of(__doc__), others=OTHERS)
    gathered = kept_or(options.gathered, Gathered, lambda: gather(options))
    told = [worth for one in gathered for worth in worth_of(one)]
    before = answer_weights(read=True)
    print_held_out(before.answer, told)
    fitted = fitted_with(before.answer, told)
    print(fitted)
    if not options.dry:
        sites = len({one.question.site for one in gathered})
        said = f"{before.fitted_on.partition(WORTH)[0]}{WORTH}{len(gathered)} questions of {sites} building sites"
        write_weights(FILE, msgspec.structs.replace(before, fitted_on=said, answer=fitted))


if __name__ == "__main__":
    main()
