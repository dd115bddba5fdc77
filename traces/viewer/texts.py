"""Full-text search over a walk: pages, model messages, findings, verdicts."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from traces.errors import TraceReadError
from traces.store.blobs import BlobRef
from traces.viewer.blob_values import BlobValues, is_ref
from traces.viewer.log import Line

MOST_TEXT = 30_000_000
"""Characters of a run that are searched, each text once; later steps of a longer run are omitted, which is reported."""
MOST_EMBEDDED = 10_000_000
"""Characters included in an export."""
MOST_HITS = 300
PATIENCE = 1.0
"""Seconds that one search keeps reading before it answers with what was read so far."""
AT_ONCE = 64
"""Lines that are read at a time; other threads may use the run in between."""
LEAD = 60
"""Characters shown on each side of a hit."""


class Passage(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One text: a page, a message to a model, its reply, a finding or a verdict."""

    step: int
    kind: str
    seq: int
    """Step of its event."""
    text: str
    """Text, white space collapsed."""


class Hit(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A passage that contains every word, and the position of the first match."""

    step: int
    kind: str
    seq: int
    before: str
    words: str
    after: str


class Hits(msgspec.Struct, frozen=True, kw_only=True):
    """`found` counts all hits; `read_steps` says up to which step the walk was read."""

    hits: tuple[Hit, ...]
    found: int
    read_steps: int
    is_done: bool
    """Whether everything was read: the search need not be repeated."""
    is_cut: bool
    """Whether later steps are omitted because there is too much text."""


class TextIndex:
    """The texts of a run, read on demand and cached. `read_passages` takes a start index and a count, and gives the passages of
    these lines and the total number of lines; duplicate texts are stored once."""

    def __init__(self, read_passages: Callable[[int, int], tuple[list[Passage], int]]) -> None:
        self._read_passages = read_passages
        self._lock = threading.Lock()
        self._passages: list[Passage] = []
        self._lowered: dict[str, str] = {}
        self._place = self._size = 0
        self._is_done = False

    def search(self, words: str, patience: float = PATIENCE) -> Hits:
        """Passages that contain every one of the words, in the order of the walk."""
        with self._lock:
            self._read_on(time.monotonic() + patience, MOST_TEXT)
            return self._find(tuple(dict.fromkeys(words.lower().split())), " ".join(words.lower().split()))

    def passages(self, most: int = MOST_EMBEDDED) -> tuple[Passage, ...]:
        """All passages, up to `most` characters."""
        with self._lock:
            self._read_on(float("inf"), MOST_TEXT)
            kept, size = [], 0
            for passage in self._passages:
                size += len(passage.text)
                if size > most:
                    break
                kept.append(passage)
            return tuple(kept)

    def _read_on(self, until: float, most: int) -> None:
        self._is_done = False
        while self._size < most:
            passages, lines = self._read_passages(self._place, AT_ONCE)
            self._place = min(self._place + AT_ONCE, lines)
            for passage in passages:
                if passage.text not in self._lowered:
                    self._lowered[passage.text] = passage.text.lower()
                    self._size += len(passage.text)
                self._passages.append(passage)
            if self._place == lines:
                self._is_done = True
                return
            if time.monotonic() >= until:
                return

    def _find(self, words: tuple[str, ...], phrase: str) -> Hits:
        hits: list[Hit] = []
        found = 0
        for passage in self._passages if words else ():
            lowered = self._lowered[passage.text]
            if all(word in lowered for word in words):
                found += 1
                if len(hits) < MOST_HITS:
                    hits.append(_hit(passage, lowered, phrase if phrase in lowered else words[0]))
        is_cut = self._size >= MOST_TEXT and not self._is_done
        return Hits(
            hits=tuple(hits),
            found=found,
            read_steps=self._passages[-1].step if self._passages else 0,
            is_done=self._is_done or is_cut,
            is_cut=is_cut,
        )


def passages_of(line: Line, fields: dict[str, Any], values: BlobValues) -> Iterator[Passage]:
    """The texts of one line of the log; none for a missing blob."""
    for kind, texts in _texts(line, fields, values):
        text = " ".join(" ".join(one for one in texts if isinstance(one, str)).split())
        if text:
            yield Passage(line.step, kind, line.seq, text)


def _texts(line: Line, fields: dict[str, Any], values: BlobValues) -> Iterator[tuple[str, list[Any]]]:
    if line.kind == "findings":
        for finding in _listed(values.whole(fields.get("findings"))):
            yield "finding", [finding.get("text"), finding.get("quote")]
    elif line.kind == "verdict":
        yield "verdict", [values.whole(fields.get("answer")), values.whole(fields.get("reason"))]
    elif fields.get("seam") == "reader":
        yield "page", _page_texts(fields.get("outcome"), values)
    else:
        request, outcome = values.whole(fields.get("request")), values.whole(fields.get("outcome"))
        for message in _listed(request.get("messages") if isinstance(request, dict) else None):
            if message.get("role") != "system":  # the same in every call
                yield "message", [values.whole(message.get("content"))]
        if isinstance(outcome, dict):
            yield "reply", [values.whole(outcome.get("reasoning")), values.whole(outcome.get("text"))]


class _Block(msgspec.Struct, frozen=True, gc=False):
    text: str = ""


class _Page(msgspec.Struct, frozen=True, gc=False):
    title: str = ""
    blocks: tuple[_Block, ...] = ()
    seen_text: tuple[str, ...] = ()


_page = msgspec.json.Decoder(_Page)


def _page_texts(outcome: Any, values: BlobValues) -> list[Any]:
    try:
        data = values.get(msgspec.convert(outcome, BlobRef)) if is_ref(outcome) else msgspec.json.encode(outcome)
        page = _page.decode(data)
    except (TraceReadError, msgspec.DecodeError):
        return []
    return [page.title, *(block.text for block in page.blocks), *page.seen_text]


def _listed(value: Any) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _hit(passage: Passage, lowered: str, words: str) -> Hit:
    """Positions in the lower-case text equal those in the text, but for a few characters whose lower-case form is longer."""
    start = min(lowered.find(words), len(passage.text))
    end = start + len(words)
    return Hit(
        passage.step,
        passage.kind,
        passage.seq,
        passage.text[max(0, start - LEAD) : start],
        passage.text[start:end],
        passage.text[end : end + LEAD],
    )
