"""`--on`: where the walks of a batch or an experiment run."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from typing import Any

import click

from walker.batch.places import LocalPlace, WalkPlace
from walker.cli.run_command import stop_with
from walker.errors import WalkerError
from walker.fleet.ray_place import RayPlace
from walker.settings import Settings

LOCAL = "local"


def with_place_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """The flag."""
    return click.option(
        "--on",
        "place",
        default=LOCAL,
        show_default=True,
        metavar="local|ray|ray://HOST:PORT",
        help="Where several walks run: in this process, or in a browser for each job on the machines of a Ray cluster (ray: the"
        " one of this machine). A walk whose worker dies is resumed.",
    )(command)


def check_place(place: str, *, is_batch: bool = True) -> None:
    """It is a place, and goes with a batch. Raises `click.UsageError`."""
    if place == LOCAL:
        return
    if place != "ray" and not re.fullmatch(r"ray://[^/\s]+:\d+", place):
        raise click.UsageError(f"--on {place}: write local, ray or ray://HOST:PORT")
    if not is_batch:
        raise click.UsageError("--on needs --batch FILE too")


def read_place(place: str, settings: Settings, *, jobs: int, as_json: bool) -> WalkPlace:
    """The place for so many walks at a time; nothing is started yet. What cannot be is said, and ends the program."""
    if place == LOCAL:
        return LocalPlace(settings, jobs=jobs)
    try:
        quiet_cluster()
        return RayPlace(place, settings, environment, jobs=jobs)
    except WalkerError as error:
        stop_with(str(error), error.exit_code, as_json=as_json)


def quiet_cluster() -> None:
    """A cluster that is begun here reports to nobody."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")


def environment() -> Mapping[str, str]:
    """The variables of this process, or of the worker that calls it."""
    return os.environ
