"""`walker replay`: run a recorded walk again, from its record alone."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click
import msgspec

from walker.cli.ask import show_outcome
from walker.cli.model_options import key_for_resume, vision_key_for_resume
from walker.cli.running import error_console, run_for_person
from walker.errors import UsageError
from walker.progress import ProgressLines
from walker.replaying import draw_graph, fork_run, replay_run
from walker.settings import Settings


@click.command("replay")
@click.argument("run", type=click.Path(path_type=Path))
@click.option(
    "--live-after", type=int, metavar="K", help="Fork: follow the record up to step K, then go on live into a new run."
)
@click.option(
    "--deep", is_flag=True, help="Take only the pages from the record; read and decide everything again and compare."
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
    type=click.Path(path_type=Path),
    default=Path("runs"),
    show_default=True,
    help="Folder for the run of a fork.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object on stdout and nothing else.")
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
def replay_command(run: Path, **given: Any) -> None:
    r"""Run the walk recorded in the folder RUN again, with no browser and no network.

    Every score, gate, count, move of the stack and choice is derived again and must come out equal; the first
    difference stops the replay and is named. A model that the walk used is not asked, and no key is needed; a fork asks it
    from where it goes live.

    \b
    walker replay runs/20260101-120000-how-many-a1b2c3
    walker replay runs/20260101-120000-how-many-a1b2c3 --live-after 3
    walker replay runs/20260101-120000-how-many-a1b2c3 --graph site.graphml
    """
    options = _Options(**given)
    if options.graph_file is not None:
        if options.deep or options.live_after is not None:
            raise click.UsageError("--graph goes without --deep and --live-after")
        run_for_person(_write_graph(run, options.graph_file), as_json=options.as_json)
        file = str(options.graph_file)
        click.echo(msgspec.json.encode({"graph": file}).decode() if options.as_json else file)
        return
    progress = ProgressLines(error_console(quiet=options.quiet))
    as_json = options.as_json
    if options.live_after is not None:
        if options.deep or options.live_after < 0:
            raise click.UsageError("--live-after takes a step number from 0, and goes without --deep")
        settings = Settings(
            runs_folder=options.runs_folder,
            chromium=os.environ.get("WALKER_CHROMIUM", ""),
            model=key_for_resume(),
            vision=vision_key_for_resume(),
        )
        fork = fork_run(run, after_step=options.live_after, settings=settings, progress=progress)
        interrupted = f"interrupted; the fork is recorded in {options.runs_folder}"
        show_outcome(run_for_person(fork, as_json=as_json, interrupted=interrupted), as_json=as_json)
        return
    report = run_for_person(replay_run(run, deep=options.deep, progress=progress), as_json=as_json)
    if as_json:
        click.echo(msgspec.json.encode(report).decode())
        return
    click.echo(
        f"equal: {report.events} events, {report.calls} recorded answers, {report.pages} pages in {report.seconds:.3f} s"
        f" (the walk took {report.walk_seconds:.1f} s)"
    )
    for problem in report.problems:
        click.echo(f"damaged: {problem}")
    if report.ended_with:
        click.echo(f"the walk was cut off or failed: {report.ended_with}")
    if report.outcome is not None:
        show_outcome(report.outcome, as_json=False)
    click.echo(f"fidelity of the recorded answers: {report.certificate}")


async def _write_graph(run: Path, file: Path) -> None:
    graph = draw_graph(run)
    try:
        graph.to_graphml(file)
    except OSError as error:
        reason = error.strerror or "cannot be written"
        raise UsageError(reason, where=str(file), advice="Name a file in a folder that is there") from None


class _Options(msgspec.Struct, frozen=True, kw_only=True):
    """The flags as click read them."""

    graph_file: Path | None
    live_after: int | None
    deep: bool
    runs_folder: Path
    as_json: bool
    quiet: bool
