"""Starts Playwright's driver: a Node.js process between this process and the browser."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from typing import Any

from playwright.async_api import Playwright, async_playwright

from walker.errors import BrowserUnavailable

ANSWER_SECONDS = 10.0
"""Seconds; a driver that has not printed its version by then hangs."""
STOP_SECONDS = 5.0
"""Seconds; a driver that is stopped while it starts first has to have started."""
LAST_SECONDS = 0.1
"""Seconds until the event loop has heard of the end of a process."""
ADVICE = "Debian, Ubuntu: apt-get install libatomic1; elsewhere reinstall the playwright package"


async def start_driver() -> Playwright:
    """Start the driver. If that is cancelled, it is stopped first.

    Raises:
        BrowserUnavailable: it does not start; the message contains its output.
    """
    starting = async_playwright()
    started = asyncio.ensure_future(starting.start())
    try:
        playwright = await asyncio.shield(started)
    except asyncio.CancelledError:
        await _stop(started)
        raise
    except Exception as error:  # noqa: BLE001 - see below
        # Playwright raises a bare Exception if the driver exits immediately.
        said = await asyncio.to_thread(_failed_start_output)
        reason = said or str(error).strip() or type(error).__name__
        raise BrowserUnavailable(f"Playwright's driver does not start ({reason[:160]})", advice=ADVICE) from None
    # Playwright retrieves this future's exception only during the start; later calls report failures themselves.
    _failure_of(starting).add_done_callback(_retrieve_error)
    return playwright


async def _stop(started: asyncio.Future[Playwright]) -> None:
    """Playwright stops a driver that has started, and leaves one alone that was starting: its process would go on, and its pipe would
    outlive the event loop."""
    done, _ = await asyncio.wait({started}, timeout=STOP_SECONDS)
    if done and started.exception() is None:
        await asyncio.wait({asyncio.ensure_future(started.result().stop())}, timeout=STOP_SECONDS)
    else:  # a terminal's Ctrl-C has ended the driver already
        await asyncio.sleep(LAST_SECONDS)


def _failure_of(started: Any) -> asyncio.Future[None]:
    """The error future of the pipe to the driver; older versions have it in another attribute."""
    owner = started._client if hasattr(started, "_client") else started._connection  # noqa: SLF001 - no public way
    failure: asyncio.Future[None] = owner._transport.on_error_future  # noqa: SLF001 - as above
    return failure


def _retrieve_error(future: asyncio.Future[None]) -> None:
    if not future.cancelled():
        future.exception()


def _failed_start_output() -> str:
    """The driver's output for `--version`; "" if that works."""
    command = [sys.executable, "-m", "playwright", "--version"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=ANSWER_SECONDS, check=False)  # noqa: S603 - our own interpreter
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    if done.returncode == 0:
        return ""
    return next((line.split(": ", 1)[-1] for line in done.stderr.splitlines() if line.strip()), "")
