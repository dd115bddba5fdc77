"""Pages of a site of Markdown files, and what a search of their texts finds."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from perception.observation import Observation
from tools.reader_training.examples import Search, Source, content_of, paths_of
from tools.reader_training.list_pages import page_of
from tools.reader_training.site_texts import texts_of

FOUND_TEXTS = 60
"""Texts that a search gives, of which the pages are taken."""


class SitePages:
    """The first `most` files of a site and those that are `wanted`; `folder` holds the clones."""

    def __init__(self, folder: Path, source: Source, wanted: Collection[str], most: int) -> None:
        self._site = source.name
        paths = [path for place, path in enumerate(paths_of(folder, source)) if place < most or path in wanted]
        self._contents = {path: content_of(folder, source, path).decode("utf-8", "replace") for path in paths}
        self._search = Search([text for path in paths for text in texts_of(source.name, path, self._contents[path])])

    def __contains__(self, path: str) -> bool:
        return path in self._contents

    def found(self, question: str) -> list[str]:
        """The paths of the pages whose texts a search finds, best first."""
        return list(dict.fromkeys(text.page for text in self._search.found(question, FOUND_TEXTS)))

    def read(self, paths: Collection[str]) -> dict[str, Observation]:
        """These pages as a walk reads them, in this order."""
        return {path: page_of(self._site, path, self._contents[path]) for path in paths}
