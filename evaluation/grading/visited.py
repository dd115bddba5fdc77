"""The text that a walk saw, from its recording: every page that it read, and everything that vision added."""

from __future__ import annotations

from pathlib import Path

import msgspec

from perception.observation import Observation
from traces.errors import TraceReadError
from traces.events import EdgeCall, PageOpened
from traces.reading.reader import read_run
from traces.store.blobs import BlobStore
from walker.recording.recorded_pages import whole_value
from walker.seams.protocols import Look


class Visited(msgspec.Struct, frozen=True, kw_only=True):
    """The opened pages and their text."""

    urls: frozenset[str]
    text: str


def read_visited(trace: str, base: Path | None = None) -> Visited | None:
    """The text seen by the walk that is recorded in a run folder; None where there is no recording. `base` is the base of a
    relative folder."""
    if not trace:
        return None
    folder = Path(trace) if base is None else base / trace
    try:
        run = read_run(folder)
    except TraceReadError:
        return None
    urls: set[str] = set()
    texts: list[str] = []
    for event in run.events:
        if isinstance(event, PageOpened):
            urls |= {event.url, event.final_url}
        elif isinstance(event, EdgeCall) and not event.error:
            texts += _texts(event, run.blobs)
    return Visited(urls=frozenset(urls), text="\n".join(texts))


def _texts(call: EdgeCall, blobs: BlobStore) -> list[str]:
    try:
        if (call.seam, call.method) == ("reader", "read"):
            page = msgspec.convert(whole_value(call.outcome, blobs.get), Observation)
            words = [page.title, *(block.text for block in page.blocks), *(link.label for link in page.links)]
            figures = [text for figure in page.figures for text in (figure.alt, figure.caption, figure.label)]
            return [*words, *figures, *page.seen_text]
        if call.seam in ("vision", "vision_model"):
            return list(msgspec.convert(whole_value(call.outcome, blobs.get), Look).texts)
    except (TraceReadError, msgspec.ValidationError, msgspec.DecodeError):
        return []
    return []
