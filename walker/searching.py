"""Searching a site that no library holds: its scout reads what promises most for the words, and that is searched."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from pathlib import Path

from memory.library.errors import LibraryError
from memory.library.protocol import Hit
from memory.url_key import same_site
from walker.assembly import WalkResources, read_task
from walker.errors import RootUnreachable
from walker.library.library_file import LibraryFile
from walker.seams.protocols import PageFailure
from walker.settings import Settings


async def search_site(root: str, query: str, most: int, *, settings: Settings) -> tuple[Hit, ...]:
    """The pages of the site at `root` that fit best, of at most `settings.scouts` and the root itself; with a library in the settings,
    what was read is kept there. Raises a `WalkerError`."""
    task = read_task(root, query)
    async with WalkResources(settings) as resources:
        browser = resources.finding_browser(task)
        try:
            opened = await browser.open(task.root_url)
            if isinstance(opened, PageFailure):
                raise RootUnreachable(opened.message, where=root, advice="Check the address in a browser")
            return await browser.search(query, most)
        finally:
            await browser.close()


def library_of(root: str, files: Iterable[Path]) -> Path | None:
    """The first of these files that is a library and holds the page at `root`; None where there is none."""
    for file in files:
        with contextlib.suppress(LibraryError), contextlib.closing(LibraryFile.read(file)) as library:
            if library.has(root):
                return file
    return None


def of_site(hits: Iterable[Hit], root: str) -> tuple[Hit, ...]:
    """The hits on pages of the site of `root`: a library may hold several sites."""
    return tuple(hit for hit in hits if same_site(hit.url, root))
