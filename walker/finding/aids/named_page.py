"""A page that an aid names."""

from __future__ import annotations

import msgspec

MOST_TEXT = 20_000
"""Characters of a page's text that are kept of an aid that holds it."""
MOST_PAGES = 20_000
"""Pages that are taken from one aid."""


class NamedPage(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A page by its absolute address; title and text as far as the aid says them."""

    url: str
    title: str = ""
    text: str = ""
    about: str = ""
    """What else is said of it: its sections, a note."""
