"""Runs the program as a person would: a process of its own, in an empty folder, with a clean environment."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec
from click.testing import CliRunner

from walker.browser.launch.chromium import Chromium
from walker.browser.launch.find_chromium import find_browser
from walker.browser.launch.kept_chromium import keep_chromium
from walker.cli.commands import main
from walker.cli.run_command import in_one_event_loop


class Ended(msgspec.Struct, frozen=True, kw_only=True):
    """What a command came to."""

    code: int
    out: str
    err: str

    @property
    def line(self) -> str:
        """The one line that it said on stderr."""
        (line,) = self.err.strip().splitlines()
        return line


def environment(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("WALKER_", "OPENAI_"))}
    browser = {name: os.environ[name] for name in ("WALKER_CHROMIUM",) if name in os.environ}
    return kept | browser | more


def walker(*arguments: str, folder: Path, seconds: float = 180, **more: str) -> Ended:
    done = subprocess.run(
        [sys.executable, "-m", "walker", *arguments],
        cwd=folder,
        env=environment(**more),
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )
    return Ended(code=done.returncode, out=done.stdout, err=done.stderr)


class SharedBrowser:
    """One event loop and one Chromium for all commands that run within this process, from the first that needs them on."""

    def __init__(self) -> None:
        self._runner = asyncio.Runner()
        self._choice = find_browser()
        self._chromium = Chromium(self._choice)

    @contextlib.contextmanager
    def open(self) -> Iterator[None]:
        with in_one_event_loop(self._runner), keep_chromium(self._choice, self._chromium):
            yield

    def close(self) -> None:
        with self._runner as runner:
            runner.run(self._chromium.close())


@cache
def shared_browser() -> SharedBrowser:
    return SharedBrowser()


def close_shared_browser() -> None:
    """At the end of all tests."""
    if shared_browser.cache_info().currsize:
        shared_browser().close()


def walker_here(*arguments: str, folder: Path, **more: str) -> Ended:
    """The same within this process, without the second or two that a process and a browser of its own take to start: where how they
    start and end is not the point."""
    kept = environment(**more)
    gone = {name: None for name in os.environ if name not in kept}
    with contextlib.chdir(folder), shared_browser().open():
        done = CliRunner().invoke(main, arguments, prog_name="walker", env={**gone, **more}, catch_exceptions=False)
    return Ended(code=done.exit_code, out=done.stdout, err=done.stderr)


def started(*arguments: str, folder: Path) -> subprocess.Popen[str]:
    """The program as it runs, in a group of its own with all that it starts; for a `with`."""
    return subprocess.Popen(
        [sys.executable, "-m", "walker", *arguments],
        cwd=folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def kill_when(ready: threading.Event, *arguments: str, folder: Path, seconds: float = 180) -> None:
    """Run the program, and kill it with all that it started when `ready` is set."""
    with started(*arguments, folder=folder) as process:
        try:
            assert ready.wait(seconds)
        finally:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def closed_address() -> str:
    """An address at which nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{probe.getsockname()[1]}/"
