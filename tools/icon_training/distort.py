"""Drawings made to look as icons do on real screens, then cut as the reader cuts them; and pictures of what is no icon."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from perception.icons.glyph_image import SIDE, Glyph, glyph_of

Picture = np.ndarray[Any, Any]
"""uint8, height x width; 255 is ink."""

SMALLEST, LARGEST = 11, 72
"""Pixels of an icon's side on the screen."""
_ELLIPSE = [cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)) for size in (3, 5)]


class Distorter:
    """One source of chance for all that is drawn; the same seed gives the same pictures."""

    def __init__(self, seed: int, words: Picture) -> None:
        """`words` are drawn words, count x height x width, 255 is ink."""
        self._chance, self._words = np.random.default_rng(seed), words

    def icon(self, drawing: Picture) -> Glyph:
        """One drawing as a reader could meet it."""
        chance = self._chance.random(16)
        ink = drawing
        if chance[0] < 0.12:
            ink = _filled(ink) if chance[0] < 0.07 else _two_toned(ink, 0.15 + 0.3 * chance[1])
        if chance[2] < 0.34:
            ink = _reweighted(ink, chance[2] / 0.34)
        if chance[3] < 0.4:
            ink = self._warped(ink)
        side = SMALLEST * (LARGEST / SMALLEST) ** chance[4]
        ink = _scaled(ink, side, 0.88 + 0.24 * chance[5])
        return glyph_of(self._on_screen(ink, chance[6:]))

    def no_icon(self) -> Glyph:
        """Text, a photo, an even area, a gradient or boxes."""
        kind = self._chance.random()
        if kind < 0.55:
            return glyph_of(self._on_screen(self._text(), self._chance.random(10), plain=True))
        if kind < 0.75:
            return glyph_of(self._photo())
        if kind < 0.85:
            return glyph_of(self._gradient())
        return glyph_of(self._boxes()) if kind < 0.95 else np.zeros((SIDE, SIDE), np.uint8)

    def _warped(self, ink: Picture) -> Picture:
        """Turned by up to 8 degrees and sheared."""
        angle, shear, _ = (self._chance.random(3) - 0.5) * (0.28, 0.16, 0)
        height, width = ink.shape
        matrix = np.array([[np.cos(angle), -np.sin(angle) + shear, 0], [np.sin(angle), np.cos(angle), 0]])
        matrix[:, 2] = (width / 2, height / 2) - matrix[:, :2] @ (width / 2, height / 2)
        return cv2.warpAffine(ink, matrix, (width, height), flags=cv2.INTER_LINEAR)

    def _on_screen(self, ink: Picture, chance: npt.NDArray[np.float64], *, plain: bool = False) -> Picture:
        """Ink in some gray on another, with margins, a frame or a button around, noise, blur and JPEG marks."""
        height, width = ink.shape
        margin = (chance[:2] * 0.5 * max(height, width)).astype(int) + 1
        canvas = np.zeros((height + 2 * margin[1], width + 2 * margin[0]), np.float32)
        shift = (self._chance.random(2) * margin).astype(int)
        canvas[shift[1] : shift[1] + height, shift[0] : shift[0] + width] = ink / np.float32(255)
        background = 255 * chance[2]
        gap = 45 + (210 - 45) * chance[3]
        inked = (
            background + gap if background + gap <= 255 and (chance[4] < 0.5 or background < gap) else background - gap
        )
        screen = background + (np.clip(inked, 0, 255) - background) * canvas
        if not plain and chance[5] < 0.1:
            screen = self._enclosed(screen, float(background), chance[5] / 0.1)
        if chance[6] < 0.07:
            screen = screen + np.linspace(-20, 20, screen.shape[1], dtype=np.float32)[None, :] * chance[7]
        if chance[6] > 0.8:
            screen = screen + self._chance.normal(0, 1 + 6 * chance[7], screen.shape).astype(np.float32)
        picture = np.clip(screen, 0, 255).astype(np.uint8)
        if chance[8] < 0.2:
            picture = cv2.GaussianBlur(picture, (0, 0), 0.3 + 0.6 * chance[9])
        elif chance[8] > 0.88:
            coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(45 + 50 * chance[9])])[1]
            picture = cv2.imdecode(coded, cv2.IMREAD_GRAYSCALE)
        return np.asarray(picture)

    def _enclosed(self, screen: Picture, inside: float, kind: float) -> Picture:
        """A frame, a disc or a square around the icon: what a button's box adds to a crop."""
        pad = int(2 + self._chance.random() * 0.3 * max(screen.shape))
        padded = np.full((screen.shape[0] + 2 * pad, screen.shape[1] + 2 * pad), inside, np.float32)
        padded[pad:-pad, pad:-pad] = screen
        height, width = padded.shape
        if kind < 0.4:
            cv2.rectangle(padded, (0, 0), (width - 1, height - 1), float(self._chance.random() * 255), 1)
            return padded
        mask = np.zeros(padded.shape, np.uint8)
        if kind < 0.7:
            cv2.ellipse(mask, (width // 2, height // 2), (width // 2, height // 2), 0, 0, 360, 1, -1)
        else:
            corner = max(1, min(height, width) // 6)
            cv2.rectangle(mask, (corner, 0), (width - corner, height), 1, -1)
            cv2.rectangle(mask, (0, corner), (width, height - corner), 1, -1)
            for x in (corner, width - 1 - corner):
                for y in (corner, height - 1 - corner):
                    cv2.circle(mask, (x, y), corner, 1, -1)
        page = (inside + 60 + 120 * self._chance.random()) % 256
        return np.where(mask > 0, padded, np.float32(page))

    def _text(self) -> Picture:
        word = self._words[self._chance.integers(len(self._words))]
        columns = np.flatnonzero(word.max(axis=0) > 60)
        cut = word[:, columns[0] : columns[-1] + 1]
        if self._chance.random() < 0.3 and cut.shape[1] > 60:
            start = int(self._chance.integers(cut.shape[1] - 50))
            cut = cut[:, start : start + int(self._chance.integers(40, 80))]
        rows = np.flatnonzero(cut.max(axis=1) > 60)
        cut = cut[rows[0] : rows[-1] + 1] if len(rows) else cut
        return _scaled(cut, float(self._chance.integers(14, 90)), 1.0)

    def _photo(self) -> Picture:
        """Noise that is smooth at several sizes, as natural pictures are."""
        size = int(self._chance.integers(24, 80))
        total = np.zeros((size, size), np.float32)
        for cells in (2, 4, 8, 16):
            rough = self._chance.random((cells, cells)).astype(np.float32)
            total += cv2.resize(rough, (size, size), interpolation=cv2.INTER_CUBIC) / np.float32(cells**0.7)
        for _ in range(int(self._chance.integers(0, 5))):
            x, y, radius = self._chance.integers(0, size, 3)
            cv2.circle(total, (int(x), int(y)), int(radius) // 2 + 1, float(self._chance.random() * 2), -1)
        low, high = float(total.min()), float(total.max())
        return ((total - low) / max(high - low, 1e-3) * 255 * self._chance.random()).astype(np.uint8)

    def _gradient(self) -> Picture:
        width, height = (int(value) for value in self._chance.integers(12, 90, 2))
        across, down = (self._chance.random(2) - 0.5) * 300
        ramp = np.linspace(0, across, width)[None, :] + np.linspace(0, down, height)[:, None]
        return np.clip(ramp + 255 * self._chance.random(), 0, 255).astype(np.uint8)

    def _boxes(self) -> Picture:
        """Parts of a page's layout."""
        width, height = (int(value) for value in self._chance.integers(20, 90, 2))
        picture = np.full((height, width), int(self._chance.integers(256)), np.uint8)
        for _ in range(int(self._chance.integers(2, 7))):
            x, y = self._chance.integers(0, (width, height))
            across, down = self._chance.integers(2, 40, 2)
            color = float(self._chance.integers(256))
            cv2.rectangle(picture, (int(x), int(y)), (int(x + across), int(y + down)), color, -1)
        return picture


def _interior(ink: Picture) -> Picture:
    """255 for ink and all that it encloses."""
    solid = np.where(ink > 100, np.uint8(255), np.uint8(0))
    flooded = cv2.copyMakeBorder(solid, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
    cv2.floodFill(flooded, None, (0, 0), 128)
    return np.where(flooded[1:-1, 1:-1] == 128, np.uint8(0), np.uint8(255))


def _two_toned(ink: Picture, share: float) -> Picture:
    """Enclosed areas in a lighter tone, as two-toned sets draw them."""
    return np.maximum(ink, (_interior(ink) * share).astype(np.uint8))


def _filled(ink: Picture) -> Picture:
    """The outline drawn as a filled shape, with the lines inside left out; itself where it encloses little."""
    inside = _interior(ink)
    if int((inside > 0).sum()) < 1.6 * int((ink > 100).sum()):
        return ink
    core = cv2.erode(inside, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (13, 13)))
    details = cv2.bitwise_and(ink, core)
    return np.asarray(cv2.subtract(inside, details))


def _reweighted(ink: Picture, chance: float) -> Picture:
    """Strokes made thicker or thinner; the same picture where thinner would leave nothing."""
    if chance < 0.45:
        return cv2.dilate(ink, _ELLIPSE[0] if chance < 0.3 else _ELLIPSE[1])
    thin = cv2.erode(ink, _ELLIPSE[0] if chance < 0.85 else _ELLIPSE[1])
    return thin if int((thin > 128).sum()) > 0.3 * int((ink > 128).sum()) else ink


def _scaled(ink: Picture, side: float, aspect: float) -> Picture:
    """The longer side at `side` pixels; width against height changed by `aspect`."""
    height, width = ink.shape
    scale = side / max(height, width)
    size = (max(2, round(width * scale * aspect)), max(2, round(height * scale / aspect)))
    return cv2.resize(ink, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)


def stacked(glyphs: Sequence[Glyph]) -> npt.NDArray[np.uint8]:
    """Count x 1 x SIDE x SIDE."""
    return np.stack(glyphs)[:, None]
