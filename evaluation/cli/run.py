"""`walker eval run`: run an experiment over a dataset."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import click
import msgspec

from evaluation.cli.sites import read_sites, with_bundled_sites
from evaluation.dataset.files import load
from evaluation.dataset.question import Dataset
from evaluation.experiment.folder import ExperimentFolder
from evaluation.experiment.run import ExperimentPlan, RunReport, run_experiment
from evaluation.experiment.variants import NAMED, read_variants
from evaluation.sample import Sample
from traces.store.mirror import is_address
from walker.cli.effort import with_effort
from walker.cli.grouped_command import GroupedCommand
from walker.cli.model_options import read_model, read_vision, with_endpoint_options
from walker.cli.places.run_places import tell_unsent
from walker.cli.places.walk_places import check_place
from walker.cli.run_command import error_console, print_secret_notice, run_for_person, stop_with
from walker.cli.tables import Column, print_rows
from walker.cli.tool_options import read_tools, with_tool_options
from walker.cli.walk_options import GROUPS, with_walk_options
from walker.cli.walks.place_option import PlaceOption, read_place, with_place_option
from walker.cli.walks.search_options import (
    check_picture_search,
    read_beyond,
    read_picture_service,
    with_picture_search_options,
    with_search_options,
)
from walker.errors import UsageError
from walker.settings import Limits, Settings

_DEFAULTS = Settings()
_SAMPLE = (
    Column(gap=0, side="right", least=9),
    Column(gap=1, least=15, shortest=10),
    Column(gap=1, least=12, shortest=10),
    Column(gap=1, rank=2),
    Column(shortest=10, rank=1),
)
"""A line of progress: lines are told one by one, so the first columns keep their least width on terminals too."""


@click.command("run", cls=GroupedCommand, groups=GROUPS)
@click.argument("dataset")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    help="Folder of the experiment; an existing one is resumed.",
)
@click.option(
    "--variant",
    "variants",
    multiple=True,
    default=("eight",),
    show_default=True,
    metavar="NAME",
    help=f"Variant to run (repeatable): eight, {', '.join(NAMED)}.",
)
@click.option(
    "--site",
    "sites",
    multiple=True,
    metavar="NAME=BASE",
    help="URL of a site that the questions name (repeatable).",
)
@click.option(
    "--library",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Answer questions that name no page, of sites without --site, from this library, and search its pictures by those of all"
    " questions.",
)
@with_search_options
@with_picture_search_options
@click.option("--samples", default=1, show_default=True, help="Samples per question and variant.")
@click.option(
    "--only", default="", metavar="ID,ID", help="Run only these questions; the experiment then consists of these."
)
@click.option("--jobs", default=2, show_default=True, help="Questions run in parallel.")
@click.option(
    "--max-pages", default=_DEFAULTS.limits.pages, show_default=True, help="Open at most this many pages per question."
)
@with_place_option
@with_walk_options
@with_tool_options
@click.option(
    "--summaries", is_flag=True, help="Summarise each page for what is missing, in five sentences with quotes."
)
@click.option(
    "--no-record", is_flag=True, help="Do not record walks; errors are then classified by the answers' text only."
)
@click.option(
    "--runs",
    "store",
    default="",
    metavar="s3://BUCKET/PREFIX",
    help="Keep the walks in this store; the experiment's folder if not given.",
)
@click.option("--chromium", envvar="WALKER_CHROMIUM", default="", help="Path of a browser; found if not given.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object on stdout and nothing else.")
@with_endpoint_options
@with_effort
def run_command(**given: Any) -> None:
    r"""Run the questions of DATASET: a file in any known format, or "demo".

    \b
    walker eval run demo --out runs/demo
    walker eval run qa.jsonl --site docs=http://127.0.0.1:8101/ --out runs/qa --variant baseline --variant all
    walker eval run mmsearch.jsonl --library web.library --out runs/mmsearch
    walker eval run qa.jsonl --out qa --runs s3://walks/qa
    walker eval run qa.jsonl --site docs=https://docs.example.org/ --out /shared/qa --jobs 16 --on ray://10.0.0.5:10001

    Each answer is written when its walk ends. After an interruption the same command resumes. An experiment never mixes
    questions, models or limits.
    """
    check_place(given["place"].where)
    vision, model = read_vision(given), read_model(given)
    code, tools = read_tools(given, has_model=model is not None)
    options = _Options(**given)
    settings = msgspec.structs.replace(_settings(options), model=model, vision=vision, code=code, tools=tools)
    try:
        dataset = _chosen(load(options.dataset), options)
        variants = read_variants(options.variants)
    except UsageError as error:
        stop_with(str(error), error.exit_code, as_json=options.as_json)
    _check_pictures(options, dataset)
    print_secret_notice(settings, error_console())
    if model is not None and not model.temperature and options.samples > 1:
        click.echo(
            "walker: at temperature 0 the samples of a question are mostly alike; --temperature 0.6 varies them",
            err=True,
        )
    folder = ExperimentFolder(options.out)
    wanted = {question.site for question in dataset.questions}
    walks = msgspec.structs.replace(settings, runs_folder=folder.runs)
    place = read_place(options.place, walks, jobs=options.jobs, as_json=options.as_json)
    with with_bundled_sites(read_sites(options.sites), wanted) as sites:
        asking = ExperimentPlan(
            dataset=dataset,
            variants=variants,
            sites=sites,
            samples=options.samples,
            jobs=options.jobs,
            runs=options.store,
        )
        report: RunReport = run_for_person(
            run_experiment(asking, folder, settings, _tell, place),
            as_json=options.as_json,
            interrupted=f"interrupted; the answers so far are in {options.out}. Run the same command again to resume",
        )
    tell_unsent(folder.runs)
    if options.as_json:
        click.echo(msgspec.json.encode(report).decode())
    else:
        known = f", {report.known} were there already" if report.known else ""
        click.echo(f"{report.asked} asked{known}. Next: walker eval grade {options.out}")
    if report.failed:
        click.echo(f"walker: {report.failed} failed to start; run the same command again to retry them", err=True)
        raise SystemExit(1)


class _Options(msgspec.Struct, frozen=True, kw_only=True):
    """The flags as click read them."""

    dataset: str
    out: Path
    variants: tuple[str, ...]
    sites: tuple[str, ...]
    library: Path | None
    search: str
    also: tuple[str, ...]
    opens_hits: bool
    picture_search: str
    picture_model: Path | None
    samples: int
    only: str
    jobs: int
    place: PlaceOption
    max_pages: int
    looks: int
    max_seconds: float
    ocr: str
    scope: str
    page_seconds: float
    no_record: bool
    store: str
    summaries: bool
    chromium: str
    as_json: bool


def _check_pictures(options: _Options, dataset: Dataset) -> None:
    """Raises `click.UsageError` for a search by pictures that no question has a picture for."""
    check_picture_search(
        [question.picture or None for question in dataset.questions],
        service=options.picture_search,
        model=options.picture_model,
        library=options.library,
        needs="questions with a picture, and DATASET has none",
    )


def _chosen(dataset: Dataset, options: _Options) -> Dataset:
    """The questions that `--only` names, all without it. Raises `UsageError`."""
    if not options.only:
        return dataset
    named = [name.strip() for name in options.only.split(",") if name.strip()]
    missing = [name for name in named if dataset.question(name) is None]
    if missing:
        raise UsageError(f'there is no question "{missing[0]}"', where=options.dataset, advice="Check --only")
    chosen = tuple(question for question in dataset.questions if question.id in named)
    return msgspec.structs.replace(dataset, questions=chosen)


def _settings(options: _Options) -> Settings:
    if options.store and not is_address(options.store):
        raise click.UsageError(
            "--runs takes an address such as s3://BUCKET/PREFIX; else walks go into the folder of --out"
        )
    if options.max_pages < 1 or options.jobs < 1 or options.samples < 1:
        raise click.UsageError("--max-pages, --jobs and --samples take a number from 1")
    if not 0 < options.page_seconds < math.inf or not 0 < options.max_seconds < math.inf:
        raise click.UsageError("--page-seconds and --max-seconds take a number of seconds above 0")
    return Settings(
        limits=Limits(pages=options.max_pages, seconds=options.max_seconds, looks=options.looks),
        ocr=options.ocr,  # type: ignore[arg-type]
        scope="path" if options.scope == "path" else "host",
        record=not options.no_record,
        summaries=options.summaries or None,
        chromium=options.chromium,
        page_seconds=options.page_seconds,
        library=options.library,
        picture_search=read_picture_service(options.picture_search, as_json=options.as_json),
        picture_model=options.picture_model,
        beyond=read_beyond(options.search, options.also, opens_hits=options.opens_hits, as_json=options.as_json),
    )


def _tell(number: int, total: int, sample: Sample) -> None:
    said = " ".join((sample.error or sample.answer or "-").split())[:70]
    place = f"{number}/{total}"
    row = (place, sample.variant, sample.question_id, f"{sample.pages:>3} pages", said)
    print_rows(_SAMPLE, [row], err=True)
