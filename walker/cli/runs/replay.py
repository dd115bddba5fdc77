"""`walker replay`: run a recorded walk again, from its recording alone."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click
import msgspec

from traces.events import ReplayWarning
from traces.replay_warnings import describe_warning
from walker.cli.model_options import key_for_resume, vision_key_for_resume
from walker.cli.places.run_places import RecordedRuns, RunsFolder, shown
from walker.cli.run_command import error_console, run_for_person, stop_with
from walker.cli.runs.overrides import read_overrides
from walker.cli.runs.view import Output, show_runs
from walker.cli.tables import Column, print_folded, print_rows
from walker.cli.typed.shown_answer import show_outcome
from walker.errors import UsageError
from walker.files.atomic_output import write_output
from walker.progress import ProgressLines
from walker.runs.browser_replay import BrowserReplay, replay_in_browser
from walker.runs.fork import fork_run
from walker.runs.recorded_run import draw_graph
from walker.runs.replay import ReplayReport, replay_run
from walker.runs.state_at_step import state_at
from walker.settings import Settings

MOST_WARNINGS_SHOWN = 10
_COLUMNS = (
    Column(gap=0, least=6),
    Column(gap=1, side="right", least=5),
    Column(),
    Column(gap=1, rank=1),
    Column(gap=1, shortest=16, cut="middle"),
    Column(gap=1, shortest=12, rank=2),
)


@click.command("replay")
@click.argument("run", type=RecordedRuns())
@click.option(
    "--to", "to_step", type=int, metavar="K", help="Print what the walk knew after step K, as JSON, and stop."
)
@click.option("--view", "shows", is_flag=True, help="With --to: show that state in the viewer instead of printing it.")
@click.option("--live-after", type=int, metavar="K", help="Fork: replay up to step K, then go on live in a new run.")
@click.option(
    "--with",
    "overrides",
    multiple=True,
    metavar="NAME=VALUE",
    help="Fork with changed settings: model, base_url, vision_model, vision_url, tau, tau2, gate=FILE, max_pages,"
    " prompt=FILE (repeatable). The walk is replayed as long as its requests stay equal, then it goes on live.",
)
@click.option(
    "--browser",
    "in_browser",
    is_flag=True,
    help="Serve the recorded network to a real browser and compare the pages; with --to only as far as step K.",
)
@click.option("--headed", is_flag=True, help="Show that browser.")
@click.option(
    "--deep",
    is_flag=True,
    help="Take only the pages from the recording; run reading, OCR and strategy again and compare.",
)
@click.option(
    "--graph",
    "graph_file",
    type=click.Path(path_type=Path),
    help="Write the graph of pages and links that the walk saw (GraphML), and stop.",
)
@click.option(
    "--runs",
    "runs_folder",
    type=RunsFolder(),
    default=Path("runs"),
    show_default=True,
    help="Folder, or s3://BUCKET/PREFIX, for the run of a fork.",
)
@click.option(
    "--json", "as_json", is_flag=True, is_eager=True, help="Print one JSON object on stdout and nothing else."
)
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
def replay_command(run: Path, **given: Any) -> None:
    r"""Run the walk recorded in the folder RUN again, with no browser and no network.

    Every score, gate decision, count, move on the URL stack and choice is computed again and must be equal; the replay
    stops at the first difference and names it. Recorded replies stand in for models, so no API key is needed; a fork
    calls the model once it is live. The run of a session (walker.Session in Python) is fed its calls again.

    \b
    walker replay runs/20260101-120000-how-many-a1b2c3
    walker replay runs/20260101-120000-how-many-a1b2c3 --to 2
    walker replay runs/20260101-120000-how-many-a1b2c3 --to 2 --view
    walker replay runs/20260101-120000-how-many-a1b2c3 --live-after 3
    walker replay runs/20260101-120000-how-many-a1b2c3 --with model=qwen3:8b,tau=60
    walker replay runs/20260101-120000-how-many-a1b2c3 --with prompt=step.en.md
    walker replay runs/20260101-120000-how-many-a1b2c3 --browser
    walker replay runs/20260101-120000-how-many-a1b2c3 --graph site.graphml
    """
    options = _Options(**given)
    as_json, progress = options.as_json, ProgressLines(error_console(quiet=options.quiet))
    _check(options)
    if options.graph_file is not None:
        run_for_person(_write_graph(run, options.graph_file), as_json=as_json)
        file = str(options.graph_file)
        click.echo(msgspec.json.encode({"graph": file}).decode() if as_json else file)
    elif options.in_browser:
        settings = Settings(chromium=os.environ.get("WALKER_CHROMIUM", ""), headed=options.headed)
        work = replay_in_browser(run, settings, last_step=options.to_step)
        _print_browser(run_for_person(work, as_json=as_json), as_json=as_json)
    elif options.to_step is not None:
        state = run_for_person(state_at(run, options.to_step, progress=progress), as_json=as_json)
        if options.shows:
            show_runs((run,), Output(), opening=f"step={state.step}&pane=state")
            return
        line = msgspec.json.encode(state)
        click.echo((line if as_json else msgspec.json.format(line)).decode())
    elif options.live_after is not None or options.overrides:
        _fork(run, options, progress)
    else:
        report = run_for_person(replay_run(run, deep=options.deep, progress=progress), as_json=as_json)
        _tell(report, as_json=as_json)
        if report.is_altered:
            click.echo(f"walker: {run}: the recording is not what the walk wrote; restore it from a backup", err=True)
            raise SystemExit(1)


def _check(options: _Options) -> None:
    """Raises `click.UsageError` for flags that do not go together."""
    if options.graph_file is not None and (options.deep or options.live_after is not None):
        raise click.UsageError("--graph goes without --deep and --live-after")
    if options.to_step is not None and (options.deep or options.live_after is not None or options.overrides):
        raise click.UsageError("--to goes without --deep, --live-after and --with")
    if options.live_after is not None and (options.deep or options.live_after < 0):
        raise click.UsageError("--live-after takes a step number from 0, and goes without --deep")
    if options.shows and (not options.to_step or options.in_browser or options.as_json):
        raise click.UsageError("--view goes with --to and a step from 1, without --browser and --json")
    if options.in_browser and (
        options.deep or options.live_after is not None or options.overrides or options.graph_file
    ):
        raise click.UsageError("--browser goes with --to and --headed only")
    if options.overrides and options.deep:
        raise click.UsageError("--with goes without --deep")


def _print_browser(report: BrowserReplay, *, as_json: bool) -> None:
    if as_json:
        click.echo(msgspec.json.encode(report).decode())
        return
    print_rows(
        _COLUMNS,
        [
            (
                page.rung,
                f"{page.alike:.0%}",
                f"step {page.step}",
                page.method,
                f"{page.url}{':' * bool(page.note)}",
                page.note,
            )
            for page in report.pages
        ],
    )
    for address in report.unrecorded[:10]:
        print_folded(f"not in the recording, refused: {address}")
    for address in report.lost:
        print_folded(f"damaged: {address}")
    _print_warnings(report.doubts)
    print_folded(f"{report.served} responses served, {report.repeated} of them more often than recorded")
    print_folded(f"fidelity of the pages: {report.certificate}")


def _fork(run: Path, options: _Options, progress: ProgressLines) -> None:
    settings = Settings(
        runs_folder=options.runs_folder,
        chromium=os.environ.get("WALKER_CHROMIUM", ""),
        model=key_for_resume(),
        vision=vision_key_for_resume(),
    )
    try:
        overrides = read_overrides(options.overrides)
    except UsageError as error:
        stop_with(str(error), error.exit_code, as_json=options.as_json)
    work = fork_run(run, after_step=options.live_after, settings=settings, overrides=overrides, progress=progress)
    interrupted = f"interrupted; the fork is recorded in {shown(options.runs_folder)}"
    fork = run_for_person(work, as_json=options.as_json, interrupted=interrupted)
    if not options.quiet:
        followed = f"{fork.followed} recorded answers used"
        left = f"live from step {fork.left_at}" if fork.left_at else "never live"
        click.echo(f"{followed}, {left}{': ' + fork.left_because if fork.left_because else ''}", err=True)
    show_outcome(fork.outcome, as_json=options.as_json)


def _tell(report: ReplayReport, *, as_json: bool) -> None:
    if as_json:
        click.echo(msgspec.json.encode(report).decode())
        return
    print_folded(
        f"equal: {report.events} events, {report.calls} recorded answers, {report.pages} pages in {report.seconds:.3f} s"
        f" (the walk took {report.walk_seconds:.1f} s)"
    )
    for problem in report.problems:
        print_folded(f"damaged: {problem}")
    if report.ended_with:
        print_folded(f"the walk was interrupted or failed: {report.ended_with}")
    if report.outcome is not None:
        show_outcome(report.outcome, as_json=False)
    _print_warnings(report.doubts)
    print_folded(f"fidelity of the recorded answers: {report.certificate}")


def _print_warnings(warnings: tuple[ReplayWarning, ...]) -> None:
    """Print why a replay in a browser may not be exact."""
    for warning in warnings[:MOST_WARNINGS_SHOWN]:
        print_folded(f"warning from the recording: {describe_warning(warning)}")
    if len(warnings) > MOST_WARNINGS_SHOWN:
        click.echo(f"warning from the recording: {len(warnings) - MOST_WARNINGS_SHOWN} more; --json lists them")


async def _write_graph(run: Path, file: Path) -> None:
    write_output(file, draw_graph(run).to_graphml())


class _Options(msgspec.Struct, frozen=True, kw_only=True):
    """The flags as click read them."""

    graph_file: Path | None
    to_step: int | None
    shows: bool
    overrides: tuple[str, ...]
    in_browser: bool
    headed: bool
    live_after: int | None
    deep: bool
    runs_folder: Path
    as_json: bool
    quiet: bool
