"""`--on` and what goes with it: where the walks of a batch or an experiment run."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, get_args

import click
import msgspec

from walker.batch.places import LocalPlace, WalkPlace
from walker.cli.places.walk_places import LOCAL, environment, quiet_cluster
from walker.cli.run_command import stop_with
from walker.errors import WalkerError
from walker.fleet.model_sharing import WHERE_THERE_IS_A_GPU, ModelSharing, Sharing
from walker.fleet.ray_place import RayPlace
from walker.settings import Settings


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
