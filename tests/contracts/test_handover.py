"""Contract of `Handover`: what was done is said, nobody where nothing was, and each thing is tried once."""

from __future__ import annotations

import pytest

from walker.browser.launch.browser_kinds import BrowserKinds
from walker.handover.live_handover import LiveHandover
from walker.seams.web.handover import Handover, Obstacle, Passed

CHECK = Obstacle(url="http://127.0.0.1:9/guarded", kind="challenge page", title="One moment")
WALL = Obstacle(url="http://127.0.0.1:9/members", kind="login wall")


@pytest.fixture
def handover() -> Handover:
    """One of a walk that has no browser which could be moved, as one through a library."""
    return LiveHandover(BrowserKinds(), None)


async def test_nobody_does_anything_where_nothing_can_be_moved(handover: Handover) -> None:
    for obstacle in (CHECK, WALL, CHECK):
        passed = await handover.overcome(obstacle)
        assert isinstance(passed, Passed)
        assert passed.by == "nobody"
        assert passed.seconds >= 0
