"""`walker demo`: five questions to the bundled example site."""

from __future__ import annotations

import os
from pathlib import Path

import click

from walker.cli.run_command import NOT_ANSWERED, error_console, run_for_person
from walker.demo.run import run_demo
from walker.settings import Settings


@click.command("demo")
@click.option(
    "--runs",
    "runs_folder",
    type=click.Path(path_type=Path),
    default=Path("runs"),
    show_default=True,
    help="Folder for recorded walks.",
)
def demo_command(runs_folder: Path) -> None:
    r"""Serve the bundled site of a small institute on 127.0.0.1 and answer five questions from it.

    \b
    walker demo
    """
    settings = Settings(runs_folder=runs_folder, chromium=os.environ.get("WALKER_CHROMIUM", ""))
    interrupted = f"interrupted; the walks so far are recorded in {runs_folder}"
    answered = run_for_person(
        run_demo(error_console(ruled=True), settings=settings), as_json=False, interrupted=interrupted
    )
    raise SystemExit(0 if answered else NOT_ANSWERED)
