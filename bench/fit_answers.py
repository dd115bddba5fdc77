"""Fits the weights of the built-in strategy's answers on the building sites, and writes them into the package.

usage: python bench/fit_answers.py [--others 8] [--only NAME,NAME]
The questions with one part give the examples: the passages that weigh most of the source page, and of as many other pages as a search
finds. Printed is how often the first passage is right on sites held out.
"""

from __future__ import annotations

import asyncio
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))
from answers.kept_pages import PageShelf, pages_for
from answers.leafing import leaf_through
from answers.options import parser_of, sites_of
from answers.question_set import Question
from answers.scoring import is_right
from builtin_answers import KEPT
from figures import print_figure

from evaluation.grading.match import says
from memory.retrieval import Ranker, WordLlamaEmbedder
from perception.observation import Observation
from walker.assembly import read_task
from walker.calibration.logistic_fit import SignalExample, fit_logistic, held_out, reliability
from walker.strategies.answers import answer_chance
from walker.strategies.answers.answer_chance import PASSAGE_SIGNALS, AnswerWeights, Logistic, answer_weights
from walker.strategies.answers.evidence import WeighedPassage
from walker.strategies.answers.extraction import SPAN_SIGNALS, SpanCandidate
from walker.strategies.answers.list_signals import LIST_SIGNALS, list_candidates
from walker.strategies.builtin.answer_confidence import ANSWER_SIGNALS, answer_signals, without_further_lists
from walker.strategies.builtin.builtin_critic import BuiltinCritic
from walker.strategies.builtin.counted_lists import asked_count
from walker.strategies.builtin.part_reading import PageAnswers
from walker.strategies.question.question import read_question

OTHERS, LEAFED = 8, 6
"""Pages besides the sources, for passages and lists, and for whole answers."""
WITHOUT = 0.15
"""Weight of an answer that was given without the source pages: of 121 questions of the building sites a search finds all sources among
the first six pages in 0.87."""
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


