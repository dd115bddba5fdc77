"""The outcome of a walk: its answer, citations, stop reason and costs."""

from __future__ import annotations

import math
import re
from enum import StrEnum
from typing import Any

import msgspec

from memory.counting.answer_names import enumerated, names_in, names_told
from memory.counting.counter import Counter
from memory.findings import Candidate, Citation, Item
from memory.state import WalkMemory
from traces.notebooks.table import Linked, notebook_table
from traces.session_events import WalkStopped
from walker.errors import LoginNeeded, NotAnswered, OutOfBudget, SiteBlocked
from walker.seams.protocols import Verdict
from walker.seams.web.asked_person import Helped


class StopReason(StrEnum):
    """Why a walk ended; every exit has a name."""

    ANSWERED = "answered"
    QUOTA_REACHED = "quota reached"
    EXHAUSTED = "exhausted"
    """Every link that may be opened was tried."""
    GAVE_UP = "gave up"
    """Links were left that promised too little."""
    BUDGET = "budget"
    DEAD_END = "dead end"
    BLOCKED = "blocked"
    """A check page was in the way."""
    NEEDS_LOGIN = "needs login"
    """A page that was wanted asks for a login, and what could be read does not answer."""
    STOPPED = "stopped"
    """A person, or a time limit from outside, ended it before it was over."""
    FAILED = "failed"


CUT_SHORT = (StopReason.BUDGET, StopReason.STOPPED)
"""Of a walk that was not over."""


class Usage(msgspec.Struct, frozen=True, kw_only=True):
    """Costs of a walk. Tokens are 0 with the built-in strategies."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    total_tokens: int = 0
    model_calls: int = 0
    """Calls of the language model and of a vision model."""
    vision_calls: int = 0
    """Looks at pictures, by OCR or by a vision model."""
    seconds: float = 0.0
    """From the question to the answer; of a replay, those of the walk that was recorded."""


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """The answer of a walk, if there is one that is sure enough; else the nearest that was found."""

    question: str
    answer: str
    """"" where the question is not answered."""
    items: tuple[str, ...]
    confidence: float
    """The chance, 0..1, that `answer`, or else `nearest`, is right. Of the built-in strategy it is fitted on the building sites of
    bench/answers; of a model it is the model's own word, lowered where the walk has reasons to."""
    citations: tuple[Citation, ...]
    stop_reason: StopReason
    pages: int
    steps: int
    count: dict[str, Any]
    answered: bool = True
    """Whether there is an answer: one whose confidence is at least that of the setting `sure`."""
    partial: bool = False
    """Whether the walk ended before it was over, by its budget or from outside: what is told is what was found until then."""
    nearest: str = ""
    """The best that was found, where it is no answer."""
    tied: tuple[Candidate, ...] = ()
    """Of a tie the other answers, about as likely as `nearest`: one of them all can be right at most."""
    by_person: bool = False
    """Whether a person chose among what was found: `answer`, or that none of it is one. `confidence` is theirs then: 1, or 0."""
    helped: tuple[Helped, ...] = ()
    """All that a person did in the walk, in order: checks and logins passed in a window, where to go on, the answer."""
    evidence: bool = True
    """Whether the answer rests on what was read; false where a model was asked with nothing found."""
    analysis: dict[str, Any] = {}
    """What the question was taken to ask for, as in `TaskAnalysis`; empty where nobody said it."""
    usage: Usage = Usage()
    trace: str = ""
    """Folder of the recorded run, "" if it was not recorded."""
    doubts: str = ""
    """Replay warnings in one line, "" if there are none."""
    advice: str = ""
    """What to do now, in one line, where the walk was kept out; "" elsewhere."""
    error: str = ""
    """Why the walk failed, in one line, "" if it did not; only where many questions are asked, else the error is raised."""

    def required(self) -> Outcome:
        """Itself if the question is answered. Raises `NotAnswered` otherwise: where that is why, as `SiteBlocked`, `LoginNeeded` or
        `OutOfBudget`."""
        if self.answered:
            return self
        kinds = {StopReason.BLOCKED: SiteBlocked, StopReason.NEEDS_LOGIN: LoginNeeded, StopReason.BUDGET: OutOfBudget}
        kind = kinds.get(self.stop_reason, NotAnswered)
        others = "".join(f" or {one.answer!r}, about as likely" for one in self.tied)
        nearest = f"; the nearest is {self.nearest!r}{others}" if self.nearest else ""
        raise kind(
            f"no answer that is sure enough was found ({self.stop_reason.value}, {self.pages} pages){nearest}",
            where=self.question,
            advice=self.advice or _ADVICE.get(kind, "See why with: walker why RUN"),
            stop_reason=self.stop_reason.value,
        )

    def _repr_html_(self) -> str:
        """As a notebook shows it: the answer with its sources, or the nearest that was found."""
        said = [("answer", self.answer)] if self.answered else [("no answer", "none that is sure enough")]
        near = [("so far" if self.partial else "nearest", self.nearest)] if self.nearest else []
        near += [("about as likely", one.answer) for one in self.tied]
        near += [("chosen by", "a person, who was asked")] if self.by_person else []
        cited = (*self.citations, *(source for one in self.tied for source in one.citations))
        sources = [("source", Linked(f"{one.quote}\n{one.url}", one.url)) for one in cited]
        told = [
            (name, text) for name, text in (("recording", self.trace), ("advice", self.advice or self.error)) if text
        ]
        cost = f"{self.pages} pages, {self.usage.seconds:.1f} s, {self.usage.total_tokens} tokens"
        ended = [("chance of being right", f"{self.confidence:.2f}"), ("ended", f"{self.stop_reason.value}; {cost}")]
        return notebook_table(self.question, (*said, *near, *sources, *ended, *told))

    def kept_to(self, sure: float, quoted: str | msgspec.UnsetType = msgspec.UNSET) -> Outcome:
        """Itself if its answer is that sure, else the same without an answer, with what was found as the nearest: of a model's words
        only what is `quoted`. An answer that is likelier than not is no tie."""
        if self.answer.strip() and self.confidence >= sure:
            return msgspec.structs.replace(self, tied=()) if self.tied and self.confidence > _EVEN else self
        nearest = self.answer if quoted is msgspec.UNSET else quoted
        return msgspec.structs.replace(self, answer="", items=(), answered=False, nearest=nearest)


