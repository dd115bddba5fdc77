"""Headers and proxy as the command line gives them, with values of the environment, and the flags of walks that ask no question of
their own."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import click

from walker.cli.header_lines import read_header_lines
from walker.cli.places.run_places import RunsFolder
from walker.cli.run_command import stop_with
from walker.crawl.script.secret_text import fill_in, names_in
from walker.errors import UsageError
from walker.seams.web.way_out import way_out_of_walk


def read_way_out(
    header_lines: Sequence[str], proxy: str, *, as_json: bool
) -> tuple[tuple[tuple[str, str], ...], str, tuple[str, ...]]:
    """Headers and proxy with values of the environment, and these values; one that cannot be ends the command."""
    try:
        lines = read_header_lines(header_lines)
        headers = tuple((name, fill_in(value, os.environ)) for name, value in lines.items())
        filled = fill_in(proxy, {name: quote(value, safe="") for name, value in os.environ.items()})
        names = [name for text in (*lines.values(), proxy) for name in names_in(text)]
        # Read with any root, so that what cannot be is told before a browser starts.
        way_out_of_walk(("https://example.org/",), headers, filled)
    except (UsageError, ValueError) as error:
        stop_with(str(error), UsageError.exit_code, as_json=as_json)
    return headers, filled, tuple(os.environ[name] for name in names)


def with_run_options(
    site: str, unrecorded: str = "Record nothing."
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A command with the time-out of a page, what is recorded where, and the way out; `site` is whose headers are sent."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(_run_options(site, unrecorded)):
            command = option(command)
        return command

    return decorate


def with_way_out(site: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A command with --header and --proxy only; `site` is whose headers are sent."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(_way_out(site)):
            command = option(command)
        return command

    return decorate


def _run_options(site: str, unrecorded: str) -> tuple[Callable[..., Any], ...]:
    return (
        click.option("--page-seconds", default=20.0, show_default=True, help="Time-out for loading one page."),
        click.option(
            "--runs",
            "runs_folder",
            type=RunsFolder(),
            default=Path("runs"),
            show_default=True,
            help="Folder for recorded runs, or s3://BUCKET/PREFIX.",
        ),
        click.option("--no-record", is_flag=True, help=unrecorded),
        *_way_out(site),
    )


def _way_out(site: str) -> tuple[Callable[..., Any], ...]:
    return (
        click.option(
            "--header",
            "header_lines",
            multiple=True,
            metavar="NAME: VALUE",
            help=f"Send this header to the {site}'s site (repeatable).",
        ),
        click.option("--proxy", default="", metavar="URL", help="Open pages through this proxy."),
    )
