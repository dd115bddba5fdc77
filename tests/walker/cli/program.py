"""Runs the program as a person would: a process of its own, in an empty folder, with a clean environment."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import inspect
import os
import pty
import re
import signal
import socket
import struct
import subprocess
import sys
import termios
import threading
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from click.testing import CliRunner

from tests.fixtures.loaded_program import LoadedProgram, shared_mother
from walker.browser.launch.chromium import Chromium
from walker.browser.launch.find_chromium import find_browser
from walker.browser.launch.kept_chromium import keep_chromium
from walker.cli.commands import main
from walker.cli.run_command import in_one_event_loop

# Before click 8.2 both streams are one unless this says otherwise.
_APART: dict[str, Any] = {"mix_stderr": False} if "mix_stderr" in inspect.signature(CliRunner).parameters else {}
NO_BROWSER = {"WALKER_CHROMIUM": "/there/is/none"}
"""For a doctor of whom another check is asked, whatever its exit code: to try a browser takes half a second of processor time."""
_COLOURS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


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
        done = CliRunner(**_APART).invoke(
            main, arguments, prog_name="walker", env={**gone, **more}, catch_exceptions=False
        )
    return Ended(code=done.exit_code, out=done.stdout, err=done.stderr)


def on_terminal(*arguments: str, folder: Path, columns: int, **more: str) -> Ended:
    """The same where stdout and stderr are one terminal of so many columns; what it shows is `out`, without colours."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    shown: list[bytes] = []
    reader = threading.Thread(target=_read_all, args=(master, shown))
    reader.start()
    kept = os.environ.copy()
    try:
        with contextlib.chdir(folder), shared_browser().open(), os.fdopen(slave, "w", encoding="utf-8") as terminal:
            os.environ.update({"COLUMNS": str(columns), "TERM": "xterm", **more})
            with contextlib.redirect_stdout(terminal), contextlib.redirect_stderr(terminal):
                code = _exit_code(arguments)
    finally:
        os.environ.clear()
        os.environ.update(kept)
        reader.join()
        os.close(master)
    text = _COLOURS.sub("", b"".join(shown).decode()).replace("\r\n", "\n")
    return Ended(code=code, out=text, err="")


def _exit_code(arguments: tuple[str, ...]) -> int:
    try:
        main.main(list(arguments), prog_name="walker")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0
    return 0


def _read_all(master: int, shown: list[bytes]) -> None:
    while True:
        try:
            data = os.read(master, 1 << 16)
        except OSError:  # the other end is closed
            return
        if not data:
            return
        shown.append(data)


def started(*arguments: str, folder: Path, **more: str) -> LoadedProgram:
    """The program as it runs, in a group of its own with all that it starts, from one that has it loaded; for a `with`."""
    return shared_mother().start("walker", *arguments, folder=folder, environment=environment(**more))


def started_cold(*arguments: str, folder: Path) -> subprocess.Popen[str]:
    """The same from the start of Python on."""
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
