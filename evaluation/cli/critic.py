"""`walker eval critic`: how well passages that help are told from others."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click
import msgspec

from evaluation.cli.sites import read_sites
from evaluation.critic.answering import Answerer
from evaluation.critic.curves import HEADS, cells_of, draw_curves, render_report
from evaluation.critic.filtering import PAGES, THRESHOLDS
from evaluation.critic.measure import Answering, IsRight, Measured, lost_on_the_way, measure_critic, sought_in
from evaluation.critic.training_lines import lines_of
from evaluation.dataset.files import load
from evaluation.dataset.question import Dataset
from evaluation.grading.match import match_answer
from evaluation.published.reag import FILTERS, FILTERS_SOURCE
from evaluation.sample import Sample
from walker.assembly import WalkResources
from walker.cli.model_options import read_model, with_endpoint_options
from walker.cli.run_command import run_for_person, stop_with
from walker.cli.tables import Column, print_rows
from walker.errors import MissingExtra, UsageError, WalkerError
from walker.files.atomic_output import write_output
from walker.library.opening import opened_library
from walker.seams.passage_critic import KEEP_FROM
from walker.settings import ModelSettings, Settings

_COLUMNS = tuple(Column(side="right", least=len(head)) for head in HEADS)


@click.command("critic")
@click.argument("dataset")
@click.option(
    "--library",
    "libraries",
    multiple=True,
    required=True,
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="A library of a site that the questions are about (repeatable).",
)
@click.option("--site", "sites", multiple=True, metavar="NAME=BASE", help="URL of a site that the questions name.")
@click.option(
    "--pages",
    multiple=True,
    type=click.IntRange(1, 1000),
    default=PAGES,
    show_default=True,
    help="Pages that are searched for a question; their passages are weighed (repeatable).",
)
@click.option(
    "--threshold",
    "thresholds",
    multiple=True,
    type=click.FloatRange(0, 1),
    default=THRESHOLDS,
    show_default=True,
    help="Keep passages that weigh at least so much (repeatable).",
)
@click.option(
    "--answers", is_flag=True, help="Answer from what is kept, without a model, and tell the share that is right."
)
@click.option("--out", metavar="FOLDER", type=click.Path(path_type=Path), help="Write critic.html and the curves here.")
@click.option(
    "--lines",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the passages as lines that a critic can be trained on: relevant, hard and soft.",
)
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object on stdout and nothing else.")
@with_endpoint_options
def critic_command(**given: Any) -> None:
    r"""Tell how well the passage critic keeps the passages that hold the evidence of the questions of DATASET, and leaves out others.

    \b
    walker eval critic qa.jsonl --library docs.library --site docs=https://docs.example.org/
    walker eval critic qa.jsonl --library docs.library --threshold 0.1 --pages 20 --lines critic.jsonl
    walker eval critic qa.jsonl --library docs.library --model NAME --base-url http://127.0.0.1:8000/v1

    Recall is the share of evidence that a kept passage holds, specificity the share of other passages that are left out. With
    --model the model is asked about each passage, otherwise words alone decide.
    """
    model = read_model(given)
    as_json = bool(given["as_json"])
    try:
        dataset = load(given["dataset"])
        with contextlib.ExitStack() as stack:
            opened = [stack.enter_context(opened_library(path)) for path in given["libraries"]]
            asked = sought_in(dataset.questions, opened, read_sites(given["sites"]))
            if not asked:
                raise UsageError(
                    f"none of the {len(dataset.questions)} questions has evidence in these libraries",
                    where=given["dataset"],
                    advice="Give the library of their site, and --site NAME=BASE as its pages were read",
                )
            measured: Measured = run_for_person(
                _measure(given, dataset, asked, model), as_json=as_json, interrupted="interrupted; nothing was written"
            )
        notes = _notes(dataset, len(asked), measured)
        _write(given, measured, notes)
    except WalkerError as error:
        stop_with(str(error), error.exit_code, as_json=as_json)
    if as_json:
        shown = {"rows": measured.rows, "notes": notes, "published": FILTERS}
        click.echo(msgspec.json.encode(shown).decode())
        return
    print_rows(_COLUMNS, [HEADS, *(cells_of(row) for row in measured.rows)])
    click.echo(f"published: {FILTERS_SOURCE}")
    for one in FILTERS:
        click.echo(f"  {one.system} ({one.model}): recall {one.recall:.3f}, specificity {one.specificity:.3f}")
    for note in notes:
        click.echo(f"walker: {note}", err=True)


async def _measure(
    given: dict[str, Any], dataset: Dataset, asked: Sequence[Any], model: ModelSettings | None
) -> Measured:
    async with (
        WalkResources(Settings(record=False, model=model)) as resources,
        WalkResources(Settings(record=False)) as without_model,
    ):
        answering = None
        if given["answers"]:
            _, reader = without_model.strategies()
            answering = Answering(Answerer(reader), _grading(dataset))
        return await measure_critic(
            asked,
            resources.passage_critic(),
            pages=given["pages"],
            thresholds=given["thresholds"],
            answering=answering,
            tell=(lambda _: None) if given["quiet"] else partial(click.echo, err=True),
        )


def _grading(dataset: Dataset) -> IsRight:
    def is_right(name: str, answer: str, items: tuple[str, ...]) -> bool:
        question = dataset.question(name)
        sample = Sample(question_id=name, variant="kept", answer=answer, items=items)
        return question is not None and match_answer(question, sample).right

    return is_right


def _notes(dataset: Dataset, asked: int, measured: Measured) -> tuple[str, ...]:
    """What the figures do not count, a line each."""
    without, lost = len(dataset.questions) - asked, len(lost_on_the_way(measured.weighed))
    told = (
        (without, f"{without} questions without evidence in these libraries are left out"),
        (
            lost,
            f"of {lost} questions no passage of the pages found holds the evidence: they are not in recall and specificity",
        ),
        (
            measured.notes,
            f"{measured.notes} passages were weighed without the model: its reply was unusable, or the call failed",
        ),
    )
    return tuple(line for number, line in told if number)


def _write(given: dict[str, Any], measured: Measured, notes: Sequence[str]) -> None:
    if given["lines"] is not None:
        lines = [msgspec.json.encode(line) + b"\n" for one in measured.weighed for line in lines_of(one)]
        write_output(given["lines"], b"".join(lines))
    if given["out"] is None or not measured.rows:
        return
    try:
        pictures = [path.name for path in draw_curves(given["out"], measured.rows, KEEP_FROM) if path.suffix == ".svg"]
    except MissingExtra as error:
        click.echo(f"walker: without curves: {error}", err=True)
        pictures = []
    write_output(given["out"] / "critic.html", render_report(measured.rows, notes, pictures).encode())
