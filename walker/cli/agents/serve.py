"""`walker serve`: Walker as a service over HTTP."""

from __future__ import annotations

import importlib
import os
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click
import msgspec

from walker.cli.agents.server_options import read_server, with_server_options
from walker.cli.grouped_command import GroupedCommand
from walker.cli.reach_options import windows_here
from walker.cli.run_command import run_for_person, stop_with
from walker.cli.walk_options import GROUPS
from walker.errors import UsageError
from walker.logins.login_store import LoginStore
from walker.rules.scope import check_host
from walker.settings import Settings

PROFILE_KEY_NAME, SECRET_NAME = "WALKER_PROFILE_KEY", "WALKER_WEBHOOK_SECRET"  # names of variables
LEAST_SECRET = 16


@click.command("serve", cls=GroupedCommand, groups=GROUPS)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="Where to listen; beyond loopback with the bearer token WALKER_SERVE_TOKEN.",
)
@click.option("--port", type=click.IntRange(0, 65535), default=8700, show_default=True, help="0 for a free one.")
@click.option(
    "--profile",
    "profiles",
    multiple=True,
    metavar="NAME",
    help="A saved login (walker login) that callers may use (repeatable).",
)
@with_server_options("jobs, recorded runs and crawls", "job")
@click.option("--at-once", type=click.IntRange(1), default=4, show_default=True, help="Jobs that run at the same time.")
@click.option(
    "--queue",
    type=click.IntRange(1),
    default=1000,
    show_default=True,
    help="Jobs that may wait; more are told to come again.",
)
@click.option(
    "--keep-days", type=click.FloatRange(0), default=0.0, help="Remove what ended so many days ago. [default: keep all]"
)
@click.option(
    "--keep-gigabytes",
    type=click.FloatRange(0),
    default=0.0,
    help="Remove the oldest beyond this size. [default: keep all]",
)
@click.option(
    "--recycle-pages",
    type=click.IntRange(0),
    default=500,
    show_default=True,
    help="Pages after which new jobs get a new browser; 0 for never.",
)
@click.option(
    "--recycle-megabytes",
    type=click.IntRange(0),
    default=2000,
    show_default=True,
    help="Memory of the browsers after which likewise.",
)
@click.option(
    "--ask-me",
    is_flag=True,
    help="Let jobs wait for a person at their page, if whoever sends them wants it (ask_me): where a walk is not sure, to choose;"
    " where a check page or a login is in the way, to act in a window on the display of this machine.",
)
@click.option("--no-pictures", is_flag=True, help="Record no screenshots; the live page then has none.")
def serve_command(**given: Any) -> None:
    r"""Serve questions, typed extraction and crawls over HTTP: jobs, their events, webhooks, recorded runs, and a live page of each.

    \b
    walker serve
    walker serve --allow docs.example.org --keep-days 30 --keep-gigabytes 20
    WALKER_SERVE_TOKEN=... walker serve --host 0.0.0.0 --model qwen3:8b --base-url http://127.0.0.1:11434/v1
    """
    if any(find_spec(name) is None for name in ("fastapi", "uvicorn", "prometheus_client", "psutil")):
        stop_with("the service needs fastapi. Install it with: pip install 'gemwalker[service]'", 1, as_json=False)
    settings = read_server(given, "service")
    options = _Options(**given)
    settings = msgspec.structs.replace(settings, pictures=not options.no_pictures)
    if options.ask_me:
        settings = msgspec.structs.replace(settings, ask_me=True, windows=windows_here())
    try:
        served = _service_options(options, settings)
    except UsageError as error:
        stop_with(str(error), error.exit_code, as_json=False)
    address = importlib.import_module("walker.jobs.http_address").HttpAddress(
        host=options.host, port=options.port, token=os.environ.get("WALKER_SERVE_TOKEN", "")
    )
    serving = importlib.import_module("walker.serving.server")
    work = serving.serve(served, address, lambda url: click.echo(f"walker: serving at {url}", err=True))
    run_for_person(work, as_json=False)


class _Options(msgspec.Struct, frozen=True, kw_only=True):
    """The flags as click read them."""

    host: str
    port: int
    allow: tuple[str, ...]
    profiles: tuple[str, ...]
    data: Path
    most_pages: int
    most_seconds: float
    at_once: int
    queue: int
    keep_days: float
    keep_gigabytes: float
    recycle_pages: int
    recycle_megabytes: int
    no_pictures: bool
    ask_me: bool


def _service_options(options: _Options, settings: Settings) -> Any:
    """Raises `UsageError`."""
    served = importlib.import_module("walker.serving.served")
    work = importlib.import_module("walker.serving.served_work")
    limits = importlib.import_module("walker.jobs.server_limits").ServerLimits(
        pages=options.most_pages, seconds=options.most_seconds, at_once=options.at_once
    )
    secret = os.environ.get(SECRET_NAME, "")
    if secret and len(secret) < LEAST_SECRET:
        raise UsageError(f"has less than {LEAST_SECRET} characters", where=SECRET_NAME, advice="Take a longer one")
    store = LoginStore(key=os.environ.get(PROFILE_KEY_NAME, ""))
    for name in options.profiles:
        store.read(name)
    profiles = work.Profiles(names=frozenset(options.profiles), key=os.environ.get(PROFILE_KEY_NAME, ""))
    return served.ServiceOptions(
        settings=settings,
        data=options.data,
        limits=limits,
        most_waiting=options.queue,
        allowed=tuple(map(check_host, options.allow)),
        profiles=profiles,
        keep=importlib.import_module("walker.serving.retention").Retention(
            days=options.keep_days, gigabytes=options.keep_gigabytes
        ),
        recycle_pages=options.recycle_pages,
        recycle_megabytes=options.recycle_megabytes,
        webhook_secret=secret,
    )
