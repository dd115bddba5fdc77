"""Which list of a page a question counts or names entries of, and with what chance."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from memory.counting.requirement import counted_noun, wants_names
from memory.findings import Finding
from memory.retrieval import Ranker
from memory.state import WalkMemory
from memory.words import lazy_re, tokens
from perception.observation import Observation
from walker.seams.task import Task
from walker.strategies.answers.answer_chance import finding_score
from walker.strategies.answers.list_fit import SAYS_SO
from walker.strategies.answers.list_signals import LIST_SIGNALS, ListCandidate, list_candidates
from walker.strategies.answers.lists import CountedList, PageLists
from walker.strategies.builtin.list_chance import chance_beside
from walker.strategies.builtin.list_reading import weighed_again
from walker.strategies.question.answer_type import read_answer_type
from walker.strategies.question.name_match import word_weight
from walker.strategies.question.question import Part, Question
from walker.strategies.reader.passage_reader import PassageReader

QUOTED_CHARS = 160
LISTED = 8
"""Entries that a counted number is told with."""
NAMED = 100
"""Entries that are told where they are wanted themselves: three times as many as the longest list that a building site's question
asks for has; of those beyond, their number is told."""
_BOUND = lazy_re.compile(
    r"(?:max|min)(?:imum|imal|\.)?\b|(?:high|low|great|small|long|short|old|young)est\b|\blargest\b", re.IGNORECASE
)
PAGED = 0.6
"""Least chance of a list of the counted noun of which the page says how many entries it shows, and of how many."""


class AskedCount(msgspec.Struct, frozen=True, kw_only=True):
    """What a question counts or wants named; `target` is 0 for all of it."""

    noun: str
    target: int = 0
    names: bool = False
    """Of all of it the names are wanted, and not only their number."""


def asked_count(task: Task, question: Question) -> AskedCount | None:
    """What is to be counted: by the requirement, else by "how many" if the question has one part; None for nothing."""
    requirement, names = task.requirement, wants_names(task.question, task.requirement)
    if requirement.mode != "none":
        return AskedCount(noun=requirement.noun, target=requirement.target, names=names)
    if len(question.parts) != 1:
        return None
    wanted = read_answer_type(task.question, task.language)
    # "What is the maximum length" wants one number that a text states: of a length there are no entries.
    is_plain = wanted.kind == "number" and not wanted.unit and not _BOUND.match(wanted.noun)
    noun = (wanted.noun if is_plain else "") or counted_noun(task.question, task.language)
    return AskedCount(noun=noun, names=names) if noun else None


class ListReader(msgspec.Struct, frozen=True, kw_only=True):
    """What weighs the lists of a page: what compares meanings, and a reader that reads question and page, None where none does."""

    ranker: Ranker
    reader: PassageReader | None = None


def likeliest_list(
    asked: AskedCount, part: Part, page: PageLists, memory: WalkMemory, weighing: ListReader
) -> ListCandidate | None:
    """The list that is meant with the greatest chance, None on a page without lists."""
    site = frozenset(tokens(memory.pages[0].title)) if memory.pages and memory.step > 1 else frozenset[str]()
    if part.page_hints and all(word_weight(word, site) < 1 for hint in part.page_hints for word in tokens(hint)):
        part = msgspec.structs.replace(part, page_hints=())  # "the manual" names no page
    known = list_candidates(page, part, asked.noun, asked.target, site, weighing.ranker)
    found = weighed_again(known, part.text, weighing.ranker, weighing.reader, is_quota=bool(asked.target))
    paged = [
        one for one in found if not asked.target and stated_total(one.counted, page.observation) and _says(one, asked)
    ]
    if paged:
        return msgspec.structs.replace(paged[0], chance=max(paged[0].chance, PAGED))
    return found[0] if found else None


def told_beside(
    candidate: ListCandidate, passages: Sequence[str], observation: Observation, *, asks_list: bool
) -> ListCandidate:
    """The list with its chance among sentences of the page that may state the number."""
    number = stated_total(candidate.counted, observation) or len(candidate.counted.names)
    agrees = states(number, passages)
    return msgspec.structs.replace(
        candidate, chance=chance_beside(candidate.chance, asks_list=asks_list, agrees=agrees)
    )


def without_entries(findings: Sequence[Finding], counted: CountedList) -> list[Finding]:
    """What is found in sentences, without what is itself an entry of the list: of "ports 40102, 40103 and 3282" none is a number of
    ports."""
    names = frozenset(counted.names)
    return [one for one in findings if one.text not in names]


def states(number: int, passages: Sequence[str]) -> bool:
    """Whether one of these sentences has a number, in digits."""
    return any(re.search(rf"(?<![\w.,]){number}(?![\w]|[.,]\d)", text) is not None for text in passages)


def stated_total(counted: CountedList, observation: Observation) -> int:
    """The total that the page states for a list of which it shows a part ("10-18 of 23"), 0 if it states none or shows another
    number of entries than this list has."""
    pagination = observation.pagination
    shown = pagination.shown_to - pagination.shown_from + 1 if pagination.shown_to else 0
    return pagination.total if shown == len(counted.records) else 0


def _says(candidate: ListCandidate, asked: AskedCount) -> bool:
    """Whether the words beside the list, or its entries, are of the counted noun."""
    return bool(asked.noun) and dict(zip(LIST_SIGNALS, candidate.signals, strict=False))["noun"] >= SAYS_SO


def list_finding(candidate: ListCandidate, asked: AskedCount, observation: Observation, step: int) -> Finding:
    """The list as a finding: the names that are asked for, or the number with some of them; of a list that goes on over pages the
    number that the page states."""
    counted, url = candidate.counted, observation.url
    return Finding(
        text=list_text(counted, asked, stated_total(counted, observation)),
        quote=counted.records[0].text[:QUOTED_CHARS],
        url=url,
        step=step,
        score=finding_score(candidate.chance),
    )


def list_text(counted: CountedList, asked: AskedCount, total: int = 0) -> str:
    """Names as "Ada; Ben; Cleo", a number as "3 (Ada; Ben; Cleo)", with some of the names or, where they are wanted, all; `total`: how
    many all pages list, 0 if not known."""
    names = counted.names
    if asked.target:
        return "; ".join(list(dict.fromkeys(names))[: asked.target])
    number = max(total, len(names))
    told = names[: NAMED if asked.names else LISTED]
    left = number - len(told)
    more = f"; and {left} more" if asked.names and left else "; ..." if left else ""
    return f"{number} ({'; '.join(told)}{more})"


def is_list_text(text: str) -> bool:
    """Whether an answer is a number told with entries, as `list_text` writes it."""
    return re.match(r"\d+ \(.*\)$", text, re.DOTALL) is not None
