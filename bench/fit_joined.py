"""Fits what answers of several parts are worth on the building sites and the two shared ones, and writes the weights into the package.

usage: python bench/fit_joined.py [--others 6] [--only NAME,NAME] [--gathered FILE] [--written FILE | --level] [--dry]
Of each question with several parts, the source pages and as many other pages as a search finds are read; what was found on the
first of them, on all, and on all but the sources gives examples. Fitted are what is computed from two values (`pair` of
joined_weights.json) and what is found one after the other (`chain`). What is printed is of sites held out. --dry writes nothing;
--gathered keeps what was read in a file, or takes it from there. --written: what `two_parts.py --outcomes` found for questions that
were written about public sites, which are fitted on too. --level keeps the weights of `pair` and fits its intercept alone, to the
benchmark's own questions: written ones, three of four, are graded more strictly, and few of their values are told on a second page.
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
from answers.fitting import fit_for, fit_options, kept_or, levelled, write_weights
from answers.kept_pages import PageShelf, pages_for
from answers.leafing import leaf_through
from answers.options import parser_of, sites_of
from answers.question_set import Question
from answers.scoring import is_right
from answers.shared_sites import shared_sites
from answers.sites_here import ServedSite
from answers.walks import Ended
from builtin_answers import KEPT
from two_parts import Outcome
from two_parts import is_right as is_written_right

from evaluation.grading.match import says
from memory.findings import Finding
from memory.retrieval import Ranker, WordLlamaEmbedder
from tools.reader_training.written_parts import PartsQuestion
from walker.calibration.logistic_fit import SignalExample, held_out, reliability
from walker.strategies.answers.answer_chance import Logistic
from walker.strategies.builtin.answer_confidence import confidence_in
from walker.strategies.builtin.builtin_critic import BuiltinCritic
from walker.strategies.joining import joined_chance
from walker.strategies.joining.chained import weighed_again
from walker.strategies.joining.composing import COMPUTED, compose, is_choice
from walker.strategies.joining.joined_chance import (
    CHAIN_SIGNALS,
    PAIR_SIGNALS,
    JoinedWeights,
    chain_signals,
    joined_weights,
)
from walker.strategies.joining.paired_values import Pair, pair_signals, pairs_of
from walker.strategies.joining.side_by_side import two_answers
from walker.strategies.question.question import read_question
from walker.strategies.reader.passage_reader import NetReader, PassageReader

OTHERS = 6
WITHOUT, SHARED = 0.5, 0.4
"""Weight of what was found without the sources, and of a question of the shared sites, which were used all through development."""
ALL = 1000
FIRST = (2, 4, ALL)
RIDGE = {"pair": 1.0, "chain": 10.0}
"""Penalty on weights: of chains there are few examples."""
LEVEL_RIDGE = 1.0
"""Penalty on the square of a change of the intercept."""
ENOUGH = 20
"""Least questions that are fitted to; with fewer the chance that all parts are right stands as it is."""
SPEAK_FOR = ("left", "margin", "weaker", "all", "taken")
PRODUCT = Logistic(intercept=0.0, weights={"all": 1.0})
FILE = Path(joined_chance.__file__).parent / "joined_weights.json"


class Gathered(msgspec.Struct, frozen=True, kw_only=True):
    """What was found for one question, in the order of its pages."""

    question: Question
    pages: tuple[str, ...]
    """Addresses in the order in which they were read."""
    sources: tuple[str, ...]
    findings: tuple[Finding, ...]
    weight: float
    written: PartsQuestion | None = None
    """The question as it was written, of those that are no part of the benchmark."""


def written_of(outcome: Outcome) -> Gathered:
    """What was found for a written question."""
    asked = outcome.asked
    question = Question(
        id=asked.question,
        site=asked.site,
        root="",
        question=asked.question,
        answer=asked.answer,
        kind="multi",
        sources=asked.pages,
        evidence=asked.facts,
        depth=(),
        lang=outcome.language,
    )
    return Gathered(
        question=question,
        pages=outcome.pages,
        sources=outcome.sources,
        findings=outcome.findings,
        weight=1.0,
        written=asked,
    )


def gathered_of(served: ServedSite, weight: float, others: int, critic: BuiltinCritic) -> Iterator[Gathered]:
    """What is found for each question of several parts of a site."""
    shelf = PageShelf(served, KEPT)
    found = shelf.found()
    for question in served.questions:
        if question.kind == "visual" or len(read_question(question.text, question.lang).parts) < 2:
            continue
        paths = pages_for(question, found[question.id], others=others, with_sources=True)
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
            weight=weight,
        )


class Joined(msgspec.Struct, frozen=True, kw_only=True):
    """The best answer to a question of several parts, from some of its pages."""

    question: Question
    is_pair: bool
    answer: str
    is_right: bool
    signals: tuple[float, ...]
    weight: float
    is_whole: bool
    """Of all pages, the sources among them."""


def joined(one: Gathered, first: int, *, with_sources: bool, read: bool = True) -> Joined | None:
    """What is joined from the first pages of a question, with its sources or without them; None if nothing is."""
    pages = [page for page in one.pages if with_sources or page not in one.sources][:first]
    findings = [finding for finding in one.findings if finding.url in pages]
    question = read_question(one.question.text, one.question.lang)
    is_pair, is_luck = question.operation in COMPUTED, False
    if is_pair:
        pairs = pairs_of(question, findings)
        is_luck = bool(pairs) and is_choice(question) and not is_found(one, pairs[0])
        signals = pair_signals(question, pairs, findings)
        answer = pairs[0].answer if pairs else ""
    else:
        again = weighed_again(question, findings)
        numbers = range(len(question.parts))
        best = [max((f for f in again if f.part == part), key=lambda f: f.score, default=None) for part in numbers]
        best = two_answers(best, again) if question.operation == "both" else best
        sure = [confidence_in(again, part, read=read) for part in numbers]
        told = [(finding.text, finding.quote) if finding is not None else ("", "") for finding in best]
        answer = compose(question, [text for text, _ in told], [quote for _, quote in told])
        signals = chain_signals(sure) if all(sure) else None
    if signals is None or not answer:
        return None
    if one.written is not None:
        right = is_written_right(one.written, answer)
    else:
        right = one.question.kind != "none" and is_right(one.question, Ended(id="", answer=answer))
    return Joined(
        question=one.question,
        is_pair=is_pair,
        answer=answer,
        is_right=right and not is_luck,
        signals=signals,
        weight=one.weight * (1.0 if with_sources else WITHOUT) / len(FIRST),
        is_whole=with_sources and first >= ALL,
    )


def is_found(one: Gathered, pair: Pair) -> bool:
    """Whether a pair rests on the pages that answer and, where they are known, on the facts: of two that are offered every other
    guess is right. A number that comes out right is no guess, whatever page its values stand on."""
    if not {pair.one.url, pair.other.url} <= set(one.sources):
        return False
    quotes = f"{pair.one.quote} {pair.other.quote}"
    return one.written is None or all(says(quotes, fact) for fact in one.written.facts)


def all_joined(gathered: Sequence[Gathered]) -> list[Joined]:
    """What is joined from the first pages of each question, from all, and without its sources."""
    return [
        found
        for one in gathered
        for first in FIRST
        for with_sources in (True, False)
        if (found := joined(one, first, with_sources=with_sources)) is not None
    ]


def examples_of(told: Sequence[Joined]) -> list[SignalExample]:
    """As examples to fit to."""
    return [
        SignalExample(signals=one.signals, right=one.is_right, group=one.question.site, weight=one.weight)
        for one in told
    ]


def fit_level(gathered: Sequence[Gathered]) -> JoinedWeights:
    """The weights of the package with another intercept of `pair`; prints what it is worth on sites held out."""
    told = [one for one in all_joined(gathered) if one.is_pair]
    examples, weights, chances = examples_of(told), joined_weights(), []
    for own in examples:
        others = [one for one in examples if one.group != own.group]
        fitted = levelled(weights.pair, PAIR_SIGNALS, others, ridge=LEVEL_RIDGE)
        chances.append(fitted.chance(PAIR_SIGNALS, own.signals))
    before = [weights.pair.chance(PAIR_SIGNALS, one.signals) for one in told]
    print_worth("pair, before", told, before)
    print_worth("pair, held out", told, chances)
    return msgspec.structs.replace(weights, pair=levelled(weights.pair, PAIR_SIGNALS, examples, ridge=LEVEL_RIDGE))


def print_worth(name: str, told: Sequence[Joined], chances: Sequence[float]) -> None:
    """How often what is given, of all pages, is right."""
    whole = [(one, chance) for one, chance in zip(told, chances, strict=True) if one.is_whole]
    given = [one.is_right for one, chance in whole if chance >= 0.5]
    best = sum(one.is_right for one, _ in whole)
    print(f"{name}: best right {best} of {len(whole)}, given {len(given)}, of these right {sum(given)}")
    for line in reliability([chance for _, chance in whole], [one.is_right for one, _ in whole]):
        print(f"  {line}")


def fit(gathered: Sequence[Gathered]) -> JoinedWeights:
    """Both functions; prints what they are worth on sites held out."""
    told = all_joined(gathered)
    fitted = {}
    for name, names in (("pair", PAIR_SIGNALS), ("chain", CHAIN_SIGNALS)):
        own = [one for one in told if one.is_pair == (name == "pair")]
        examples = examples_of(own)
        print_worth(f"{name}, held out", own, held_out(names, examples, ridge=RIDGE[name]))
        is_enough = sum(one.is_whole for one in own) >= ENOUGH
        fitted[name] = fit_for(names, examples, SPEAK_FOR, ridge=RIDGE[name]) if is_enough else PRODUCT
    sites = sorted({one.question.site for one in gathered})
    known = sorted({one.question.site for one in gathered if one.written is None})
    others = len(sites) - len(known)
    said = f"{len(gathered)} questions of several parts of {', '.join(known)}" + (
        f" and {others} public sites" if others else ""
    )
    return JoinedWeights(fitted_on=said, **fitted)


def main() -> None:
    """Gather, fit and write."""
    parser = parser_of(__doc__)
    parser.add_argument("--written", type=Path, help="what two_parts.py found")
    parser.add_argument("--level", action="store_true", help="keep the weights of pairs and fit their intercept")
    options = fit_options(parser, others=OTHERS)
    gathered = kept_or(options.gathered, Gathered, lambda: gather(options, NetReader()))
    if options.written:
        outcomes = [msgspec.json.decode(line, type=Outcome) for line in options.written.read_bytes().splitlines()]
        gathered += [written_of(one) for one in outcomes if one.is_apart]
    weights = fit_level(gathered) if options.level else fit(gathered)
    print(weights.pair, weights.chain)
    if not options.dry:
        write_weights(FILE, weights)


def gather(options: argparse.Namespace, reader: PassageReader) -> list[Gathered]:
    """What is found for every question of several parts."""
    critic = BuiltinCritic(Ranker(WordLlamaEmbedder.load()), reader)
    with sites_of(options) as sites, shared_sites() as shared:
        weighed = [*((served, 1.0) for served in sites), *((served, SHARED) for served in shared)]
        return [one for served, weight in weighed for one in gathered_of(served, weight, options.others, critic)]


if __name__ == "__main__":
    main()
