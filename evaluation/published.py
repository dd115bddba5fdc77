"""Published results for comparison: V-GEMS (arXiv 2603.02626), Table 2 and sections 4.3 and 4.4. They were measured on other
questions with other models, and are marked as published numbers."""

from __future__ import annotations

import msgspec

from evaluation.shapley import Coalition, coalitions

SOURCE = "V-GEMS, arXiv 2603.02626, Table 2 (EverWebQA, 680 questions, Qwen-3-Coder-Plus and Qwen3-VL-Plus)"
MODULES = ("vision", "stack", "counter")
COLUMNS = (
    "single easy",
    "single medium",
    "single hard",
    "multi easy",
    "multi medium",
    "multi hard",
    "zh",
    "en",
    "game",
    "conference",
    "organization",
    "education",
    "all",
)
_ROWS = (
    (0.60, 0.50, 0.48, 0.50, 0.45, 0.44, 0.50, 0.49, 0.32, 0.51, 0.63, 0.54, 0.50),
    (0.63, 0.52, 0.48, 0.49, 0.46, 0.46, 0.51, 0.50, 0.34, 0.51, 0.63, 0.55, 0.51),
    (0.63, 0.60, 0.60, 0.66, 0.56, 0.51, 0.64, 0.48, 0.51, 0.58, 0.67, 0.61, 0.59),
    (0.65, 0.61, 0.59, 0.67, 0.57, 0.52, 0.63, 0.50, 0.52, 0.59, 0.69, 0.61, 0.59),
    (0.67, 0.63, 0.61, 0.64, 0.59, 0.55, 0.62, 0.61, 0.47, 0.66, 0.73, 0.63, 0.62),
    (0.68, 0.66, 0.61, 0.65, 0.55, 0.53, 0.62, 0.60, 0.46, 0.64, 0.75, 0.64, 0.62),
    (0.69, 0.67, 0.63, 0.63, 0.60, 0.57, 0.63, 0.64, 0.50, 0.68, 0.79, 0.64, 0.64),
    (0.70, 0.68, 0.64, 0.66, 0.60, 0.57, 0.64, 0.64, 0.50, 0.68, 0.79, 0.66, 0.65),
)
"""In binary order of vision, stack, counter: 000 to 111."""


FILTERS_SOURCE = (
    "ReAG, supplement, Table 6: passages of E-VQA. Other questions, other models: not to be compared digit by digit."
)


class PublishedFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Published recall and specificity of a passage filter, shares 0..1."""

    system: str
    model: str
    recall: float
    specificity: float


FILTERS = tuple(
    PublishedFilter(system=system, model=model, recall=recall, specificity=specificity)
    for system, model, recall, specificity in (
        ("ReflectiVA", "LLaVA-MORE-8B", 0.896, 0.938),
        ("ReflectiVA", "Qwen2.5-VL-3B", 0.913, 0.938),
        ("ReflectiVA", "Qwen2.5-VL-7B", 0.923, 0.951),
        ("ReAG", "Qwen2.5-VL-3B", 0.946, 0.957),
    )
)


class Published(msgspec.Struct, frozen=True, kw_only=True):
    """One published number: its system and slice."""

    system: str
    slice: str
    value: float


AVERAGES = tuple(
    Published(system=system, slice="all", value=value)
    for system, value in (
        ("WebWalker", 0.50),
        ("WebWalker + stack", 0.59),
        ("WebWalker + vision", 0.62),
        ("V-GEMS, all modules", 0.65),
    )
)
"""Average F1 as published by V-GEMS."""


def published_worth(column: str) -> dict[Coalition, float]:
    """F1 of every coalition of modules in one column of Table 2. Raises `ValueError` for an unknown column."""
    place = COLUMNS.index(column)
    return {coalition: row[place] for coalition, row in zip(coalitions(MODULES), _ROWS, strict=True)}
