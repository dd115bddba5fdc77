"""Fits the weights of the built-in strategy's answers on the building sites, and writes them into the package.

usage: python bench/fit_answers.py [--others 8] [--only NAME,NAME] [--confidence]
The questions of all parts of the set (or of --part) with one source that ask one thing give the examples: the passages that weigh
most of the source page, and of as many other pages as a search finds. Printed is how often the first passage, and the first span in a
right one, is right on sites held out.
"""

from __future__ import annotations

import asyncio
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))
from answers.kept_pages import PageShelf, pages_for
from answers.leafing import leaf_through
from answers.options import parser_of, sites_of
from answers.question_set import PARTS, Question
from answers.scoring import is_right
from builtin_answers import KEPT
from figures import print_figure

from evaluation.grading.match import says
from memory.retrieval import Ranker, WordLlamaEmbedder
from perception.observation import Observation
from walker.assembly import read_task
from walker.calibration.logistic_fit import SignalExample, fit_logistic, held_out, reliability
from walker.strategies.answers import answer_chance
from walker.strategies.answers.answer_chance import PASSAGE_SIGNALS, AnswerWeights, answer_weights
from walker.strategies.answers.evidence import WeighedPassage
from walker.strategies.answers.extraction import SPAN_SIGNALS, SpanCandidate
from walker.strategies.answers.list_signals import LIST_SIGNALS, list_candidates
from walker.strategies.builtin.answer_confidence import ANSWER_SIGNALS, answer_signals
from walker.strategies.builtin.builtin_critic import BuiltinCritic
from walker.strategies.builtin.counted_lists import asked_count
from walker.strategies.builtin.part_reading import PageAnswers
from walker.strategies.question.question import read_question

OTHERS, LEAFED = 8, 6
"""Pages besides the sources, for passages and lists, and for whole answers."""
WITHOUT = 0.5
"""Weight of an answer that was given without the source pages."""
RIDGE, LIST_RIDGE = 1.0, 3.0
"""Of lists there are fewer right examples."""
FILE = Path(answer_chance.__file__).with_name("answer_weights.json")


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """A passage that was weighed for a question, with its spans."""

    question: Question
    is_source: bool
    weighed: WeighedPassage
    spans: tuple[SpanCandidate, ...]
    signals: tuple[float, ...]

    def holds(self) -> bool:
        """Whether an accepted answer stands in it."""
        return any(says(self.weighed.passage.text, form) for form in self.question.forms)


def seen_of(question: Question, page: Observation, ranker: Ranker, *, is_source: bool) -> Iterator[Seen]:
    """The passages of a page that the strategy weighs for a question."""
    asked = read_question(question.text, question.lang)
    reading = PageAnswers(page, ranker)
    for one in reading.weighed(asked, asked.parts[0]):
        yield Seen(
            question=question, is_source=is_source, weighed=one.weighed, spans=tuple(one.spans), signals=one.signals
        )


def span_examples(seen: Sequence[Seen]) -> list[SignalExample]:
    """The spans of the passages that hold the answer."""
    return [
        SignalExample(
            signals=span.signals,
            right=any(says(span.text, form) for form in one.question.forms),
            group=one.question.site,
            weight=1 / len(one.spans),
        )
        for one in seen
        if one.is_source and one.holds()
        for span in one.spans
    ]


def passage_examples(seen: Sequence[Seen]) -> list[SignalExample]:
    """Passages of the sources that hold the answer, and all others that do not."""
    return [
        SignalExample(signals=one.signals, right=one.is_source and one.holds(), group=one.question.site)
        for one in seen
        if one.is_source or not one.holds()
    ]


def list_examples(question: Question, pages: Sequence[tuple[bool, Observation]], ranker: Ranker) -> list[SignalExample]:
    """The lists of the pages of a question that counts or names things."""
    task = read_task("http://site.example/", question.text, question.lang)
    read = read_question(question.text, question.lang)
    asked = asked_count(task, read)
    if asked is None:
        return []
    return [
        SignalExample(
            signals=one.signals,
            right=is_source and is_meant(question, one.counted.names, asked.target),
            group=question.site,
        )
        for is_source, page in pages
        for one in list_candidates(page, read.parts[0], asked.noun, asked.target, frozenset(), ranker)
    ]


def is_meant(question: Question, names: Sequence[str], target: int) -> bool:
    """Whether these names answer a quota, or are as many as are to be counted, and most of them known."""
    if not question.items:
        return False
    used = names[: target or None]
    known = sum(any(says(name, item) or says(item, name) for item in question.items) for name in used)
    if question.kind == "quota":
        return known >= question.n and len(used) - known <= 1
    return len(used) == len(question.items) and known >= 0.8 * len(used)


