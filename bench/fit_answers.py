"""Fits the weights of the built-in strategy's answers on the building sites, and writes them into the package.

usage: python bench/fit_answers.py [--others 8] [--only NAME,NAME]
The questions with one source and one part give the examples: the passages that weigh most of the source page, and of as many other
pages as a search finds. Printed is how often the first passage, and the first span in a right one, is right on sites held out.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))
from answers.kept_pages import PageShelf, pages_for
from answers.options import parser_of, sites_of
from answers.question_set import Question
from builtin_answers import KEPT
from figures import print_figure

from evaluation.grading.match import says
from memory.retrieval import Ranker, WordLlamaEmbedder
from perception.observation import Observation
from walker.calibration.logistic_fit import SignalExample, fit_logistic, held_out
from walker.strategies.answers import answer_chance
from walker.strategies.answers.answer_chance import PASSAGE_SIGNALS, AnswerWeights, Logistic, answer_weights
from walker.strategies.answers.evidence import WeighedPassage
from walker.strategies.answers.extraction import SPAN_SIGNALS, SpanCandidate
from walker.strategies.builtin.part_reading import PageAnswers
from walker.strategies.question.question import read_question

OTHERS = 8
RIDGE = 1.0
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


def main() -> None:
    """Gather, fit spans, then passages with the chances of their spans, and write."""
    parser = parser_of(__doc__)
    parser.add_argument("--others", type=int, default=OTHERS)
    options = parser.parse_args()
    options.half = "building"
    ranker = Ranker(WordLlamaEmbedder.load())
    pages: list[tuple[Question, bool, Observation]] = []
    with sites_of(options) as sites:
        for served in sites:
            shelf = PageShelf(served, KEPT)
            found = shelf.found()
            for question in served.questions:
                if question.kind == "single" and len(read_question(question.text, question.lang).parts) == 1:
                    paths = pages_for(question, found[question.id], others=options.others, with_sources=True)
                    observed = shelf.observed(paths)
                    pages += [(question, path in question.sources, page) for path, page in observed.items()]
    names = ", ".join(sorted({question.site for question, _, _ in pages}))
    count = len({question.id for question, _, _ in pages})
    told = f"{count} questions with one source of {names}"
    for _ in range(2):  # the chances of spans are signals of passages
        seen = [
            one
            for question, is_source, page in pages
            for one in seen_of(question, page, ranker, is_source=is_source)
        ]
        spans, passages = span_examples(seen), passage_examples(seen)
        weights = AnswerWeights(
            fitted_on=told,
            span=fit_logistic(SPAN_SIGNALS, spans, ridge=RIDGE),
            passage=fit_logistic(PASSAGE_SIGNALS, passages, ridge=RIDGE),
            answer=answer_weights().answer,
            count=answer_weights().count,
        )
        FILE.write_bytes(msgspec.json.format(msgspec.json.encode(weights), indent=1) + b"\n")
        answer_weights.cache_clear()
    print_ranks(seen, passages, count)


def print_ranks(seen: Sequence[Seen], passages: Sequence[SignalExample], count: int) -> None:
    """How often the right passage comes first, by weights fitted without its site."""
    chances = iter(held_out(PASSAGE_SIGNALS, passages, ridge=RIDGE))
    by_question: dict[str, list[tuple[float, bool]]] = defaultdict(list)
    for one in seen:
        if one.is_source or not one.holds():
            by_question[one.question.id].append((next(chances), one.is_source and one.holds()))
    for most in (1, 3, 10, 1000):
        right = sum(any(good for _, good in sorted(found, reverse=True)[:most]) for found in by_question.values())
        print_figure(f"the right passage is among the first {most}", round(right / count, 3), "share", ">= 0.6", right >= 0.6 * count)


if __name__ == "__main__":
    main()
