"""When two texts say the same: what is normalised, and what is not."""

from __future__ import annotations

import re
import unicodedata

_SAME = str.maketrans(
    {
        **dict.fromkeys("“”„‟«»″´", '"'),
        **dict.fromkeys("‘’‚‛‹›′", "'"),
        **dict.fromkeys("‐‑‒–—―−", "-"),
        **dict.fromkeys("`\u00ad\u200b\u200c\u200d\u2060\ufe0e\ufe0f\ufeff", None),
        "…": "...",
    }
)
_LINK_NUMBER = re.compile(r"(?:\s*‹[^‹›]{0,80}›)?\s*\[\d{1,4}(?: [a-z-]{1,12})?\]")
"""A link's number, with what became of it: "[12]", "[12 seen]"; before it the name of a picture that is a link."""
_LINE_MARK = re.compile(r"^[ \t]*(?:#{1,6}|[-*•>]|\d{1,4}[.)])[ \t]+", re.MULTILINE)
_SEPARATORS = re.compile(r"[\s|│]+")


def squeezed(text: str) -> str:
    """A text for comparing verbatim pieces: one form of quotes and dashes, no link numbers, no table separators, no white space."""
    same = unicodedata.normalize("NFKC", _LINK_NUMBER.sub("", text).translate(_SAME)).casefold()
    return _SEPARATORS.sub("", same.translate(_SAME))


def holds(text: str, piece: str) -> bool:
    """Whether a text shows a verbatim piece, marks of lists and headings at line starts aside."""
    wanted = squeezed(piece)
    return bool(wanted) and (wanted in squeezed(text) or wanted in squeezed(_LINE_MARK.sub("", text)))


def as_shown(text: str, piece: str) -> str:
    """A piece as a text shows it, with its separators and without link numbers; the piece itself where it is not found."""
    plain = _LINK_NUMBER.sub("", text)
    places = [(letter, place) for place, one in enumerate(plain) for letter in squeezed(one)]
    wanted = squeezed(piece)
    start = "".join(letter for letter, _ in places).find(wanted)
    if not wanted or start < 0:
        return piece
    return " ".join(plain[places[start][1] : places[start + len(wanted) - 1][1] + 1].split())


def mentions(text: str, form: str) -> bool:
    """Whether a form stands in a text as a token: no ASCII letter or digit touches it."""
    wanted, whole = " ".join(form.split()).lower(), " ".join(text.split()).lower()
    before = r"(?<![a-z0-9])" if wanted[:1].isascii() and wanted[:1].isalnum() else ""
    after = r"(?![a-z0-9])" if wanted[-1:].isascii() and wanted[-1:].isalnum() else ""
    return bool(wanted) and re.search(before + re.escape(wanted) + after, whole) is not None
