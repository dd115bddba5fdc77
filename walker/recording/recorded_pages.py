"""The form of pages and views in a recording: large values in blobs, the rest in the line of the call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from perception.element_map import View
from perception.snapshot import Snapshot
from traces.store.blobs import BlobRef
from walker.seams.protocols import PageFailure

Put = Callable[..., BlobRef]
Get = Callable[[BlobRef], bytes]

LEAST_PACKED = 2_000
"""Bytes of a page from which compressing it against another page pays off."""
MOST_BASIS = 500_000
"""Bytes; a larger first page would cost too much, because decompressing any page reads it again."""


class PageDump:
    """Writes pages. Pages of a site share much markup, so the walk's first page is the dictionary that compresses the others."""

    def __init__(self) -> None:
        self._first: BlobRef | None = None

    def __call__(self, outcome: Snapshot | PageFailure, put: Put) -> Any:
        if isinstance(outcome, PageFailure):
            return {"failure": msgspec.to_builtins(outcome)}
        html = outcome.html.encode("utf-8", "surrogatepass")
        ref = put(html, "text/html", self._first if len(html) >= LEAST_PACKED else None)
        if self._first is None and LEAST_PACKED <= len(html) <= MOST_BASIS:
            self._first = ref
        bare = msgspec.to_builtins(msgspec.structs.replace(outcome, html=""))
        return {"snapshot": bare, "html": msgspec.to_builtins(ref)}


def load_page(plain: Any, get: Get) -> Snapshot | PageFailure:
    """The page, or the failure, that a recorded answer of a browser stands for."""
    plain = whole_value(plain, get)
    if "failure" in plain:
        return msgspec.convert(plain["failure"], PageFailure)
    html = get(msgspec.convert(plain["html"], BlobRef)).decode("utf-8", "surrogatepass")
    return msgspec.structs.replace(msgspec.convert(plain["snapshot"], Snapshot), html=html)


def dump_view(outcome: View | PageFailure, put: Put) -> Any:
    """The screenshot in a blob of its own, so that equal ones are stored once; the elements in another."""
    if isinstance(outcome, PageFailure):
        return {"failure": msgspec.to_builtins(outcome)}
    rest = msgspec.json.encode(msgspec.structs.replace(outcome, picture=b""))
    return {
        "picture": msgspec.to_builtins(put(outcome.picture, outcome.media_type)),
        "view": msgspec.to_builtins(put(rest, "application/json")),
    }


def load_view(plain: Any, get: Get) -> View | PageFailure:
    """The view, or the failure, that a recorded answer of a browser stands for."""
    plain = whole_value(plain, get)
    if "failure" in plain:
        return msgspec.convert(plain["failure"], PageFailure)
    view = msgspec.json.decode(get(msgspec.convert(plain["view"], BlobRef)), type=View)
    return msgspec.structs.replace(view, picture=get(msgspec.convert(plain["picture"], BlobRef)))


def whole_value(plain: Any, get: Get) -> Any:
    """An outcome read back from its blob."""
    if isinstance(plain, dict) and "$b" in plain:
        return msgspec.json.decode(get(msgspec.convert(plain, BlobRef)))
    return plain
