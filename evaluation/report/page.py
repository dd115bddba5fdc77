"""The report as one self-contained HTML page, without external scripts, styles or images, so that it can be mailed and archived."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import msgspec
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from evaluation.ablation import Ablation
from evaluation.dataset.counts import counts_of
from evaluation.dataset.files import DEMO_SITE
from evaluation.dataset.question import Dataset
from evaluation.experiment.folder import Experiment
from evaluation.grading.agreement import Agreement
from evaluation.metrics.calibration import Calibration
from evaluation.metrics.costs import Costs
from evaluation.metrics.pass_difficulty import PassDifficulty
from evaluation.metrics.resampling import Comparison
from evaluation.metrics.slices import ALL, SliceFigures, slice_names, slices_of
from evaluation.metrics.tools import ToolShares
from evaluation.published.figure import NOT_COMPARABLE, PublishedFigure
from evaluation.published.papers import PAPERS, headline
from evaluation.report.drawings import WIDTH, cost_plot, module_bars, reliability, stacked
from evaluation.report.figures import ERROR_COLOURS, MODULE_COLOURS, RIGHT, TOOL_COLOURS, shares_of
from evaluation.report.gaps import Gap
from evaluation.report.story import tell
from evaluation.sample import Grade, Sample

ANSWER_CHARS = 600
MOST_MARKS = 16
"""Answers to one question whose grades are marked one by one; more are counted."""
FEW_NEEDED = 30
"""Answers below which a curve of confidence is said to be of few."""


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
    calibrations: tuple[Calibration, ...] = ()
    """Of the confidence that answers came with, by variant."""
    stated: tuple[Calibration, ...] = ()
    """Of the confidence that answers state in words, by variant."""
    tools: tuple[ToolShares, ...] = ()
    by_pass: PassDifficulty | None = None
    gaps: tuple[Gap, ...] = ()


def render_page(report: Report) -> str:
    """Render the report as a complete HTML document. Pure."""
    return _environment().get_template("page.html").render(_values(report))


@cache
def _environment() -> Environment:
    """One for all reports of a process: it compiles each template once."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"share": _share, "signed": _signed, "number": _number}
    environment.globals |= {"answers": _answers_link}
    return environment


def _values(report: Report) -> dict[str, Any]:
    """What the template is given."""
    story = tell(
        report.figures,
        report.grades,
        report.costs,
        report.comparisons,
        baseline=report.baseline,
        ablation=report.ablation,
    )
    is_demo = all(question.site == DEMO_SITE for question in report.dataset.questions)
    best = story.best.variant
    curve = next((one for one in report.calibrations if one.variant == best), None)
    both = (("of the walk", report.calibrations), ("stated in the answer", report.stated))
    series = {name: one for name, found in both for one in found if one.variant == best}
    return {
        "report": report,
        "story": story,
        "experiment": report.experiment,
        "dataset": report.dataset,
        "counts": counts_of(report.dataset.questions),
        "variants": _variants(report),
        "baseline": report.baseline,
        "slices": _slices(report),
        "papers": () if is_demo else tuple((paper, headline(paper)) for paper in PAPERS),
        "ours": {paper.name: _ours(story.best, headline(paper)) for paper in PAPERS},
        "pass_slices": _pass_slices(report),
        "not_comparable": NOT_COMPARABLE,
        "error_colours": {"right": RIGHT} | ERROR_COLOURS,
        "kinds": {"right"} | {kind for one in report.figures for kind in one.errors},
        "module_colours": MODULE_COLOURS,
        "tool_colours": TOOL_COLOURS,
        "modules": module_bars(report.ablation) if report.ablation is not None else [],
        "ablation": report.ablation,
        "plot": cost_plot(report.figures, report.costs),
        "curve": curve,
        "reliability": reliability(series) if series else None,
        "confidences": _confidences(report),
        "few": FEW_NEEDED,
        "tools": _tools(report, best),
        "costs": report.costs,
        "agreements": report.agreements,
        "pictures": report.pictures,
        "questions": _questions(report),
        "marks": _MARKS,
        "most_marks": MOST_MARKS,
        "trace_pages": report.trace_pages,
        "gaps": report.gaps,
        "width": WIDTH,
        "begun": report.experiment.created.replace("T", " ")[:16],
    }


def _answers_link(**chosen: str | Sequence[str]) -> str:
    """The address on the page of the answers with these properties: variant, state, error, slice, question or questions."""
    return "#answers?" + urlencode(
        {name: value for name, value in chosen.items() if value and (name, value) != ("slice", ALL)}, doseq=True
    )


def _variants(report: Report) -> list[dict[str, Any]]:
    whole = {one.variant: one for one in report.figures if one.slice == ALL}
    return [
        {
            "name": variant.name,
            "workflow": variant.workflow,
            "figures": whole[variant.name],
            "parts": stacked(shares_of(whole[variant.name])),
            "comparison": report.comparisons.get(variant.name),
        }
        for variant in report.experiment.variants
        if variant.name in whole
    ]


def _confidences(report: Report) -> list[tuple[str, Calibration | None, Calibration | None]]:
    """Each variant that has any, with the calibration of its walks' confidence and of what its answers state."""
    own, stated = ({one.variant: one for one in found} for found in (report.calibrations, report.stated))
    names = [variant.name for variant in report.experiment.variants if variant.name in own or variant.name in stated]
    return [(name, own.get(name), stated.get(name)) for name in names]


def _ours(best: SliceFigures, printed: Sequence[PublishedFigure]) -> list[tuple[str, float]]:
    """What the best variant has of the measures that are printed."""
    known = {"accuracy": best.success.value, "F1": best.f1.value} | {
        f"pass@{k}": rate for k, rate in best.pass_at.items()
    }
    return [(one, known[one]) for one in dict.fromkeys(figure.measure for figure in printed) if one in known]


def _tools(report: Report, best: str) -> dict[str, Any]:
    """Shares of calls: a bar a variant over all questions, and the slices of the best one."""
    whole = [one for one in report.tools if one.slice == ALL]
    names = list(dict.fromkeys(tool for one in whole for tool in one.shares))
    return {
        "names": names,
        "bars": [
            {"shares": one, "parts": stacked({tool: one.shares.get(tool, 0.0) for tool in names})} for one in whole
        ],
        "slices": [one for one in report.tools if one.variant == best and one.slice != ALL],
    }


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


def _pass_slices(report: Report) -> dict[str, str]:
    """Names of the slices of easy and hard questions by pass@k; {} where there is one sample of each question."""
    told = report.by_pass
    return {} if told is None else {row.name: f"{row.name} by pass@{told.samples}" for row in told.rows}


def _questions(report: Report) -> list[dict[str, Any]]:
    names = _pass_slices(report)
    told = report.by_pass.rows if report.by_pass is not None else ()
    passed = {question_id: names[row.name] for row in told for question_id in row.questions}
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
            one = {"question": question, "slices": slices_of(question), "answers": answers, "states": states}
            shown.append(one | {"by_pass": passed.get(question.id, "")})
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
    return f"{value:+.0f}".replace("-", "−") if round(value) else "0"


def _number(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.1f}" if abs(value) >= 1 else f"{value:.3g}"
