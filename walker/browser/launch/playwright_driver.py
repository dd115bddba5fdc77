"""Playwright's driver: a Node.js program inside its package that stands between this process and the browser."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from typing import Any

from playwright.async_api import Playwright, async_playwright

from walker.errors import BrowserUnavailable

ANSWER_SECONDS = 10.0
"""A driver that has not said its version by then hangs."""
ADVICE = "Debian, Ubuntu: apt-get install libatomic1; elsewhere reinstall the playwright package"


async def start_driver() -> Playwright:
    """The driver, running.

    Raises:
        BrowserUnavailable: it does not start; the message holds what it said.
    """
    starting = async_playwright()
    try:
        playwright = await starting.start()
    except Exception as error:  # noqa: BLE001 - see below
        # Playwright has no error of its own for a driver that ends at once: it raises a bare Exception.
        said = await asyncio.to_thread(_last_words)
        reason = said or str(error).strip() or type(error).__name__
        raise BrowserUnavailable(f"Playwright's driver does not start ({reason[:160]})", advice=ADVICE) from None
    # Playwright asks this future for its error while it starts, and never again; calls that fail later say so themselves.
    _failure_of(starting).add_done_callback(_heard)
    return playwright


def _failure_of(started: Any) -> asyncio.Future[None]:
    """Of the pipe to the driver; older versions keep it at another place."""
    owner = started._client if hasattr(started, "_client") else started._connection  # noqa: SLF001 - told nowhere else
    failure: asyncio.Future[None] = owner._transport.on_error_future  # noqa: SLF001 - as above
    return failure


def _heard(future: asyncio.Future[None]) -> None:
    if not future.cancelled():
        future.exception()


def _last_words() -> str:
    """What the driver says when it is only asked for its version; "" when that works."""
    command = [sys.executable, "-m", "playwright", "--version"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=ANSWER_SECONDS, check=False)  # noqa: S603 - our own interpreter
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    if done.returncode == 0:
        return ""
    return next((line.split(": ", 1)[-1] for line in done.stderr.splitlines() if line.strip()), "")
