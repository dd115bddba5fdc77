"""`walker doctor`: is everything here that a walk needs?"""

from __future__ import annotations

import os
from pathlib import Path

import click
import msgspec

from walker.cli.running import run_for_person
from walker.doctor import examine


@click.command("doctor")
@click.option(
    "--runs",
    "runs_folder",
    type=click.Path(path_type=Path),
    default=Path("runs"),
    show_default=True,
    help="Folder that the recorded walks go to.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object on stdout and nothing else.")
def doctor_command(runs_folder: Path, as_json: bool) -> None:
    """Check the installation: Python, packages, browser, models, folders. Exit code 1 if a walk would fail."""
    chromium = os.environ.get("WALKER_CHROMIUM", "")
    checks = run_for_person(examine(runs_folder=runs_folder, chromium=chromium), as_json=as_json)
    if as_json:
        click.echo(msgspec.json.encode({"ok": all(check.ok for check in checks), "checks": checks}).decode())
    else:
        for check in checks:
            click.echo(f"{'ok  ' if check.ok else 'FAIL'} {check.name}: {check.detail}")
            if check.advice:
                click.echo(f"     {check.advice}")
    raise SystemExit(0 if all(check.ok for check in checks) else 1)
