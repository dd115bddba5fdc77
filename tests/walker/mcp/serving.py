"""A server of tools within this process, for the SDK's own client."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from mcp import Client, StdioServerParameters, stdio_client
from mcp_types import CallToolResult

from walker.jobs.server_limits import ServerLimits
from walker.mcp.server import ServerOptions, opened_server
from walker.settings import Settings

PATIENT = ServerLimits(wait_seconds=120)
"""Where how long a call waits is not the point: tests share two processors."""


def options(root: str, data: Path, limits: ServerLimits = PATIENT, settings: Settings | None = None) -> ServerOptions:
    given = settings or Settings(runs_folder=data / "runs")
    return ServerOptions(settings=given, data=data, limits=limits, allowed=(urlsplit(root).netloc,))


@contextlib.asynccontextmanager
async def connected(
    root: str, data: Path, limits: ServerLimits = PATIENT, settings: Settings | None = None
) -> AsyncIterator[Client]:
    async with opened_server(options(root, data, limits, settings)) as server, Client(server) as client:
        yield client


def over_stdio(server: StdioServerParameters) -> Client:
    """A client of a server that it starts. Its errors go where this process's go: the SDK keeps whatever stood for them when it was
    imported, which may be that of a command that ran in a test."""
    return Client(stdio_client(server, errlog=sys.__stderr__ or sys.stderr))


async def called(client: Client, name: str, **arguments: Any) -> dict[str, Any]:
    """What a tool returned as data; it did not fail."""
    result = await client.call_tool(name, arguments)
    assert not result.is_error, result
    structured: dict[str, Any] | None = result.structured_content
    assert structured is not None
    return structured


def text_of(result: CallToolResult) -> str:
    return "\n".join(one.text for one in result.content if one.type == "text")


def links_of(result: CallToolResult) -> list[str]:
    return [str(one.uri) for one in result.content if one.type == "resource_link"]
