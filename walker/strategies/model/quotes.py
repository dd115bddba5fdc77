"""Quotes: whether a page says them word for word, and what stands around them."""

from __future__ import annotations

import re

from perception.document.visible import visible_text
from perception.observation import Block, Observation

BEFORE_CHARS = 240
"""Of the text before a quote."""
LEAST_PIECE = 8
"""Characters of each piece of a quote that was abridged with an ellipsis."""
_ALIKE = str.maketrans(
    {"“": '"', "”": '"', "‘": "'", "’": "'", "«": '"', "»": '"', "–": "-", "—": "-", "‑": "-", "…": " "}
)
_LAYOUT = re.compile(r"\[picture\]|[|`*#>·]+|\[(?:\d+(?: [a-z-]+)?|this page)\]|‹[^›]{0,80}›(?= *\[\d)")
"""What only the layout of a prompt adds: cell borders, code fences, list marks, dots between links, their numbers, and the names of
pictures that are links."""
_ELLIPSIS = re.compile(r"\s*(?:…|\.\.\.|\[\.\.\.\])\s*")
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|(?<=[。！？；])")


def stands_on(observation: Observation, quote: str) -> bool:
    """Whether the page shows a quote verbatim, except for white space, quotation marks, dashes and layout; of one that was
    abridged with an ellipsis each piece."""
    wanted = plain(quote)
    if not wanted:
        return False
    texts = (
        *(block.text for block in observation.blocks if not block.hidden),
        *observation.seen_text,
        observation.title,
    )
    if any(wanted in plain(text) for text in texts):
        return True
    # A quote may span blocks, or be a row as the list of record sets shows it.
    whole = plain(" ".join(texts))
    if wanted in whole:
        return True
    if any(wanted in plain(record.text) for records in observation.record_sets for record in records.records):
        return True
    pieces = [piece for part in _ELLIPSIS.split(quote) if (piece := plain(part))]
    return len(pieces) > 1 and all(len(piece) >= LEAST_PIECE and piece in whole for piece in pieces)


def plain(text: str) -> str:
    """A text normalised for comparing quotes."""
    return " ".join(_LAYOUT.sub(" ", visible_text(text).translate(_ALIKE)).casefold().split())


def around(observation: Observation, quote: str) -> tuple[str, str]:
    """The headings above a quote, joined by " > ", and the end of the text before it: the sentence before in its block, else the
    block before under the same heading. Both "" for a quote that no single block holds."""
    wanted = plain(quote)
    shown = [block for block in observation.blocks if not block.hidden]
    for place, block in enumerate(shown):
        if wanted and wanted in plain(block.text):
            path = " > ".join(visible_text(heading) for heading in block.headings)
            return path, _before(shown, place, wanted)
    return "", ""


def _before(shown: list[Block], place: int, wanted: str) -> str:
    block = shown[place]
    if block.kind == "row":
        return _first_row(shown, place)
    sentences = [visible_text(sentence) for sentence in _SENTENCE.split(block.text)]
    first = next((at for at, sentence in enumerate(sentences) if wanted[:40] in plain(sentence)), 0)
    if first:
        return sentences[first - 1][-BEFORE_CHARS:]
    above = shown[place - 1] if place else None
    if above is None or above.headings != block.headings or above.kind == "heading":
        return ""
    return visible_text(above.text)[-BEFORE_CHARS:]


def _first_row(shown: list[Block], place: int) -> str:
    """The first row of a table, which tells what its columns are."""
    first = place
    while first and shown[first - 1].kind == "row" and shown[first - 1].headings == shown[place].headings:
        first -= 1
    return visible_text(shown[first].text)[:BEFORE_CHARS] if first < place else ""
