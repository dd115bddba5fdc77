"""Pages that a test writes down, served on loopback by a real server that notes what was asked for."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import PurePosixPath

from tests.sites.serving import HTML, Answer, Asked, LoopbackSite, serving

TYPES = {
    ".html": HTML,
    ".xml": "application/xml",
    ".txt": "text/plain; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
}


@contextmanager
def serve_site(pages: Mapping[str, str | bytes], *, seconds: float = 0.0) -> Iterator[LoopbackSite]:
    """Paths ("/a.html") to contents, read anew at each request; yields the site, which takes so many seconds for each answer. A path
    with its query comes before the path alone, and whatever is not there is a 404."""

    def answer(asked: Asked) -> Answer | None:
        time.sleep(seconds)
        found = pages.get(asked.target, pages.get(asked.path))
        if found is None:
            return None
        suffix = PurePosixPath(asked.path).suffix
        other = HTML if isinstance(found, str) or not suffix else "application/octet-stream"
        return Answer(found, kind=TYPES.get(suffix, other))

    with serving(LoopbackSite(answer, keep_alive=True)) as site:
        yield site


@contextmanager
def serve(pages: Mapping[str, str | bytes]) -> Iterator[str]:
    """The same; yields its address without a slash at the end."""
    with serve_site(pages) as site:
        yield site.home.rstrip("/")
