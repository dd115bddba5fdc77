"""After every exit, kill -9 included, nothing of chromedriver is left: no process and no profile."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from walker.browser.launch.find_chromium import BrowserChoice, find_browser
from walker.browser.selenium import chromedriver
from walker.browser.selenium.chromedriver import (
    Chromedriver,
    DriverEnded,
    find_chromedriver,
    start_chromedriver,
    started_browser,
)

CHILD = """
import asyncio, signal, sys
from walker.browser.launch.chromium import ContextOptions
from walker.browser.launch.find_chromium import find_browser
from walker.browser.selenium.selenium_browser import SeleniumBrowser
from walker.seams.web.own_headers import NO_HEADERS, OwnHeaders

async def main():
    headers = OwnHeaders({"X-Key": "a"}, lambda url: True) if sys.argv[3] == "headers" else NO_HEADERS
    browser = SeleniumBrowser(find_browser(), ContextOptions(own_headers=headers))
    try:
        await browser.open(sys.argv[1])
        sys.stdout.write(browser._world.session._chromedriver.profile + "\\n"); sys.stdout.flush()
        if sys.argv[2] == "raise":
            raise RuntimeError("on purpose")
        if sys.argv[2] == "wait":
            await asyncio.sleep(60)
    finally:
        await browser.close()

# Where tests run in the background, their processes are started with interrupts ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
asyncio.run(main())
"""


@pytest.mark.parametrize(
    ("ending", "number", "way"),
    [
        ("return", 0, ""),
        ("raise", 0, ""),
        ("wait", signal.SIGINT, ""),
        ("wait", signal.SIGTERM, ""),
        ("wait", signal.SIGKILL, ""),
        ("return", 0, "headers"),
        ("wait", signal.SIGKILL, "headers"),
    ],
)
def test_no_process_and_no_profile_is_left(home: str, ending: str, number: int, way: str) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, home, ending, way], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert child.stdout is not None
    profile = child.stdout.readline().strip()
    assert profile
    started = [process for process in psutil.process_iter(["cmdline"]) if is_of(process, profile)]
    if ending == "wait":
        assert started
    if number:
        child.send_signal(number)
    child.wait(timeout=180)
    child.stdout.close()
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and (
        any(is_of(process, profile) for process in psutil.process_iter(["cmdline"])) or Path(profile).exists()
    ):
        time.sleep(0.1)
    assert [process for process in psutil.process_iter(["cmdline"]) if is_of(process, profile)] == []
    assert not Path(profile).exists()


def is_of(process: psutil.Process, profile: str) -> bool:
    """Whether it names the profile in its command line: the guard, chromedriver's browser and its parts do."""
    with contextlib.suppress(psutil.Error):
        return process.status() != psutil.STATUS_ZOMBIE and profile in " ".join(process.cmdline())
    return False


def test_chromedriver_ends_when_it_is_told() -> None:
    driver = start_chromedriver(find_chromedriver(find_browser()))
    assert driver.address.startswith("http://127.0.0.1:")
    driver.kill()
    with socket.socket() as probe:
        host, port = driver.address.removeprefix("http://").split(":")
        assert probe.connect_ex((host, int(port))) != 0


FIRST_TIME = """#!/bin/sh
test -e {met} && exec {driver} "$@"
touch {met}
echo IPv4 port not available. Exiting...
exit 1
"""


def test_chromedriver_that_finds_its_port_taken_is_started_again(tmp_path: Path) -> None:
    real, unlucky = find_chromedriver(find_browser()), tmp_path / "chromedriver"
    unlucky.write_text(FIRST_TIME.format(met=tmp_path / "met", driver=real))
    unlucky.chmod(0o755)
    driver = start_chromedriver(str(unlucky))
    assert driver.address.startswith("http://127.0.0.1:")
    driver.kill()
    (tmp_path / "met").unlink()
    with pytest.raises(DriverEnded, match=r"does not start \(IPv4 port not available"):
        Chromedriver(str(unlucky))


def test_a_browser_without_a_window_is_told_to_open_a_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shell = tmp_path / "a headless shell"
    shell.write_text("#!/bin/sh\nprintf '%s|' \"$@\"\n")
    shell.chmod(0o755)
    choice = BrowserChoice(path=str(shell), source="named")
    program = started_browser(choice, str(tmp_path))
    told = subprocess.run([program, "--one", "t w o"], capture_output=True, text=True, check=True)
    assert told.stdout == "--one|t w o|about:blank|"
    whole = BrowserChoice(path="/usr/bin/chromium", source="system")
    assert started_browser(whole, str(tmp_path)) == whole.path
    # Where the folder is mounted so that nothing in it may run.
    monkeypatch.setattr(os, "access", lambda *_: False)
    monkeypatch.setattr(chromedriver, "find_browser", lambda *, windowed: whole if windowed else choice)
    assert started_browser(choice, str(tmp_path)) == whole.path
