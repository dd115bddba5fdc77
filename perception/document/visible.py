"""Removes zero-width characters: text that a page hides from people must not reach a model either."""

from __future__ import annotations

import re

_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Zero-width characters: joiners, direction marks, soft hyphens, variation selectors, fillers and the tag alphabet, in which
whole invisible sentences can be written."""
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


def visible_text(text: str) -> str:
    """The text without zero-width characters, white space collapsed."""
    if text.isascii() and text.isprintable() and "  " not in text:
        return text.strip()
    return " ".join(without_unseen(text).split())


def shortened(text: str, most: int) -> str:
    """The visible text in at most so many characters: cut behind a word where that keeps a third of them, and marked as cut."""
    seen = visible_text(text)
    if len(seen) <= most:
        return seen
    kept = seen[: most - 1]
    words = kept if seen[most - 1] == " " else kept.rpartition(" ")[0]
    return f"{(words if 3 * len(words) >= most else kept).rstrip(' ,;:-–—(')}…"


def shortened_address(url: str, most: int) -> str:
    """An address without its scheme, in at most so many characters: of a longer one the middle is left out."""
    bare = url.split("://", 1)[-1]
    return bare if len(bare) <= most else f"{bare[: most // 2]}…{bare[most // 2 + 1 - most :]}"


def without_unseen(text: str) -> str:
    """The text without zero-width characters, white space unchanged."""
    if text.isascii() and text.isprintable():
        return text
    return _CONTROL.sub(" ", _UNSEEN.sub("", text))
