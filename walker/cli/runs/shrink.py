"""`walker shrink`: the smallest reproduction of a wrong decision."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import click
import msgspec

from walker.cli.places.run_places import RecordedRuns
from walker.cli.run_command import error_console, run_for_person
from walker.runs.shrinking.case import DecisionKind, write_case
from walker.runs.shrinking.search import Shrunk, shrink_run

AT_THE_END: tuple[DecisionKind, ...] = ("answer", "stop", "count")


@click.command("shrink")
@click.argument("run", type=RecordedRuns())
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), required=True, help="Folder of the test case; must not exist yet."
)
@click.option(
    "--decision",
    default="answer",
    show_default=True,
    metavar="WHAT",
    help="The wrong decision: answer, stop or count at the end, or move@K, gate@K or verdict@K in step K.",
)
@click.option(
    "--keep",
    multiple=True,
    metavar="TEXT",
    help="A text that must stay in the pages, such as the right answer (repeatable).",
)
@click.option("--walks", default=2000, show_default=True, help="Try at most this many walks.")
@click.option(
    "--json", "as_json", is_flag=True, is_eager=True, help="Print one JSON object on stdout and nothing else."
)
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
def shrink_command(run: Path, out: Path, decision: str, *, as_json: bool, quiet: bool, **search: Any) -> None:
    r"""Find the smallest site on which the walk of RUN still decides wrongly, and write it as a test case.

    Pages, model replies and subtrees of pages are removed as long as the decision persists; each try is a walk without
    browser or network, with the current code. The folder holds the pages, the case, and a test that fails until the
    decision changes.

    \b
    walker shrink runs/20260101-120000-how-many-a1b2c3 -o wrong-count --decision count
    walker shrink runs/20260101-120000-how-long-d4e5f6 -o no-answer --keep "18.4 metres"
    pytest wrong-count/test_case.py
    """
    kind, step = _read_decision(decision)
    if out.exists():
        raise click.UsageError(f"-o {out}: it exists already; name a new folder")
    console = error_console(quiet=quiet)
    keep, walks = search["keep"], search["walks"]
    work = shrink_run(run, kind, step=step, keep=keep, most_walks=walks, tell=console.print)
    shrunk = run_for_person(work, as_json=as_json)
    run_for_person(_write(shrunk, out), as_json=as_json)
    case = shrunk.case
    if as_json:
        summary = {"case": str(out), "decision": case.decision, "pages": len(case.pages), "size": case.size}
        summary |= {"pages_before": shrunk.pages_before, "size_before": shrunk.size_before, "walks": shrunk.walks}
        click.echo(msgspec.json.encode(summary | {"is_smallest": shrunk.is_smallest}).decode())
        return
    click.echo(f"{out}: the {case.decision.kind} is still {case.decision.value!r}")
    click.echo(f"  {shrunk.pages_before} -> {len(case.pages)} pages, {shrunk.size_before} -> {case.size} characters")
    done = "nothing more can be removed" if shrunk.is_smallest else "more might be removed with a higher --walks"
    click.echo(f"  {shrunk.walks} walks; {done}")


async def _write(shrunk: Shrunk, out: Path) -> None:
    write_case(shrunk.case, out, shrunk.picture)


def _read_decision(text: str) -> tuple[DecisionKind, int]:
    """Kind and step of "move@2". Raises `click.UsageError`."""
    name, at, number = text.partition("@")
    for kind in get_args(DecisionKind):
        if kind == name and (kind in AT_THE_END) == (not at) and (not at or (number.isdecimal() and int(number) > 0)):
            return kind, int(number or 0)
    raise click.UsageError(f"--decision {text}: write it as answer, stop, count, move@2, gate@2 or verdict@2")
