"""`walker ask`: one question, a whole file of them, or a walk to resume."""

from __future__ import annotations

import math
import os
import time
from pathlib import Path
from typing import Any, get_args

import click
import msgspec
from rich.console import Console

from walker.asked_picture.picture_file import read_box
from walker.asking import ask
from walker.batch.jobs import run_batch
from walker.calibration.gate_file import GateFile, read_gate
from walker.cli.effort import with_effort
from walker.cli.grouped_command import GroupedCommand
from walker.cli.model_options import (
    key_for_resume,
    read_components,
    read_model,
    read_vision,
    vision_key_for_resume,
    with_model_options,
)
from walker.cli.places.run_places import RecordedRuns, RunsFolder, shown
from walker.cli.places.walk_places import check_place
from walker.cli.reach_options import read_reach, with_reach_options
from walker.cli.run_command import NOT_ANSWERED, error_console, print_secret_notice, run_for_person, stop_with
from walker.cli.tool_options import read_tools, with_tool_options
from walker.cli.typed.schema_file import read_schema
from walker.cli.typed.shown_answer import show_outcome, show_stopped
from walker.cli.walk_options import GROUPS, with_walk_options
from walker.cli.walks.place_option import PlaceOption, read_place, with_place_option
from walker.cli.walks.search_options import (
    check_picture_search,
    read_beyond,
    read_picture_service,
    with_picture_options,
    with_search_options,
)
from walker.cli.walks.way_out_options import read_way_out
from walker.cli.workflow_options import read_workflow, with_workflow_options
from walker.errors import NotAUrl, UsageError
from walker.extraction.schemas.schema_settings import with_schema
from walker.progress import ProgressLines
from walker.rules.scope import check_root
from walker.run_setup import StopKeeper
from walker.runs.replay import resume_run
from walker.seams.outcome import Outcome
from walker.settings import SCOUT_PAGES, GateName, GateWeights, Limits, Settings

_DEFAULTS = Settings()
MOST_PAGE_SECONDS = 86_400.0
"""A day; beyond 24 days a browser's timer overflows, and every page times out at once."""


