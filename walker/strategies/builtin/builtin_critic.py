"""The critic without a model: it finds, quotes, counts and judges by the words on the page."""

from __future__ import annotations

import math
import re

import msgspec

from memory.counting.requirement import may_be_stated
from memory.findings import Citation, Finding, Findings
from memory.retrieval import Ranker
from memory.state import WalkMemory
from memory.words import tokens
from perception.observation import Observation
from walker.seams.protocols import Verdict
from walker.seams.task import Task
from walker.strategies.answers.evidence import page_fit
from walker.strategies.answers.file_pages import page_of_quote
from walker.strategies.answers.list_fit import DOUBTFUL
from walker.strategies.answers.lists import SURE_FIT, CountedList, as_items, find_list, with_items
from walker.strategies.builtin.answer_confidence import answer_confidence, count_confidence
from walker.strategies.builtin.composing import compose
from walker.strategies.builtin.part_reading import PageAnswers
from walker.strategies.question.name_match import match_title, word_weight
from walker.strategies.question.question import Part, Question, read_question

FINDINGS_A_PART = 3
FLOOR = 0.01
"""Least chance of a finding."""
ENOUGH = 0.75
"""Confidence from which an answer ends the walk."""
RIGHT_PAGE = 0.55
"""Match of a page's title with the name in the question, 0..1, from which it is the named page."""
SITE_NAME = 0.65
"""Match of the home page's title with a name in the question, 0..1, from which the name is the site's."""
SURE_PAGE = 0.6
"""Match of a page with the name in the question, 0..1, from which its lists are counted; below they are a guess."""
GUESS = 0.8
"""Confidence in a doubtful list, as a share of its fit: never enough to end a walk."""
STATED = 0.6
"""Confidence from which a number that the page states answers "how many" where the question does not say that things are listed."""


_WHOLE_NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+|\d{1,7}")


class BuiltinCritic:
    """Implements `seams.Critic`. Pure: its answers depend on the task, the page and the memory only."""

    def __init__(self, ranker: Ranker) -> None:
        self._ranker = ranker

    async def find(self, task: Task, observation: Observation, memory: WalkMemory) -> Findings:
        """Up to three findings for each part of the question, and the items of the list that it counts."""
        question = read_question(task.question, task.language)
        page = PageAnswers(observation, self._ranker)
        relevance = page.relevance(task.question)
        counted = _find_counted(task, question, observation, memory)
        is_sure = counted is not None and counted.fit >= SURE_FIT
        if counted is not None and is_sure and not may_be_stated(task.question):
            return _count(counted, observation, memory, relevance)
        findings: list[Finding] = []
        for number, whole in enumerate(question.parts):
            part = _without_site_name(whole, memory)
            known = _known_answer(question, number, memory)
            findings += _findings(page, observation, (question, number, part, known), memory.step)
        kept = tuple(finding for finding in findings if finding.score >= FLOOR)
        if counted is not None and is_sure and _stated_number(kept) in (None, len(counted.names)):
            return _count(counted, observation, memory, relevance)
        if counted is not None and not is_sure:
            kept = (*kept, _guess(counted, task, observation, memory))
        return Findings(relevance=relevance, findings=kept)

    def count_list(self, task: Task, observation: Observation, memory: WalkMemory, least_fit: float) -> Findings:
        """The items of the list that the question counts, if it fits so well; without relevance and findings."""
        counted = _find_counted(task, read_question(task.question, task.language), observation, memory)
        return Findings() if counted is None or counted.fit < least_fit else _count(counted, observation, memory, 0.0)

    async def judge(self, task: Task, memory: WalkMemory) -> Verdict:
        """The answer composed of the best finding of each part; sufficient if each is confident enough."""
        question = read_question(task.question, task.language)
        if memory.counter.items and not _is_stated(task, memory):
            return _judge_count(memory, question)
        best = [_best(memory.findings, number) for number in range(len(question.parts))]
        found = [finding for finding in best if finding is not None]
        sure = [answer_confidence(memory.findings, number) for number in range(len(question.parts))]
        missing = tuple(
            _phrase(part, _known_answer(question, number, memory))
            for number, part in enumerate(question.parts)
            if sure[number] < ENOUGH
        )
        if not found:
            return Verdict(missing=missing, reason="nothing on the pages so far answers the question")
        answer = compose(question, [finding.text if finding is not None else "" for finding in best])
        confidence = math.prod(sure) if answer else 0.0
        return Verdict(
            sufficient=confidence >= ENOUGH,
            answer=answer,
            confidence=round(confidence, 3),
            citations=_citations(found),
            missing=missing,
            reason="every part is answered" if not missing else f"{len(missing)} of {len(best)} parts are not sure",
        )


