"""Questions about lists that were written for this: of each, what it asks for, and the pages of its site that a search finds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from perception.observation import Observation
from tools.reader_training.examples import HERE, Source, rows_of, several
from tools.reader_training.site_pages import SitePages

PAGES_A_SITE = 120


class ListQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """One line of `lists.tsv`; `n` is 0 where all items are wanted."""

    site: str
    page: str
    kind: Literal["quota", "exhaustive"]
    n: int
    question: str
    items: tuple[str, ...]


class AskedPages(msgspec.Struct, frozen=True, kw_only=True):
    """A question with the pages to read for it, the one that answers among them, in the order of the search."""

    asked: ListQuestion
    pages: dict[str, Observation]


def load_list_questions(file: Path = HERE / "lists.tsv") -> list[ListQuestion]:
    """The questions: site, page, kind, n, question, items joined by " | "."""
    return [
        ListQuestion(
            site=row["site"],
            page=row["page"],
            kind="quota" if row["kind"] == "quota" else "exhaustive",
            n=int(row["n"]),
            question=row["question"],
            items=several(row["items"]),
        )
        for row in rows_of(file)
    ]


def asked_pages(
    folder: Path, sites: Sequence[Source], questions: Sequence[ListQuestion], others: int
) -> Iterator[AskedPages]:
    """Each question with its page and as many others as a search of the site's texts finds first; `folder` holds the clones."""
    for source in sites:
        own = [one for one in questions if one.site == source.name]
        if not own:
            continue
        site = SitePages(folder, source, {one.page for one in own}, PAGES_A_SITE)
        for one in own:
            if one.page not in site:
                continue
            first = site.found(one.question)[:others]
            yield AskedPages(asked=one, pages=site.read(first if one.page in first else [*first, one.page]))
