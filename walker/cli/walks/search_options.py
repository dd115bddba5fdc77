"""The flags for searches: of the web, by words, and by the picture of a question."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import reduce
from pathlib import Path
from typing import Any

import click

from walker.cli.run_command import stop_with
from walker.errors import UsageError
from walker.pictures.service_file import TWO_SEARCHES, picture_service
from walker.rules.scope import check_host
from walker.search.service_file import read_service
from walker.settings import Beyond, PictureService

_SEARCH = (
    click.option(
        "--search",
        "search",
        default="",
        metavar="URL|FILE",
        help="Search the web with the SearXNG at URL, or with the service that FILE describes. Without ROOT, the walk begins with it.",
    ),
    click.option(
        "--also",
        "also",
        multiple=True,
        metavar="HOST",
        help="Pages of this host may be opened too (repeatable).",
    ),
    click.option("--open", "opens_hits", is_flag=True, help="What a search finds may be opened on any public host."),
)
_PICTURE = (
    click.option(
        "--picture",
        type=click.Path(path_type=Path),
        help="The picture that QUESTION is about (PNG, JPEG, WebP, GIF). It is kept without its metadata.",
    ),
    click.option(
        "--box",
        metavar="L,T,R,B",
        help="The part of the picture that is meant: left, top, right and lower edge as shares from 0 to 1.",
    ),
)
_PICTURE_SEARCH = (
    click.option(
        "--picture-search",
        metavar="URL|FILE",
        default="",
        help="Send the picture to this service, to find pages that show it, instead of searching the library. FILE describes its fields.",
    ),
    click.option(
        "--picture-model",
        type=click.Path(path_type=Path),
        help="With --library: compare its pictures by this encoder too (a folder with vision_model.onnx).",
    ),
)


def with_picture_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The command with these flags, in the order in which they are listed here."""
    return reduce(lambda made, option: option(made), reversed((*_PICTURE, *_PICTURE_SEARCH)), command)


def with_picture_search_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """A command with --picture-search and --picture-model, whose questions bring their pictures."""
    return reduce(lambda made, option: option(made), reversed(_PICTURE_SEARCH), command)


def check_picture_search(
    pictured: Sequence[Path | str | None],
    *,
    service: str,
    model: Path | None,
    library: Path | None,
    needs: str = "--picture FILE too",
) -> None:
    """Raises `click.UsageError` where nothing would be searched by a picture; `pictured`: a picture, and files that may name one.
    `needs` says in the message what would have to be given."""
    for flag, is_given in (("picture-search", bool(service)), ("picture-model", model is not None)):
        if is_given and not any(pictured):
            raise click.UsageError(f"--{flag} needs {needs}")
    if model is None:
        return
    if service:
        raise click.UsageError(TWO_SEARCHES)
    if library is None:
        raise click.UsageError("--picture-model needs --library FILE too")


def read_picture_service(named: str, *, as_json: bool) -> PictureService | None:
    """The service of an address or a file, None for ""; its key comes from the environment. Ends the program, in one line, for one that
    cannot be."""
    if not named:
        return None
    try:
        return picture_service(named, lambda name: os.environ.get(name, ""))
    except UsageError as error:
        stop_with(str(error), error.exit_code, as_json=as_json)


def with_search_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """A command with --search, --also and --open."""
    return reduce(lambda made, option: option(made), reversed(_SEARCH), command)


def read_beyond(search: str, also: tuple[str, ...], *, opens_hits: bool, as_json: bool) -> Beyond:
    """What the flags allow; keys come from the environment, and what cannot be ends the command."""
    try:
        service = read_service(search, lambda name: os.environ.get(name, "")) if search else None
        return Beyond(search=service, also=tuple(map(check_host, also)), open=opens_hits)
    except UsageError as error:
        stop_with(str(error), error.exit_code, as_json=as_json)