def _findings(
    page: PageAnswers, observation: Observation, asked: tuple[Question, int, Part, str], step: int
) -> list[Finding]:
    """The likeliest answers of a page to one part, each text once."""
    question, number, part, known = asked
    is_used = question.operation != "none" and (question.operation != "chain" or number < len(question.parts) - 1)
    found: dict[str, Finding] = {}
    for answer in page.weighed(question, part, known):
        text = answer.text(short=is_used)
        if text and text not in found:
            found[text] = Finding(
                text=text,
                quote=answer.quote,
                url=observation.url,
                step=step,
                score=round(answer.chance, 4),
                part=number,
                page=page_of_quote(observation, answer.quote),
            )
        if len(found) >= FINDINGS_A_PART:
            break
    return list(found.values())


def _find_counted(task: Task, question: Question, observation: Observation, memory: WalkMemory) -> CountedList | None:
    """The list of this page that the question counts, None if it counts nothing or the page has no such list."""
    requirement = task.requirement
    if requirement.mode == "none":
        return None
    part = _without_site_name(question.parts[0], memory)
    site = frozenset(tokens(memory.pages[0].title)) if memory.pages and memory.step > 1 else frozenset[str]()
    if part.page_hints and all(word_weight(word, site) < 1 for hint in part.page_hints for word in tokens(hint)):
        part = msgspec.structs.replace(part, page_hints=())  # "the manual" names no page
    fit = page_fit(part, observation)
    if part.page_hints and fit < RIGHT_PAGE:
        return None
    counted = find_list(observation, part, requirement.noun, requirement.target, site)
    if counted is not None and part.page_hints and fit < SURE_PAGE:
        return msgspec.structs.replace(counted, fit=min(counted.fit, DOUBTFUL))
    return counted


def _count(counted: CountedList, observation: Observation, memory: WalkMemory, relevance: float) -> Findings:
    items = as_items(counted, observation.url, memory.step)
    return with_items(Findings(relevance=relevance), items, observation)


def _guess(counted: CountedList, task: Task, observation: Observation, memory: WalkMemory) -> Finding:
    """A list that may be the one that is meant, as one finding among others: it is not counted and ends no walk."""
    names = counted.names[: task.requirement.target or None]
    return Finding(
        text="; ".join(names) if task.requirement.mode == "quota" else str(len(names)),
        quote=counted.records[0].text[:160],
        url=observation.url,
        step=memory.step,
        score=round(GUESS * counted.fit, 4),
    )


def _stated_number(findings: tuple[Finding, ...]) -> int | None:
    """The number that the page states in words with enough confidence, None if it states none."""
    for finding in sorted(findings, key=lambda finding: -finding.score):
        if finding.score >= STATED and (digits := _WHOLE_NUMBER.fullmatch(finding.text.strip())):
            return int(digits[0].replace(",", ""))
    return None


def _without_site_name(part: Part, memory: WalkMemory) -> Part:
    """The part without hints that name the site as a whole: "according to the Debian FAQ" says nothing of the page."""
    if not part.page_hints or not memory.pages or memory.step <= 1:
        return part
    home = memory.pages[0].title
    kept = tuple(hint for hint in part.page_hints if match_title(home, hint, frozenset()) < SITE_NAME)
    return part if len(kept) == len(part.page_hints) else msgspec.structs.replace(part, page_hints=kept)


def _judge_count(memory: WalkMemory, question: Question) -> Verdict:
    counter = memory.counter
    done = counter.done
    names = [item.name for item in counter.items]
    missing = () if done else tuple(part.search_phrase for part in question.parts)
    return Verdict(
        sufficient=done,
        answer="; ".join(names) if counter.requirement.mode == "quota" else str(counter.found),
        confidence=count_confidence(counter),
        citations=tuple(Citation(url=item.page_url, quote=item.quote) for item in counter.items[:1]),
        missing=missing,
        reason="the count is complete" if done else f"{counter.found} counted so far",
    )


def _is_stated(task: Task, memory: WalkMemory) -> bool:
    """Whether the walk holds a sentence that states the number, while what was counted may not be all."""
    counter = memory.counter
    if counter.requirement.mode != "exhaustive" or counter.done or not may_be_stated(task.question):
        return False
    return _stated_number(memory.findings) is not None





def _known_answer(question: Question, number: int, memory: WalkMemory) -> str:
    """In a chain, the answer of the part before, which this part is about."""
    if question.operation != "chain" or number == 0:
        return ""
    finding = _best(memory.findings, number - 1)
    return finding.text if finding is not None else ""


def _best(findings: tuple[Finding, ...], part: int) -> Finding | None:
    return max((finding for finding in findings if finding.part == part), key=lambda one: one.score, default=None)



def _phrase(part: Part, known: str) -> str:
    return f"{known} {part.search_phrase}".strip()


def _citations(found: list[Finding]) -> tuple[Citation, ...]:
    return tuple(Citation(url=finding.address, quote=finding.quote) for finding in found)
