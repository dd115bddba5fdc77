"""Pages that a check or a login keeps closed: got past where somebody can, and remembered where they were in the way."""

from __future__ import annotations

import re

import msgspec

from perception.observation import Observation
from perception.snapshot import Snapshot
from walker.rules.viability import reject_by_structure
from walker.seams.handover import Obstacle, ObstacleKind
from walker.seams.protocols import PageFailure
from walker.seams.searches import is_own_page
from walker.walk.walk_events import handed_over
from walker.walk.walk_state import WalkContext, WalkState

TRIES_A_PAGE = 3
"""Handovers for one page: a fuller browser, then a person, and once more a person for a login behind the check."""
_TRACES = re.compile(r"captcha|challenge|turnstile|geetest|arkoselabs|type=.?password", re.IGNORECASE)
"""Without one of these a page is neither; most pages have none, and need not be parsed twice."""
_KINDS: dict[str, ObstacleKind] = {"challenge page": "challenge page", "login wall": "login wall"}


async def get_past(context: WalkContext, state: WalkState, opened: Snapshot | PageFailure) -> Snapshot | PageFailure:
    """The page that was wanted, where somebody got past what kept it closed; else the page as it is."""
    handover = context.edges.handover
    if handover is None or isinstance(opened, PageFailure) or is_own_page(opened.url):
        return opened
    for _ in range(TRIES_A_PAGE):
        if opened.status != 401 and not _TRACES.search(opened.html):
            break
        rejection = reject_by_structure(await context.edges.reader.read(opened))
        kind = _KINDS.get(rejection.reason) if rejection is not None else None
        if kind is None:
            break
        obstacle = Obstacle(url=opened.url, kind=kind, title=opened.title)
        passed = await handover.overcome(obstacle)
        if passed.by != "nobody" or passed.note:
            context.sink.emit(handed_over(state.step, obstacle, passed))
        if passed.by == "nobody":
            break
        again = await context.edges.browser.open(opened.url)
        if isinstance(again, PageFailure):
            break
        opened = again
    return opened


def note_wall(state: WalkState, observation: Observation, key: str) -> WalkState:
    """The state after a page that asks for a login; a form that a plain link leads to keeps nobody out."""
    is_in_the_way = state.was_led or observation.status == 401 or state.memory.stack.depth == 1
    return msgspec.structs.replace(state, walls=state.walls | {key}, is_kept_out=state.is_kept_out or is_in_the_way)
