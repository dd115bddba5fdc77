"""A real server on loopback for pages that a test writes down."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from tests.sites.serving import HTML, Answer, Asked, LoopbackSite, serving

_TYPES = {"svg": "image/svg+xml", "js": "text/javascript", "png": "image/png"}


@contextmanager
def serve(pages: Mapping[str, str | bytes]) -> Iterator[str]:
    """Paths ("/a.html") to contents; yields the base address without a slash at its end. Read anew at each request."""

    def site(asked: Asked) -> Answer | None:
        body = pages.get(asked.target)
        return None if body is None else Answer(body, kind=_TYPES.get(asked.target.rsplit(".", 1)[-1], HTML))

    with serving(LoopbackSite(site)) as served:
        yield served.home.rstrip("/")
