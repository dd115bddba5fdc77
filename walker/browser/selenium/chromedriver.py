"""The program between Selenium and Chromium: found, started, and gone when this process is, kill -9 included."""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import msgspec
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.selenium_manager import SeleniumManager

from walker.browser.launch.find_chromium import BrowserChoice, find_browser
from walker.errors import BrowserUnavailable

PLACES = ("chromedriver", "/usr/lib/chromium/chromedriver", "/usr/lib/chromium-browser/chromedriver")
START_SECONDS, END_SECONDS = 20.0, 5.0
WATCH_SECONDS, ABSENT_SECONDS = 0.2, 10.0
"""Between two looks at a browser that starts; how long none of its processes may be seen."""
STARTS = 3
"""Times that it is begun: of the two ports that it opens under one number, somebody may have the second, and it ends at once."""
REMOVALS = 10
"""Of the profile: processes of the browser that are about to end write to it still."""
STARTED = "started successfully on port "
ADVICE = "Debian: apt-get install chromium-driver; elsewhere install the chromedriver of your browser's version"
GUARD = """
profile=$1; shift
"$@" & driver=$!
exec > /dev/null
read word
kill -9 $driver 2> /dev/null
test "$word" = end && exit
for again in 1 2 3 4 5 6 7 8 9 10; do
  rm -rf "$profile" 2> /dev/null
  sleep 0.5
  test -e "$profile" || { sleep 0.5; test -e "$profile" || exit; }
done
"""
"""Waits for a word, or for the end of its standard input, which comes when whoever holds the other end dies in whatever way.
Chromium hears of chromedriver's end through a pipe of its own, and writes to its profile until it has."""


def find_chromedriver(choice: BrowserChoice) -> str:
    """The chromedriver for a browser: the system's, else Selenium's own search, which downloads one only where none is kept.

    Raises:
        BrowserUnavailable: there is none, and none can be had.
    """
    for place in PLACES:
        if found := shutil.which(place):
            return found
    arguments = ["--browser", "chrome", "--browser-path", choice.path, "--avoid-stats"]
    reason = ""
    for more in (["--offline"], []):
        try:
            path = str(SeleniumManager().binary_paths([*arguments, *more]).get("driver_path", ""))
        except WebDriverException as error:
            reason = next(iter((error.msg or "").splitlines()), "")
            continue
        if path and Path(path).exists():
            return path
    raise BrowserUnavailable(f"there is no chromedriver ({reason[:160]})", where=choice.path, advice=ADVICE)


def started_browser(choice: BrowserChoice, folder: str) -> str:
    """The program that chromedriver is to start. Driven over a pipe, the headless shell opens no page unless it is told to, and
    chromedriver would wait for one: a script in the folder tells it. Where none can run, the whole browser is taken.

    Raises:
        BrowserUnavailable: there is none.
    """
    if not choice.is_shell:
        return choice.path
    script = Path(folder) / "start"
    script.write_text(f'#!/bin/sh\nexec {shlex.quote(choice.path)} "$@" about:blank\n', encoding="utf-8")
    script.chmod(0o700)
    # A folder for temporary files may forbid programs in it.
    can_run = shutil.which("sh") is not None and os.access(script, os.X_OK)
    return str(script) if can_run else find_browser(windowed=True).path


class DriverEnded(BrowserUnavailable):
    """It ended before it took a command."""


def start_chromedriver(path: str) -> Chromedriver:
    """One that runs. Raises `BrowserUnavailable` with what it said last."""
    for _ in range(STARTS - 1):
        with contextlib.suppress(DriverEnded):
            return Chromedriver(path)
    return Chromedriver(path)