@click.command("ask", cls=GroupedCommand, groups=GROUPS)
@click.argument("texts", nargs=-1, metavar="[ROOT]... [QUESTION]")
@click.option(
    "--json", "as_json", is_flag=True, is_eager=True, help="Print one JSON object on stdout and nothing else."
)
@click.option("--max-pages", default=_DEFAULTS.limits.pages, show_default=True, help="Open at most this many pages.")
@with_walk_options
@click.option("--max-depth", default=_DEFAULTS.limits.depth, show_default=True, help="Go at most this many pages deep.")
@click.option(
    "--tau",
    default=_DEFAULTS.threshold,
    show_default=True,
    help="Trust in a page's text, 0 to 100, below which its images go through OCR and icon recognition.",
)
@click.option(
    "--tau2",
    default=_DEFAULTS.look_threshold,
    show_default=True,
    help="Trust after that, below which the vision model is asked, if there is one.",
)
@click.option(
    "--sure",
    default=_DEFAULTS.sure,
    show_default=True,
    help="Chance of being right, 0 to 1, below which an answer is not given but told as the nearest, with exit code 3.",
)
@click.option(
    "--gate",
    "gate_name",
    default="walker",
    show_default=True,
    metavar="walker|paper|FILE",
    help="walker: picture by picture; paper: the page's score against --tau alone (V-GEMS, equation 1); a FILE of walker "
    "calibrate: its weights and thresholds, which replace --tau and --tau2.",
)
@click.option(
    "--library",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Without ROOT: answer from this library, without a network. With ROOT: add the pages that the walk opens to it.",
)
@click.option(
    "--scout-pages",
    type=click.IntRange(0, 10_000),
    help=f"Read at most so many pages over HTTP to find those that the browser opens. [default: {SCOUT_PAGES} without a model,"
    " none with one]",
)
@click.option("--no-scout", is_flag=True, help="Go from link to link only.")
@with_search_options
@with_picture_options
@click.option(
    "--schema",
    default="",
    metavar="FILE|MODULE:MODEL",
    help="Answer in the form of a JSON Schema or a pydantic model: each field with its quote, or empty with the reason.",
)
@click.option("--lang", default="", help="Language of the question (en, zh); detected if not given.")
@click.option(
    "--runs",
    "runs_folder",
    type=RunsFolder(),
    default=Path("runs"),
    show_default=True,
    help="Folder for recorded walks, or s3://BUCKET/PREFIX (keys from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY).",
)
@click.option(
    "--record",
    "recorded",
    type=click.Choice(["network", "deterministic"]),
    help="Record the pages' network traffic too, for walker replay --browser; deterministic: also pin their clock and random"
    " numbers, so that they render the same.",
)
@click.option("--no-record", is_flag=True, help="Record nothing.")
@click.option("--pictures", is_flag=True, help="Record a screenshot of every page, for `walker view`.")
@click.option("--sync", is_flag=True, help="Make the recording survive power failure (fsync), not only kill -9.")
@click.option(
    "--secret",
    "secret_names",
    multiple=True,
    metavar="NAME",
    help="Environment variable whose value must never be recorded (repeatable).",
)
@click.option(
    "--header",
    "header_lines",
    multiple=True,
    metavar="NAME: VALUE",
    help="Send this header to the root's site, and no other (repeatable); '${NAME}' in single quotes is taken from the environment.",
)
@click.option(
    "--proxy",
    default="",
    metavar="URL",
    help="Open pages through this proxy: http://host:port or socks5://host:port, '${NAME}' for credentials before the host.",
)
@click.option("--headed", is_flag=True, help="Show the browser.")
@with_reach_options
@click.option(
    "--resume",
    "resume_run",
    type=RecordedRuns(tells=True),
    help="Resume an interrupted walk: its run folder, or its address in a store.",
)
@click.option(
    "--batch", "batch_file", type=click.Path(path_type=Path), help="Ask every question of this JSON Lines file."
)
@click.option(
    "--site",
    "sites",
    multiple=True,
    metavar="NAME=BASE",
    help="Address of a site named in the batch file (repeatable).",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("predictions.jsonl"),
    show_default=True,
    help="File for the answers of a batch; questions answered there already are skipped.",
)
@click.option("--jobs", default=2, show_default=True, help="Concurrent walks of a batch.")
@with_place_option
@with_workflow_options
@with_model_options
@with_tool_options
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
@click.option("-v", "--verbose", is_flag=True, help="Show refused proposals of the explorer too.")
@with_effort
def ask_command(**given: Any) -> None:
    r"""Answer QUESTION from the pages of the site at ROOT, or of several, with quotes and their addresses.

    \b
    walker ask https://www.sqlite.org/ "What is the maximum length of an SQL statement?"
    walker ask https://sqlite.org/ "..." --model qwen3:8b --base-url http://127.0.0.1:11434/v1
    walker ask https://www.sqlite.org/ https://sqlite.org/forum/ "..."
    walker ask https://example.org/ "What is the mean of the fees?" --model qwen3:8b --code monty
    walker ask --library docs.library "When does the backup run?"
    walker ask --library docs.library --workflow retrieval "When does the backup run?"
    walker ask https://museum.example/ "Who built this?" --picture photo.jpg --box 0.1,0.2,0.5,0.6
    walker ask --search http://127.0.0.1:8888 --open "Who maintains SQLite?"
    walker ask https://shop.example/ "What does the blue mug cost?" --schema product.json
    walker ask https://wiki.example.org/ "Who is on call?" --profile wiki
    walker ask --resume runs/20260101-120000-how-many-a1b2c3
    walker ask --batch qa.jsonl --site python=http://127.0.0.1:8101/ --out answers.jsonl --jobs 2
    walker ask --batch qa.jsonl --out answers.jsonl --jobs 16 --on ray://10.0.0.5:10001
    """
    vision, model, components = read_vision(given), read_model(given), read_components(given)
    workflow = read_workflow(given)
    reach, hidden = read_reach(given, as_json=given["as_json"])
    code, tools = read_tools(given, has_model=model is not None or given["resume_run"] is not None)
    *roots, question = given.pop("texts") or (None,)
    options = _Options(**given, roots=tuple(roots), question=question)
    _check_request(options, has_root=given["library"] is None and workflow.name != "direct")
    settings = msgspec.structs.replace(
        _settings(options),
        model=model or (key_for_resume() if options.resume_run else None),
        vision=vision or (vision_key_for_resume() if options.resume_run else None),
        components=components,
        workflow=workflow,
        code=code,
        tools=tools,
        **reach,
    )
    settings = msgspec.structs.replace(settings, secrets=(*settings.secrets, *hidden))
    settings = _with_schema(options, settings)
    console = error_console(quiet=options.quiet)
    print_secret_notice(settings, console)
    if options.batch_file is not None:
        _batch(options, settings, console)
        return
    progress = StopKeeper(ProgressLines(console, verbose=options.verbose))
    if options.resume_run is not None:
        work = resume_run(options.resume_run, settings=settings, progress=progress)
    else:
        assert options.question is not None, "checked with the request"
        picture, box = options.picture, _box(options)
        work = ask(options.roots, options.question, picture=picture, box=box, settings=settings, progress=progress)
    outcome = run_for_person(
        work,
        as_json=options.as_json,
        interrupted=_interrupted(options),
        on_interruption=lambda: show_stopped(_so_far(progress, options, settings.sure), as_json=options.as_json),
    )
    show_outcome(outcome, as_json=options.as_json)
    raise SystemExit(0 if outcome.answered else NOT_ANSWERED)