def seen_of_all(question: Question, pages: Mapping[str, Observation], ranker: Ranker) -> Iterator[Seen]:
    """The passages that the strategy weighs on the pages of a question with one answer and one part."""
    asked = read_question(question.text, question.lang)
    if question.kind != "single" or len(asked.parts) != 1:
        return
    for path, page in pages.items():
        for one in PageAnswers(page, ranker).weighed(asked, asked.parts[0]):
            yield Seen(
                question=question,
                is_source=path in question.sources,
                weighed=one.weighed,
                spans=tuple(one.spans),
                signals=one.signals,
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


def passage_examples(seen: Sequence[Seen], span: Logistic) -> list[SignalExample]:
    """Passages of the sources that hold the answer, and all others that do not, with the chances of their spans by that function."""
    return [
        SignalExample(
            signals=(
                *one.signals[:-1],
                max((span.chance(SPAN_SIGNALS, other.signals) for other in one.spans), default=0.0),
            ),
            right=one.is_source and one.holds(),
            group=one.question.site,
        )
        for one in seen
        if one.is_source or not one.holds()
    ]


def list_examples(question: Question, pages: Sequence[Observation], ranker: Ranker) -> list[SignalExample]:
    """The lists of the pages of a question that counts or names things; one with the same entries on another page is right too."""
    task = read_task("http://site.example/", question.text, question.lang)
    read = read_question(question.text, question.lang)
    asked = asked_count(task, read)
    if asked is None:
        return []
    return [
        SignalExample(
            signals=one.signals,
            right=is_meant(question, one.counted.names, asked.target),
            group=question.site,
        )
        for page in pages
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


class Examples(msgspec.Struct, frozen=True, kw_only=True):
    """What the functions are fitted on, of all sites."""

    seen: tuple[Seen, ...]
    listed: tuple[SignalExample, ...]

    def fitted(self, told: str, *, without: str = "") -> AnswerWeights:
        """Spans, then passages with the chances of their spans, and lists; without those of one site."""
        seen = [one for one in self.seen if one.question.site != without]
        span = fit_logistic(SPAN_SIGNALS, span_examples(seen), ridge=RIDGE)
        listed = [one for one in self.listed if one.group != without]
        return AnswerWeights(
            fitted_on=told,
            span=span,
            passage=fit_logistic(PASSAGE_SIGNALS, passage_examples(seen, span), ridge=RIDGE),
            answer=answer_weights().answer,
            list=fit_logistic(LIST_SIGNALS, listed, ridge=LIST_RIDGE),
        )


class AskedOf(msgspec.Struct, frozen=True, kw_only=True):
    """A question with the pages it is asked of, by path, and the home page."""

    question: Question
    pages: dict[str, Observation]
    home: Observation | None


def main() -> None:
    """Gather, fit, and write."""
    parser = parser_of(__doc__)
    parser.add_argument("--others", type=int, default=OTHERS)
    options = parser.parse_args()
    options.half = "building"
    ranker = Ranker(WordLlamaEmbedder.load())
    seen: list[Seen] = []
    listed: list[SignalExample] = []
    asked: list[AskedOf] = []
    with sites_of(options) as sites:
        for served in sites:
            shelf = PageShelf(served, KEPT)
            found = shelf.found()
            for question in served.questions:
                pages = pages_for(question, found[question.id], others=LEAFED, with_sources=True)
                home = shelf.observed([question.root]).get(question.root)
                asked.append(AskedOf(question=question, pages=shelf.observed(pages), home=home))
                paths = pages_for(question, found[question.id], others=options.others, with_sources=True)
                seen += seen_of_all(question, shelf.observed(paths), ranker)
                if question.kind in ("single", "quota", "exhaustive"):
                    listed += list_examples(question, tuple(shelf.observed(paths).values()), ranker)
    examples = Examples(seen=tuple(seen), listed=tuple(listed))
    names = ", ".join(sorted({one.question.site for one in asked}))
    told = f"{len(asked)} questions of {names}"
    try:
        answers = confidence_examples(asked, examples, ranker)
    finally:
        install(examples.fitted(told))
    print_ranks(seen, examples)
    chances = held_out(ANSWER_SIGNALS, answers, ridge=RIDGE)
    print(f"{len(answers)} answers, {sum(one.right for one in answers)} right; of sites held out:")
    for line in reliability(chances, [one.right for one in answers]):
        print(f"  {line}")
    fitted = fit_logistic(ANSWER_SIGNALS, answers, ridge=RIDGE)
    install(msgspec.structs.replace(answer_weights(), answer=fitted))


def install(weights: AnswerWeights) -> None:
    """Write the weights into the package, and use them from here on."""
    FILE.write_bytes(msgspec.json.format(msgspec.json.encode(weights), indent=1) + b"\n")
    answer_weights.cache_clear()


def confidence_examples(asked: Sequence[AskedOf], examples: Examples, ranker: Ranker) -> list[SignalExample]:
    """What is answered at the end, with the source pages and, at less weight, without them. Each site is answered by weights that were
    fitted on the others: by those that saw its answers, the chances would be too good."""
    critic = BuiltinCritic(ranker)
    answers: list[SignalExample] = []
    for site in dict.fromkeys(one.question.site for one in asked):
        install(examples.fitted("a fold", without=site))
        for one in asked:
            question = one.question
            if question.site != site or question.kind == "visual":
                continue
            if len(read_question(question.text, question.lang).parts) > 1:
                continue  # its confidence is that of its parts
            without = {path: page for path, page in one.pages.items() if path not in question.sources}
            for pages, weight in ((one.pages, 1.0), (without, WITHOUT)):
                if not pages or (pages is without and len(without) == len(one.pages)):
                    continue
                ended, memory, _ = asyncio.run(
                    leaf_through(question.text, question.lang, list(pages.values()), critic, one.home)
                )
                right = is_right(question, ended) and question.kind != "none"
                signals = answer_signals(without_further_lists(memory.counter, memory.findings), 0, question.text)
                if signals is not None:
                    answers.append(SignalExample(signals=signals, right=right, group=site, weight=weight))
    return answers


def print_ranks(seen: Sequence[Seen], examples: Examples) -> None:
    """How often the right passage comes first, by weights fitted without its site."""
    by_question: dict[str, list[tuple[float, bool]]] = defaultdict(list)
    for site in dict.fromkeys(one.question.site for one in seen):
        weights = examples.fitted("a fold", without=site)
        kept = [one for one in seen if one.question.site == site and (one.is_source or not one.holds())]
        for one, example in zip(kept, passage_examples(kept, weights.span), strict=True):
            chance = weights.passage.chance(PASSAGE_SIGNALS, example.signals)
            by_question[one.question.id].append((chance, example.right))
    for most in (1, 3, 10, 1000):
        right = sum(any(good for _, good in sorted(found, reverse=True)[:most]) for found in by_question.values())
        count = len(by_question)
        print_figure(
            f"the right passage is among the first {most}",
            round(right / count, 3),
            "share",
            ">= 0.6",
            right >= 0.6 * count,
        )


if __name__ == "__main__":
    main()
