"""A recorded run as a person names it: opened, and the graph of its site. Needs nothing that walks need."""

from __future__ import annotations

from pathlib import Path

import msgspec

from memory.site_graph import SiteGraph
from perception.observation import Observation
from traces.errors import StoreError, TraceError, TraceReadError
from traces.events import EdgeCall, PageFailed, PageOpened, PageRejected
from traces.reading.reader import Run, read_run
from traces.store.blobs import BlobRef
from walker.errors import UsageError


def open_run(folder: Path | str, kinds: frozenset[str] | None = None) -> Run:
    """A run as `Outcome.trace` names it, or only its events of these kinds; raises `UsageError` where it cannot be read."""
    try:
        return read_run(Path(folder), kinds)
    except StoreError as error:
        raise UsageError(error.what, where=error.where, advice=error.advice) from None
    except TraceReadError as error:
        raise UsageError(
            error.what, where=error.where, advice="Give the folder of a run, such as runs/<time>-..."
        ) from None
    except TraceError as error:
        raise UsageError(error.what, where=error.where) from None


def draw_graph(folder: Path) -> SiteGraph:
    """The graph of all pages and links that a recorded walk saw."""
    return graph_of(open_run(folder))


def graph_of(run: Run) -> SiteGraph:
    """The same for a run that is already loaded."""
    graph, blobs = SiteGraph(), run.blobs
    for event in run.events:
        if isinstance(event, PageOpened):
            graph.saw_page(event.final_url, title=event.title, state="opened", step=event.step)
        elif isinstance(event, PageRejected):
            graph.saw_page(event.url, title="", state="rejected", step=event.step)
        elif isinstance(event, PageFailed):
            graph.saw_page(event.url, title="", state="failed", step=event.step)
        elif isinstance(event, EdgeCall) and event.seam == "reader" and not event.error:
            observation = msgspec.json.decode(blobs.get(msgspec.convert(event.outcome, BlobRef)), type=Observation)
            graph.saw_links(observation.url, [(link.url, link.label) for link in observation.links])
    return graph
