"""`walker replay`: run a recorded walk again, from its record alone."""

from __future__ import annotations

import os
from pathlib import Path

import click
import msgspec

from walker.cli.ask import show_outcome
from walker.cli.running import error_console, run_for_person
from walker.progress import ProgressLines
from walker.replaying import fork_run, replay_run
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
    "--runs",
    "runs_folder",
    type=click.Path(path_type=Path),
    default=Path("runs"),
    show_default=True,
    help="Folder for the run of a fork.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object on stdout and nothing else.")
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
def replay_command(
    run: Path, live_after: int | None, deep: bool, runs_folder: Path, as_json: bool, quiet: bool
) -> None:
    """Run the walk recorded in the folder RUN again, with no browser and no network.

    Every score, gate, count, move of the stack and choice is derived again and must come out equal; the first
    difference stops the replay and is named.
    """
    progress = ProgressLines(error_console(quiet=quiet))
    if live_after is not None:
        if deep or live_after < 0:
            raise click.UsageError("--live-after takes a step number from 0, and goes without --deep")
        settings = Settings(runs_folder=runs_folder, chromium=os.environ.get("WALKER_CHROMIUM", ""))
        forked = run_for_person(
            fork_run(run, after_step=live_after, settings=settings, progress=progress), as_json=as_json
        )
        show_outcome(forked, as_json=as_json)
        return
    report = run_for_person(replay_run(run, deep=deep, progress=progress), as_json=as_json)
    if as_json:
        click.echo(msgspec.json.encode(report).decode())
        return
    click.echo(
        f"equal: {report.events} events, {report.calls} recorded answers, {report.pages} pages in {report.seconds:.3f} s"
        f" (the walk took {report.walk_seconds:.1f} s)"
    )
    if report.ended_with:
        click.echo(f"the walk was cut off or failed: {report.ended_with}")
    if report.outcome is not None:
        show_outcome(report.outcome, as_json=False)
