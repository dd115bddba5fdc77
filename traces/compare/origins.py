"""Compares one site at two origins, such as staging and production: its pages are equal if they differ in the origin only."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

import msgspec

from traces.errors import TraceReadError
from traces.events import EdgeCall
from traces.reading.reader import Run
from traces.reading.steps import Fields, Step, Walk
from traces.store.blobs import BlobRef

Origins = Mapping[str, str]
"""Origins of the second walk to those of the first."""


def origins_between(one: Walk, other: Walk) -> Origins:
    """The origins to replace in the second walk so that its pages are comparable with the first one's; empty where they agree.

    A walk's origins are those of its root URL, and of the first page's final URL.
    """
    (root, landing), theirs = _homes(one), _homes(other)
    if not (root and all(theirs)):
        return {}
    named = {theirs[0]: root if theirs[0] != theirs[1] else landing, theirs[1]: landing}
    return {origin: ours for origin, ours in named.items() if origin != ours}


def at_origins(walk: Walk, origins: Origins, root_url: str) -> Walk:
    """The walk as if recorded at the replaced origins; `root_url` is the root there. The URLs of its steps are unchanged."""
    moved = msgspec.json.decode(moved_text(msgspec.json.encode(walk), origins), type=Walk)
    start = dict(moved.start)
    if _within(walk.start.get("root_url", "")) == _within(root_url):
        start["root_url"] = root_url
    steps = (msgspec.structs.replace(step, url=was.url) for step, was in zip(moved.steps, walk.steps, strict=True))
    return msgspec.structs.replace(moved, start=start, steps=tuple(steps))


def moved_text(text: bytes, origins: Origins) -> bytes:
    """Text with origins replaced; a host that merely begins like one of them is unchanged."""
    names = b"|".join(re.escape(origin.encode()) for origin in sorted(origins, key=len, reverse=True))
    return re.sub(
        rb"(?<![\w.-])(?:" + names + rb")(?![\w-]|[.:]\w)", lambda match: origins[match[0].decode()].encode(), text
    )


def with_moved_pages(walk: Walk, run: Run, origins: Origins, known: frozenset[str]) -> Walk:
    """The walk with the digests that its pages would have at the replaced origins. Pages with a digest in `known` are unchanged,
    as they do not mention their origin."""
    refs = {ref.digest.removeprefix("sha256:"): ref for ref in _pages(run)}
    moved: dict[str, str] = {}

    def digest_of(digest: str) -> str:
        if digest not in known and digest not in moved and digest in refs:
            moved[digest] = _moved_digest(digest, refs[digest], run.blobs.get, origins)
        return moved.get(digest, digest)

    return msgspec.structs.replace(walk, steps=tuple(_with_digests(step, digest_of) for step in walk.steps))


def digests_of(walk: Walk) -> frozenset[str]:
    """SHA-256 digests of the HTML of all pages."""
    return frozenset(page.get("html_sha256", "") for step in walk.steps for page in step.stages.get("page", ()))


def _homes(walk: Walk) -> tuple[str, str]:
    root = _origin(walk.start.get("root_url", ""))
    return root, next((_origin(step.url) for step in walk.steps if step.url), "") or root


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""


def _within(url: str) -> str:
    return url.removeprefix(_origin(url)) or "/"


def _pages(run: Run) -> list[BlobRef]:
    """Blob references of the HTML of every opened page."""
    found = []
    for event in run.events:
        if isinstance(event, EdgeCall) and (event.seam, event.method) == ("browser", "open"):
            outcome = _outcome(event.outcome, run.blobs.get)
            if isinstance(outcome.get("html"), dict):
                found.append(msgspec.convert(outcome["html"], BlobRef))
    return found


def _outcome(outcome: object, get: Callable[[BlobRef], bytes]) -> Fields:
    if isinstance(outcome, dict) and "$b" in outcome:
        try:
            outcome = msgspec.json.decode(get(msgspec.convert(outcome, BlobRef)))
        except TraceReadError:
            return {}
    return outcome if isinstance(outcome, dict) else {}


def _moved_digest(digest: str, ref: BlobRef, get: Callable[[BlobRef], bytes], origins: Origins) -> str:
    try:
        return hashlib.sha256(moved_text(get(ref), origins)).hexdigest()
    except TraceReadError:
        return digest


def _with_digests(step: Step, digest_of: Callable[[str], str]) -> Step:
    pages = tuple(
        page | {"html_sha256": digest_of(page["html_sha256"])} if page.get("html_sha256") else page
        for page in step.stages.get("page", ())
    )
    return msgspec.structs.replace(step, stages=step.stages | {"page": pages}) if pages else step
