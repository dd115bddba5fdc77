"""`--workers` and `--on` of a crawl: how many further workers help with it, and where they run."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from walker.cli.places.walk_places import LOCAL, check_place, environment, quiet_cluster
from walker.crawl.fleet.crew import Crew, HelperPlace
from walker.crawl.fleet.local_helpers import LocalHelpers
from walker.crawl.script.spec_loader import CrawlScript
from walker.errors import UsageError
from walker.fleet.ray_cluster import WORKER_MEMORY
from walker.seams.web.storage_state import NO_STATE, StorageState

HTTP_MEMORY = 500_000_000
"""Bytes that a worker without a browser asks its machine for."""
USUAL_WORKERS = 2
MOST_WORKERS = 1000
_STAY = {"headed": "--headed", "browser": "--browser", "library": "--library"}
"""What belongs to one process, with its flag."""


def with_crew_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The flags."""
    workers = click.option(
        "--workers",
        type=click.IntRange(1, MOST_WORKERS),
        default=None,
        help="With a --job in Postgres: start so many further workers, replace those that die, and end them with the crawl."
        f" [default: none, with --on ray {USUAL_WORKERS}]",
    )
    place = click.option(
        "--on",
        "place",
        default=LOCAL,
        show_default=True,
        metavar="local|ray|ray://HOST:PORT",
        help="Where those run: as processes here, or on the machines of a Ray cluster (ray: the one of this machine).",
    )
    return workers(place(command))


def check_crew(options: Mapping[str, Any], address: str, state: StorageState) -> None:
    """They go with the other flags. `address` is that of the job in Postgres, "" for none; `state` is a person's, who has logged in.
    Raises `click.UsageError`."""
    check_place(options["place"])
    if options["workers"] is None and options["place"] == LOCAL:
        return
    if not address:
        raise click.UsageError('--workers and --on need a job in Postgres: --job "postgresql://HOST/DATABASE?job=NAME"')
    stays = [flag for name, flag in _STAY.items() if options[name]]
    stays += ["--profile, or --state"] if state != NO_STATE else []
    if stays:
        raise click.UsageError(f"{stays[0]} is of one process; leave it or --workers and --on out")


def crew_of(
    options: Mapping[str, Any],
    script: CrawlScript,
    job: tuple[Path, str],
    tell: Callable[[str], None],
) -> Crew | None:
    """The crew that the flags ask for, None for none; nothing is started yet. `job` is the folder and the address of the job. Raises
    `UsageError` for what workers elsewhere could not do, and `MissingExtra`."""
    where, workers = options["place"], options["workers"]
    if workers is None and where == LOCAL:
        return None
    place: HelperPlace
    if where == LOCAL:
        path = script.functions.path
        place = LocalHelpers(job[1], os.environ, ("--script", str(path)) if path else ())
    else:
        if script.functions.path:
            raise UsageError(
                "a script in Python stays on this machine",
                where="--on",
                advice="Write it as YAML, or start workers where the script is: walker worker ADDRESS --script FILE",
            )
        quiet_cluster()
        memory = HTTP_MEMORY if script.spec.driver == "http" else WORKER_MEMORY
        # It loads all that a walk needs, half of what a crawl takes to begin.
        cluster = importlib.import_module("walker.fleet.ray_helpers")
        place = cluster.RayHelpers(where, job[1], environment, folder=job[0], memory=memory)
    return Crew(place, workers or USUAL_WORKERS, tell)
