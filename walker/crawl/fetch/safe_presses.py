"""Presses what is safe to press on a page: buttons, summaries, tabs, links to places on it, and what hears presses.

Nothing is sent meanwhile: requests other than GET and HEAD fail, forms are not submitted, and the page is not left. The addresses
that it would have gone to are appended to the markup like those of `pressed_links`, and what a press shows is in the page, also
where the next press takes it away.
"""

from __future__ import annotations

import re
from typing import cast

from perception.snapshot import Snapshot
from walker.browser.scripts.page_functions import init_script, page_function
from walker.crawl.fetch.pressed_links import with_links
from walker.seams.protocols import Browser, PageFailure, ScriptedBrowser

MOST_PRESSES, MOST_SECONDS = 60, 12.0
GRACE_SECONDS = 5.0
_SCRIPTED = re.compile(r"<script\b|\son[a-z]{4,}\s*=|href\s*=\s*[\"']?\s*javascript:|<details\b", re.IGNORECASE)


def guard_script() -> str:
    """The script that holds back what a page would send; it has to run before those of the page."""
    return init_script(page_function("page_world/press_guard.js", "guardPresses"))


async def with_safe_presses(snapshot: Snapshot, browser: Browser) -> Snapshot | PageFailure:
    """The open page after its presses; unchanged where no script could hear them, or no browser is there to press in."""
    if not hasattr(browser, "run") or not _SCRIPTED.search(snapshot.html):
        return snapshot
    scripted = cast("ScriptedBrowser", browser)
    press = page_function("steps/safe_presses.js", "pressWhatIsSafe")
    done = await scripted.run(press, [MOST_PRESSES, round(MOST_SECONDS * 1000)], seconds=MOST_SECONDS + GRACE_SECONDS)
    if not isinstance(done, dict) or not done.get("done"):
        return snapshot
    taken = await scripted.take()
    return with_links(taken, map(str, done["found"])) if isinstance(taken, Snapshot) else taken
