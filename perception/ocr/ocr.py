"""OCR: the protocol, and its implementation with PP-OCR models on ONNX Runtime (package `rapidocr`, which holds the weights)."""

from __future__ import annotations

import math
import threading
from collections import OrderedDict
from itertools import pairwise
from typing import Any, Protocol

import msgspec
import numpy as np

from perception.geometry import Box, CoordinateFrame
from perception.images.image import BLANK_SPREAD, Picture, content_key, is_blank, resize, size_of
from perception.ocr.onnx_models import Device
from perception.ocr.paddle_engine import DETECT_SIDE, PaddleEngine
from perception.ocr.tile_edges import Part, join_parts

TILE_WIDTH, TILE_HEIGHT, TILE_OVERLAP = 1280, 800, 64
"""Pixels of a tile: the detector scales larger tiles down, and misses text of normal size."""
SMALL_SIDE = 64
"""Pixels; a picture whose shorter side is less is enlarged to twice its size."""
INK_MARGIN = 16
"""Pixels of margin around the non-blank part of a tile."""
TALL = 2.2
"""Ratio of height to width from which a line is taken for vertical writing."""
KEPT, KEPT_LINES = 512, 4000
"""Pictures in the result cache, and the lines of all of them: a line of five words takes 1.5 kB."""


class Word(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A word, or one character of a script without spaces; `box` in CSS pixels of the page."""

    text: str
    box: Box
    confidence: float


class Line(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A line of text; `box` in CSS pixels of the page, confidence 0..1."""

    text: str
    box: Box
    confidence: float
    words: tuple[Word, ...] = ()


class TextReader(Protocol):
    """An OCR engine. Safe to use from several threads."""

    @property
    def name(self) -> str:
        """Name and version of the engine, as it is recorded."""
        ...

    def read(self, picture: Picture, frame: CoordinateFrame) -> tuple[Line, ...]:
        """The lines of text in a picture, from the top down; () where there are none. `frame` maps its pixels to CSS pixels.

        Raises `PerceptionError` where the engine fails.
        """
        ...


class NoReader:
    """OCR switched off."""

    @property
    def name(self) -> str:
        """Name of the engine, as it is recorded."""
        return "no letters"

    def read(self, picture: Picture, frame: CoordinateFrame) -> tuple[Line, ...]:  # noqa: ARG002 (the protocol's signature)
        """Always ()."""
        return ()


class PaddleReader:
    """PP-OCR through `rapidocr`: English, Chinese, Japanese and Latin scripts; no Cyrillic, Arabic, Korean or Greek."""

    def __init__(self, device: Device = "auto", threads: int = 2, kept_lines: int = KEPT_LINES) -> None:
        """Load the models (0.6 s). Raises `MissingPackage` or `ModelUnusable`."""
        self._most_kept = kept_lines
        self._engine = PaddleEngine(device, threads)
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, list[_Raw]] = OrderedDict()
        self._kept_lines = 0

    @property
    def device(self) -> str:
        """Where the models run: "cuda" or "cpu"."""
        return self._engine.device

    @property
    def name(self) -> str:
        """Name of the engine, as it is recorded."""
        return "PP-OCRv6 small"

    @property
    def kept_lines(self) -> int:
        """Lines in the result cache."""
        return self._kept_lines

    def read(self, picture: Picture, frame: CoordinateFrame) -> tuple[Line, ...]:
        """Lines from the top down; results are cached by picture content."""
        return tuple(_placed(raw, frame) for raw in self._lines(picture))

    def _lines(self, picture: Picture) -> list[_Raw]:
        if is_blank(picture):
            return []
        key = content_key(picture)
        with self._lock:
            if (kept := self._kept.get(key)) is not None:
                self._kept.move_to_end(key)
                return kept
            lines = self._kept[key] = self._read_tiles(picture)
            self._kept_lines += len(lines)
            while len(self._kept) > KEPT or self._kept_lines > self._most_kept:
                _, forgotten = self._kept.popitem(last=False)
                self._kept_lines -= len(forgotten)
        return lines

    def _read_tiles(self, picture: Picture) -> list[_Raw]:
        width, height = size_of(picture)
        found: list[_Raw] = []
        for top, down in _tiles(height, TILE_HEIGHT):
            for left, across in _tiles(width, TILE_WIDTH):
                tile = picture[top : top + down, left : left + across]
                ink = _ink_box(tile)
                if ink is not None:
                    x, y, right, bottom = ink
                    lines = self._read_tile(tile[y:bottom, x:right])
                    found += [line.moved(left + x, top + y) for line in lines]
        return sorted(_without_duplicates(found), key=lambda line: (round(line.box.y / 8), line.box.x))

    def _read_tile(self, tile: Picture) -> list[_Raw]:
        width, height = size_of(tile)
        factor = 2 if min(width, height) < SMALL_SIDE and max(width, height) < DETECT_SIDE / 2 else 1
        large = resize(tile, width * factor, height * factor)
        read = self._engine.read(large)
        if read.boxes is None or read.txts is None:
            return []
        lines = []
        for corners, text, score, words in zip(read.boxes, read.txts, read.scores, read.word_results, strict=True):
            line = _Raw.of(str(text), float(score), corners, words)
            if line.box.height > TALL * line.box.width and len(line.text.strip()) > 0:
                line = self._read_vertical(large, line)
            if line.text.strip():
                lines.append(line.scaled(1 / factor))
        return lines

    def _read_vertical(self, picture: Picture, line: _Raw) -> _Raw:
        """A vertical line: its characters rearranged side by side, or the line turned to either side, as the recogniser knows
        horizontal lines only. What is read most surely is it."""
        left, top = max(0, int(line.box.x)), max(0, int(line.box.y))
        column = picture[top : int(line.box.bottom) + 1, left : int(line.box.right) + 1]
        width, height = size_of(column)
        count = max(2, round(height / max(1, width)))
        edges = [round(height * place / count) for place in range(count + 1)]
        cells = [resize(column[one:other], 48, 48) for one, other in pairwise(edges)]
        # As it was read before is one of the two turns; which one, the engine does not say.
        turned = (np.ascontiguousarray(np.rot90(column, turns)) for turns in (1, 3))
        readings = [self._engine.read_line(part) for part in (np.hstack(cells), *turned)]
        text, confidence = max(readings, key=lambda one: one[1])
        if confidence <= line.confidence:
            return line
        return msgspec.structs.replace(line, text=text, confidence=confidence, words=())


