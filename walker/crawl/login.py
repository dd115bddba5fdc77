"""Logs in before the first page, in a browser, whichever driver fetches the pages afterwards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from walker.crawl.errors import LoginFailed
from walker.crawl.fetch.page_steps import StepsFailed, take_steps
from walker.crawl.script.spec import Login, Step
from walker.seams.protocols import PageFailure, ScriptedBrowser, StatefulBrowser
from walker.seams.web.storage_state import StorageState

ADVICE = "Look at the page in a browser, and correct the script's login or the values in the environment"


class LoginBrowser(ScriptedBrowser, StatefulBrowser, Protocol):
    """A browser for a login: executes steps, and gives the resulting storage state."""


async def log_in(browser: LoginBrowser, login: Login, environment: Mapping[str, str]) -> StorageState:
    """Open the login page, execute the steps and check for success; returns the storage state.

    Raises:
        LoginFailed: the page cannot be loaded, a step fails, or the element that indicates success does not appear.
    """
    opened = await browser.open(login.url)
    if isinstance(opened, PageFailure):
        raise LoginFailed(f"the login page cannot be loaded ({opened.message})", where=login.url, advice=ADVICE)
    if opened.status >= 400:
        raise LoginFailed(f"the login page answers with status {opened.status}", where=login.url, advice=ADVICE)
    await _do(browser, login, login.steps, environment)
    if login.check:
        await _do(browser, login, (Step(wait_for=login.check),), environment)
    else:
        # Wait for what the last step started.
        await browser.take()
    return await browser.state()


async def _do(browser: LoginBrowser, login: Login, steps: tuple[Step, ...], environment: Mapping[str, str]) -> None:
    done = await take_steps(browser, steps, environment)
    if isinstance(done, StepsFailed | PageFailure):
        what = "the element that indicates success" if steps is not login.steps else "the login"
        raise LoginFailed(f"{what} failed: {done.message}", where=login.url, advice=ADVICE)
