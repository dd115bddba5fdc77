"""`walker mcp`: Walker as a server of tools for agents."""

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
from walker.rules.scope import check_host

TOKEN_NAME = "WALKER_MCP_TOKEN"  # noqa: S105 - the name of a variable


@click.command("mcp", cls=GroupedCommand, groups=GROUPS)
@click.option(
    "--http",
    default="",
    metavar="HOST:PORT",
    help=f"Serve streamable HTTP there, at /mcp, instead of stdio; beyond loopback with the bearer token {TOKEN_NAME}.",
)
@with_server_options("recorded runs, crawls and jobs", "call")
@click.option(
    "--wait",
    "wait_seconds",
    type=click.FloatRange(0.1),
    default=45.0,
    show_default=True,
    help="Seconds after which a call returns the id of its job, which goes on.",
)
@click.option("--pictures", is_flag=True, help="Record a screenshot of every page.")
@click.option(
    "--ask-me",
    is_flag=True,
    help="Have the client ask its person (elicitation): where a check page or a login is in the way, to act in the window that"
    " opens; where a walk is not sure, to choose.",
)
def mcp_command(**given: Any) -> None:
    r"""Serve the tools ask, extract, read, look, crawl, job and run to an agent, by the Model Context Protocol.

    \b
    claude mcp add walker -- walker mcp
    walker mcp --allow docs.example.org --model qwen3:8b --base-url http://127.0.0.1:11434/v1
    walker mcp --http 127.0.0.1:8931
    """
    if find_spec("mcp") is None:
        stop_with("the server needs mcp. Install it with: pip install 'gemwalker[mcp]'", 1, as_json=False)
    settings = read_server(given, "mcp")
    options = _Options(**given)
    settings = msgspec.structs.replace(settings, pictures=options.pictures)
    if options.ask_me:
        settings = msgspec.structs.replace(settings, ask_me=True, windows=windows_here())
    serving = importlib.import_module("walker.mcp.server")
    limits = importlib.import_module("walker.jobs.server_limits").ServerLimits(
        pages=options.most_pages, seconds=options.most_seconds, wait_seconds=options.wait_seconds
    )
    try:
        allowed = tuple(map(check_host, options.allow))
        address = _address(options.http)
    except UsageError as error:
        stop_with(str(error), error.exit_code, as_json=False)
    served = serving.ServerOptions(settings=settings, data=options.data, limits=limits, allowed=allowed)
    if address is None:
        run_for_person(serving.serve_stdio(served), as_json=False)
        return
    host, port = address
    listening = importlib.import_module("walker.jobs.http_address").HttpAddress(
        host=host, port=port, token=os.environ.get(TOKEN_NAME, "")
    )
    work = serving.serve_http(served, listening, lambda url: click.echo(f"walker: serving MCP at {url}", err=True))
    run_for_person(work, as_json=False)


class _Options(msgspec.Struct, frozen=True, kw_only=True):
    """The flags as click read them."""

    http: str
    allow: tuple[str, ...]
    data: Path
    most_pages: int
    most_seconds: float
    wait_seconds: float
    pictures: bool
    ask_me: bool


def _address(text: str) -> tuple[str, int] | None:
    if not text:
        return None
    host, _, port = text.rpartition(":")
    if not host or not port.isdigit() or int(port) > 65535:
        raise UsageError("is no address to listen on", where=f"--http {text}", advice="Say 127.0.0.1:8931")
    return host.strip("[]"), int(port)
