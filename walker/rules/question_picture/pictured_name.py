"""What the picture of a question shows, in a few words: by the page that shows it too, else by the largest words read in it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import urlsplit

import msgspec

from memory.findings import Findings
from memory.words import lazy_re, tokens
from perception.observation import Observation
from walker.seams.picture_pages import BETWEEN_TEXTS, GOOD_HITS, PictureName, split_told
from walker.seams.protocols import Seen

NAME_WORDS = 8
"""Most words of a name: a longer text about a picture says something of it, rather than what it is."""
LEAST_CONFIDENCE = 0.6
"""OCR confidence 0..1 from which a line of the picture is taken for its name."""
LARGE_SHARE = 0.75
"""Share of the largest letters' size from which another line belongs to the same name."""
LEAST_LETTERS = 3
_FIRST_PAGE = lazy_re.compile(r"/?(?:(?:index|default|home)\.\w{1,5})?", re.IGNORECASE)
_PARTS = lazy_re.compile(r"\s+[|–—·»:/-]+\s+|\s*[|»]\s*")
"""Between the name of a page and that of its site."""
_CLAUSE = lazy_re.compile(r"[.;!?。；！？]|,\s|，| \| ")


def name_of_picture(observation: Observation, seen: Iterable[Seen]) -> PictureName | None:
    """The name on a walk's first page, whose best hit tells it, else by what was read in the picture; None where neither does."""
    for link in observation.links:
        if link.heading != GOOD_HITS:
            continue
        said, is_sure = split_told(link.context)
        # The title of a site's first page is the name of the site, whatever pictures stand there.
        if name := _entity("" if is_first_page(link.url) else link.label, said):
            return PictureName(name=name, by="page", url=link.url, page=link.label, said=said, is_sure=is_sure)
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


def is_first_page(url: str) -> bool:
    """Whether an address is that of the first page of a site.

    >>> is_first_page("https://a.org/index.html?lang=de"), is_first_page("https://a.org/team/index.html")
    (True, False)
    """
    return _FIRST_PAGE.fullmatch(urlsplit(url).path) is not None


def _entity(title: str, said: str) -> str:
    """What a page with the picture calls it: the part of its title that one of the texts about the picture repeats, else the first of
    these that is short, else the first part of its title. Each text says something for itself: they are never put together."""
    parts = [part.strip() for part in _PARTS.split(title) if part.strip()]
    texts = [text.strip() for text in said.split(BETWEEN_TEXTS) if text.strip()]
    for text in texts:
        words = frozenset(tokens(text))
        shared = [(len(words.intersection(tokens(part))), -place, part) for place, part in enumerate(parts)]
        best = max(shared, default=(0, 0, ""))
        if best[0] and best[0] * 2 >= len(frozenset(tokens(best[2]))):
            return best[2]
    clauses = (_CLAUSE.split(text)[0].strip() for text in texts)
    short = next((clause for clause in clauses if clause and len(clause.split()) <= NAME_WORDS), "")
    return short or (parts[0] if parts else "")


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
