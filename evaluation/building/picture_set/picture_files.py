"""Fetches the files of the pictures that questions are about, each once, and keeps them by their digests."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from pathlib import Path

from memory.url_key import origin_of
from perception.images.picture_file import FETCHED, check_header
from walker.browser.http.http_client import HttpAnswer, HttpClient
from walker.crawl.fetch.page_pictures import ACCEPT
from walker.crawl.fetch.politeness import Pace
from walker.crawl.fetch.user_agent import agent_of
from walker.crawl.script.polite import Polite
from walker.files.atomic_output import write_output
from walker.seams.protocols import PageFailure

Fetch = Callable[[str], Awaitable[HttpAnswer | PageFailure]]


@contextlib.asynccontextmanager
async def picture_fetcher(*roots: str) -> AsyncIterator[Fetch]:
    """What fetches the picture at an address, as politely as a crawl. Private networks are refused, but for the hosts of `roots`. It
    raises `BadUrl`."""
    polite = Polite()
    pace = Pace(polite)
    client = HttpClient(*roots, headers={"User-Agent": agent_of(polite)}, page_bytes=FETCHED.size, connections=4)

    async def fetch(url: str) -> HttpAnswer | PageFailure:
        origin = origin_of(url)
        async with pace.slot(origin):
            started = time.monotonic()
            answer = await client.fetch(url, headers={"Accept": ACCEPT})
            status = answer.status if isinstance(answer, HttpAnswer) else 0
            pace.answered(origin, status, time.monotonic() - started)
        return answer

    async with client:
        yield fetch


class PictureFiles:
    """The files in a folder, by digest. What is fetched has been fetched by the crawl of the same site already, so robots.txt allows
    it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def fetched(self, root: str, wanted: Iterable[tuple[str, str]]) -> Mapping[str, Path]:
        """The files of pictures, each given by digest and address. Left out is what cannot be had, or is another file by now.

        Raises `OutputUnwritable`."""
        missing = [(digest, url) for digest, url in dict(wanted).items() if self._known(digest) is None]
        if missing:
            async with picture_fetcher(root) as fetch:
                await asyncio.gather(*(self._fetch(fetch, digest, url) for digest, url in missing))
        return {digest: path for digest in dict(wanted) if (path := self._known(digest)) is not None}

    def _known(self, digest: str) -> Path | None:
        return next(iter(sorted(self._folder.glob(f"{digest}.*"))), None)

    async def _fetch(self, fetch: Fetch, digest: str, url: str) -> None:
        answer = await fetch(url)
        if isinstance(answer, HttpAnswer) and hashlib.sha256(answer.body).hexdigest() == digest:
            write_output(self._folder / f"{digest}.{check_header(answer.body).format}", answer.body)
