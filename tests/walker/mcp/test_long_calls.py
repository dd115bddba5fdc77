"""Calls that outlast their time, their server, or both."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.walker.mcp.serving import called, connected
from walker.demo.server import serve_institute
from walker.jobs.server_limits import ServerLimits


@pytest.fixture(scope="module")
def institute() -> Iterator[str]:
    with serve_institute() as root:
        yield root.removesuffix("index.html")


@pytest.mark.usefixtures("kept_chromium")
async def test_a_call_that_takes_long_returns_its_job_which_goes_on(institute: str, tmp_path: Path) -> None:
    async with connected(institute, tmp_path, ServerLimits(wait_seconds=0.1)) as client:
        question = "What is the greatest depth of water in the tidal flume?"
        first = await called(client, "ask", root=institute, question=question, max_pages=8)
        assert first["state"] == "running"
        later = await called(client, "job", id=first["job"], wait_s=60)
        while later["state"] == "running":
            later = await called(client, "job", id=first["job"], wait_s=60)
    assert "1.8" in later["result"]["answer"]
    async with connected(institute, tmp_path) as client:
        again = await called(client, "job", id=first["job"])
    assert again["result"] == later["result"]


@pytest.mark.usefixtures("kept_chromium")
async def test_a_crawl_that_a_restart_cut_off_goes_on_where_it_was(institute: str, tmp_path: Path) -> None:
    async with connected(institute, tmp_path, ServerLimits(wait_seconds=0.1)) as client:
        first = await called(client, "crawl", start=institute, limits={"max_pages": 12})
        assert first["state"] == "running"
        while (later := await called(client, "job", id=first["job"], wait_s=0.1))["pages"] == 0:
            assert later["state"] == "running"
    async with connected(institute, tmp_path) as client:
        later = await called(client, "job", id=first["job"], wait_s=120)
    assert later["state"] == "done"
    assert later["result"]["pages"] == 12
    assert later["pages"] == 12, "with those of before"
