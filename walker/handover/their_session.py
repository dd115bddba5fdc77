"""The session that a person has in a Chromium of their own, for the sites of a walk in it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from walker.browser.launch.browser_kinds import BrowserKinds
from walker.logins.login_use import secrets_of_state
from walker.seams.web.storage_state import state_of
from walker.settings import Settings


async def with_their_session(settings: Settings, kinds: BrowserKinds, roots: Sequence[str]) -> Settings:
    """The settings with the cookies that the person's own pages send to the roots, below those of a state that is named, and as
    secrets; the same settings where Walker starts its own browser. Raises `BrowserUnavailable`."""
    if kinds.running is None:
        return settings
    theirs = await kinds.running.cookies_for(tuple(roots))
    state = state_of(settings.session).over(theirs)
    hidden = (*settings.secrets, *secrets_of_state(theirs))
    return msgspec.structs.replace(settings, session=state.as_playwright(), secrets=hidden)