def stopped_outcome(stopped: WalkStopped, question: str, *, sure: float, trace: str = "", error: str = "") -> Outcome:
    """The outcome of a walk that was ended before it was over: what it had found, as an answer only where that is sure enough."""
    outcome = Outcome(
        question=question,
        answer=stopped.answer,
        items=stopped.items,
        confidence=stopped.confidence,
        citations=tuple(Citation(url=one["url"], quote=one["quote"]) for one in stopped.citations),
        stop_reason=StopReason.STOPPED,
        partial=True,
        pages=stopped.pages,
        steps=stopped.steps,
        count=stopped.count,
        usage=Usage(**stopped.usage),
        trace=trace,
        error=error,
    )
    return outcome.kept_to(sure if stopped.is_answer else math.inf, stopped.quoted)


_EVEN = 0.5
_ADVICE: dict[type[NotAnswered], str] = {
    SiteBlocked: "Open the page in a browser of your own to see what it asks for",
    LoginNeeded: "Save a login with: walker login URL --save NAME, and ask with profile=NAME",
    OutOfBudget: "Allow more: max_pages, max_seconds, max_tokens",
}


class Conclusion(msgspec.Struct, frozen=True, kw_only=True):
    """The final answer to a question, before costs are added."""

    answer: str
    items: tuple[str, ...]
    confidence: float
    citations: tuple[Citation, ...]
    quoted: str | msgspec.UnsetType = msgspec.UNSET
    """Of an answer in a model's words, what stands on a page (`Verdict.quoted`)."""
    tied: tuple[Candidate, ...] = ()
    """Other answers that are about as likely."""


def conclude(memory: WalkMemory, verdict: Verdict, parts: int = 1) -> Conclusion:
    """Compose the answer. The number and the items come from the counter if it counted anything, except where the count
    is open and a sufficient verdict rests on a quote, and where one names as many things as were wanted, but others. `parts`: of the
    question; where it has several, a sufficient verdict answers those that count nothing."""
    counter = memory.counter
    items = tuple(item.name for item in counter.items)
    is_quoted = verdict.sufficient and not counter.done
    if counter.requirement.mode == "none" or not items or is_quoted:
        told = names_told(verdict.answer) if counter.requirement.mode == "exhaustive" else ()
        return _of_verdict(verdict, told)
    if verdict.sufficient and _names_others(verdict.answer, counter):
        return _of_verdict(verdict, enumerated(verdict.answer))
    listed = "; ".join(item.told for item in counter.items)
    if counter.requirement.mode == "quota":
        answer = verdict.answer if verdict.sufficient and _tells_each(verdict.answer, counter) else listed
    else:
        bound = "" if counter.done else "at least "
        answer = f"{bound}{counter.found} ({listed})"
    counted = answer if answer != verdict.answer else listed
    if parts > 1 and verdict.sufficient and verdict.answer not in answer:
        answer = verdict.answer if _says_count(verdict.answer, counter) else f"{answer}; {verdict.answer}"
    return Conclusion(
        answer=answer,
        items=items,
        confidence=verdict.confidence,
        citations=_where_counted(counter.items) or verdict.citations,
        quoted=verdict.quoted if verdict.quoted is msgspec.UNSET else counted,
    )


def _of_verdict(verdict: Verdict, items: tuple[str, ...]) -> Conclusion:
    return Conclusion(
        answer=verdict.answer,
        items=items,
        confidence=verdict.confidence,
        citations=verdict.citations,
        quoted=verdict.quoted,
        tied=() if verdict.tied is msgspec.UNSET else verdict.tied,
    )


def _names_others(answer: str, counter: Counter) -> bool:
    """Whether an answer names as many things as a quota wants, and not those that were counted: of a longer list the counter took
    the first, and the question may mean others."""
    if counter.requirement.mode != "quota" or len(names_in(answer)) < counter.requirement.target:
        return False
    return not _says_count(answer, counter)


def _says_count(answer: str, counter: Counter) -> bool:
    """Whether an answer holds what was counted: of a quota its items, else their number."""
    if counter.requirement.mode == "quota":
        return all(item.name.casefold() in answer.casefold() for item in counter.items)
    return str(counter.found) in re.findall(r"\d+", answer)


def _tells_each(answer: str, counter: Counter) -> bool:
    """Whether an answer enumerates what was counted and no others, and says more of each than its name."""
    told = names_in(answer)
    bare = names_in("; ".join(item.name for item in counter.items))
    return len(told) == counter.found and not told & bare and _says_count(answer, counter)


def _where_counted(items: tuple[Item, ...]) -> tuple[Citation, ...]:
    """One citation per page on which items were counted: the quote of its first item."""
    first: dict[str, Citation] = {}
    for item in items:
        first.setdefault(item.page_url, Citation(url=item.page_url, quote=item.quote or item.name))
    return tuple(first.values())
