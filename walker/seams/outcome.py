"""What a walk comes back with."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import msgspec

from memory.findings import Citation, Item
from memory.state import WalkMemory
from walker.seams.protocols import Verdict


class StopReason(StrEnum):
    """Why a walk ended; every exit has a name."""

    ANSWERED = "answered"
    QUOTA_REACHED = "quota reached"
    EXHAUSTED = "exhausted"
    BUDGET = "budget"
    DEAD_END = "dead end"
    BLOCKED = "blocked"
    FAILED = "failed"


class Usage(msgspec.Struct, frozen=True, kw_only=True):
    """What the walk cost. Tokens are 0 with the built-in minds."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    total_tokens: int = 0
    model_calls: int = 0
    vision_calls: int = 0
    seconds: float = 0.0


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """The answer of a walk, or the best there was; `stop_reason` tells which."""

    question: str
    answer: str
    items: tuple[str, ...]
    confidence: float
    citations: tuple[Citation, ...]
    stop_reason: StopReason
    pages: int
    steps: int
    count: dict[str, Any]
    usage: Usage = Usage()
    trace: str = ""
    """Folder of the recorded run, "" if it was not recorded."""
    doubts: str = ""
    """Why its recorded network may not show the same pages again, in one line; "" where nothing speaks against it."""

    @property
    def is_answered(self) -> bool:
        """Whether the walk found what it was asked for, and not merely the best it came across."""
        return self.stop_reason in (StopReason.ANSWERED, StopReason.QUOTA_REACHED)


class Conclusion(msgspec.Struct, frozen=True, kw_only=True):
    """The final words on a question, before costs are added."""

    answer: str
    items: tuple[str, ...]
    confidence: float
    citations: tuple[Citation, ...]


def conclude(memory: WalkMemory, verdict: Verdict) -> Conclusion:
    """Compose the answer. The number and the items come from the counter wherever it counted anything."""
    counter = memory.counter
    items = tuple(item.name for item in counter.items)
    if counter.requirement.mode == "none" or not items:
        return Conclusion(answer=verdict.answer, items=(), confidence=verdict.confidence, citations=verdict.citations)
    listed = "; ".join(items)
    if counter.requirement.mode == "quota":
        answer = listed
    else:
        bound = "" if counter.done else "at least "
        answer = f"{bound}{counter.found} ({listed})"
    return Conclusion(
        answer=answer,
        items=items,
        confidence=verdict.confidence,
        citations=_where_counted(counter.items) or verdict.citations,
    )


def _where_counted(items: tuple[Item, ...]) -> tuple[Citation, ...]:
    """One citation for each page that items were counted on: the first item's quote."""
    first: dict[str, Citation] = {}
    for item in items:
        first.setdefault(item.page_url, Citation(url=item.page_url, quote=item.quote or item.name))
    return tuple(first.values())
