"""What is done about a page that a check or a login keeps closed: another browser, or a person."""

from __future__ import annotations

from typing import Literal, Protocol

import msgspec

ObstacleKind = Literal["challenge page", "login wall"]
WHAT_IS_IN_THE_WAY: dict[ObstacleKind, str] = {
    "challenge page": "is kept closed by a check",
    "login wall": "asks for a login",
}
"""As a person is told it, behind the address."""
PassedBy = Literal["nobody", "chrome", "headed", "person"]


class Obstacle(msgspec.Struct, frozen=True, kw_only=True):
    """What is in the way."""

    url: str
    """The page that was wanted."""
    kind: ObstacleKind
    title: str = ""


class Passed(msgspec.Struct, frozen=True, kw_only=True):
    """What was done about it. Not what a person typed or saw: only that they acted, and how long it took."""

    by: PassedBy
    """The fuller browser that the walk goes on in, a person, or nobody: nothing was done, and nothing has changed."""
    seconds: float = 0.0
    note: str = ""
    """Why nobody could, in one line."""


class Handover(Protocol):
    """Tries to get past an obstacle; the page is opened again afterwards, in the same browser or the one that has taken its place."""

    async def overcome(self, obstacle: Obstacle) -> Passed:
        """What was done. Each browser is tried once a walk; a person is asked once for each kind of
        obstacle. Raises `BrowserUnavailable` only."""
        ...


msgspec.json.Decoder(Passed)  # described at import: docs/design/msgspec.md
