"""`kill -9` of the service: it goes on with what it has acknowledged, doubles nothing, and leaves no process behind."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import psutil

from tests.fixtures.loaded_program import LoadedProgram
from tests.walker.cli.program import started
from tests.walker.serving.service_here import FLUME, ended, events, sent
from walker.demo.server import serve_institute


@contextmanager
def serving(data: Path, root: str) -> Iterator[tuple[LoadedProgram, str]]:
    reached = ("--port", "0", "--allow", urlsplit(root).netloc, "--at-once", "1", "--no-pictures")
    with started("serve", "--data", str(data), *reached, folder=data) as process:
        try:
            assert process.stderr is not None
            line = process.stderr.readline()
            assert "serving at" in line, line
            yield process, line.split()[-1]
        finally:
            process.terminate()
            process.wait(20)


async def test_a_killed_service_goes_on(tmp_path: Path) -> None:
    with serve_institute() as root:
        ask, crawl = {"root": root, "question": FLUME, "max_pages": 8}, {"start": [root], "max_pages": 12}
        with serving(tmp_path, root) as (process, url):
            async with httpx2.AsyncClient(base_url=url, timeout=60) as client:
                first = (await sent(client, "ask", ask))["id"]
                second = (await sent(client, "crawl", crawl, **{"Idempotency-Key": "k"}))["id"]
                before = await events(client, first, most=4)
                children = psutil.Process(process.pid).children(recursive=True)
                process.kill()
        assert children, "its browser"
        deadline = time.monotonic() + 15
        while any(child.is_running() and child.status() != psutil.STATUS_ZOMBIE for child in children):
            assert time.monotonic() < deadline, "left behind"
            await asyncio.sleep(0.05)
        with serving(tmp_path, root) as (_, url):
            async with httpx2.AsyncClient(base_url=url, timeout=60) as client:
                assert (await sent(client, "crawl", crawl, **{"Idempotency-Key": "k"}))["id"] == second
                answered, crawled = await ended(client, first), await ended(client, second)
                assert answered["result"]["answer"] == "1.8 m"
                assert crawled["result"]["pages"] == 12
                told = await events(client, first)
                assert told[:4] == before
                assert await events(client, first, after=4) == told[4:]
                kinds = [kind for _, kind, _ in told]
                assert kinds.count("run.start") == kinds.count("job.ended") == 1
                assert len((await client.get("/v1/jobs")).json()["jobs"]) == 2
    assert len(list((tmp_path / "runs").glob("2*"))) == 1
