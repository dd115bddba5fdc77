"""The report as one self-contained HTML page, without external scripts, styles or images, so that it can be mailed and archived."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from evaluation.ablation import Ablation
from evaluation.dataset.files import DEMO_SITE
from evaluation.dataset.question import Dataset
from evaluation.experiment.folder import Experiment
from evaluation.grading.agreement import Agreement
from evaluation.metrics.costs import Costs
from evaluation.metrics.resampling import Comparison
from evaluation.metrics.slices import ALL, SliceFigures, slice_names, slices_of
from evaluation.published import AVERAGES, SOURCE
from evaluation.report.figures import ERROR_COLOURS, MODULE_COLOURS, RIGHT, shares_of
from evaluation.sample import Grade, Sample

ANSWER_CHARS = 600
PLOT_WIDTH, PLOT_HEIGHT = 480, 300
PLOT_MARGIN = 50
SAME_POINT = 6
LETTER_WIDTH, LINE_HEIGHT = 7.4, 15
"""Font size of labels in the plot, in pixels at the size that a phone shows it."""
NAME_GAP = 8


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """The contents of the page."""

    experiment: Experiment
    dataset: Dataset
    samples: tuple[Sample, ...]
    grades: tuple[Grade, ...]
    figures: tuple[SliceFigures, ...]
    costs: tuple[Costs, ...]
    comparisons: Mapping[str, Comparison]
    """Comparison of each variant with the baseline, by name."""
    baseline: str
    agreements: tuple[Agreement, ...] = ()
    ablation: Ablation | None = None
    pictures: tuple[str, ...] = ()
    """Names of the PNG files in the same folder."""
    trace_pages: Mapping[str, str] = {}
    """Viewer pages of recorded walks, by recording."""
    gaps: tuple[str, ...] = ()
    """Missing parts, one sentence each."""


def render_page(report: Report) -> str:
    """Render the report as a complete HTML document. Pure."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    is_demo = all(question.site == DEMO_SITE for question in report.dataset.questions)
    environment.filters |= {"share": _share, "signed": _signed, "number": _number}
    return environment.get_template("page.html").render(
        experiment=report.experiment,
        dataset=report.dataset,
        variants=_variants(report),
        baseline=report.baseline,
        slices=_slices(report),
        published=() if is_demo else AVERAGES,
        published_source=SOURCE,
        error_colours={"right": RIGHT} | ERROR_COLOURS,
        module_colours=MODULE_COLOURS,
        ablation=report.ablation,
        reach=_reach(report.ablation),
        plot=_plot(report),
        costs=report.costs,
        agreements=report.agreements,
        pictures=report.pictures,
        questions=_questions(report),
        trace_pages=report.trace_pages,
        gaps=report.gaps,
        begun=report.experiment.created.replace("T", " ")[:16],
    )


def _variants(report: Report) -> list[dict[str, Any]]:
    whole = {one.variant: one for one in report.figures if one.slice == ALL}
    return [
        {
            "name": variant.name,
            "workflow": variant.workflow,
            "figures": whole[variant.name],
            "shares": shares_of(whole[variant.name]),
            "comparison": report.comparisons.get(variant.name),
        }
        for variant in report.experiment.variants
        if variant.name in whole
    ]


def _slices(report: Report) -> list[dict[str, Any]]:
    """Rows of the table: a slice with the metrics of each variant."""
    by_place = {(one.slice, one.variant): one for one in report.figures}
    rows = []
    for name in slice_names(report.dataset.questions):
        cells = [by_place[name, variant.name] for variant in report.experiment.variants]
        values = {cell.success.value for cell in cells if cell.success.count}
        best = max(values) if len(values) > 1 else 2.0  # equal values have no best one
        rows.append({"name": name, "cells": cells, "best": best, "count": max(cell.questions for cell in cells)})
    return rows


def _reach(ablation: Ablation | None) -> float:
    """The largest absolute value in the bar chart of modules."""
    if ablation is None:
        return 1.0
    return (
        max((abs(v) for one in ablation.slices for i in one.values.values() for v in (i.low, i.high)), default=0) or 1
    )


