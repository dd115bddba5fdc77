"""Pages and views with secrets redacted. The walk itself uses these, so that its replay sees the same."""

from __future__ import annotations

import msgspec

from perception.element_map import View
from perception.snapshot import Snapshot
from walker.recording.recording import Recording
from walker.seams.protocols import PageFailure

_snapshots = msgspec.json.Decoder(Snapshot)


def clean_page(outcome: Snapshot | PageFailure, recording: Recording) -> Snapshot | PageFailure:
    """The page without secrets, its HTML as text and all else string by string; the same object where it holds none."""
    if isinstance(outcome, PageFailure):
        return msgspec.json.decode(recording.clean_json(msgspec.json.encode(outcome)), type=PageFailure)
    html = outcome.html.encode("utf-8", "surrogatepass")
    bare = msgspec.json.encode(msgspec.structs.replace(outcome, html=""))
    clean_bare, clean_html = recording.clean_json(bare), recording.clean(html)
    if clean_bare != bare:
        outcome = msgspec.structs.replace(_snapshots.decode(clean_bare), html=outcome.html)
    if clean_html != html:
        outcome = msgspec.structs.replace(outcome, html=clean_html.decode("utf-8", "surrogatepass"))
    return outcome


def clean_view(seen: View | PageFailure, recording: Recording) -> View | PageFailure:
    """The view without secrets in the names of its elements; its picture stays as it is."""
    if isinstance(seen, PageFailure):
        return seen
    bare = recording.clean_json(msgspec.json.encode(msgspec.structs.replace(seen, picture=b"")))
    return msgspec.structs.replace(msgspec.json.decode(bare, type=View), picture=seen.picture)
