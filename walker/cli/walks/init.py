"""`walker init`: a crawl script to start from, made from one page."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import urlsplit

import click

from walker.cli.run_command import run_for_person, stop_with
from walker.crawl.script.spec_loader import spec_of_root
from walker.crawl.starting_script import make_starting_script
from walker.errors import UsageError
from walker.files.atomic_output import write_output
from walker.settings import Settings


@click.command("init")
@click.argument("url")
@click.option(
    "-o", "--out", type=click.Path(path_type=Path, dir_okay=False), help="File to write; HOST.yaml if not given."
)
@click.option("--force", is_flag=True, help="Replace a file that is there.")
def init_command(url: str, out: Path | None, force: bool) -> None:
    r"""Write a crawl script to start from: the site at URL, with the lists of records that its first page has.

    \b
    walker init https://books.example.org/ -o books.yaml
    walker crawl --check books.yaml
    walker crawl books.yaml --max-pages 20
    """
    try:
        spec = spec_of_root(url)
        path = out or Path(f"{(urlsplit(spec.start[0]).hostname or 'site').removeprefix('www.')}.yaml")
        if path.exists() and not force:
            raise UsageError(
                "it is there already", where=str(path), advice="Name another file with --out, or add --force"
            )
    except UsageError as error:
        stop_with(str(error), error.exit_code, as_json=False)
    settings = Settings(record=False, chromium=os.environ.get("WALKER_CHROMIUM", ""))
    run_for_person(_write(spec.start[0], path, settings), as_json=False)
    click.echo(f"written: {path}. Next: walker crawl {path} --max-pages 20")


async def _write(url: str, path: Path, settings: Settings) -> None:
    write_output(path, (await make_starting_script(url, settings.chromium)).encode())