def _plot(report: Report) -> dict[str, Any]:
    """Points of cost against quality, in pixels of the plot; coinciding variants are one point with several labels."""
    costs = {cost.variant: cost for cost in report.costs}
    tokens = any(cost.tokens for cost in report.costs)
    most = _round_up(max((cost.tokens if tokens else cost.pages for cost in report.costs), default=0) or 1)
    points: list[dict[str, Any]] = []
    for one in report.figures:
        if one.slice != ALL:
            continue
        spent = costs[one.variant].tokens if tokens else costs[one.variant].pages
        x = PLOT_MARGIN + (PLOT_WIDTH - 2 * PLOT_MARGIN) * spent / most
        y = PLOT_HEIGHT - PLOT_MARGIN - (PLOT_HEIGHT - 2 * PLOT_MARGIN) * one.success.value
        near = next((point for point in points if abs(point["x"] - x) + abs(point["y"] - y) < SAME_POINT), None)
        if near is not None:
            near["names"].append(one.variant)
        else:
            points.append({"names": [one.variant], "x": round(x, 1), "y": round(y, 1), "left": x > PLOT_WIDTH / 2})
    _spread(points)
    return {
        "points": points,
        "width": PLOT_WIDTH,
        "height": PLOT_HEIGHT,
        "margin": PLOT_MARGIN,
        "unit": "tokens" if tokens else "pages",
        "most": most,
    }


def _round_up(most: float) -> float:
    """Upper end of an axis with four ticks at round numbers."""
    step = 10.0 ** math.floor(math.log10(most / 4))
    return next(4 * step * factor for factor in (1, 2, 2.5, 5, 10) if 4 * step * factor >= 1.02 * most)


def _spread(points: list[dict[str, Any]]) -> None:
    """Place labels beside their points without overlaps, in as many lines as needed; `lines` are the heights of the lines and
    their text."""
    taken: list[tuple[float, float, float, float]] = []
    for point in sorted(points, key=lambda one: (one["y"], one["x"])):
        room = (point["x"] if point["left"] else PLOT_WIDTH - point["x"]) - NAME_GAP
        lines = _lines(point["names"], room)
        width = LETTER_WIDTH * max(map(len, lines)) + NAME_GAP
        start, end = (point["x"] - width, point["x"]) if point["left"] else (point["x"], point["x"] + width)
        height = LINE_HEIGHT * len(lines)
        # Multi-line labels must not overlap the axis labels.
        place = min(point["y"] + 4, max(PLOT_HEIGHT - PLOT_MARGIN + 4 + LINE_HEIGHT - height, LINE_HEIGHT))
        while any(
            place < below and above < place + height and start < right and left < end
            for left, right, above, below in taken
        ):
            place += LINE_HEIGHT if point["y"] < PLOT_HEIGHT / 2 else -LINE_HEIGHT
        point["lines"] = [(round(place + LINE_HEIGHT * number, 1), line) for number, line in enumerate(lines)]
        taken.append((start, end, place, place + height))


def _lines(names: Sequence[str], room: float) -> list[str]:
    """Labels joined, with a line break before one that would exceed the width."""
    lines = [names[0]]
    for name in names[1:]:
        longer = f"{lines[-1]}, {name}"
        if LETTER_WIDTH * (len(longer) + 1) <= room:
            lines[-1] = longer
        else:
            lines[-1] += ","
            lines.append(name)
    return lines


def _questions(report: Report) -> list[dict[str, Any]]:
    grades = {grade.key: grade for grade in report.grades}
    by_question: dict[str, list[Sample]] = {}
    for sample in report.samples:
        by_question.setdefault(sample.question_id, []).append(sample)
    order = {variant.name: place for place, variant in enumerate(report.experiment.variants)}
    shown = []
    for question in report.dataset.questions:
        samples = sorted(by_question.get(question.id, ()), key=lambda s: (order.get(s.variant, 99), s.number))
        answers = [_answer(sample, grades.get(sample.key)) for sample in samples]
        if answers:
            states = "".join(answer["mark"] for answer in answers)
            shown.append({"question": question, "slices": slices_of(question), "answers": answers, "states": states})
    return shown


_MARKS = {"right": "✓", "wrong": "✗", "unscored": "?", "failed": "!"}


def _answer(sample: Sample, grade: Grade | None) -> dict[str, Any]:
    state = "failed" if sample.error else "unscored"
    if grade is not None and grade.right is not None:
        state = "right" if grade.right else "wrong"
    said = sample.error or sample.answer or "(no answer)"
    return {
        "sample": sample,
        "grade": grade,
        "state": state,
        "mark": _MARKS[state],
        "said": said[:ANSWER_CHARS] + ("…" if len(said) > ANSWER_CHARS else ""),
    }


def _share(value: float) -> str:
    return f"{100 * value:.0f}"


def _signed(value: float) -> str:
    return f"{value:+.0f}".replace("-", "−")


def _number(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.1f}" if abs(value) >= 1 else f"{value:.3g}"
