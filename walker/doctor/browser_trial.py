"""Starts a browser and loads a page: the only proof that it works on this machine."""

from __future__ import annotations

import msgspec
from playwright.async_api import Error

from walker.browser.launch.playwright_driver import start_driver
from walker.errors import BrowserUnavailable

START_SECONDS = 30.0
"""A first start from a cold disk takes a few seconds; after this time it counts as broken."""
TITLE = "潮汐 tide"
PAGE = f"<!doctype html><meta charset=utf-8><title>loading</title><script>document.title = {TITLE!r}</script>"


class Trial(msgspec.Struct, frozen=True, kw_only=True):
    """The version on success, else one line with the reason."""

    version: str = ""
    failure: str = ""
    advice: str = "Install Chromium (make setup), or name another with WALKER_CHROMIUM=/path/to/chromium"


async def try_browser(path: str) -> Trial:
    """Start the browser at `path`, show a page with a script, and close it again."""
    try:
        playwright = await start_driver()
    except BrowserUnavailable as error:
        return Trial(failure=error.what, advice=error.advice)
    try:
        # Sandbox off: as root and in most containers Chromium does not start with it, and the page is our own.
        browser = await playwright.chromium.launch(
            executable_path=path, chromium_sandbox=False, timeout=START_SECONDS * 1000
        )
        try:
            page = await browser.new_page()
            await page.set_content(PAGE, timeout=START_SECONDS * 1000)
            shown = await page.title()
        finally:
            await browser.close()
    except Error as error:
        return Trial(failure=f"{path} does not start: {_first_line(error)}")
    finally:
        await playwright.stop()
    if shown != TITLE:
        return Trial(failure=f"{path} started, but ran no script in a page")
    return Trial(version=browser.version)


def _first_line(error: Error) -> str:
    """Playwright's message without its call log."""
    return next((line.strip() for line in error.message.splitlines() if line.strip()), type(error).__name__)
