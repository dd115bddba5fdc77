"""`--on` and what goes with it: where the walks of a batch or an experiment, and the further workers of a crawl, run."""

from __future__ import annotations

import functools
import importlib
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, get_args

import click
import msgspec

from walker.batch.places import LocalPlace, WalkPlace
from walker.cli.places.walk_places import LOCAL, check_place, environment, quiet_cluster
from walker.cli.run_command import stop_with
from walker.crawl.fleet.crew import Crew, HelperPlace
from walker.crawl.fleet.local_helpers import LocalHelpers
from walker.crawl.script.spec_loader import CrawlScript
from walker.errors import UsageError, WalkerError
from walker.fleet.model_sharing import WHERE_THERE_IS_A_GPU, ModelSharing, Sharing
from walker.fleet.ray_cluster import WORKER_MEMORY
from walker.fleet.ray_place import RayPlace
from walker.seams.web.storage_state import NO_STATE, StorageState
from walker.settings import Settings

HTTP_MEMORY = 500_000_000
"""Bytes that a worker without a browser asks its machine for."""
USUAL_WORKERS = 2
MOST_WORKERS = 1000
_STAY = {"headed": "--headed", "browser": "--browser", "library": "--library"}
"""What belongs to one process, with its flag."""


class PlaceOption(msgspec.Struct, frozen=True, kw_only=True):
    """Where walks run, as a person says it."""

    where: str
    sharing: ModelSharing


def with_place_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """The flags; the command is given them as one, `place`."""

    @functools.wraps(command)
    def with_place(*, place: str, share_models: Sharing, model_gpu: float, **given: Any) -> Any:
        return command(place=PlaceOption(where=place, sharing=ModelSharing(when=share_models, gpu=model_gpu)), **given)

    for option in reversed(_OPTIONS):
        with_place = option(with_place)
    return with_place


_OPTIONS = (
    click.option(
        "--on",
        "place",
        default=LOCAL,
        show_default=True,
        metavar="local|ray|ray://HOST:PORT",
        help="Where several walks run: in this process, or in a browser for each job on the machines of a Ray cluster (ray: the"
        " one of this machine). A walk whose worker dies is resumed.",
    ),
    click.option(
        "--share-models",
        type=click.Choice(get_args(Sharing)),
        default="auto",
        show_default=True,
        help="Whether walks on one machine of a Ray cluster share one process with OCR, the reader of icons and a --vision-model on"
        " this machine: auto shares where there is a GPU.",
    ),
    click.option(
        "--model-gpu",
        type=click.FloatRange(0, 1),
        default=WHERE_THERE_IS_A_GPU.gpu,
        show_default=True,
        help="Part of a GPU that this process asks for.",
    ),
)


def read_place(place: PlaceOption, settings: Settings, *, jobs: int, as_json: bool) -> WalkPlace:
    """The place for so many walks at a time; nothing is started yet. What cannot be is said, and ends the program."""
    if place.where == LOCAL:
        return LocalPlace(settings, jobs=jobs)
    try:
        quiet_cluster()
        return RayPlace(place.where, settings, environment, jobs=jobs, sharing=place.sharing)
    except WalkerError as error:
        stop_with(str(error), error.exit_code, as_json=as_json)


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
