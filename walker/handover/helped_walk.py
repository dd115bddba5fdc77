"""What helps a walk on, as its settings want it."""

from __future__ import annotations

from collections.abc import Callable

from walker.browser.launch.browser_kinds import BrowserKinds
from walker.browser.playwright.movable_browser import MovableBrowser
from walker.handover.live_handover import LiveHandover
from walker.handover.live_person import LivePerson, RankLinks
from walker.handover.whom_to_ask import asked_by
from walker.settings import Settings


def handover_of(settings: Settings, kinds: BrowserKinds, browser: MovableBrowser | None) -> LiveHandover | None:
    """What gets the walk of this browser past check pages and logins; None where that is not wanted."""
    if not (settings.hand_over or settings.ask_me):
        return None
    return LiveHandover(kinds, browser, asked_by() if settings.ask_me else None)


def person_of(settings: Settings, likely: RankLinks, waited: Callable[[float], None]) -> LivePerson | None:
    """Who is asked where the walk is not sure; None where nobody is to be."""
    return LivePerson(asked_by(), likely, settings.sure, waited) if settings.ask_me else None
