"""The actions that an explorer may propose, and the moves that the policy makes of them."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from perception.geometry import Box
from perception.page_pictures import Shares

LinkNumber = Annotated[int, msgspec.Meta(description="Number of the link, as it stands beside its label.")]
ControlNumber = Annotated[int, msgspec.Meta(description="Number of the control.")]
Part = Annotated[
    Shares, msgspec.Meta(description="Left, top, right and lower edge of the part, each 0 to 1 of the picture.")
]
PictureNumber = Annotated[int, msgspec.Meta(description="Number of the picture; 0 is the page itself.")]


class FollowLink(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Open the link with this number on the current page."""

    link_id: LinkNumber
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

    control_id: ControlNumber
    reason: str = ""


class TypeText(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Type into a field of the current page and submit."""

    control_id: ControlNumber
    text: str
    reason: str = ""


class Fill(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Fill in a field of the current page, or choose an option of it, and submit nothing. No explorer proposes it: sessions do."""

    control_id: ControlNumber
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

    box: Part
    image_index: PictureNumber = 0
    """Place in `Observation.pictures`."""
    reason: str = ""

    def __post_init__(self) -> None:
        # 1 and 1.0 must be the same in a recording.
        msgspec.structs.force_setattr(self, "box", tuple(float(share) for share in self.box))


class SearchPicture(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Search pages whose pictures are like a part of one of the page's pictures; what is found is a page of links."""

    box: Part = (0.0, 0.0, 1.0, 1.0)
    image_index: PictureNumber = 0
    """Place in `Observation.pictures`."""
    reason: str = ""

    def __post_init__(self) -> None:
        # As for a crop: 1 and 1.0 must be the same in a recording.
        msgspec.structs.force_setattr(self, "box", tuple(float(share) for share in self.box))


class CodeInput(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A value that was found, under the name of a variable of the code."""

    name: str
    of: Literal["finding", "items", "table"]
    """A finding of the walk, all that was counted, or the rows of a list of the current page."""
    number: int = 0
    """Place among the walk's findings, from 1, or number of the page's list; 0 for what was counted."""


class RunCode(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Run code over values that were found; its output is a finding that rests on them."""

    code: str
    inputs: tuple[CodeInput, ...] = ()
    reason: str = ""


class ReadLetters(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Enlarge a part of one of the page's pictures and read its letters by OCR, without a vision model."""

    box: Part
    image_index: PictureNumber = 0
    """Place in `Observation.pictures`."""
    reason: str = ""

    def __post_init__(self) -> None:
        # 1 and 1.0 must be the same in a recording.
        msgspec.structs.force_setattr(self, "box", tuple(float(share) for share in self.box))


class Ground(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Say where on the page an element is that words describe ("the search button")."""

    words: str
    reason: str = ""


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
    | RunCode
    | ReadLetters
    | Ground
    | GoBack
    | GiveAnswer
)


class Open(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Move: open this URL as a child of the current page."""

    url: str
    reason: str = ""
    goal: str = ""
    """What is looked for there: the phrase of what is missing that it serves; "" for the question."""


class Operate(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Move: act on the page that is open. `selector` is "" for scrolling."""

    action: Click | TypeText | Fill | Scroll | ScrollToEnd
    selector: str = ""
    reason: str = ""


class Enlarge(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Move: enlarge a part of the open page, and read it."""

    box: Box
    scale: float
    """Picture pixels per CSS pixel."""
    image_index: int
    reason: str = ""


class ReadBox(Enlarge, frozen=True, kw_only=True, tag=True):
    """Move: the same, and ask no vision model about it."""


class Compute(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Move: run code over values that were found."""

    action: RunCode
    reason: str = ""


class Locate(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Move: look for an element of the open page by words."""

    words: str
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


Move = Open | Operate | Enlarge | ReadBox | Compute | Locate | Unfold | Pop | Return | Finish


msgspec.json.Decoder(Action | Operate)  # described at import: docs/design/msgspec.md