class _Options(msgspec.Struct, frozen=True, kw_only=True):
    """The flags as click read them."""

    roots: tuple[str, ...]
    """All texts but the last."""
    question: str | None
    as_json: bool
    max_pages: int
    looks: int
    max_seconds: float
    max_depth: int
    tau: float
    sure: float
    gate_name: str
    tau2: float
    ocr: str
    scope: str
    library: Path | None
    summaries: bool | None
    scout_pages: int | None
    no_scout: bool
    search: str
    also: tuple[str, ...]
    opens_hits: bool
    picture: Path | None
    box: str | None
    picture_search: str
    picture_model: Path | None
    schema: str
    lang: str
    page_seconds: float
    runs_folder: Path
    no_record: bool
    pictures: bool
    recorded: str | None
    sync: bool
    secret_names: tuple[str, ...]
    header_lines: tuple[str, ...]
    proxy: str
    headed: bool
    resume_run: Path | None
    batch_file: Path | None
    sites: tuple[str, ...]
    out: Path
    jobs: int
    place: PlaceOption
    quiet: bool
    verbose: bool


def _so_far(progress: StopKeeper, options: _Options, sure: float) -> Outcome | None:
    """What was found before an interruption, and how to go on; None where no page was open yet."""
    outcome = progress.so_far(sure)
    if outcome is None:
        return None
    run = outcome.trace or str(options.resume_run or "")
    how = f"the walk so far is recorded. Resume it with: walker ask --resume {run}" if run else "nothing was recorded"
    return msgspec.structs.replace(outcome, trace=run, error=f"interrupted; {how}")


def _with_schema(options: _Options, settings: Settings) -> Settings:
    if not options.schema:
        return settings
    if options.batch_file is not None or options.resume_run is not None:
        raise click.UsageError("--schema goes with one QUESTION; a walk that is resumed has its own")
    try:
        return with_schema(settings, read_schema(options.schema))
    except UsageError as error:
        stop_with(str(error), error.exit_code, as_json=options.as_json)


def _check_request(options: _Options, *, has_root: bool) -> None:
    """It is a root with a question, or a file of them, or a walk to go on with. Raises `click.UsageError`."""
    named = [text for text in (*options.roots, options.question) if text is not None]
    if options.batch_file is not None and (named or options.resume_run is not None):
        raise click.UsageError("--batch takes its questions from the file; give no ROOT, QUESTION or --resume")
    if options.sites and options.batch_file is None:
        raise click.UsageError("--site needs --batch FILE too")
    check_place(options.place.where, is_batch=options.batch_file is not None)
    if options.picture is not None and (options.batch_file is not None or options.resume_run is not None):
        raise click.UsageError("--picture goes with a QUESTION; in a batch file each line names its own")
    if options.box is not None and options.picture is None:
        raise click.UsageError("--box needs --picture FILE too")
    check_picture_search(
        (options.picture, options.batch_file, options.resume_run),
        service=options.picture_search,
        model=options.picture_model,
        library=options.library,
    )
    if options.resume_run is not None and named:
        raise click.UsageError("--resume takes the question from the run; give no ROOT or QUESTION")
    least = 2 if has_root and not options.search else 1
    if options.batch_file is None and options.resume_run is None and len(named) < least:
        raise click.UsageError("give a ROOT address and a QUESTION (or --library, --search, --batch or --resume)")
    for text in named:
        if any("\ud800" <= letter <= "\udfff" for letter in text):
            raise click.UsageError("ROOT and QUESTION hold bytes that are not UTF-8; check the terminal's encoding")


def _box(options: _Options) -> tuple[float, ...] | None:
    try:
        return None if options.box is None else read_box(options.box)
    except UsageError as error:
        stop_with(str(error), error.exit_code, as_json=options.as_json)


