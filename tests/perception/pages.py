"""Small pages written by hand, read as a walk would read them."""

from __future__ import annotations

from perception.document.reading import observe
from perception.observation import Observation
from perception.snapshot import Layout, Snapshot

HERE = "https://example.org/docs/page.html"


def read(body: str, url: str = HERE, *, head: str = "", status: int = 200, layout: Layout | None = None) -> Observation:
    """The observation of a page with this body."""
    return read_raw(f"<html><head>{head}</head><body>{body}</body></html>", url, status=status, layout=layout)


def read_raw(html: str, url: str = HERE, *, status: int = 200, layout: Layout | None = None) -> Observation:
    """The observation of markup exactly as given."""
    return observe(Snapshot(url=url, final_url=url, status=status, html=html, layout=layout or Layout()))
