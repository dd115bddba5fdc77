"""Depth-first stack of the walk (V-GEMS section 3.2): push is a checkpoint, pop rolls back.

A visited key is never entered again.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable

import msgspec

LEFT_KEPT = 12
"""Pages that were left and whose links are kept, the latest."""
LEFT_LINKS = 200
"""Untried links that are kept of each, the first of the page."""


class UntriedLink(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A link of a frame's page that was not followed yet. `label`, `context` and `heading` as on the page."""

    url: str
    key: str
    label: str = ""
    context: str = ""
    heading: str = ""
    region: str = "main"
    number: int = 0
    """Its number on the page, 0 where it is not known."""


class Frame(msgspec.Struct, frozen=True, kw_only=True):
    """One page on the path from the root to here."""

    url: str
    key: str
    title: str = ""
    reason: str = ""
    """Why it was entered."""
    untried: tuple[UntriedLink, ...] = ()
    page_number: int = 1
    asked: str = ""
    """Key of the address that was asked for and led here, "" where it is the page's own."""


class LeftPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page that the walk went back from, with links that nobody tried."""

    frame: Frame
    below: tuple[str, ...]
    """Keys of the pages from the root to the one that it was entered from."""


class UrlStack(msgspec.Struct, frozen=True, kw_only=True):
    """Frames from the root (first) to the current page (last), and the keys that may not be entered again.

    All methods return a new stack. Laws: `push(f).pop()` has the frames it had before; `entered` only grows; no key is
    in `frames` twice; an entered key is in no frame's `untried`, nor in that of a page that was left. (Pages entered after a frame
    was pushed are removed from its `untried` when a pop returns to it.)
    """

    frames: tuple[Frame, ...] = ()
    entered: tuple[str, ...] = ()
    """Keys of every page entered, sorted for binary search."""
    left: tuple[LeftPage, ...] = ()
    """Pages that were popped with untried links, the latest last."""

    def __post_init__(self) -> None:
        ordered = tuple(sorted(set(self.entered)))
        if ordered != self.entered:
            msgspec.structs.force_setattr(self, "entered", ordered)

    @property
    def top(self) -> Frame | None:
        """The current page; None before the first push."""
        return self.frames[-1] if self.frames else None

    def page(self, key: str) -> Frame | None:
        """A page on the stack, or one that was left with untried links; None for any other."""
        known = (*self.frames, *(page.frame for page in self.left))
        return next((frame for frame in reversed(known) if frame.key == key), None)

    @property
    def goes_back(self) -> bool:
        """Whether the walk can return to pages below, and enters no page twice."""
        return True

    @property
    def depth(self) -> int:
        """Number of frames; the root page is at depth 1."""
        return len(self.frames)

    @property
    def path(self) -> tuple[str, ...]:
        """Addresses from the root down to the current page."""
        return tuple(frame.url for frame in self.frames)

    def push(self, frame: Frame) -> UrlStack:
        """Enter a page. Raises `ValueError` if it is on the stack already."""
        if any(frame.key == below.key for below in self.frames):
            raise ValueError(f"on the stack already: {frame.key}")
        stack = self.enter(frame.key)
        kept = stack._untried_of(frame.untried)  # noqa: SLF001 - of another stack
        if kept != frame.untried:
            frame = msgspec.structs.replace(frame, untried=kept)
        return msgspec.structs.replace(stack, frames=(*stack.frames, frame))

    def pop(self) -> UrlStack:
        """Go back to the page below; popping the last frame empties the stack. Raises `ValueError` on an empty stack."""
        if not self.frames:
            raise ValueError("there is no page to leave: the stack is empty")
        return self.return_to(self.depth - 1) if self.depth > 1 else msgspec.structs.replace(self, frames=())

    def return_to(self, depth: int) -> UrlStack:
        """Go back so that `depth` frames are left (1: the root page alone). Raises `ValueError` if it has fewer."""
        if not 1 <= depth <= self.depth:
            raise ValueError(f"no frame at depth {depth}: the stack has {self.depth}")
        if depth == self.depth:
            return self
        return msgspec.structs.replace(self, frames=self.frames[:depth], left=self._left_with(self.frames[depth:]))

    def depth_below(self, page: LeftPage) -> int:
        """Depth of the nearest page on the stack through which a page that was left had been reached; at least the root's, 1."""
        keys = [frame.key for frame in self.frames]
        shared = (place for place, (one, other) in enumerate(zip(keys, page.below, strict=False)) if one != other)
        return max(1, next(shared, min(len(keys), len(page.below))))

    def offer(self, links: tuple[UntriedLink, ...]) -> UrlStack:
        """Set the untried links of the current page to those of `links` not entered yet, each key once, in this order."""
        return self._with_top(untried=self._untried_of(links))

    def enter(self, key: str) -> UrlStack:
        """Mark a page as entered without pushing it (a redirect's target, a rejected page), so that it is not tried again."""
        place = bisect_left(self.entered, key)
        if self.entered[place : place + 1] == (key,):
            return self
        return msgspec.structs.replace(
            self,
            frames=tuple(_without(frame, key) for frame in self.frames),
            left=_kept(msgspec.structs.replace(page, frame=_without(page.frame, key)) for page in self.left),
            entered=(*self.entered[:place], key, *self.entered[place:]),
        )

    def has_entered(self, key: str) -> bool:
        """Whether this page was entered at any time in the walk."""
        place = bisect_left(self.entered, key)
        return place < len(self.entered) and self.entered[place] == key

    def has_entered_under(self, start: str) -> bool:
        """Whether a page whose key begins so was entered at any time in the walk."""
        place = bisect_left(self.entered, start)
        return place < len(self.entered) and self.entered[place].startswith(start)

    def untried(self) -> tuple[tuple[int, UntriedLink], ...]:
        """Every untried link with the depth of its frame: the current page's first, then those below."""
        return tuple((depth, link) for depth in range(self.depth, 0, -1) for link in self.frames[depth - 1].untried)

    def _left_with(self, frames: tuple[Frame, ...]) -> tuple[LeftPage, ...]:
        """The pages that were left, with those of `frames`, the topmost of the stack."""
        keys, first = tuple(frame.key for frame in self.frames), self.depth - len(frames)
        pages = (
            LeftPage(
                frame=msgspec.structs.replace(frame, untried=frame.untried[:LEFT_LINKS]), below=keys[: first + place]
            )
            for place, frame in enumerate(frames)
        )
        return _kept((*self.left, *pages))

    def _current(self) -> Frame:
        if not self.frames:
            raise ValueError("there is no current page: the stack is empty")
        return self.frames[-1]

    def _with_top(self, **changes: object) -> UrlStack:
        frame = msgspec.structs.replace(self._current(), **changes)
        return msgspec.structs.replace(self, frames=(*self.frames[:-1], frame))

    def _untried_of(self, links: tuple[UntriedLink, ...]) -> tuple[UntriedLink, ...]:
        first: dict[str, UntriedLink] = {}
        for link in links:
            if link.key not in first and not self.has_entered(link.key):
                first[link.key] = link
        return tuple(first.values())


def _without(frame: Frame, key: str) -> Frame:
    if all(link.key != key for link in frame.untried):
        return frame
    return msgspec.structs.replace(frame, untried=tuple(link for link in frame.untried if link.key != key))


def _kept(pages: Iterable[LeftPage]) -> tuple[LeftPage, ...]:
    return tuple(page for page in pages if page.frame.untried)[-LEFT_KEPT:]


class NoStack(UrlStack, frozen=True, kw_only=True):
    """The ablation without a stack, as in the WebWalker baseline: knows only the current page, enters any page any number of
    times, and cannot go back."""

    @property
    def goes_back(self) -> bool:
        """Always False."""
        return False

    def push(self, frame: Frame) -> UrlStack:
        """Replace the current page."""
        return msgspec.structs.replace(self, frames=(frame,))

    def pop(self) -> UrlStack:
        """No effect: there is nothing below."""
        return self

    def enter(self, key: str) -> UrlStack:  # noqa: ARG002 - the stack's signature
        """No effect: visits are not recorded."""
        return self

    def has_entered(self, key: str) -> bool:  # noqa: ARG002 - the stack's signature
        """Always False."""
        return False
