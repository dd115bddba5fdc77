"""`walker scan`: search runs for leaked secrets."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from traces.errors import TraceError
from traces.reading.catalogue import find_runs
from traces.reading.leaks import LeakReport, read_canaries, scan_run
from walker.cli.amounts import size_in_words
from walker.cli.places.run_places import RecordedRuns, shown
from walker.cli.run_command import stop_with
from walker.cli.tables import print_folded
from walker.errors import UsageError
from walker.runs.recorded_run import open_run

SHORTEST = 4


@click.command("scan")
@click.argument("runs", nargs=-1, required=True, type=RecordedRuns())
@click.option(
    "--canary", "planted", multiple=True, metavar="TEXT", help="A secret that was planted as a canary (repeatable)."
)
@click.option("--canaries", "file", type=click.Path(path_type=Path), help="File of planted secrets, one a line.")
@click.option(
    "--json", "as_json", is_flag=True, is_eager=True, help="Print one JSON object on stdout and nothing else."
)
def scan_command(runs: tuple[Path, ...], planted: tuple[str, ...], file: Path | None, as_json: bool) -> None:
    r"""Search RUNS for leaked secrets. Exit code 1 if something is found.

    It searches for canaries (as text, in HTML, URLs, JSON, base64, hexadecimal and reversed), API keys by their format,
    values of password fields, and random strings named key, token or password. Every file is searched, compressed
    values too. A find is reported with its place, and never printed in full.

    \b
    walker scan runs
    walker scan runs/20260101-120000-how-many-a1b2c3 --canary hunter2-zebra
    walker scan runs --canaries planted.txt --json
    """
    try:
        canaries = (*planted, *(read_canaries(file) if file is not None else ()))
        if any(len(canary) < SHORTEST for canary in canaries):
            raise UsageError(f"a canary has at least {SHORTEST} characters", where="--canary")
        missing = [run for run in runs if not run.exists()]
        reports = {shown(run): scan_run(open_run(run), canaries) for run in missing or find_runs(runs)}
    except UsageError as error:
        stop_with(str(error), error.exit_code, as_json=as_json)
    except TraceError as error:
        stop_with(str(error), 2, as_json=as_json)
    leaks = sum(len(report.leaks) for report in reports.values())
    if as_json:
        click.echo(msgspec.json.encode({"runs": reports, "leaks": leaks}).decode())
    else:
        for run, report in reports.items():
            _tell(run, report)
    raise SystemExit(1 if leaks else 0)


def _tell(run: str, report: LeakReport) -> None:
    found = f"{len(report.leaks)} found" if report.leaks else "nothing found"
    print_folded(f"{run}: {found} in {report.files} pieces, {size_in_words(report.bytes)}")
    for leak in report.leaks:
        where = ", ".join(part for part in (leak.file, leak.where, f"byte {leak.place}") if part)
        print_folded(f"  {leak.kind}: {leak.name}: {where}: {leak.shown}")
    for place in report.unread:
        print_folded(f"  not searched, damaged or missing: {place}")
