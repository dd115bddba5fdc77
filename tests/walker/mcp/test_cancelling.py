"""Work that a client ends before it is over: by the tool `job`, and by taking its call back."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psutil
import pytest
from mcp import Client, MCPError, StdioServerParameters

from tests.fixtures.command_of import command_of
from tests.sites.held import HeldSite, serve_held
from tests.walker.cli.program import environment
from tests.walker.cli.test_stopped_question import PAGES, SO_FAR
from tests.walker.cli.test_stopped_question import QUESTION as COUNTED
from tests.walker.mcp.serving import called, connected, over_stdio
from walker.jobs.server_limits import ServerLimits

QUESTION = "When was the harbour dredged?"
SHORT = ServerLimits(wait_seconds=0.1)
PATIENCE = 30.0
FRONT = (
    "<title>Harbour</title><main><h1>Harbour of Sund</h1><p>The harbour was dredged in 1987, and its quay is 240 m long. Ships of up"
    " to 90 m moor there; larger ones are unloaded in the roads. The harbour office opens at seven in the morning, and the lock an"
    " hour before high water. <a href='/dredging'>How the harbour was dredged</a></p></main>"
)


@pytest.fixture
def harbour() -> Iterator[HeldSite]:
    """A site whose second page never comes by itself."""
    with serve_held({"/": FRONT, "/quay": FRONT, "/dredging": FRONT}, "/dredging") as site:
        yield site


def ask(site: HeldSite, **more: Any) -> dict[str, Any]:
    return {"root": f"{site.home}dredging", "question": QUESTION, "max_pages": 4, **more}


async def until_held(site: HeldSite) -> None:
    assert await asyncio.to_thread(site.holds.wait, PATIENCE)


async def until_done(client: Client, **given: Any) -> None:
    """A question that is answered, however long that takes."""
    later = await called(client, "ask", **given)
    while later["state"] == "running":
        later = await called(client, "job", id=later["job"])
    assert later["state"] == "done"


async def state_of_only_job(data: Path, wanted: str) -> str:
    """The state that the file of the only job has, at the latest when it is the wanted one."""
    end = time.monotonic() + PATIENCE
    while True:
        (file,) = (data / "jobs").glob("*.json")
        state = str(json.loads(file.read_bytes())["state"])
        if state == wanted or time.monotonic() > end:
            return state
        await asyncio.sleep(0.05)


@pytest.mark.usefixtures("kept_chromium")
async def test_a_job_is_cancelled_and_stays_so(harbour: HeldSite, tmp_path: Path) -> None:
    async with connected(harbour.home, tmp_path, SHORT) as client:
        first = await called(client, "ask", **ask(harbour))
        assert first["state"] == "running"
        await until_held(harbour)
        ended = await called(client, "job", id=first["job"], cancel=True)
        assert ended["state"] == "cancelled"
        assert ended["tool"] == "ask"
        assert (await called(client, "job", id=first["job"]))["state"] == "cancelled"
    async with connected(harbour.home, tmp_path) as client:
        assert (await called(client, "job", id=first["job"]))["state"] == "cancelled", (
            "a restart does not begin it again"
        )


@pytest.mark.usefixtures("kept_chromium")
async def test_a_cancelled_job_tells_what_it_had_found(tmp_path: Path) -> None:
    with serve_held(PAGES, "/?page=2") as site:
        async with connected(site.home, tmp_path, SHORT) as client:
            first = await called(client, "ask", root=site.home, question=COUNTED, max_pages=8)
            await until_held(site)
            ended = await called(client, "job", id=first["job"], cancel=True)
    assert (ended["state"], ended["pages"]) == ("cancelled", 1)
    assert ended["result"]["partial"]
    assert ended["result"]["nearest"] == SO_FAR
    assert [one["url"] for one in ended["result"]["citations"]] == [site.home]


@pytest.mark.usefixtures("kept_chromium")
async def test_a_job_that_is_done_stays_done(harbour: HeldSite, tmp_path: Path) -> None:
    async with connected(harbour.home, tmp_path) as client:
        done = await called(client, "extract", url=harbour.home, schema={"properties": {"quay": {"type": "string"}}})
        after = await called(client, "job", id=done["job"], cancel=True)
    assert after["state"] == done["state"] == "done"


@pytest.mark.usefixtures("kept_chromium")
@pytest.mark.parametrize("way", ["its time is up", "its caller is cancelled"])
async def test_a_call_that_is_taken_back_ends_its_work(harbour: HeldSite, tmp_path: Path, way: str) -> None:
    async with connected(harbour.home, tmp_path) as client:
        if way == "its time is up":
            with pytest.raises(MCPError):
                await client.call_tool("ask", ask(harbour), read_timeout_seconds=3)
        else:
            calling = asyncio.create_task(client.call_tool("ask", ask(harbour)))
            await until_held(harbour)
            calling.cancel()
            with pytest.raises(asyncio.CancelledError):
                await calling
        assert await state_of_only_job(tmp_path, "cancelled") == "cancelled"


@pytest.mark.usefixtures("kept_chromium")
async def test_to_give_up_waiting_for_a_job_does_not_end_it(harbour: HeldSite, tmp_path: Path) -> None:
    """Hosts give up after a while by themselves, and ask again."""
    async with connected(harbour.home, tmp_path, ServerLimits(wait_seconds=1)) as client:
        first = await called(client, "ask", **ask(harbour))
        await until_held(harbour)
        with pytest.raises(MCPError):
            await client.call_tool("job", {"id": first["job"], "wait_s": 60}, read_timeout_seconds=0.2)
        harbour.let_go()
        later = await called(client, "job", id=first["job"])
        while later["state"] == "running":
            later = await called(client, "job", id=first["job"])
    assert later["state"] == "done"
    assert "1987" in later["result"]["answer"]


async def test_a_cancelled_job_leaves_no_page_and_the_server_no_process(harbour: HeldSite, tmp_path: Path) -> None:
    """Over stdio, as a host starts it."""
    server = StdioServerParameters(
        command=sys.executable,
        args=[
            "-m",
            "walker",
            "mcp",
            "--allow",
            urlsplit(harbour.home).netloc,
            "--data",
            str(tmp_path),
            "--wait",
            "0.5",
        ],
        env=environment(),
    )
    async with over_stdio(server) as client:
        await until_done(client, **ask(harbour, root=f"{harbour.home}quay"))
        (started,) = (
            one for one in psutil.Process(os.getpid()).children(recursive=True) if str(tmp_path) in command_of(one)
        )
        first = await called(client, "ask", **ask(harbour))
        await until_held(harbour)
        assert asking(started, harbour) == 1, "a page is being opened"
        assert (await called(client, "job", id=first["job"], cancel=True))["state"] == "cancelled"
        assert await asyncio.to_thread(no_longer_asks, started, harbour)
        await until_done(client, **ask(harbour, root=harbour.home))
        processes = [started, *started.children(recursive=True)]
    assert psutil.wait_procs(processes, timeout=PATIENCE)[1] == []


def asking(server: psutil.Process, site: HeldSite) -> int:
    """Connections of its browser to the site; a page that waits for an answer holds one."""
    port = urlsplit(site.home).port
    below = (server, *server.children(recursive=True))
    return sum(one.raddr.port == port for process in below for one in process.net_connections() if one.raddr)


def no_longer_asks(server: psutil.Process, site: HeldSite) -> bool:
    end = time.monotonic() + PATIENCE
    while asking(server, site):
        if time.monotonic() > end:
            return False
        time.sleep(0.1)
    return True
