"""Shares of questions by their sort, each with Wilson's 95 % interval."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

import msgspec

from answers.question_set import Question, Site

Z = 1.959964
"""Normal quantile of 95 %."""


class Scored(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that was tried about a question, and whether it came out right."""

    site: Site
    question: Question
    is_right: bool
    piece: int = 0
    """Number of the piece of evidence, where each was tried."""
    cause: str = ""
    """Why it came out wrong."""


def wilson(right: int, count: int) -> tuple[float, float]:
    """Ends of the interval for a share, 0..1."""
    if not count:
        return 0.0, 1.0
    share, spread = right / count, Z * Z / count
    middle = (share + spread / 2) / (1 + spread)
    half = Z / (1 + spread) * math.sqrt(share * (1 - share) / count + spread / (4 * count))
    return max(0.0, middle - half), min(1.0, middle + half)


def table_of(scored: Sequence[Scored]) -> Iterable[str]:
    """A line for all, then for each half, kind of site, site, language, kind of question and place of the answer."""
    yield _line("all", "", scored)
    sorts: dict[str, Callable[[Scored], str]] = {
        "half": lambda one: one.site.half,
        "kind of site": lambda one: one.site.kind,
        "site": lambda one: one.site.name,
        "pages": lambda one: one.site.pages,
        "language of the site": lambda one: one.site.language,
        "language asked in": lambda one: one.question.lang,
        "kind of question": lambda one: one.question.kind,
        "where": lambda one: one.question.where or "text",
    }
    for name, value_of in sorts.items():
        groups: dict[str, list[Scored]] = {}
        for one in scored:
            groups.setdefault(value_of(one), []).append(one)
        for value, members in sorted(groups.items()):
            yield _line(name, value, members)


def _line(name: str, value: str, members: Sequence[Scored]) -> str:
    right = sum(one.is_right for one in members)
    low, high = wilson(right, len(members))
    share = right / len(members) if members else 0.0
    return f"{name:21} {value:24} {share:.3f} [{low:.2f}, {high:.2f}] {right:>4} of {len(members)}"
