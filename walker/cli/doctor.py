"""`walker doctor`: is everything here that a walk needs?"""

from __future__ import annotations

import os
from pathlib import Path

import click
import msgspec

from walker.cli.model_options import model_at
from walker.cli.running import run_for_person
from walker.doctor import Check, examine
from walker.models.trial import examine_model
from walker.settings import ModelSettings


@click.command("doctor")
@click.option(
    "--runs",
    "runs_folder",
    type=click.Path(path_type=Path),
    default=Path("runs"),
    show_default=True,
    help="Folder that the recorded walks go to.",
)
@click.option(
    "--model",
    "model_name",
    default="",
    metavar="NAME",
    help="Try this language model too. Key: WALKER_API_KEY or OPENAI_API_KEY.",
)
@click.option(
    "--base-url",
    default="",
    metavar="URL",
    help="Its OpenAI-compatible endpoint; WALKER_BASE_URL or OPENAI_BASE_URL if not given.",
)
@click.option("--price", default="", metavar="IN,OUT", help="Price of a million tokens of prompt, and of reply.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object on stdout and nothing else.")
def doctor_command(runs_folder: Path, model_name: str, base_url: str, price: str, as_json: bool) -> None:
    """Check the installation: Python, packages, browser, models, folders. Exit code 1 if a walk would fail."""
    model = model_at(model_name, base_url, price)
    chromium = os.environ.get("WALKER_CHROMIUM", "")
    checks = run_for_person(_examine(runs_folder, chromium, model), as_json=as_json)
    if as_json:
        click.echo(msgspec.json.encode({"ok": all(check.ok for check in checks), "checks": checks}).decode())
    else:
        for check in checks:
            click.echo(f"{'ok  ' if check.ok else 'FAIL'} {check.name}: {check.detail}")
            if check.advice:
                click.echo(f"     {check.advice}")
    raise SystemExit(0 if all(check.ok for check in checks) else 1)


async def _examine(runs_folder: Path, chromium: str, model: ModelSettings | None) -> tuple[Check, ...]:
    checks = await examine(runs_folder=runs_folder, chromium=chromium)
    if model is None:
        return checks
    return (*checks, *await examine_model(model))
