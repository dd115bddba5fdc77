"""After every exit, kill -9 included, no Chromium process is left."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import psutil
import pytest

CHILD = """
import asyncio, signal, sys
from walker.browser.launch.chromium import Chromium, ContextOptions
from walker.browser.launch.find_chromium import find_browser
from walker.browser.playwright.playwright_browser import PlaywrightBrowser

async def main():
    async with Chromium(find_browser()) as chromium:
        browser = PlaywrightBrowser(chromium, ContextOptions())
        await browser.open(sys.argv[1])
        sys.stdout.write("open\\n"); sys.stdout.flush()
        if sys.argv[2] == "return":
            return
        if sys.argv[2] == "raise":
            raise RuntimeError("on purpose")
        await asyncio.sleep(60)

# Where tests run in the background, their processes are started with interrupts ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
asyncio.run(main())
"""


def alive(processes: list[psutil.Process]) -> list[psutil.Process]:
    left = []
    for process in processes:
        try:
            if process.is_running() and process.status() != psutil.STATUS_ZOMBIE:
                left.append(process)
        except psutil.NoSuchProcess:
            continue
    return left


@pytest.mark.parametrize(
    ("ending", "number"),
    [("return", 0), ("raise", 0), ("wait", signal.SIGINT), ("wait", signal.SIGTERM), ("wait", signal.SIGKILL)],
)
def test_no_browser_process_is_left(home: str, ending: str, number: int) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, home, ending], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "open\n"
    started = psutil.Process(child.pid).children(recursive=True)
    if ending == "wait":
        assert any("chrom" in process.name() for process in started)
    if number:
        child.send_signal(number)
    child.wait(timeout=60)
    child.stdout.close()
    deadline = time.monotonic() + 60
    while alive(started) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert alive(started) == []
