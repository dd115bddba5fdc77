"""The server as a host starts it: over stdio, in a process of its own; after every end no process of it is left."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psutil
import pytest
from mcp import StdioServerParameters

from tests.fixtures.command_of import command_of
from tests.walker.cli.program import environment
from tests.walker.mcp.serving import called, over_stdio
from walker.demo.server import serve_institute

HOST = """
import asyncio, os, subprocess, sys
from mcp import Client, StdioServerParameters

def keep_pipes_open():
    for name in os.listdir("/proc/self/fd"):
        try:
            os.set_inheritable(int(name), True)
        except OSError:
            continue
    subprocess.Popen(["sleep", "90"], close_fds=False)

async def main():
    server = StdioServerParameters(command=sys.executable, args=["-m", "walker", "mcp", *sys.argv[2:]])
    async with Client(server) as client:
        await client.call_tool("read", {"url": sys.argv[1]})
        if "KEEP":
            keep_pipes_open()
        sys.stdout.write("read\\n"); sys.stdout.flush()
        await client.call_tool("crawl", {"start": sys.argv[1], "limits": {"max_pages": 60}})
        await asyncio.sleep(600)

asyncio.run(main())
"""
GONE_SECONDS = 20.0
"""The server gives itself 5; the rest is for a machine that has much to do."""


@pytest.fixture(scope="module")
def institute() -> Iterator[str]:
    with serve_institute() as root:
        yield root.removesuffix("index.html")


def arguments(root: str, data: Path) -> list[str]:
    return ["--allow", urlsplit(root).netloc, "--data", str(data)]


def alive(processes: list[psutil.Process]) -> list[str]:
    left = []
    for process in processes:
        try:
            if process.is_running() and process.status() != psutil.STATUS_ZOMBIE:
                left.append(process.name())
        except psutil.NoSuchProcess:
            continue
    return left


def wait_until_gone(processes: list[psutil.Process]) -> None:
    deadline = time.monotonic() + GONE_SECONDS
    while alive(processes) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert alive(processes) == []


def started_by(pid: int) -> list[psutil.Process]:
    return psutil.Process(pid).children(recursive=True)


async def test_parallel_clients_have_servers_and_browsers_of_their_own(institute: str, tmp_path: Path) -> None:
    async def read(name: str, page: str) -> str:
        server = StdioServerParameters(
            command=sys.executable,
            args=["-m", "walker", "mcp", *arguments(institute, tmp_path / name)],
            env=environment(),
        )
        async with over_stdio(server) as client:
            title = str((await called(client, "read", url=institute + page))["title"])
            (started,) = (one for one in started_by(os.getpid()) if str(tmp_path / name) in command_of(one))
            assert any("chrom" in one.name() for one in started.children(recursive=True))
            processes.extend((started, *started.children(recursive=True)))
            return title

    processes: list[psutil.Process] = []
    titles = await asyncio.gather(read("one", "people/index.html"), read("two", "visit.html"))
    assert [title.split(" · ")[0] for title in titles] == ["People", "Visit us"]
    wait_until_gone(processes)


CALLS = (
    {
        "id": 1,
        "method": "initialize",
        "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
    },
    {"method": "notifications/initialized"},
)


class Host:
    """A host that speaks for itself: what it has started is its to end."""

    def __init__(self, root: str, data: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "walker", "mcp", *arguments(root, data)],
            env=environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        for call in CALLS:
            self.send(call)
        self.send({"id": 2, "method": "tools/call", "params": {"name": "read", "arguments": {"url": root}}})
        while self.heard().get("id") != 2:
            continue

    def send(self, message: Mapping[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.process.stdin.flush()

    def heard(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        heard: dict[str, Any] = json.loads(self.process.stdout.readline())
        return heard


@pytest.mark.parametrize("ending", ["end of input", "kill", "terminate"])
def test_a_server_leaves_no_process(institute: str, tmp_path: Path, ending: str) -> None:
    """In the middle of a call."""
    host = Host(institute, tmp_path)
    with host.process as server:
        crawl = {"start": institute, "limits": {"max_pages": 60}}
        host.send({"id": 3, "method": "tools/call", "params": {"name": "crawl", "arguments": crawl}})
        processes = [psutil.Process(server.pid), *started_by(server.pid)]
        assert any("chrom" in process.name() for process in processes)
        match ending:
            case "end of input":
                assert server.stdin is not None
                server.stdin.close()
            case "kill":
                server.kill()
            case _:
                server.terminate()
        server.wait(GONE_SECONDS)
        wait_until_gone(processes)


@pytest.mark.parametrize("keeps_pipe_open", [False, True])
def test_nothing_is_left_when_the_host_is_killed(institute: str, tmp_path: Path, *, keeps_pipe_open: bool) -> None:
    """In the middle of a call; also where another process has inherited the pipe, so that its end never comes."""
    code = HOST.replace("KEEP", "true" if keeps_pipe_open else "")
    with subprocess.Popen(
        [sys.executable, "-c", code, institute, *arguments(institute, tmp_path)],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as host:
        assert host.stdout is not None
        assert host.stdout.readline() == "read\n"
        started = started_by(host.pid)
        keepers = [one for one in started if one.name() == "sleep"]
        assert len(keepers) == keeps_pipe_open
        processes = [one for one in started if one not in keepers]
        assert any("chrom" in process.name() for process in processes)
        host.kill()
        host.wait(GONE_SECONDS)
        try:
            wait_until_gone(processes)
        finally:
            for keeper in keepers:
                keeper.kill()
