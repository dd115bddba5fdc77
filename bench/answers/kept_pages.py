"""Pages of a site as observations, read once without a walk and kept: what answers is measured on them in seconds."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from library import new_library, pages_of

from answers.question_set import Question
from answers.rendering import shown_pages
from answers.sites_here import ServedSite
from perception.document.reading import observe
from perception.observation import Observation
from perception.snapshot import Snapshot
from walker.browser.http.http_browser import HttpBrowser
from walker.browser.http.http_client import HttpClient

PDF_SECONDS = 60.0
FOUND = 20
"""Pages that are kept of a search for a question."""


class PageShelf:
    """Keeps observations and what a search finds in a folder, under the address `http://NAME.example/` whatever port served them."""

    def __init__(self, site: ServedSite, folder: Path) -> None:
        self._site, self._folder = site, folder / site.site.name
        self._folder.mkdir(parents=True, exist_ok=True)
        self.home = f"http://{site.site.name}.example/"

    def found(self) -> dict[str, tuple[str, ...]]:
        """By question, the paths that a search in a library of all pages finds, best first."""
        file = self._folder / "found.json"
        asked = {question.id: question.text for question in self._site.questions}
        if file.is_file():
            kept = msgspec.json.decode(file.read_bytes(), type=dict[str, tuple[str, ...]])
            if kept.keys() >= asked.keys():
                return kept
        base = self._site.base
        with new_library() as library:
            for page in pages_of(self._site):
                library.add(page)
            found = {
                name: tuple(hit.url.removeprefix(base) for hit in library.search(text, FOUND))
                for name, text in asked.items()
            }
        file.write_bytes(msgspec.json.encode(found))
        return found

    def observed(self, paths: Sequence[str]) -> dict[str, Observation]:
        """The pages at these paths; those that cannot be had are left out."""
        missing = [path for path in dict.fromkeys(paths) if not self._file(path).is_file()]
        if missing:
            sys.stderr.write(f"{self._site.site.name}: {len(missing)} pages are read\n")
        for path, snapshot in self._read(missing):
            own = self._at_home(snapshot)
            self._file(path).write_bytes(msgspec.msgpack.encode(observe(own)))
        kept = {path: self._file(path) for path in paths}
        return {
            path: msgspec.msgpack.decode(file.read_bytes(), type=Observation)
            for path, file in kept.items()
            if file.is_file()
        }

    def _file(self, path: str) -> Path:
        return self._folder / f"{hashlib.sha256(path.encode()).hexdigest()[:24]}.msgpack"

    def _at_home(self, snapshot: Snapshot) -> Snapshot:
        changed = {
            name: getattr(snapshot, name).replace(self._site.base, self.home) for name in ("url", "final_url", "html")
        }
        return msgspec.structs.replace(snapshot, **changed)

    def _read(self, paths: Sequence[str]) -> Iterator[tuple[str, Snapshot]]:
        site = self._site
        scripted = [path for path in paths if site.site.pages == "javascript" and not path.endswith(".pdf")]
        plain = [path for path in paths if path not in scripted]
        for path, opened in zip(plain, asyncio.run(_opened([site.address(path) for path in plain])), strict=True):
            if isinstance(opened, Snapshot):
                yield path, opened
        with contextlib.ExitStack() as stack:
            show = stack.enter_context(shown_pages(site.base)) if scripted else None
            for path in scripted:
                shown = show(path) if show else None
                if shown is not None:
                    yield (
                        path,
                        Snapshot(url=site.address(path), final_url=shown.address, status=200, html=shown.markup),
                    )


async def _opened(urls: Sequence[str]) -> list[object]:
    if not urls:
        return []
    async with HttpClient(urls[0]) as client:
        browser = HttpBrowser(client, file_seconds=PDF_SECONDS)
        return [await browser.open(url) for url in urls]


def pages_for(question: Question, found: Sequence[str], *, others: int, with_sources: bool) -> list[str]:
    """The pages to read for a question, in the order of the search; its sources come where the search places them, or last."""
    chosen = list(found[:others])
    if not with_sources:
        return chosen
    chosen += [source for source in question.sources if source not in chosen]
    order = {path: place for place, path in enumerate(found)}
    return sorted(chosen, key=lambda path: order.get(path, len(order)))
