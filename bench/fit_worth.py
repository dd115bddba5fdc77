"""Fits what the best answer of a walk is worth (`answer` of read_weights.json) and writes it into the package; after fit_answers.py.

usage: python bench/fit_worth.py [--others 6] [--only NAME,NAME] [--gathered FILE] [--dry]
Of each question of one part of the building sites its source pages and as many other pages as a search finds are read; of the short
questions about the two handbooks, which have pages on everything, only what the search finds, as a walk does. What was found on the
first pages, on all, and on all but the sources gives examples. What is printed is of sites held out. --gathered keeps what was read
in a file, or takes it from there; --dry writes nothing.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))
from answers.fitting import fit_options, kept_or, write_weights
from answers.kept_pages import PageShelf, pages_for
from answers.leafing import leaf_through
from answers.options import parser_of, sites_of
from answers.question_set import FOLDER, Question
from answers.scoring import is_right
from answers.serving import serve_folder
from answers.sites_here import ServedSite, sites_elsewhere
from answers.walks import Ended
from builtin_answers import KEPT
from testbeds import PAGES

from memory.findings import Finding
from memory.retrieval import Ranker, WordLlamaEmbedder
from walker.calibration.logistic_fit import SignalExample, fit_logistic, held_out, reliability
from walker.strategies.answers import answer_chance
from walker.strategies.answers.answer_chance import answer_weights
from walker.strategies.builtin.answer_confidence import ANSWER_SIGNALS, answer_signals, best_answer
from walker.strategies.builtin.builtin_critic import BuiltinCritic
from walker.strategies.question.question import read_question
from walker.strategies.reader.passage_reader import NetReader

OTHERS, FOUND = 6, 10
"""Pages besides the sources; pages of a handbook."""
ALL = 1000
FIRST, FIRST_OF_HANDBOOK = (1, 2, 4, ALL), (1, 2, 4, 8, ALL)
"""Pages after which the best answer is looked at: a walk has to know whether it needs more."""
WITHOUT = 0.5
"""Weight of an answer that was given without the source pages."""
KINDS = ("single", "none")
RIDGE = 1.0
FILE = Path(answer_chance.__file__).parent / "read_weights.json"
WORTH = "; the worth of an answer on "
SHORT = FOLDER / "short_questions.jsonl"


class Gathered(msgspec.Struct, frozen=True, kw_only=True):
    """What was found on each page of a question, in the order in which they were read."""

    question: Question
    pages: tuple[str, ...]
    sources: tuple[str, ...]
    findings: tuple[Finding, ...]
    is_short: bool


class Worth(msgspec.Struct, frozen=True, kw_only=True):
    """The best answer after some pages."""

    example: SignalExample
    is_short: bool
    is_whole: bool
    """Of all pages, the sources among them."""


def gathered_of(served: ServedSite, others: int, critic: BuiltinCritic, *, is_short: bool) -> Iterator[Gathered]:
    """What is found for each question of one part of a site."""
    shelf = PageShelf(served, KEPT)
    found = shelf.found()
    for question in served.questions:
        if question.kind not in KINDS or len(read_question(question.text, question.lang).parts) > 1:
            continue
        paths = pages_for(question, found[question.id], others=others, with_sources=not is_short)
        observed = shelf.observed(paths)
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
            is_short=is_short,
        )


def worth_of(one: Gathered) -> Iterator[Worth]:
    """The best answers to a question after some of its pages."""
    first = FIRST_OF_HANDBOOK if one.is_short else FIRST
    for with_sources in (True,) if one.is_short or not one.question.sources else (True, False):
        pages = [page for page in one.pages if with_sources or page not in one.sources]
        for most in first:
            seen = frozenset(pages[:most])
            findings = [finding for finding in one.findings if finding.url in seen]
            best, signals = best_answer(findings, 0), answer_signals(findings, 0)
            if best is None or signals is None:
                continue
            example = SignalExample(
                signals=signals,
                right=one.question.kind != "none" and is_right(one.question, Ended(id="", answer=best.text)),
                group=one.question.site,
                weight=(1.0 if with_sources else WITHOUT) / len(first),
            )
            yield Worth(example=example, is_short=one.is_short, is_whole=with_sources and most == ALL)


def print_held_out(told: Sequence[Worth]) -> None:
    """What is given on sites held out, with all pages: of building sites, and of handbooks."""
    chances = held_out(ANSWER_SIGNALS, [one.example for one in told], ridge=RIDGE)
    for is_short in (False, True):
        own = [
            (chance, one.example.right)
            for one, chance in zip(told, chances, strict=True)
            if one.is_whole and one.is_short == is_short
        ]
        print("handbooks" if is_short else "building sites", f"held out: best right {sum(right for _, right in own)}")
        for least in (0.5, 0.8):
            given = [right for chance, right in own if chance >= least]
            print(f"  at {least}: {len(given)} of {len(own)} given, {sum(given)} rightly")
        for line in reliability([chance for chance, _ in own], [right for _, right in own]):
            print(f"    {line}")


def gather(options: argparse.Namespace) -> list[Gathered]:
    """What is found for every question."""
    critic = BuiltinCritic(Ranker(WordLlamaEmbedder.load()), NetReader())
    here = {name: folder for name, folder in PAGES.items() if folder.is_dir()}
    with contextlib.ExitStack() as stack:
        sites = stack.enter_context(sites_of(options))
        bases = {name: stack.enter_context(serve_folder(folder)) for name, folder in here.items()}
        handbooks = sites_elsewhere(SHORT, bases) if bases.keys() == PAGES.keys() else ()
        of_sites = [one for site in sites for one in gathered_of(site, options.others, critic, is_short=False)]
        return [*of_sites, *(one for book in handbooks for one in gathered_of(book, FOUND, critic, is_short=True))]


def main() -> None:
    """Gather, fit and write."""
    options = fit_options(parser_of(__doc__), others=OTHERS)
    gathered = kept_or(options.gathered, Gathered, lambda: gather(options))
    told = [worth for one in gathered for worth in worth_of(one)]
    print_held_out(told)
    fitted = fit_logistic(ANSWER_SIGNALS, [one.example for one in told], ridge=RIDGE)
    print(fitted)
    if not options.dry:
        before = answer_weights(read=True)
        said = f"{before.fitted_on.partition(WORTH)[0]}{WORTH}{len(gathered)} questions of one part"
        write_weights(FILE, msgspec.structs.replace(before, fitted_on=said, answer=fitted))


if __name__ == "__main__":
    main()
