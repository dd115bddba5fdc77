"""Exports the viewer with its runs: as a folder for any static file server, read with range requests, or as one HTML file."""

from __future__ import annotations

import base64
import contextlib
import gzip
import hashlib
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import msgspec

from traces.errors import TraceReadError
from traces.viewer.blob_values import refs_in
from traces.viewer.library import PICTURES, Library
from traces.viewer.page_files import POLICY, one_script, page_file, page_names, start_page

PACK_NAME, INDEX_NAME = "runs.pack", "index.json"
_BESIDE = re.compile(r'<link rel="icon" href="[^"]*">\n')
"""A link to a separate file, which exists on a server only."""
_SHEET = re.compile(r'<link rel="stylesheet" href="([^"]*)">')
MOST_STATES = 40
"""Steps of a run whose states are exported: each state is larger than the one before."""
MOST_PAIRS = 15
"""Most comparisons in an export: those of six runs."""
SHOWN_PARTS = ("counting", "calls", "map", "texts")

Member = tuple[str, bytes, str]
"""Name as the page requests it, bytes, media type."""


class Place(msgspec.Struct, frozen=True, array_like=True):
    """Position of a member in the pack file."""

    start: int
    size: int
    media: str
    gzipped: bool


def members(library: Library) -> Iterator[Member]:
    """Everything that the page can request. Missing or damaged values are omitted, and the page says so."""
    yield "runs", *library.answer("runs")
    for name in library.names():
        try:
            run = library.open(name)
        except TraceReadError:
            continue
        overview = run.overview()
        yield f"{name}/overview", *library.answer(f"{name}/overview")
        for part in SHOWN_PARTS:
            yield f"{name}/{part}", *library.answer(f"{name}/{part}")
        yield from _computed(library, f"{name}/gate")
        kept: set[str] = set()
        for step in (0, *(row.step for row in overview["rows"])):
            try:
                detail = run.step(step)
            except KeyError:
                continue
            yield f"{name}/steps/{step}", msgspec.json.encode(detail), "application/json"
            yield from _values(library, name, detail, kept)
            if len(overview["rows"]) <= MOST_STATES and step:
                yield from _computed(library, f"{name}/states/{step}")
    for one, other in _pairs(library):
        yield from _computed(library, f"{one}/diff/{other}")


def write_site(library: Library, folder: Path) -> None:
    """Write the page and one pack file of all runs into a folder; raises `OSError` if it cannot be written."""
    folder.mkdir(parents=True, exist_ok=True)
    places: dict[str, Place] = {}
    with _private(folder / PACK_NAME) as pack:
        for name, data, media in members(library):
            packed, gzipped = _packed(data, media)
            places[name] = Place(pack.tell(), len(packed), media, gzipped)
            pack.write(packed)
    with _private(folder / INDEX_NAME) as index:
        index.write(msgspec.json.encode(places))
    for name in page_names():
        data, _ = page_file(name)
        if name == "index.html":
            policy = _policy(script="'self'", image="'self' data: blob:", connect="'self'")
            data = _with_policy(start_page("static", library.single, library.opening), policy).encode()
        (folder / name).write_bytes(data)


def write_page(library: Library, file: Path) -> None:
    """Write one self-contained HTML file; raises `OSError` if it cannot be written."""
    page = whole_page(library)
    with _private(file) as written:
        written.write(page.encode())


def whole_page(library: Library) -> str:
    """The page with its runs in it, which loads nothing."""
    places: dict[str, Place] = {}
    parts: list[str] = []
    length = 0
    for name, data, media in members(library):
        packed, gzipped = _packed(data, media)
        part = base64.b64encode(packed).decode("ascii")
        places[name] = Place(length, len(part), media, gzipped)
        parts.append(part)
        length += len(part)
    script = f"\n{one_script()}\n".replace("</script", "<\\/script")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")
    page = _with_policy(
        start_page("embedded", library.single, library.opening),
        _policy(script=f"'sha256-{digest}'", image="data: blob:", connect="'none'"),
    )
    page = _SHEET.sub(lambda sheet: f"<style>\n{page_file(sheet[1])[0].decode()}</style>", page)
    page = _BESIDE.sub("", page)
    index = msgspec.json.encode(places).decode().replace("<", "\\u003c")
    data_blocks = (
        f'<script type="application/json" id="pack-index">{index}</script>\n'
        f'<script type="text/plain" id="pack">{"".join(parts)}</script>\n'
    )
    page = page.replace('<script type="module" src="main.js"></script>', "")
    return page.replace("</body>", f'{data_blocks}<script type="module">{script}</script>\n</body>')


def _pairs(library: Library) -> list[tuple[str, str]]:
    """Pairs of runs whose comparison is exported: the one that the page opens at, else all pairs up to a limit."""
    opening = parse_qs(library.opening)
    if "compare" in opening and "with" in opening:
        return [(opening["compare"][0], opening["with"][0])]
    pairs = list(library.pairs())
    return pairs if len(pairs) <= MOST_PAIRS else []


def _computed(library: Library, name: str) -> Iterator[Member]:
    """What the viewer's tools compute from the run, where they can."""
    with contextlib.suppress(KeyError, TraceReadError):
        yield name, *library.answer(name)


def _values(library: Library, name: str, detail: dict[str, Any], kept: set[str]) -> Iterator[Member]:
    for ref in refs_in(detail["events"]):
        digest = ref["$b"].removeprefix("sha256:")
        if digest in kept:
            continue
        kept.add(digest)
        try:
            yield f"{name}/blobs/{digest}", *library.answer(f"{name}/blobs/{digest}")
        except (KeyError, TraceReadError):
            continue


def _packed(data: bytes, media: str) -> tuple[bytes, bool]:
    return (data, False) if media in PICTURES else (gzip.compress(data, 6, mtime=0), True)


def _policy(*, script: str, image: str, connect: str) -> str:
    return POLICY.format(script=script, style="'self' 'unsafe-inline'", image=image, connect=connect)


def _with_policy(page: str, policy: str) -> str:
    """The page with a Content-Security-Policy in a meta element, as there is no server to send the header."""
    meta = f'<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="{policy}">'
    return page.replace('<meta charset="utf-8">', meta)


def _private(path: Path) -> Any:
    """Open a file for writing that only its owner can read, like a run."""
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb")
