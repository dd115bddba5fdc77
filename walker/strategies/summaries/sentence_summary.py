"""Summaries without a model: the sentences of a page that fit a goal best, in the page's order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from memory.findings import SENTENCES, PageSummary
from memory.library.protocol import PageLine, WholePage
from memory.retrieval import Ranker
from memory.words import lazy_re, tokens
from perception.observation import Block, Observation
from walker.seams.task import Task
from walker.strategies.answers.extraction import MEASURED
from walker.strategies.answers.passages import split_sentences
from walker.strategies.builtin.part_reading import PageAnswer, PageAnswers
from walker.strategies.question.answer_type import read_answer_type
from walker.strategies.question.question import read_question

ANSWERING = 2
"""Sentences that likely answer the goal, before those that fit it best by words and meaning: on the building sites of bench/answers
the proof of 0.86 of the answers stands in five sentences of both kinds, of 0.80 in five of the second."""
QUOTED = 3
"""Most quotes of the evidence."""
NEIGHBOUR_SHARE = 0.3
"""Of a neighbour's score that counts for a sentence: an answer often stands beside the words that are asked for."""
WITHOUT_VALUE = 0.5
"""Factor for a sentence without a digit where a number, a date or a version is wanted."""
ABOVE_CHARS = 160
"""Of the headings above a line that are ranked with it."""
LEAST_SCORE = 0.02
"""Score from which a sentence says something about the goal."""
SENTENCES_AT_MOST = 4000
"""Of a page, that are ranked."""
_DIGIT = lazy_re.compile(r"\d")


class _Sentence(msgspec.Struct, frozen=True, kw_only=True):
    text: str
    above: str = ""


class SentenceSummariser:
    """Implements `walker.seams.protocols.Summariser`. Pure."""

    def __init__(self, ranker: Ranker) -> None:
        self._ranker = ranker

    async def summarise(self, task: Task, goal: str, page: WholePage, step: int) -> PageSummary:
        """The best sentences of the page."""
        del step
        answering = self._answering(goal, page, task.language)
        return self._summary(goal, (*answering, *self._fitting(goal, list(_sentences(page)), task.language)), page.text)

    async def join(self, task: Task, goal: str, summaries: Sequence[PageSummary], step: int) -> PageSummary:
        """The best sentences of all summaries, those that likely answer the goal before others, in the order of the pages."""
        del step
        quoted = list(dict.fromkeys(quote for one in summaries for quote in one.evidence))
        others = [line for one in summaries for line in one.summary.split("\n") if line and line not in quoted]
        texts = (*quoted, *dict.fromkeys(others))
        chosen = self._fitting(goal, [_Sentence(text=text) for text in texts], task.language)
        return self._summary(goal, chosen, "\n".join(one.summary for one in summaries))

    def _answering(self, goal: str, page: WholePage, language: str) -> list[str]:
        """The likeliest answers of each part of the goal, in turn."""
        question, answers = read_question(goal, language), PageAnswers(_observed(page), self._ranker)
        parts = [answers.weighed(question, part)[:ANSWERING] for part in question.parts]
        texts = [_sentence_of(found[place]) for place in range(ANSWERING) for found in parts if place < len(found)]
        return list(dict.fromkeys(texts))[: max(ANSWERING, len(parts))]

    def _fitting(self, goal: str, sentences: Sequence[_Sentence], language: str) -> list[str]:
        """The sentences that fit the goal, the best first."""
        texts = [f"{one.above} {one.text}" for one in sentences]
        ranked = {one.index: one.score for one in self._ranker.rank(goal, texts)}
        is_measured = read_answer_type(goal, language).kind in MEASURED
        scores = {}
        for at, score in ranked.items():
            whole = score + NEIGHBOUR_SHARE * _beside(at, sentences, ranked)
            lacks = is_measured and not _DIGIT.search(sentences[at].text)
            scores[at] = whole * WITHOUT_VALUE if lacks else whole
        best = sorted((at for at in scores if scores[at] >= LEAST_SCORE), key=lambda at: (-scores[at], at))
        return [sentences[at].text for at in best]

    def _summary(self, goal: str, best: Sequence[str], whole: str) -> PageSummary:
        """The first of these texts, in the order of the page, as many as are `SENTENCES` sentences."""
        chosen: list[str] = []
        left = SENTENCES
        for text in dict.fromkeys(best):
            count = sum(len(split_sentences(row)) for row in text.split("\n"))
            if 0 < count <= left and not any(text in other for other in chosen):
                chosen.append(text)
                left -= count
        shown = sorted(chosen, key=whole.find)
        return PageSummary(
            goal=goal,
            rationale=_rationale(goal, shown),
            evidence=tuple(text for text in shown if text in chosen[:QUOTED]),
            summary="\n".join(shown),
        )


def _sentence_of(answer: PageAnswer) -> str:
    """The passage of an answer; of several lines, as code has, the one with the likeliest span."""
    text = answer.weighed.passage.quote or answer.weighed.passage.text
    lines = [line for line in text.split("\n") if line.strip()]
    span = answer.spans[0].text if answer.spans else ""
    return text if len(lines) <= 1 else next((line for line in lines if span and span in line), lines[0])


def _sentences(page: WholePage) -> Iterator[_Sentence]:
    count = 0
    for line in page.lines:
        if line.is_heading:
            continue
        above = " ".join((page.title, *line.headings))[-ABOVE_CHARS:]
        for text in _of_line(line):
            if count >= SENTENCES_AT_MOST:
                return
            count += 1
            yield _Sentence(text=text, above=above)


def _of_line(line: PageLine) -> Iterator[str]:
    """Its sentences; a line of code is one."""
    for row in line.text.split("\n"):
        yield from split_sentences(row)


def _observed(page: WholePage) -> Observation:
    """The page as the built-in critic reads one."""
    blocks = (
        Block(
            id=number,
            kind="heading" if line.is_heading else "row" if " | " in line.text else "paragraph",
            text=line.text,
            headings=line.headings,
        )
        for number, line in enumerate(page.lines, start=1)
    )
    return Observation(url=page.url, status=200, title=page.title, blocks=tuple(blocks))


def _beside(at: int, sentences: Sequence[_Sentence], scores: dict[int, float]) -> float:
    """The better score of the neighbours under the same heading."""
    near = (at - 1, at + 1)
    return max(
        (scores[one] for one in near if 0 <= one < len(sentences) and sentences[one].above == sentences[at].above),
        default=0.0,
    )


def _rationale(goal: str, said: Sequence[str]) -> str:
    """Which of the goal's words the page has."""
    words = list(dict.fromkeys(tokens(goal)))
    there = frozenset(word for text in said for word in tokens(text))
    held = [word for word in words if word in there]
    return f"it says {len(held)} of {len(words)} words of the goal: {', '.join(held)}" if held else ""
