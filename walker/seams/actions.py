"""The actions that an explorer may propose, and the moves that the policy makes of them."""

from __future__ import annotations

import msgspec

from perception.geometry import Box
from perception.page_pictures import Shares


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
    """Click a control of the current page."""

    control_id: int
    reason: str = ""


class TypeText(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Type into a field of the current page and submit."""

    control_id: int
    text: str
    reason: str = ""


class Scroll(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Scroll the page and its panes to their end, again while more of it comes."""

    reason: str = ""


class ScrollToEnd(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """The same where no explorer proposes it: a walk that counts does it by itself."""


class ReadPart(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Show a part of the current page's text that was left out because the page is long."""

    part: int
    """Number of the part, from 1 in the page's order."""
    reason: str = ""


class Search(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Search by words what the walk has to search: pages that were read, a library, the web. What is found is a page of links."""

    query: str
    reason: str = ""
    further: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET
    """Queries that are asked beside it; unset where there are none, as in recordings from before there were any."""

    @property
    def queries(self) -> tuple[str, ...]:
        """All of them."""
        return (self.query, *(() if self.further is msgspec.UNSET else self.further))


class Crop(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Enlarge a part of one of the page's pictures: of the page itself (0), of a picture in it, or of an earlier crop."""

    box: Shares
    image_index: int = 0
    """Place in `Observation.pictures`."""
    reason: str = ""

    def __post_init__(self) -> None:
        # 1 and 1.0 must be the same in a recording.
        msgspec.structs.force_setattr(self, "box", tuple(float(share) for share in self.box))


class SearchPicture(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Search pages whose pictures are like a part of one of the page's pictures; what is found is a page of links."""

    box: Shares = (0.0, 0.0, 1.0, 1.0)
    image_index: int = 0
    """Place in `Observation.pictures`."""
    reason: str = ""

    def __post_init__(self) -> None:
        # As for a crop: 1 and 1.0 must be the same in a recording.
        msgspec.structs.force_setattr(self, "box", tuple(float(share) for share in self.box))


class GoBack(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Leave this page: no link on it is worth following."""

    reason: str = ""


class GiveAnswer(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """End the walk: no link on the stack is worth following."""

    reason: str = ""


Action = (
    FollowLink
    | Jump
    | NextPage
    | Click
    | TypeText
    | Scroll
    | ReadPart
    | Search
    | Crop
    | SearchPicture
    | GoBack
    | GiveAnswer
)


class Open(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Move: open this URL as a child of the current page (`parent` is its stack depth)."""

    url: str
    reason: str = ""
    goal: str = ""
    """What is looked for there: the phrase of what is missing that it serves; "" for the question."""


class Operate(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Move: act on the page that is open. `selector` is "" for scrolling."""

    action: Click | TypeText | Scroll | ScrollToEnd
    selector: str = ""
    reason: str = ""


class Enlarge(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Move: enlarge a part of the open page, and read it."""

    box: Box
    scale: float
    """Picture pixels per CSS pixel."""
    image_index: int
    reason: str = ""


class Unfold(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Move: read a part of the open page that was left out."""

    part: int
    reason: str = ""


class Pop(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Move: leave the page and go on from the one below."""

    reason: str = ""


class Return(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Move: pop down to the frame at `depth` and open one of its untried links."""

    depth: int
    url: str
    reason: str = ""
    goal: str = ""
    """As that of `Open`."""


class Finish(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Move: the walk ends here."""

    reason: str = ""


class Refusal(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """The policy refused an action; the explorer is shown why and proposes again."""

    action: Action
    reason: str


Move = Open | Operate | Enlarge | Unfold | Pop | Return | Finish