def main() -> None:
    """Gather, fit spans, then passages with the chances of their spans, and write."""
    parser = parser_of(__doc__)
    parser.add_argument("--others", type=int, default=OTHERS)
    parser.add_argument(
        "--confidence", action="store_true", help="fit only the confidence in what is answered at the end"
    )
    options = parser.parse_args()
    options.half = "building"
    options.parts = options.parts or PARTS
    ranker = Ranker(WordLlamaEmbedder.load())
    pages: list[tuple[Question, bool, Observation]] = []
    listed: list[SignalExample] = []
    asked_of_all: list[tuple[Question, dict[str, Observation]]] = []
    with sites_of(options) as sites:
        for served in sites:
            shelf = PageShelf(served, KEPT)
            found = shelf.found()
            for question in served.questions:
                paths = pages_for(question, found[question.id], others=LEAFED, with_sources=True)
                asked_of_all.append((question, shelf.observed(paths)))
                if question.kind in ("single", "quota", "exhaustive") and not options.confidence:
                    paths = pages_for(question, found[question.id], others=options.others, with_sources=True)
                    own = [(path in question.sources, page) for path, page in shelf.observed(paths).items()]
                    listed += list_examples(question, own, ranker)
                if question.kind == "single" and len(read_question(question.text, question.lang).parts) == 1:
                    paths = pages_for(question, found[question.id], others=options.others, with_sources=True)
                    observed = shelf.observed(paths)
                    pages += [(question, path in question.sources, page) for path, page in observed.items()]
    if options.confidence:
        fit_confidence(asked_of_all, answer_weights(), ranker)
        return
    names = ", ".join(sorted({question.site for question, _, _ in pages}))
    count = len({question.id for question, _, _ in pages})
    told = f"{count} questions with one source of {names}"
    for _ in range(2):  # the chances of spans are signals of passages
        seen = [
            one for question, is_source, page in pages for one in seen_of(question, page, ranker, is_source=is_source)
        ]
        spans, passages = span_examples(seen), passage_examples(seen)
        weights = AnswerWeights(
            fitted_on=told,
            span=fit_logistic(SPAN_SIGNALS, spans, ridge=RIDGE),
            passage=fit_logistic(PASSAGE_SIGNALS, passages, ridge=RIDGE),
            answer=answer_weights().answer,
            list=fit_logistic(LIST_SIGNALS, listed, ridge=LIST_RIDGE),
        )
        FILE.write_bytes(msgspec.json.format(msgspec.json.encode(weights), indent=1) + b"\n")
        answer_weights.cache_clear()
    print_ranks(seen, passages, count)
    fit_confidence(asked_of_all, weights, ranker)


def fit_confidence(
    asked: Sequence[tuple[Question, dict[str, Observation]]], weights: AnswerWeights, ranker: Ranker
) -> None:
    """Fit the confidence in what is answered at the end, with the source pages and, at less weight, without them; write it."""
    critic = BuiltinCritic(ranker)
    answers: list[SignalExample] = []
    for question, observed in asked:
        without = {path: page for path, page in observed.items() if path not in question.sources}
        for pages, weight in ((observed, 1.0), (without, WITHOUT)):
            if not pages or question.kind == "visual" or (pages is without and len(without) == len(observed)):
                continue
            ended, memory, _ = asyncio.run(leaf_through(question.text, question.lang, list(pages.values()), critic))
            right = is_right(question, ended) and question.kind != "none"
            if len(read_question(question.text, question.lang).parts) > 1:
                continue  # its confidence is that of its parts
            signals = answer_signals(memory.findings, 0)
            if signals is not None:
                answers.append(SignalExample(signals=signals, right=right, group=question.site, weight=weight))
    chances = held_out(ANSWER_SIGNALS, answers, ridge=RIDGE)
    print(f"{len(answers)} answers, {sum(one.right for one in answers)} right; of sites held out:")
    for line in reliability(chances, [one.right for one in answers]):
        print(f"  {line}")
    weights = msgspec.structs.replace(weights, answer=fit_logistic(ANSWER_SIGNALS, answers, ridge=RIDGE))
    FILE.write_bytes(msgspec.json.format(msgspec.json.encode(weights), indent=1) + b"\n")
    answer_weights.cache_clear()


def print_ranks(seen: Sequence[Seen], passages: Sequence[SignalExample], count: int) -> None:
    """How often the right passage comes first, by weights fitted without its site."""
    chances = iter(held_out(PASSAGE_SIGNALS, passages, ridge=RIDGE))
    by_question: dict[str, list[tuple[float, bool]]] = defaultdict(list)
    for one in seen:
        if one.is_source or not one.holds():
            by_question[one.question.id].append((next(chances), one.is_source and one.holds()))
    for most in (1, 3, 10, 1000):
        right = sum(any(good for _, good in sorted(found, reverse=True)[:most]) for found in by_question.values())
        print_figure(
            f"the right passage is among the first {most}",
            round(right / count, 3),
            "share",
            ">= 0.6",
            right >= 0.6 * count,
        )


if __name__ == "__main__":
    main()
