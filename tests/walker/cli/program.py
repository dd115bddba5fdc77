"""Runs the program as a person would: a process of its own, in an empty folder, with a clean environment."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

import msgspec
from click.testing import CliRunner

from walker.cli.commands import main


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


def walker_here(*arguments: str, folder: Path, **more: str) -> Ended:
    """The same within this process, without the second or two of a start: where how a process starts and ends is not the point."""
    kept = environment(**more)
    gone = {name: None for name in os.environ if name not in kept}
    with contextlib.chdir(folder):
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
