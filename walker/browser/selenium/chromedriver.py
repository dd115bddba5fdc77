"""Finds and starts chromedriver, and ensures that it ends with this process, even after kill -9."""

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
from walker.browser.selenium.protocol_tap import ProtocolTap
from walker.errors import BrowserUnavailable

PLACES = ("chromedriver", "/usr/lib/chromium/chromedriver", "/usr/lib/chromium-browser/chromedriver")
START_SECONDS, END_SECONDS = 20.0, 5.0
WATCH_SECONDS, ABSENT_SECONDS = 0.2, 10.0
"""Seconds between two checks of a starting browser; and for how long none of its processes may exist."""
STARTS = 3
"""Most tries to start it: it opens one port number on IPv4 and IPv6, and exits if the second is in use."""
REMOVALS = 10
"""Tries to delete the profile, to which exiting browser processes still write."""
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
"""Shell watchdog: waits for a line, or for the end of its standard input, which comes when this process dies in any way. Chromium
notices chromedriver's end through a pipe of its own, and writes to its profile until then."""


def find_chromedriver(choice: BrowserChoice) -> str:
    """The chromedriver for a browser: the system's, else that of Selenium Manager, which downloads one unless it is cached.

    Raises:
        BrowserUnavailable: there is none, and it cannot be downloaded.
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


def started_browser(choice: BrowserChoice, folder: str, tap: ProtocolTap | None = None) -> str:
    """The executable that chromedriver is to start. Over a pipe, the headless shell opens no page by default, for which chromedriver
    would wait: a wrapper script in the folder passes a URL. If scripts cannot run there, the full browser is used. With a `tap`, the
    script puts it into the pipe.

    Raises:
        BrowserUnavailable: there is none, or a tap is wanted and no script can run.
    """
    if not choice.is_shell and tap is None:
        return choice.path
    command = shlex.quote(choice.path) if tap is None else tap.command([choice.path])
    script = Path(folder) / "start"
    script.write_text(f'#!/bin/sh\nexec {command} "$@"{" about:blank" if choice.is_shell else ""}\n', encoding="utf-8")
    script.chmod(0o700)
    # The temporary folder may be mounted noexec.
    if shutil.which("sh") is not None and os.access(script, os.X_OK):
        return str(script)
    if tap is not None:
        raise BrowserUnavailable(
            "own headers need a temporary folder in which programs may run", where=folder, advice="Name one by TMPDIR"
        )
    return find_browser(windowed=True).path


class DriverEnded(BrowserUnavailable):
    """chromedriver exited before it was ready."""


def start_chromedriver(path: str) -> Chromedriver:
    """Start chromedriver and wait until it listens, trying again if its port is taken. Raises `BrowserUnavailable` with its last
    output if it cannot be started."""
    for _ in range(STARTS - 1):
        with contextlib.suppress(DriverEnded):
            return Chromedriver(path)
    return Chromedriver(path)


class Chromedriver:
    """A running chromedriver, with a profile folder for its browser. Methods block; `kill` may be called from any thread."""

    def __init__(self, path: str) -> None:
        """Start the process. Raises `BrowserUnavailable`; `DriverEnded` if another try may help."""
        self.profile = tempfile.mkdtemp(prefix="walker-selenium-")
        command = [str(Path(path).absolute()), "--port=0", "--log-level=SEVERE"]
        guarded = shutil.which("sh") is not None
        if guarded:
            command = ["sh", "-c", GUARD, "guard", self.profile, *command]
        try:
            self._process = subprocess.Popen(  # noqa: S603 - the driver's path is found, its arguments are ours
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                # It lets its browser download into the folder that it was started in, whenever a tab is opened or closed.
                cwd=self.profile,
                # Ctrl-C is handled by this process.
                start_new_session=True,
            )
        except OSError as error:
            shutil.rmtree(self.profile, ignore_errors=True)
            raise BrowserUnavailable(f"chromedriver does not start ({error})", where=path, advice=ADVICE) from None
        self._guarded = guarded
        self.address = f"http://127.0.0.1:{self._port(path)}"

    @contextlib.contextmanager
    def watched(self) -> Iterator[None]:
        """For the duration of the block, kill chromedriver as soon as the browser that it starts exits, for which it would wait a
        minute."""
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
        """Kill chromedriver, and its browser, given by process id."""
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
        # Its output is read until it exits, as a full pipe would block it.
        said = _Output()
        threading.Thread(target=said.listen, args=(self._process.stdout,), daemon=True).start()
        said.enough.wait(START_SECONDS)
        if said.port:
            return said.port
        self.kill()
        if said.enough.is_set():
            reason = f" ({said.last[:160]})" if said.last else ""
            raise DriverEnded(f"chromedriver does not start{reason}", where=path, advice=ADVICE)
        raise BrowserUnavailable("chromedriver does not start", where=path, advice=ADVICE)


class _Output:
    """chromedriver's output: its port, or why it exits."""

    def __init__(self) -> None:
        self.port = 0
        self.last = ""
        """The last line of output."""
        self.enough = threading.Event()
        """Set when the port is known, or it has exited."""

    def listen(self, output: IO[bytes]) -> None:
        """Read the output until it ends."""
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
    """The processes of a session; () except on Linux."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, parent, _, session = stat.read_text().rpartition(")")[2].split()[:4]
            if session == str(leader):
                found.append(_Process(int(stat.parent.name), int(parent), state not in "ZX"))
    return found


def wait_for_end(process: int, seconds: float = END_SECONDS) -> None:
    """Wait until a process that is not our child has exited, and kill it after the time limit."""
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
    # A zombie has exited.
    with contextlib.suppress(OSError):
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return True
