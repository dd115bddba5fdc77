"""What the picture of a question shows, in a few words: by the page that shows it too, else by the largest words read in it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

import msgspec

from memory.findings import Findings
from memory.words import tokens
from perception.observation import Link, Observation
from walker.seams.picture_pages import GOOD_HITS
from walker.seams.protocols import Seen

NAME_WORDS = 8
"""Most words of a name: a longer text about a picture says something of it, rather than what it is."""
LEAST_CONFIDENCE = 0.6
"""OCR confidence 0..1 from which a line of the picture is taken for its name."""
LARGE_SHARE = 0.75
"""Share of the largest letters' size from which another line belongs to the same name."""
LEAST_LETTERS = 3
_PARTS = re.compile(r"\s+[|–—·»:/-]+\s+|\s*[|»]\s*")
"""Between the name of a page and that of its site."""
_TOLD = re.compile(r"\s*\(\d\.\d\d, by \w+\)\s*$")
_CLAUSE = re.compile(r"[.;!?。；！？]|,\s|，| \| ")


class PictureName(msgspec.Struct, frozen=True, kw_only=True):
    """A name, whence it is, and the address of the page that it is from."""

    name: str
    by: Literal["page", "words"]
    url: str = ""


def name_of_picture(observation: Observation, seen: Iterable[Seen]) -> PictureName | None:
    """The name on a walk's first page, whose best hit tells it, else by what was read in the picture; None where neither does."""
    for link in observation.links:
        if link.heading == GOOD_HITS and (name := _entity(link)):
            return PictureName(name=name, by="page", url=link.url)
    words = _largest_words(seen)
    return PictureName(name=words, by="words") if words else None


def only_pictured(findings: Findings, observation: Observation) -> Findings:
    """Of the findings of a walk's first page those that quote what was read in its picture: all else there is about other pages."""
    read = [" ".join(text.split()) for text in observation.seen_text]
    kept = tuple(one for one in findings.findings if one.quote and any(one.quote in text for text in read))
    return msgspec.structs.replace(
        findings, findings=kept, items=(), list_total=0, list_ended=False, list_continues=False
    )


def pictured_part(observation: Observation) -> Observation:
    """Of a walk's first page what was read in its picture."""
    blocks = tuple(block for block in observation.blocks if block.pictured)
    return msgspec.structs.replace(observation, blocks=blocks, links=(), record_sets=(), figures=())


def _entity(hit: Link) -> str:
    """What a page with the picture calls it: the part of its title that the words about the picture repeat, else these words where
    they are few, else the first part of its title."""
    words = _TOLD.sub("", hit.context).strip()
    said = frozenset(tokens(words))
    parts = [part.strip() for part in _PARTS.split(hit.label) if part.strip()]
    shared = [(len(said.intersection(tokens(part))), -place, part) for place, part in enumerate(parts)]
    best = max(shared, default=(0, 0, ""))
    if best[0] and best[0] * 2 >= len(frozenset(tokens(best[2]))):
        return best[2]
    clause = _CLAUSE.split(words)[0].strip()
    if clause and len(clause.split()) <= NAME_WORDS:
        return clause
    return parts[0] if parts else ""


def _largest_words(seen: Iterable[Seen]) -> str:
    lines = [
        one
        for one in seen
        if one.source == "ocr"
        and one.box is not None
        and one.confidence >= LEAST_CONFIDENCE
        and sum(letter.isalpha() for letter in one.text) >= (1 if not one.text.isascii() else LEAST_LETTERS)
    ]
    largest = max(map(_letter_size, lines), default=0.0)
    large = [one.text for one in lines if _letter_size(one) >= LARGE_SHARE * largest]
    return " ".join(" ".join(dict.fromkeys(large)).split()[:NAME_WORDS])


def _letter_size(line: Seen) -> float:
    """CSS pixels that a letter takes across: lines that were read as one make it smaller, not larger."""
    return line.box.width / max(1, len(line.text)) if line.box is not None else 0.0