def _interrupted(options: _Options) -> str:
    """The message after Ctrl-C: where the recording is, and how to resume."""
    if options.resume_run is not None:
        return (
            f"interrupted; the walk so far is recorded. Resume it with: walker ask --resume {shown(options.resume_run)}"
        )
    if options.no_record:
        return "interrupted; nothing was recorded"
    place = shown(options.runs_folder)
    newest = f"walker ask --resume {place}/<the newest folder>"
    return f"interrupted; the walk so far is recorded in {place}. Resume it with: {newest}"


def _gate(options: _Options) -> GateFile | None:
    if options.gate_name in get_args(GateName):
        return None
    try:
        return read_gate(Path(options.gate_name))
    except UsageError as error:
        stop_with(str(error), error.exit_code, as_json=options.as_json)


def _settings(options: _Options) -> Settings:
    if options.max_pages < 1 or options.max_depth < 1 or options.jobs < 1:
        raise click.UsageError("--max-pages, --max-depth and --jobs take a number from 1")
    if not 0 < options.page_seconds <= MOST_PAGE_SECONDS or not 0 < options.max_seconds < math.inf:
        raise click.UsageError(
            "--page-seconds and --max-seconds take a number of seconds above 0, a page a day at most"
        )
    if not 0 <= options.tau <= 100 or not 0 <= options.tau2 <= 100:
        raise click.UsageError("--tau and --tau2 take a number from 0 to 100")
    if not 0 <= options.sure <= 1:
        raise click.UsageError("--sure takes a number from 0 to 1")
    missing = [name for name in options.secret_names if name not in os.environ]
    if missing:
        raise click.UsageError(f"--secret {missing[0]}: there is no such environment variable")
    gate = _gate(options)
    headers, proxy, sent = read_way_out(options.header_lines, options.proxy, as_json=options.as_json)
    return Settings(
        limits=Limits(
            pages=options.max_pages, seconds=options.max_seconds, depth=options.max_depth, looks=options.looks
        ),
        threshold=gate.tau if gate else options.tau,
        look_threshold=gate.tau2 if gate else options.tau2,
        weights=gate.weights if gate else GateWeights(),
        sure=options.sure,
        gate="paper" if options.gate_name == "paper" else "walker",
        ocr=options.ocr,  # type: ignore[arg-type]
        scope="path" if options.scope == "path" else "host",
        language=options.lang,
        beyond=read_beyond(options.search, options.also, opens_hits=options.opens_hits, as_json=options.as_json),
        library=options.library,
        picture_search=read_picture_service(options.picture_search, as_json=options.as_json),
        picture_model=options.picture_model,
        summaries=options.summaries,
        scout_pages=0 if options.no_scout else options.scout_pages,
        runs_folder=options.runs_folder,
        record=not options.no_record,
        pictures=options.pictures,
        network=options.recorded is not None and not options.no_record,
        pinned_at=round(time.time(), 3) if options.recorded == "deterministic" and not options.no_record else 0.0,
        durability="step" if options.sync else "process",
        chromium=os.environ.get("WALKER_CHROMIUM", ""),
        page_seconds=options.page_seconds,
        headed=options.headed,
        secrets=(*(os.environ[name] for name in options.secret_names), *sent),
        headers=headers,
        proxy=proxy,
    )


def _batch(options: _Options, settings: Settings, console: Console) -> None:
    assert options.batch_file is not None
    work = run_batch(
        options.batch_file,
        sites=_sites(options.sites),
        out=options.out,
        place=read_place(options.place, settings, jobs=options.jobs, as_json=options.as_json),
        settings=settings,
        console=console,
    )
    interrupted = f"interrupted; the answers so far are in {options.out}. Run the same command again to go on"
    report = run_for_person(work, as_json=options.as_json, interrupted=interrupted)
    if options.as_json:
        click.echo(msgspec.json.encode(report).decode())
    if report.failed:
        failed = f"{report.failed} of {report.questions} questions failed; {options.out} says why"
        click.echo(f"walker: {failed}. Run the same command again to ask them again", err=True)
    raise SystemExit(0 if report.failed == 0 else 1)


def _sites(pairs: tuple[str, ...]) -> dict[str, str]:
    """Addresses by name. Raises `click.UsageError`."""
    sites: dict[str, str] = {}
    for pair in pairs:
        name, mark, base = pair.partition("=")
        if not mark or not name or not base:
            raise click.UsageError(f"--site {pair}: write it as NAME=http://host/")
        if name in sites:
            raise click.UsageError(f"--site {pair}: {name} has an address already")
        try:
            sites[name] = check_root(base)
        except NotAUrl as error:
            raise click.UsageError(f"--site {pair}: {error.what}. {error.advice}") from None
    return sites
