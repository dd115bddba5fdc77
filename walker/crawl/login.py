"""Logging in before the first page, in a browser, whatever the pages are read with afterwards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from walker.crawl.errors import LoginFailed
from walker.crawl.fetch.page_steps import StepsFailed, take_steps
from walker.crawl.script.spec import Login, Step
from walker.seams.protocols import PageFailure, ScriptedBrowser, StatefulBrowser
from walker.seams.storage_state import StorageState

ADVICE = "Look at the page in a browser, and correct the script's login or the values in the environment"


class LoginBrowser(ScriptedBrowser, StatefulBrowser, Protocol):
    """What a login needs: steps on its page, and what came of them."""


async def log_in(browser: LoginBrowser, login: Login, environment: Mapping[str, str]) -> StorageState:
    """Open the page, do the steps, see that it worked; who one is from then on.

    Raises:
        LoginFailed: the page cannot be had, a step cannot be done, or the sign of success does not appear.
    """
    opened = await browser.open(login.url)
    if isinstance(opened, PageFailure):
        raise LoginFailed(f"the login page cannot be had ({opened.message})", where=login.url, advice=ADVICE)
    if opened.status >= 400:
        raise LoginFailed(f"the login page answers with status {opened.status}", where=login.url, advice=ADVICE)
    await _do(browser, login, login.steps, environment)
    if login.check:
        await _do(browser, login, (Step(wait_for=login.check),), environment)
    else:
        # What the last step began is not cut off.
        await browser.take()
    return await browser.state()


async def _do(browser: LoginBrowser, login: Login, steps: tuple[Step, ...], environment: Mapping[str, str]) -> None:
    done = await take_steps(browser, steps, environment)
    if isinstance(done, StepsFailed | PageFailure):
        what = "the sign of a login" if steps is not login.steps else "the login"
        raise LoginFailed(f"{what} failed: {done.message}", where=login.url, advice=ADVICE)
