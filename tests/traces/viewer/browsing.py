"""A real Chromium in front of the viewer, that notes what the page says, throws and asks for."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, Page, expect

from traces.viewer.library import Library
from traces.viewer.server import ViewerServer, serve_runs
from walker.runs.viewer_tools import WalkTools

expect.set_options(timeout=30_000)  # a machine may do much else at once


class Watched:
    """A page, with what went wrong on it and every address that it asked for."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.errors: list[str] = []
        self.asked: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("request", lambda request: self.asked.append(request.url))

    def outside(self, *inside: str) -> list[str]:
        """Addresses that are neither the viewer's nor within the page."""
        own = (*inside, "data:", "blob:", "about:")
        return [url for url in self.asked if not url.startswith(own)]

    async def text(self, selector: str) -> str:
        return (await self.page.inner_text(selector)).strip()

    async def count(self, selector: str) -> int:
        return await self.page.locator(selector).count()


@asynccontextmanager
async def watched(browser: Browser, url: str = "", **options: Any) -> AsyncIterator[Watched]:
    options = {"viewport": {"width": 1360, "height": 860}} | options
    context = await browser.new_context(**options)
    try:
        seen = Watched(await context.new_page())
        if url:
            await seen.page.goto(url)
        yield seen
    finally:
        await context.close()


@asynccontextmanager
async def viewing(browser: Browser, runs: Path, hash_: str = "", **options: Any) -> AsyncIterator[Watched]:
    """The viewer of a run or a folder of runs, at a place within it."""
    with serve_runs(Library(runs, tools=WalkTools())) as server:
        async with watched(browser, f"{server.url}{hash_}", **options) as seen:
            yield seen
            assert seen.errors == []
            assert seen.outside(server.url) == []


def address(server: ViewerServer) -> tuple[str, int]:
    return "127.0.0.1", server.server_port
