"""What an explorer may propose, and what the policy makes of it."""

from __future__ import annotations

import msgspec


class FollowLink(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Open the link with this number on the current page."""

    link_id: int
    reason: str = ""


class Jump(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Go back to a page still on the stack and open one of its links that was not tried yet."""

    url: str
    reason: str = ""


class NextPage(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Follow the pagination of the current page, by link or by control."""

    reason: str = ""


class Click(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Press a control of the current page."""

    control_id: int
    reason: str = ""


class TypeText(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Type into a field of the current page and submit."""

    control_id: int
    text: str
    reason: str = ""


class Scroll(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Scroll down one viewport, so that a page which loads on scrolling shows more."""

    reason: str = ""


class GoBack(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Leave this page: nothing more is promised here."""

    reason: str = ""


class GiveAnswer(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Stop walking: nothing on the stack promises more."""

    reason: str = ""


Action = FollowLink | Jump | NextPage | Click | TypeText | Scroll | GoBack | GiveAnswer


class Open(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Move: open this URL as a child of the current page (`parent` is its stack depth)."""

    url: str
    reason: str = ""


class Operate(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Move: act on the page that is open. `selector` is "" for a scroll."""

    action: Click | TypeText | Scroll
    selector: str = ""
    reason: str = ""


class Pop(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Move: leave the page and go on from the one below."""

    reason: str = ""


class Return(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Move: pop down to the frame at `depth` and open one of its untried links."""

    depth: int
    url: str
    reason: str = ""


class Finish(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Move: the walk ends here."""

    reason: str = ""


class Refusal(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """The policy refused an action; the explorer is shown why and proposes again."""

    action: Action
    reason: str


Move = Open | Operate | Pop | Return | Finish
