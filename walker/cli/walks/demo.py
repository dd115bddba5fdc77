"""`walker demo`: five questions to the bundled example site."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import click

from walker.cli.places.run_places import RunsFolder, shown
from walker.cli.run_command import NOT_ANSWERED, error_console, run_for_person, stop_with
from walker.demo.run import run_demo
from walker.demo.server import serve_institute
from walker.settings import Settings


@click.command("demo")
@click.option(
    "--runs",
    "runs_folder",
    type=RunsFolder(),
    default=Path("runs"),
    show_default=True,
    help="Folder for recorded walks, or s3://BUCKET/PREFIX.",
)
@click.option("--serve", is_flag=True, help="Only serve the site, to try other commands on, until Ctrl-C.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, help="Its port with --serve; a free one if not given."
)
def demo_command(runs_folder: Path, *, serve: bool, port: int) -> None:
    r"""Serve the bundled site of a small institute on 127.0.0.1 and answer five questions from it.

    \b
    walker demo
    walker demo --serve --port 8100      the site alone, for the tutorial
    """
    if serve:
        _serve(port)
        return
    if port:
        raise click.UsageError("--port is for --serve")
    settings = Settings(runs_folder=runs_folder, chromium=os.environ.get("WALKER_CHROMIUM", ""))
    interrupted = f"interrupted; the walks so far are recorded in {shown(runs_folder)}"
    answered = run_for_person(
        run_demo(error_console(ruled=True), settings=settings), as_json=False, interrupted=interrupted
    )
    raise SystemExit(0 if answered else NOT_ANSWERED)


def _serve(port: int) -> None:
    try:
        with serve_institute(port) as home:
            click.echo(home)
            click.echo("Ctrl-C ends it.", err=True)
            threading.Event().wait()
    except OSError as error:
        stop_with(f"127.0.0.1:{port}: {error.strerror}. Choose another --port", 1, as_json=False)
    except KeyboardInterrupt:
        click.echo("", err=True)
