"""Infinite scrolling: pages that load more content on scrolling are scrolled to their end, even if no script asks for it.

Only pages with a scroll listener are tried, most of which merely move a menu: if the first pages of a URL template show nothing
more, few of the others are tried.
"""

from __future__ import annotations

from typing import cast

import msgspec

from perception.snapshot import Snapshot
from walker.browser.scripts.page_functions import page_function
from walker.crawl.traps.templates import template_of
from walker.seams.protocols import Browser, PageFailure, ScriptedBrowser

TRIED = 3
"""Pages of a template that are tried before the template is taken for one without infinite scrolling;"""
EVERY = 50
"""one in so many is tried after that."""
MOST_MOVES, REST_SECONDS, MOST_SECONDS = 400, 3.0, 30.0


class _Template(msgspec.Struct):
    pages: int = 0
    grew: bool = False


class InfiniteScroll:
    """What was learned about each URL template; shared by the workers of a crawl."""

    def __init__(self) -> None:
        self._templates: dict[str, _Template] = {}

    async def at_its_end(self, opened: Snapshot, browser: Browser) -> Snapshot | PageFailure:
        """The open page, scrolled to its end if that shows more, else `opened` itself."""
        if not opened.scrolls or not hasattr(browser, "run"):
            return opened
        template = self._templates.setdefault(template_of(opened.final_url), _Template())
        template.pages += 1
        if not template.grew and template.pages > TRIED and template.pages % EVERY:
            return opened
        scripted = cast("ScriptedBrowser", browser)
        scroll = page_function("steps/scroll.js", "scrollToEnd")
        argument = [MOST_MOVES, REST_SECONDS, True, MOST_SECONDS]
        done = await scripted.run(scroll, argument, seconds=MOST_SECONDS + REST_SECONDS)
        if not isinstance(done, dict) or done.get("ended") == "still":
            return opened
        template.grew = True
        return await scripted.take()
