"""`walker why`: why this answer and not the next one, or the items behind a counted number."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from walker.cli.places.run_places import RecordedRuns
from walker.cli.run_command import stop_with
from walker.cli.tables import print_folded
from walker.errors import UsageError, WalkerError
from walker.files.atomic_output import write_output
from walker.runs.answer_reasons import AnswerReasons, reasons_of
from walker.runs.count_provenance import Account, Unit, account_for, has_counted
from walker.runs.recorded_run import open_run
from walker.runs.unit_places import PagesOfSteps, UnitPlace
from walker.seams.picture_pages import told_address


@click.command("why")
@click.argument("run", type=RecordedRuns())
@click.argument("number", required=False, type=int)
@click.option(
    "--crops",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Write a crop of the recorded screenshot for each item, as unit-<number>.png (needs walker ask --pictures).",
)
@click.option(
    "--json", "as_json", is_flag=True, is_eager=True, help="Print one JSON object on stdout and nothing else."
)
def why_command(run: Path, number: int | None, crops: Path | None, as_json: bool) -> None:
    r"""Say why RUN gave this answer and not the next one. Of a run that counted things, list these: each with its page, element and
    quote, the duplicates merged into it and why, and the candidates that were rejected. With NUMBER only that item.

    \b
    walker why runs/20260101-120000-when-was-d4e5f6
    walker why runs/20260101-120000-how-many-a1b2c3 17
    walker why runs/20260101-120000-how-many-a1b2c3 --crops shown
    """
    try:
        opened = open_run(run)
        if number is None and crops is None and not has_counted(opened):
            _print_reasons(reasons_of(opened), as_json=as_json)
            return
        pages = PagesOfSteps(opened)
        account = account_for(opened, pages)
        if number is not None and not 1 <= number <= account.found:
            advice = (
                f"Give a number from 1 to {account.found}" if account.found else "See walker replay for what it saw"
            )
            raise UsageError(f"it counted {account.found}", where=str(run), advice=advice)
        shown = account.units if number is None else account.units[number - 1 : number]
        written = _write_crops(pages, shown, crops) if crops is not None else {}
    except WalkerError as error:
        stop_with(str(error), error.exit_code, as_json=as_json)
    if as_json:
        click.echo(msgspec.json.encode(account if number is None else shown[0]).decode())
        return
    for unit in shown:
        _print_unit(unit)
        if crops is not None:
            print_folded(f"      shown in {written.get(unit.number) or 'no recorded picture'}")
    if number is None:
        _print_totals(account)


def _print_reasons(reasons: AnswerReasons, *, as_json: bool) -> None:
    if as_json:
        click.echo(msgspec.json.encode(reasons).decode())
        return
    for line in reasons.lines():
        print_folded(line)


def _write_crops(pages: PagesOfSteps, units: tuple[Unit, ...], folder: Path) -> dict[int, Path]:
    """Files by the number of their unit; units that no picture shows have none. Raises `OutputUnwritable`."""
    written: dict[int, Path] = {}
    for unit in units:
        if picture := pages.crop_of(unit.step, unit.place):
            written[unit.number] = folder / f"unit-{unit.number:03}.png"
            write_output(written[unit.number], picture)
    return written


def _print_unit(unit: Unit) -> None:
    print_folded(f"{unit.number:>4}  {unit.name}", hang=6)
    print_folded(f"      step {unit.step}, {told_address(unit.url)}")
    if unit.place.selector:
        print_folded(f"      at {unit.place.selector}{_box(unit.place)}")
    if unit.quote and unit.quote != unit.name:
        print_folded(f"      “{' '.join(unit.quote.split())}”")
    if unit.key:
        print_folded(f"      known by {unit.key}")
    for merge in unit.merged:
        likeness = f", {merge.similarity:.2f} alike" if merge.similarity < 1 else ""
        print_folded(f"      also met as {merge.name} in step {merge.step} ({merge.reason}{likeness})")


def _box(place: UnitPlace) -> str:
    if place.box is None:
        return ""
    box = place.box
    return f", element {place.element} of the picture, {box.width:.0f} x {box.height:.0f} at {box.x:.0f}, {box.y:.0f}"


def _print_totals(account: Account) -> None:
    for rejected in account.rejected:
        print_folded(
            f"   -  {rejected.name or '(no name)'}: not counted, {rejected.reason} (step {rejected.step}, {rejected.url})"
        )
    which = f" ({account.constraint})" if account.constraint else ""
    wanted = f" of {account.target}" if account.target else ""
    proof = "complete" if account.complete else "at least, the end was not proven"
    stated = f"; the site states {account.stated_total}" if account.stated_total else ""
    end = "; the end of the list was seen" if account.end_seen else ""
    print_folded(f"{account.found}{wanted} {account.noun}{which}: {proof}{stated}{end}")