class Chromedriver:
    """A running chromedriver, with a folder for the profile of its browser. Its methods block; `kill` may come from any
    thread."""

    def __init__(self, path: str) -> None:
        """Raises `BrowserUnavailable`; `DriverEnded` where another try may help."""
        self.profile = tempfile.mkdtemp(prefix="walker-selenium-")
        command = [path, "--port=0", "--log-level=SEVERE"]
        guarded = shutil.which("sh") is not None
        if guarded:
            command = ["sh", "-c", GUARD, "guard", self.profile, *command]
        try:
            self._process = subprocess.Popen(  # noqa: S603 - the driver's path is found, its arguments are ours
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                # An interrupt from the terminal is ours to handle.
                start_new_session=True,
            )
        except OSError as error:
            shutil.rmtree(self.profile, ignore_errors=True)
            raise BrowserUnavailable(f"chromedriver does not start ({error})", where=path, advice=ADVICE) from None
        self._guarded = guarded
        self.address = f"http://127.0.0.1:{self._port(path)}"

    @contextlib.contextmanager
    def watched(self) -> Iterator[None]:
        """Within the block, end chromedriver as soon as the browser that it starts has ended: it would wait a minute for it."""
        over = threading.Event()
        watch = threading.Thread(target=self._watch, args=(over,), daemon=True)
        watch.start()
        try:
            yield
        finally:
            over.set()
            watch.join()

    def _watch(self, over: threading.Event) -> None:
        seen = time.monotonic()
        while not over.wait(WATCH_SECONDS):
            ours = _session(self._process.pid)
            drivers = [one for one in ours if (one.parent if self._guarded else one.id) == self._process.pid]
            browsers = [one for one in ours if one not in drivers and one.id != self._process.pid]
            if any(one.is_alive for one in browsers):
                seen = time.monotonic()
            elif browsers or (drivers and time.monotonic() - seen > ABSENT_SECONDS):
                for one in drivers:
                    with contextlib.suppress(OSError):
                        os.kill(one.id, 9)
                return

    def kill(self, browser: int = 0) -> None:
        """End it, and its browser with it, whose process has this number."""
        if self._process.stdin is not None:
            with contextlib.suppress(OSError):
                self._process.stdin.write(b"end\n")
                self._process.stdin.close()
        if not self._guarded:
            self._process.kill()
        try:
            self._process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait(END_SECONDS)
        if self._process.stdout is not None:
            self._process.stdout.close()
        wait_for_end(browser)
        for left in reversed(range(REMOVALS)):
            shutil.rmtree(self.profile, ignore_errors=True)
            if not left or not Path(self.profile).exists():
                return
            time.sleep(0.1)

    def _port(self, path: str) -> int:
        assert self._process.stdout is not None
        # What it says is read to the end of its life: a full pipe would hold it up.
        said = _Said()
        threading.Thread(target=said.listen, args=(self._process.stdout,), daemon=True).start()
        said.enough.wait(START_SECONDS)
        if said.port:
            return said.port
        self.kill()
        if said.enough.is_set():
            reason = f" ({said.last[:160]})" if said.last else ""
            raise DriverEnded(f"chromedriver does not start{reason}", where=path, advice=ADVICE)
        raise BrowserUnavailable("chromedriver does not start", where=path, advice=ADVICE)


class _Said:
    """What chromedriver says: its port, or why it ends."""

    def __init__(self) -> None:
        self.port = 0
        self.last = ""
        """The last line."""
        self.enough = threading.Event()
        """The port is known, or it has ended."""

    def listen(self, output: IO[bytes]) -> None:
        """To the end of it."""
        with contextlib.suppress(OSError, ValueError):
            for line in output:
                self.last = line.decode(errors="replace").strip()
                if STARTED in self.last:
                    self.port = int(self.last.rstrip(".").rpartition(" ")[2])
                    self.enough.set()
        self.enough.set()


class _Process(msgspec.Struct, frozen=True):
    id: int
    parent: int
    is_alive: bool


def _session(leader: int) -> list[_Process]:
    """The processes of a session, as far as the system tells: nothing but Linux does."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, parent, _, session = stat.read_text().rpartition(")")[2].split()[:4]
            if session == str(leader):
                found.append(_Process(int(stat.parent.name), int(parent), state not in "ZX"))
    return found


def wait_for_end(process: int, seconds: float = END_SECONDS) -> None:
    """Wait until a process that is not our child has ended, and end it where it does not."""
    if sys.platform == "win32" or process <= 0:
        return
    deadline = time.monotonic() + seconds
    while _is_running(process):
        if time.monotonic() > deadline:
            with contextlib.suppress(OSError):
                os.kill(process, 9)
            return
        time.sleep(0.02)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except OSError:
        return False
    # One that nobody waits for is a zombie: it has ended.
    with contextlib.suppress(OSError):
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return True
