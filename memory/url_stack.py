"""Depth-first stack of the walk (V-GEMS section 3.2): push is a checkpoint, pop rolls back, a visited key is never entered again."""

from __future__ import annotations

import msgspec


class UntriedLink(msgspec.Struct, frozen=True, kw_only=True):
    """A link of a frame's page that nobody followed yet. `label`, `context` and `heading` as on the page."""

    url: str
    key: str
    label: str = ""
    context: str = ""
    heading: str = ""
    region: str = "main"


class Frame(msgspec.Struct, frozen=True, kw_only=True):
    """One page on the path from the root to here."""

    url: str
    key: str
    title: str = ""
    reason: str = ""
    """Why it was entered."""
    untried: tuple[UntriedLink, ...] = ()
    scroll: int = 0
    page_number: int = 1
    storage_state: str = ""
    """Reference of the saved cookies and local storage, "" for none."""


class UrlStack(msgspec.Struct, frozen=True, kw_only=True):
    """Frames from the root (first) to the current page (last), and the keys that may not be entered again.

    All methods return a new stack. Laws: `push(f).pop()` has the frames it had before; `entered` only grows; no key is
    in `frames` twice; an entered key is in no frame's `untried`.
    """

    frames: tuple[Frame, ...] = ()
    entered: tuple[str, ...] = ()
    """Keys of every page entered, in order of entry."""