class _Raw(msgspec.Struct, frozen=True):
    """A line in pixels of the picture; `words` are text, confidence and box."""

    text: str
    confidence: float
    box: Box
    words: tuple[tuple[str, float, Box], ...] = ()

    @staticmethod
    def of(text: str, confidence: float, corners: Any, words: Any) -> _Raw:
        parts = tuple(
            (str(word), float(score), _around(place)) for word, score, place in words or () if str(word).strip()
        )
        return _Raw(" ".join(text.split()), confidence, _around(corners), parts)

    def moved(self, x: float, y: float) -> _Raw:
        return self._with(lambda box: Box(x=box.x + x, y=box.y + y, width=box.width, height=box.height))

    def scaled(self, by: float) -> _Raw:
        return self._with(lambda box: Box(x=box.x * by, y=box.y * by, width=box.width * by, height=box.height * by))

    def _with(self, change: Any) -> _Raw:
        return _Raw(
            self.text,
            self.confidence,
            change(self.box),
            tuple((word, score, change(box)) for word, score, box in self.words),
        )


def _around(corners: Any) -> Box:
    points = np.asarray(corners, dtype=float).reshape(-1, 2)
    (left, top), (right, bottom) = points.min(axis=0), points.max(axis=0)
    return Box(x=float(left), y=float(top), width=float(right - left), height=float(bottom - top))


def _placed(raw: _Raw, frame: CoordinateFrame) -> Line:
    def on_page(box: Box) -> Box:
        return frame.box_to_page(box.x, box.y, box.right, box.bottom)

    words = tuple(Word(text=text, box=on_page(box), confidence=score) for text, score, box in raw.words)
    return Line(text=raw.text, box=on_page(raw.box), confidence=raw.confidence, words=words)


def _ink_box(picture: Picture) -> tuple[int, int, int, int] | None:
    """Left, top, right and lower edge of the non-blank part, with a margin; None for a blank picture."""
    grey = picture.max(axis=2)
    rows = np.flatnonzero(np.ptp(grey, axis=1) > BLANK_SPREAD)
    if not len(rows):
        return None
    columns = np.flatnonzero(np.ptp(grey[rows[0] : rows[-1] + 1], axis=0) > BLANK_SPREAD)
    left, right = (columns[0], columns[-1]) if len(columns) else (0, grey.shape[1])
    return (
        max(0, int(left) - INK_MARGIN), max(0, int(rows[0]) - INK_MARGIN),
        int(right) + 1 + INK_MARGIN, int(rows[-1]) + 1 + INK_MARGIN,
    )  # fmt: skip


def _tiles(length: int, most: int) -> list[tuple[int, int]]:
    """Start and length of overlapping tiles of one size, as few and as small as possible: of a picture that is a little larger than
    one tile, half is read twice otherwise."""
    count = max(1, math.ceil((length - TILE_OVERLAP) / (most - TILE_OVERLAP)))
    size = math.ceil((length + (count - 1) * TILE_OVERLAP) / count)
    return [(min(place * (size - TILE_OVERLAP), length - size), size) for place in range(count)]


def _without_duplicates(lines: list[_Raw]) -> list[_Raw]:
    """Lines found in two overlapping tiles once: the longer of two that one place has, and the parts of one as a whole."""
    kept: list[_Raw] = []
    for line in sorted(lines, key=lambda line: -len(line.text)):
        whole = line
        if any(line.box.share_in(other.box) > 0.6 for other in kept):
            continue
        for other in list(kept):
            if joined := _joined(whole, other):
                kept.remove(other)
                whole = joined
        kept.append(whole)
    return kept


def _joined(one: _Raw, other: _Raw) -> _Raw | None:
    part = join_parts(Part(one.text, one.box), Part(other.text, other.box))
    if part is None:
        return None
    left, right = (one, other) if one.box.x <= other.box.x else (other, one)
    middle = (right.box.x + left.box.right) / 2
    words = (
        *(word for word in left.words if word[2].center.x < middle),
        *(word for word in right.words if word[2].center.x >= middle),
    )
    return _Raw(part.text, min(one.confidence, other.confidence), part.box, words)
