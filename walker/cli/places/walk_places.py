"""The names of the places of walks as `--on` has them. Apart from the places themselves, which load all that a walk needs."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

import click

LOCAL = "local"


def check_place(place: str, *, is_batch: bool = True) -> None:
    """It is a place, and goes with a batch. Raises `click.UsageError`."""
    if place == LOCAL:
        return
    if place != "ray" and not re.fullmatch(r"ray://[^/\s]+:\d+", place):
        raise click.UsageError(f"--on {place}: write local, ray or ray://HOST:PORT")
    if not is_batch:
        raise click.UsageError("--on needs --batch FILE too")


def quiet_cluster() -> None:
    """A cluster that is begun here reports to nobody."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")


def environment() -> Mapping[str, str]:
    """The variables of this process, or of the worker that calls it."""
    return os.environ
