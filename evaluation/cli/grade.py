"""`walker eval grade`, `ablate` and `report`: from answers to a report."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any, Literal, get_args

import click
import msgspec

from evaluation.ablation import Ablation, Measure
from evaluation.experiment.folder import ExperimentFolder
from evaluation.grading.error_model import ErrorModel
from evaluation.grading.grader import Graders, grade_samples
from evaluation.grading.judges import PROTOCOLS, Judge, ProtocolName
from evaluation.metrics.slices import ALL
from evaluation.report.make import ablate_folder, make_report
from evaluation.report.trace_pages import MOST_PAGES, Which
from evaluation.sample import Grade
from walker.assembly import WalkResources
from walker.cli.model_options import model_at
from walker.cli.run_command import run_for_person, stop_with
from walker.cli.tables import Column, print_rows, table_lines, terminal_width
from walker.errors import UsageError, WalkerError
from walker.settings import ModelSettings, Settings

_FOLDER = click.argument("folder", type=click.Path(path_type=Path))
_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object on stdout and nothing else.")

_GRADED = (
    Column(gap=0),
    Column(gap=1, shortest=8),
    Column(gap=1, shortest=8),
    Column(gap=1),
    Column(gap=1, shortest=12, rank=1),
)
_FULL_WIDTH = 1_000


@click.command("grade")
@_FOLDER
@click.option(
    "--judge",
    "protocols",
    multiple=True,
    type=click.Choice(PROTOCOLS),
    help="Have a model judge answers that do not match (repeatable): strict 0 or 1, accept or wrong, yes or no, or extract: the final"
    " answer, whether it is correct, and the confidence that it states.",
)
@click.option("--judge-model", default="", metavar="NAME", help="Judge model. Key: WALKER_API_KEY or OPENAI_API_KEY.")
@click.option(
    "--judge-url",
    default="",
    metavar="URL",
    help="Its OpenAI-compatible endpoint; WALKER_BASE_URL or OPENAI_BASE_URL if not given.",
)
@click.option("--judge-matches", is_flag=True, help="Judge matching answers too, to measure the agreement.")
@click.option("--classify", is_flag=True, help="Have the model classify errors that the recording does not prove.")
@click.option(
    "--scoring",
    type=click.Choice(["match", "short"]),
    default="match",
    show_default=True,
    help="Scoring before the judges: an accepted answer within the answer (match), or short answers with a number tolerance and list"
    " overlap.",
)
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
@_JSON
def grade_command(**given: Any) -> None:
    r"""Grade the answers in FOLDER: by normalised match first, then by judge models if you name some.

    \b
    walker eval grade runs/qa
    walker eval grade runs/qa --judge strict --judge yesno --judge-model qwen3:8b --judge-url http://127.0.0.1:11434/v1

    If a judge's grade cannot be parsed, the answer is unscored, never wrong; the next call asks again.
    """
    options = _Options(**given)
    if (options.protocols or options.classify) and not options.judge_model:
        raise click.UsageError("--judge and --classify need --judge-model NAME")
    if options.judge_model and not options.protocols and not options.classify:
        raise click.UsageError("--judge-model needs --judge or --classify")
    grades = run_for_person(
        _grade(options, model_at(options.judge_model, options.judge_url, "")),
        as_json=options.as_json,
        interrupted="interrupted; run the same command again to resume",
    )
    right = sum(bool(grade.right) for grade in grades)
    unscored = sum(grade.right is None for grade in grades)
    if options.as_json:
        click.echo(msgspec.json.encode({"graded": len(grades), "right": right, "unscored": unscored}).decode())
    else:
        more = f", {unscored} unscored" if unscored else ""
        click.echo(f"{right} of {len(grades)} answers right{more}. Next: walker eval report {options.folder}")


class _Options(msgspec.Struct, frozen=True, kw_only=True):
    """The flags as click read them."""

    folder: Path
    protocols: tuple[ProtocolName, ...]
    judge_model: str
    judge_url: str
    judge_matches: bool
    classify: bool
    scoring: Literal["match", "short"]
    quiet: bool
    as_json: bool


@click.command("ablate")
@_FOLDER
@click.option(
    "--measure",
    type=click.Choice(["success", "f1"]),
    default="success",
    show_default=True,
    help="The measure to attribute.",
)
@_JSON
def ablate_command(folder: Path, measure: Measure, as_json: bool) -> None:
    r"""Attribute the results in FOLDER to the modules: exact Shapley values in every slice. Needs all eight variants.

    \b
    walker eval ablate runs/demo
    """
    try:
        found = ablate_folder(ExperimentFolder(folder), measure)
    except WalkerError as error:
        stop_with(str(error), error.exit_code, as_json=as_json)
    if as_json:
        click.echo(msgspec.json.encode(found).decode())
        return
    _print_shares(found)
    click.echo(f"Shapley values x 1,000 of {found.measure}. Next: walker eval report {folder}")


@click.command("report")
@_FOLDER
@click.option("--no-figures", is_flag=True, help="Write the page only, without PNG figures.")
@click.option(
    "--traces",
    type=click.Choice(get_args(Which)),
    default="auto",
    show_default=True,
    help=f"Walks that are exported as viewer pages beside the report, 0.3 MB each: all, those that went wrong, or all where there are"
    f" at most {MOST_PAGES} (auto). The others link to their recordings.",
)
@_JSON
def report_command(folder: Path, no_figures: bool, traces: Which, as_json: bool) -> None:
    r"""Write report.html, figures and viewer pages of walks for the experiment in FOLDER.

    \b
    walker eval report runs/demo
    """
    known = ExperimentFolder(folder)
    try:
        report, why = make_report(known, pictures=not no_figures, traces=traces)
    except WalkerError as error:
        stop_with(str(error), error.exit_code, as_json=as_json)
    if why:
        click.echo(f"walker: no figures: {why}", err=True)
    gaps = [gap.line for gap in report.gaps]
    for line in gaps:
        click.echo(f"walker: {line}", err=True)
    if as_json:
        shown = {"report": str(known.report_file), "figures": report.figures, "costs": report.costs}
        shown["gaps"] = gaps
        click.echo(msgspec.json.encode(shown).decode())
        return
    print_rows(
        (Column(gap=0, least=16, shortest=10), Column(gap=1), Column(gap=1, rank=1)),
        [
            (one.variant, f"{one.success.value:6.1%} right", f"({one.success.low:.1%} to {one.success.high:.1%})")
            for one in report.figures
            if one.slice == ALL
        ],
    )
    click.echo(f"written: {known.report_file}")


def _print_shares(found: Ablation) -> None:
    """A row a slice; where intervals make it too wide for the terminal, without them."""
    width = terminal_width()
    columns = [Column(gap=0, least=16, shortest=10), Column(gap=1, side="right", least=4)]
    columns += [Column(gap=1, side="right", least=22, shortest=6) for _ in found.modules]
    with_intervals, without = _share_rows(found, intervals=True), _share_rows(found, intervals=False)
    lines = table_lines(columns, with_intervals, _FULL_WIDTH)
    too_wide = width is not None and max(map(len, lines)) > width
    print_rows(columns, without if too_wide else with_intervals)


def _share_rows(found: Ablation, *, intervals: bool) -> list[tuple[str, ...]]:
    rows = [("slice", "n", *found.modules)]
    for one in found.slices:
        cells = [f"{1000 * value.value:+.0f}" for value in one.values.values()]
        if intervals:
            ranges = (f"({1000 * value.low:+.0f} to {1000 * value.high:+.0f})" for value in one.values.values())
            told = ranges if one.questions > 1 else ("(one question)" for _ in cells)
            cells = [f"{cell} {more}" for cell, more in zip(cells, told, strict=True)]
        rows.append((one.slice, str(one.questions), *cells))
    return rows


async def _grade(options: _Options, model: ModelSettings | None) -> tuple[Grade, ...]:
    folder = ExperimentFolder(options.folder)
    known = folder.read_answers()
    if not known.samples:
        raise UsageError("there are no answers yet", where=str(folder.path), advice="Run walker eval run to the end")
    async with WalkResources(Settings(record=False, model=model)) as resources:
        with contextlib.closing(folder.open_grades(known.samples)) as ledger:
            graders = Graders(scoring=options.scoring)
            if model is not None:
                graders = Graders(
                    judges=tuple(Judge(resources.endpoint, model.name, protocol) for protocol in options.protocols),
                    error_model=ErrorModel(resources.endpoint, model.name) if options.classify else None,
                    judge_matches=options.judge_matches,
                    scoring=options.scoring,
                )
            return await grade_samples(
                known.dataset,
                known.samples,
                ledger,
                graders,
                runs_base=folder.path,
                tell=_keep_quiet if options.quiet else _tell,
            )


def _tell(number: int, total: int, grade: Grade) -> None:
    state = {True: "right", False: "wrong", None: "unscored"}[grade.right]
    row = (
        f"{number}/{total}",
        grade.variant,
        f"{grade.question_id}:",
        state,
        f"({' '.join(grade.reason.split())[:90]})",
    )
    print_rows(_GRADED, [row], err=True)


def _keep_quiet(_number: int, _total: int, _grade: Grade) -> None:
    pass
