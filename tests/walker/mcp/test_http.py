"""The server over streamable HTTP on loopback: several clients, each with pages of its own, with and without a token."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests.sites.serving import Answer, Asked, LoopbackSite, serving
from tests.walker.mcp.serving import called, options
from walker.errors import UsageError
from walker.jobs.http_address import HttpAddress
from walker.jobs.server_limits import ServerLimits
from walker.mcp.server import serve_http

pytestmark = pytest.mark.usefixtures("kept_chromium")


class Visits(LoopbackSite):
    """A site that knows its visitors again by a cookie and by what their browser stores; `/slow` takes a while."""

    def __init__(self) -> None:
        super().__init__()
        self.held = threading.Event()

    def answer(self, asked: Asked) -> Answer:
        if asked.target == "/slow":
            self.held.wait(20)
        seen = asked.headers.get("Cookie", "nobody")
        script = "document.title = localStorage.visitor || 'new'; localStorage.visitor = location.search"
        page = f"<title>x</title><main><h1>Visits</h1><p>Known by: {seen}</p></main><script>{script}</script>"
        return Answer(page, headers=(("Set-Cookie", f"visitor={asked.target}"),))


@pytest.fixture
def visits() -> Iterator[str]:
    with serving(Visits()) as site:
        yield site.home
        site.held.set()


@contextlib.asynccontextmanager
async def served(root: str, data: Path, token: str = "", limits: ServerLimits | None = None) -> AsyncIterator[str]:
    ready: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    address = HttpAddress(host="127.0.0.1", port=0, token=token)
    given = options(root, data, limits or ServerLimits(wait_seconds=120))
    server = asyncio.create_task(serve_http(given, address, ready.set_result))
    try:
        yield await ready
    finally:
        server.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await server


async def test_each_client_has_its_own_pages_and_no_cookies_of_others(visits: str, tmp_path: Path) -> None:
    async with served(visits, tmp_path) as url:

        async def visit(name: str) -> list[dict[str, Any]]:
            async with Client(url) as client:
                return [await called(client, "read", url=f"{visits}?{name}") for _ in range(2)]

        pages = await asyncio.gather(*map(visit, ("one", "two", "three")))
    for name, seen in zip(("one", "two", "three"), pages, strict=True):
        for page in seen:
            assert page["url"] == f"{visits}?{name}"
            assert page["title"] == "new"
            assert "Known by: nobody" in page["markdown"]


async def test_a_client_that_goes_away_in_a_call_harms_no_other(visits: str, tmp_path: Path) -> None:
    async with served(visits, tmp_path) as url:

        async def slow() -> None:
            async with Client(url) as client:
                await client.call_tool("read", {"url": f"{visits}slow"})

        gone = asyncio.create_task(slow())
        async with Client(url) as client:
            await asyncio.sleep(1)
            gone.cancel()
            await asyncio.wait({gone})
            assert (await called(client, "read", url=visits))["status"] == 200


async def test_who_has_no_token_is_kept_out(visits: str, tmp_path: Path) -> None:
    async with served(visits, tmp_path, token="a-secret") as url:
        async with httpx2.AsyncClient() as plain:
            for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": "Basic a-secret"}):
                answer = await plain.post(url, json={"jsonrpc": "2.0", "id": 1, "method": "ping"}, headers=headers)
                assert answer.status_code == 401
        async with (
            httpx2.AsyncClient(headers={"Authorization": "Bearer a-secret"}, timeout=120) as shown,
            Client(streamable_http_client(url, http_client=shown)) as client,
        ):
            assert (await called(client, "read", url=visits))["status"] == 200


async def test_a_page_of_another_origin_cannot_call(visits: str, tmp_path: Path) -> None:
    async with served(visits, tmp_path) as url, httpx2.AsyncClient() as plain:
        headers = {"Origin": "http://evil.example", "Accept": "application/json, text/event-stream"}
        answer = await plain.post(url, json={"jsonrpc": "2.0", "id": 1, "method": "ping"}, headers=headers)
        assert answer.status_code == 403


async def test_beyond_loopback_a_token_is_needed(tmp_path: Path) -> None:
    address = HttpAddress(host="0.0.0.0", port=0)
    with pytest.raises(UsageError, match="WALKER_MCP_TOKEN"):
        await serve_http(options("http://one.example/", tmp_path), address, lambda _: None)
