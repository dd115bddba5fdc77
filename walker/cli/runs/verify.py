"""`walker verify`: stored runs as a regression suite."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import click
import msgspec

from traces.compare.matching import RUNGS, Rung
from traces.reading.catalogue import find_runs
from traces.replay_warnings import summarize_warnings
from walker.cli.places.run_places import RecordedRuns
from walker.cli.run_command import stop_with
from walker.cli.tables import Column, print_folded, table_lines, terminal_width
from walker.runs.verification import Verification, verify_run

_COLUMNS = (
    Column(gap=0, least=8),
    Column(gap=1, shortest=24, cut="middle"),
    Column(gap=1, rank=1),
    Column(gap=1, rank=2),
)


@click.command("verify")
@click.argument("runs", nargs=-1, required=True, type=RecordedRuns(is_anew=True))
@click.option("--deep", is_flag=True, help="Run page reading, OCR and strategy again too, and compare their results.")
@click.option(
    "--match",
    "tolerance",
    type=click.Choice(RUNGS),
    default="exact",
    show_default=True,
    help="Accept calls whose request has changed a little (minor) or entirely (major), with the answer recorded in their place.",
)
@click.option(
    "--json", "as_json", is_flag=True, is_eager=True, help="Print one JSON object on stdout and nothing else."
)
def verify_command(runs: tuple[Path, ...], deep: bool, tolerance: Rung, as_json: bool) -> None:
    r"""Compute every score, gate decision, count, stack move and choice of RUNS again, and check every line and blob.

    RUNS are runs, packed runs, or folders of runs. The first field that differs is named with both values. Exit code 0
    if all runs are equal, 1 if one is not.

    \b
    walker verify runs/20260101-120000-how-many-a1b2c3
    walker verify tests/recordings --deep --json
    """
    missing = [run for run in runs if not run.exists()]
    found = find_runs(runs)
    if missing or not found:
        where = missing[0] if missing else runs[0]
        stop_with(
            f"{where}: there is no run there. Give runs, such as runs/<time>-..., or a folder of them",
            2,
            as_json=as_json,
        )
    results = [asyncio.run(verify_run(run, deep=deep, tolerance=tolerance)) for run in found]
    differing = sum(not result.is_equal for result in results)
    if as_json:
        click.echo(msgspec.json.encode({"runs": results, "differing": differing}).decode())
    else:
        _tell(results)
        click.echo(f"{len(results)} run{'s' * (len(results) != 1)}, {differing} not equal")
    raise SystemExit(1 if differing else 0)


def _tell(results: Sequence[Verification]) -> None:
    lines = table_lines(_COLUMNS, [_cells(result) for result in results], terminal_width())
    for line, result in zip(lines, results, strict=True):
        click.echo(line.rstrip(":;"))
        _tell_details(result)


def _cells(result: Verification) -> tuple[str, ...]:
    state = "equal" if result.is_equal else "DIFFERS" if result.departure is not None else "DAMAGED"
    checked = f"{result.events} events, {result.lines} lines, {result.blobs} blobs in {result.milliseconds:.0f} ms;"
    return state, f"{result.run}:", checked, f"calls: {result.certificate}"


def _tell_details(result: Verification) -> None:
    if result.departure is not None:
        print_folded(f"  {result.departure.told}")
    for mismatch in result.mismatches[:8]:
        where = f"step {mismatch.step}, {mismatch.seam}.{mismatch.method}"
        print_folded(f"  {mismatch.rung}: {where}: {mismatch.field} differs by {mismatch.distance:.0%}")
    for problem in result.problems[:8]:
        print_folded(f"  damaged: {problem}")
    if len(result.problems) > 8:
        print_folded(f"  and {len(result.problems) - 8} more")
    for note in result.notes:
        print_folded(f"  note: {note}")
    if result.doubts:
        print_folded(f"  note: {summarize_warnings(result.doubts)}")
