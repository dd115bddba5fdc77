"""Questions of two facts that were written for this: of each, the two facts, and the pages of its site that a search finds."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, get_args

import msgspec

from perception.observation import Observation
from tools.reader_training.examples import HERE, PAGES_A_SITE, Source, rows_of, several
from tools.reader_training.site_pages import SitePages

PartsKind = Literal["pair", "chain", "compare", "difference", "both"]
KINDS: tuple[PartsKind, ...] = get_args(PartsKind)
HELD_OUT = 3
"""One site in so many is held out, by a digest of its name."""


class PartsQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """One line of `multi.tsv`. `facts` stand on `pages` as they are written here."""

    site: str
    kind: PartsKind
    question: str
    answer: str
    pages: tuple[str, ...]
    facts: tuple[str, ...]

    @property
    def is_held_out(self) -> bool:
        """Whether its site is one of those that are only counted, never looked at."""
        return int(hashlib.sha256(self.site.encode()).hexdigest(), 16) % HELD_OUT == 0


class PartsPages(msgspec.Struct, frozen=True, kw_only=True):
    """A question with the pages to read for it, its own among them, in the order of the search."""

    asked: PartsQuestion
    pages: dict[str, Observation]


def load_parts_questions(file: Path = HERE / "multi.tsv") -> list[PartsQuestion]:
    """The questions: site, kind, question, answer, pages and facts joined by " | "."""
    return [
        PartsQuestion(
            site=row["site"],
            kind=next(kind for kind in KINDS if kind == row["kind"]),
            question=row["question"],
            answer=row["answer"],
            pages=several(row["pages"]),
            facts=several(row["facts"]),
        )
        for row in rows_of(file)
    ]


def parts_pages(
    folder: Path, sites: Sequence[Source], questions: Sequence[PartsQuestion], others: int
) -> Iterator[PartsPages]:
    """Each question with its pages and as many others as a search of the site's texts finds first; `folder` holds the clones."""
    for source in sites:
        own = [one for one in questions if one.site == source.name]
        if not own:
            continue
        site = SitePages(folder, source, {page for one in own for page in one.pages}, PAGES_A_SITE)
        for one in own:
            found = site.found(one.question)
            beside = [path for path in found if path not in one.pages][:others]
            places = {path: place for place, path in enumerate(found)}
            chosen = sorted(
                (path for path in dict.fromkeys((*one.pages, *beside)) if path in site),
                key=lambda path: places.get(path, len(places)),
            )
            if chosen:
                yield PartsPages(asked=one, pages=site.read(chosen))
