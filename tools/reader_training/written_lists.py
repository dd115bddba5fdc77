"""Questions about lists that were written for this: of each, what it asks for, and the pages of its site that a search finds."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from perception.observation import Observation
from tools.reader_training.examples import HERE, Search, Source, content_of, paths_of
from tools.reader_training.list_pages import page_of
from tools.reader_training.site_texts import texts_of

PAGES_A_SITE = 120
FOUND_TEXTS = 60
"""Texts that a search gives, of which the pages are taken."""


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
    with file.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [
        ListQuestion(
            site=row["site"],
            page=row["page"],
            kind="quota" if row["kind"] == "quota" else "exhaustive",
            n=int(row["n"]),
            question=row["question"],
            items=tuple(item.strip() for item in row["items"].split(" | ") if item.strip()),
        )
        for row in rows
    ]


def asked_pages(
    folder: Path, sites: Sequence[Source], questions: Sequence[ListQuestion], others: int
) -> Iterator[AskedPages]:
    """Each question with its page and as many others as a search of the site's texts finds first; `folder` holds the clones."""
    for source in sites:
        own = [one for one in questions if one.site == source.name]
        if not own:
            continue
        wanted = {one.page for one in own}
        paths = [path for place, path in enumerate(paths_of(folder, source)) if place < PAGES_A_SITE or path in wanted]
        contents = {path: content_of(folder, source, path).decode("utf-8", "replace") for path in paths}
        search = Search([text for path in paths for text in texts_of(source.name, path, contents[path])])
        for one in own:
            if one.page not in contents:
                continue
            found = list(dict.fromkeys(text.page for text in search.found(one.question, FOUND_TEXTS)))
            chosen = [*found[:others], *(() if one.page in found[:others] else (one.page,))]
            yield AskedPages(asked=one, pages={path: page_of(source.name, path, contents[path]) for path in chosen})
