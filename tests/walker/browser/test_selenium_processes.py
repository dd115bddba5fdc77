"""After every exit, kill -9 included, nothing of chromedriver is left: no process and no profile."""

from __future__ import annotations

import contextlib
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from walker.browser.chromedriver import Chromedriver, find_chromedriver
from walker.browser.finding import find_browser

CHILD = """
import asyncio, sys
from walker.browser.chromium import WalkContext
from walker.browser.finding import find_browser
from walker.browser.selenium_browser import SeleniumBrowser

async def main():
    browser = SeleniumBrowser(find_browser(windowed=True), WalkContext())
    try:
        await browser.open(sys.argv[1])
        sys.stdout.write(browser._world.session._chromedriver.profile + "\\n"); sys.stdout.flush()
        if sys.argv[2] == "raise":
            raise RuntimeError("on purpose")
        if sys.argv[2] == "wait":
            await asyncio.sleep(60)
    finally:
        await browser.close()

asyncio.run(main())
"""


@pytest.mark.parametrize(
    ("ending", "number"),
    [("return", 0), ("raise", 0), ("wait", signal.SIGINT), ("wait", signal.SIGTERM), ("wait", signal.SIGKILL)],
)
def test_no_process_and_no_profile_is_left(home: str, ending: str, number: int) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, home, ending], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert child.stdout is not None
    profile = child.stdout.readline().strip()
    assert profile
    started = [process for process in psutil.process_iter(["cmdline"]) if is_of(process, profile)]
    if ending == "wait":
        assert started
    if number:
        child.send_signal(number)
    child.wait(timeout=30)
    child.stdout.close()
    deadline = time.monotonic() + 10
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
    driver = Chromedriver(find_chromedriver(find_browser(windowed=True)))
    assert driver.address.startswith("http://127.0.0.1:")
    driver.kill()
    with socket.socket() as probe:
        host, port = driver.address.removeprefix("http://").split(":")
        assert probe.connect_ex((host, int(port))) != 0
