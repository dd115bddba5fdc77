"""Selects a number of questions of each kind and difficulty, spread evenly over domains, languages and pages."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

import msgspec

from evaluation.dataset.question import Difficulty, Kind, Question
from walker.errors import UsageError

Cell = tuple[Kind, Difficulty]
PAPER: Mapping[Cell, int] = {
    ("single", "easy"): 80,
    ("single", "medium"): 140,
    ("single", "hard"): 120,
    ("multi", "easy"): 80,
    ("multi", "medium"): 140,
    ("multi", "hard"): 120,
}
"""The counts of EverWebQA and WebWalkerQA: 680 questions."""
_COUNT = re.compile(r"(single|multi):(easy|medium|hard)=(\d+)")


class Balanced(msgspec.Struct, frozen=True, kw_only=True):
    """The selected questions, and the shortage by kind and difficulty: "single hard" -> number missing."""

    questions: tuple[Question, ...]
    short: dict[str, int]


def read_counts(text: str) -> Mapping[Cell, int]:
    """The counts of "single:easy=10,multi:hard=5", or of "paper". Raises `UsageError`."""
    if text == "paper":
        return PAPER
    found: dict[Cell, int] = {}
    for part in text.split(","):
        match = _COUNT.fullmatch(part.strip())
        if match is None:
            raise UsageError(
                f"“{part}” is not a count", where="--counts", advice='Write "single:easy=10,multi:hard=5", or "paper"'
            )
        found[match[1], match[2]] = int(match[3])  # type: ignore[index]
    if not sum(found.values()):
        raise UsageError("they ask for no question", where="--counts", advice='Write "single:easy=10", or "paper"')
    return found


def balance(questions: Sequence[Question], wanted: Mapping[Cell, int], forms: Mapping[str, str] = {}) -> Balanced:
    """Select greedily: the next question is the one whose domain and language, form (by id in `forms`), pages, root and modality are
    least frequent in the selection so far; ties go to the earlier one. One that asks two things at once is taken where its domain and
    language has no other."""
    waiting: dict[Cell, list[Question]] = defaultdict(list)
    for question in questions:
        waiting[question.kind, question.difficulty].append(question)
    chosen: list[Question] = []
    taken: Counter[str] = Counter()
    short: dict[str, int] = {}
    for cell, count in wanted.items():
        pool = waiting[cell]
        if count > len(pool):
            short[" ".join(cell)] = count - len(pool)
        for _ in range(min(count, len(pool))):
            best = min(range(len(pool)), key=lambda place: _crowding(pool[place], forms, taken))
            picked = pool.pop(best)
            taken.update(_features(picked, forms))
            chosen.append(picked)
    return Balanced(questions=tuple(chosen), short=short)


def _features(question: Question, forms: Mapping[str, str]) -> tuple[str, ...]:
    group = f"{question.kind} {question.difficulty} {question.domain} {question.language}"
    return (
        group,
        f"form {question.root} {forms.get(question.id, '')}",
        f"root {question.root}",
        f"as {question.modality}",
        *(f"page {question.root} {source}" for source in question.sources),
    )


def _crowding(question: Question, forms: Mapping[str, str], taken: Counter[str]) -> tuple[int, ...]:
    group, form, root, modality, *pages = (taken[feature] for feature in _features(question, forms))
    asks_two = question.kind == "multi" and bool(question.items)
    return group, asks_two, form, max(pages, default=0), root, modality
