"""The flags that all servers have, and the settings of the walks that a server makes."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from platformdirs import user_data_path

from walker.cli.model_options import read_components, read_model, read_vision, with_model_options
from walker.settings import Settings


def with_server_options(kept: str, asking: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A command with the flags of a server that keeps what `kept` says, and is asked by a call, or a job (`asking`)."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        command = with_model_options(command)
        for option in reversed(_options(kept, asking)):
            command = option(command)
        return command

    return decorate


def _options(kept: str, asking: str) -> tuple[Callable[..., Any], ...]:
    return (
        click.option(
            "--allow",
            multiple=True,
            metavar="HOST",
            help="Open pages of this host only, host or host:port (repeatable). [default: all public hosts]",
        ),
        click.option(
            "--data",
            type=click.Path(path_type=Path, file_okay=False),
            help=f"Folder for {kept}. [default: the user's data folder]",
        ),
        click.option(
            "--most-pages",
            type=click.IntRange(1),
            default=60,
            show_default=True,
            help=f"Pages that a {asking} may ask for at most.",
        ),
        click.option(
            "--most-seconds",
            type=click.FloatRange(1),
            default=600.0,
            show_default=True,
            help=f"Seconds that a {asking} may ask for at most.",
        ),
    )


def read_server(given: dict[str, Any], name: str) -> Settings:
    """Take the flags of the models out of `given`, and put the folder of the server into it, which is `name` in the user's data folder
    where none is given; the settings of its walks. Raises `click.UsageError`."""
    vision, model, components = read_vision(given), read_model(given), read_components(given)
    given["data"] = given["data"] or user_data_path("walker", appauthor=False) / name
    return Settings(
        chromium=os.environ.get("WALKER_CHROMIUM", ""),
        model=model,
        vision=vision,
        components=components,
        runs_folder=given["data"] / "runs",
    )
