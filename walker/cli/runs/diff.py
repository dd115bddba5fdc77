"""`walker diff`: where two walks differ, and why."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import msgspec

from traces.compare.diff import StepPair, WalkDiff
from traces.compare.difference import Entries
from walker.cli.places.run_places import RecordedRuns
from walker.cli.run_command import stop_with
from walker.cli.tables import print_folded
from walker.errors import UsageError
from walker.runs.compare import diff_runs

WIDTH = 60


@click.command("diff")
@click.argument("one", metavar="A", type=RecordedRuns())
@click.argument("other", metavar="B", type=RecordedRuns())
@click.option(
    "--json", "as_json", is_flag=True, is_eager=True, help="Print one JSON object on stdout and nothing else."
)
@click.option("--exit-code", is_flag=True, help="Exit with 1 if the walks differ.")
def diff_command(one: Path, other: Path, as_json: bool, exit_code: bool) -> None:
    r"""Compare the runs A and B: the first decision that differs, its cause and its consequences.

    Steps are aligned by page and position in the URL stack, so that an extra step of one walk does not shift the others.
    Scores, decisions, findings, answer and cost are compared; times are not. Where the walks started at different origins
    (another port, staging against production), pages with the same path count as the same page.

    \b
    walker diff runs/20260101-120000-how-many-a1b2c3 runs/20260102-090000-how-many-d4e5f6
    walker diff before.zip after.zip --json
    """
    try:
        diff = diff_runs(one, other)
    except UsageError as error:
        stop_with(str(error), error.exit_code, as_json=as_json)
    if as_json:
        click.echo(msgspec.json.encode(diff).decode())
    else:
        _tell(diff)
    raise SystemExit(1 if exit_code and not diff.is_equal else 0)


def _tell(diff: WalkDiff) -> None:
    print_folded(f"A {diff.one}")
    print_folded(f"B {diff.other}")
    for ours, theirs in diff.origins:
        print_folded(f"compared as the same site: {ours} | {theirs}")
    if diff.is_equal:
        print_folded(f"equal: {len(diff.pairs)} steps")
    for setting in diff.settings:
        print_folded(f"setting {setting.field}: {_pair(setting.expected, setting.got)}")
    if diff.first is not None:
        print_folded(f"first difference: {_place(diff.first)}")
    for number, cause in enumerate(diff.chain):
        where = f"{'step ' + _numbers(cause.one_step, cause.other_step) + ', ' if cause.one_step else ''}{cause.stage}"
        print_folded(f"  {'because ' if number else ''}{where} {cause.field}: {_pair(cause.one, cause.other)}")
    _print_steps(diff.pairs)
    for difference in diff.end:
        print_folded(f"end {difference.field}: {_pair(difference.expected, difference.got)}")
    cost = [f"{name} {one:g} | {other:g}" for name, (one, other) in diff.cost.items() if one or other]
    print_folded(f"cost: {', '.join(cost)}")


def _print_steps(pairs: tuple[StepPair, ...]) -> None:
    """One line for each step that differs; equal steps in a row share one line."""
    equal: list[StepPair] = []
    for pair in (*pairs, None):
        if pair is not None and pair.one and pair.other and not pair.differences:
            equal.append(pair)
            continue
        if equal:
            last = "" if len(equal) == 1 else f" to {_numbers(equal[-1].one, equal[-1].other)}"
            print_folded(f"  = step {_numbers(equal[0].one, equal[0].other)}{last}")
            equal = []
        if pair is None:
            return
        if not pair.one or not pair.other:
            print_folded(f"  {'<' if pair.one else '>'} only {'A' if pair.one else 'B'}: {_place(pair)}")
            continue
        print_folded(f"  ! {_place(pair)}")
        for found in pair.differences:
            print_folded(f"      {found.stage} {found.field}: {_pair(found.one, found.other)}")


def _place(pair: StepPair) -> str:
    return f"step {_numbers(pair.one, pair.other)} {pair.title or pair.url}"


def _numbers(one: int, other: int) -> str:
    """One number where both walks have it, else both, as "3|4"."""
    return str(one or other) if one == other or not one or not other else f"{one}|{other}"


def _pair(one: Any, other: Any) -> str:
    return f"{_brief(one)} | {_brief(other)}"


def _brief(value: Any) -> str:
    if isinstance(value, Entries):
        return "1 entry" if value.count == 1 else f"{value.count} entries"
    text = value if isinstance(value, str) and value else msgspec.json.encode(value).decode()
    text = " ".join(text.split())
    return text if len(text) <= WIDTH else f"{text[: WIDTH - 1]}…"
