"""Gets a walk past a check page or a login by what is honest: a fuller browser once, and the person once for each obstacle."""

from __future__ import annotations

import time

from walker.browser.launch.browser_kinds import BrowserKinds
from walker.browser.playwright.movable_browser import MovableBrowser
from walker.errors import BrowserUnavailable
from walker.handover.whom_to_ask import AskPerson, asked_by
from walker.seams.protocols import PageFailure
from walker.seams.web.asked_person import ACTED, Choice, Pause
from walker.seams.web.handover import WHAT_IS_IN_THE_WAY, Obstacle, ObstacleKind, Passed
from walker.settings import Settings


class LiveHandover:
    """Implements `seams.Handover` for one walk."""

    def __init__(self, kinds: BrowserKinds, browser: MovableBrowser | None, ask: AskPerson | None = None) -> None:
        """`browser` is that of the walk, which may be moved; None for one without a network. `ask` None: nobody is asked."""
        self._kinds, self._browser, self._ask = kinds, browser, ask
        self._has_moved, self._in = False, kinds.kind
        self._asked: set[ObstacleKind] = set()

    async def overcome(self, obstacle: Obstacle) -> Passed:
        """Try what has not been tried in this walk."""
        started, note = time.monotonic(), ""
        if self._browser is None:
            return Passed(by="nobody")
        if obstacle.kind == "challenge page" and not self._has_moved:
            kind = self._kinds.fuller()
            if kind in ("headed", "chrome"):
                self._in, self._has_moved = kind, True
                try:
                    await self._browser.move_to(kind)
                except BrowserUnavailable as error:
                    note = str(error)
                else:
                    return Passed(by=kind, seconds=_since(started))
            else:
                note = "there is no fuller browser: a window needs a display, or Xvfb"
        if self._ask is not None and obstacle.kind not in self._asked:
            self._asked.add(obstacle.kind)
            return await self._by_person(obstacle, started)
        return Passed(by="nobody", note=note, seconds=_since(started))

    async def _by_person(self, obstacle: Obstacle, started: float) -> Passed:
        ask, browser = self._ask, self._browser
        assert ask is not None, "asked only where somebody can be"
        assert browser is not None, "and where a page can be shown"
        if not self._kinds.can_show():
            note = "no window can be shown to a person: there is no display"
            return Passed(by="nobody", note=note, seconds=_since(started))
        if self._kinds.is_movable and self._in != "headed":
            self._in, self._has_moved = "headed", True
            await browser.move_to("headed")
        shown = await browser.open(obstacle.url)
        if isinstance(shown, PageFailure):
            return Passed(by="nobody", note=shown.message, seconds=_since(started))
        acted = await ask(pause_for(obstacle)) == 1
        return Passed(by="person" if acted else "nobody", note="" if acted else "nobody acted", seconds=_since(started))


def handover_of(settings: Settings, kinds: BrowserKinds, browser: MovableBrowser | None) -> LiveHandover | None:
    """What gets the walk of this browser past check pages and logins; None where that is not wanted."""
    if not (settings.hand_over or settings.ask_me):
        return None
    return LiveHandover(kinds, browser, asked_by() if settings.ask_me else None)


def pause_for(obstacle: Obstacle) -> Pause:
    """What a person is asked about what is in the way."""
    text = f"{obstacle.url} {WHAT_IS_IN_THE_WAY[obstacle.kind]}. Act in the window that has opened"
    return Pause(kind=obstacle.kind, text=text, choices=(Choice(text=ACTED),), url=obstacle.url)


def _since(started: float) -> float:
    return round(time.monotonic() - started, 1)
