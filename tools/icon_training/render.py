"""Icon drawings as pixels: sheets of inline SVG in Chromium, one screenshot a sheet."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
from playwright.sync_api import Page, sync_playwright

from tools.icon_training.icon_sets import IconFile, icon_files

log = logging.getLogger(__name__)

CELL, DRAWN = 96, 80
"""Pixels of a cell and of the icon in its middle: four times the 24 px grid of most sets, less margin for thick strokes."""
ACROSS = 20
WEIGHTS = {"thin": 0.55, "bold": 1.5}
"""Stroke widths against the set's own, drawn besides it where lines are strokes."""
STYLE = f"""<style>
html,body{{margin:0;background:#fff;color:#000}} body{{width:{CELL * ACROSS}px;line-height:0}}
div{{display:inline-block;width:{CELL}px;height:{CELL}px;padding:{(CELL - DRAWN) // 2}px;box-sizing:border-box;overflow:hidden}}
svg{{width:{DRAWN}px;height:{DRAWN}px}}
.ionicon{{stroke:none}} .ionicon-fill-none{{fill:none}} .ionicon-stroke-width{{stroke:#000;stroke-width:32px}}
p{{margin:0;display:inline-block;width:{CELL * 2}px;height:{CELL}px;overflow:hidden;white-space:nowrap}}
</style>"""

Pictures = npt.NDArray[np.uint8]


def render_sets(packages: Path, folder: Path, chromium: str | None = None) -> int:
    """Draw every icon; writes `icons.npy` (count x CELL x CELL, 255 is ink) and `icons.json` (what each row is)."""
    rows, drawings = [], []
    for icon in icon_files(packages):
        svg = icon.path.read_text(encoding="utf-8")
        for style, drawing in drawings_of(icon, svg):
            rows.append({"set": icon.icon_set, "name": icon.name, "style": style, "use": icon.use})
            drawings.append(drawing)
    pictures = draw(drawings, chromium)
    inked = pictures.max(axis=(1, 2)) > 60
    log.info("drawn %d icons, %d without ink are left out", len(rows), int((~inked).sum()))
    np.save(folder / "icons.npy", pictures[inked])
    (folder / "icons.json").write_text(json.dumps([row for row, kept in zip(rows, inked, strict=True) if kept]))
    return int(inked.sum())


def drawings_of(icon: IconFile, svg: str) -> Iterator[tuple[str, str]]:
    """Style and inline SVG: the icon as it is, then in other stroke widths where it has strokes."""
    yield icon.style, svg
    width = re.search(r'stroke-width="([\d.]+)"', svg)
    if icon.stroked and width:
        for style, factor in WEIGHTS.items():
            yield f"{icon.style}-{style}", svg.replace(width[0], f'stroke-width="{float(width[1]) * factor:.2f}"')


def draw(drawings: Sequence[str], chromium: str | None = None) -> Pictures:
    """Inline SVG to count x CELL x CELL, 255 is ink. A picture that an <img> names hangs the renderer for minutes."""
    sheets = []
    with sync_playwright() as playwright, playwright.chromium.launch(executable_path=chromium) as browser:
        page = browser.new_page(viewport={"width": CELL * ACROSS, "height": CELL * ACROSS})
        for start in range(0, len(drawings), ACROSS * ACROSS):
            part = drawings[start : start + ACROSS * ACROSS]
            body = "".join(f"<div>{inlined(svg, start + place)}</div>" for place, svg in enumerate(part))
            sheets.append(cells(screenshot(page, body), CELL)[: len(part)])
    return np.concatenate(sheets)


def inlined(svg: str, number: int) -> str:
    """An SVG file to stand beside others in one page: no prolog, no style of its own, ids that no other has."""
    svg = re.sub(r"<\?xml.*?\?>|<!--.*?-->|<!DOCTYPE.*?>|<style.*?</style>|<title.*?</title>", "", svg, flags=re.DOTALL)
    return re.sub(r'(\bid="|url\(#|href="#)', rf"\g<1>i{number}-", svg)


def screenshot(page: Page, body: str) -> Pictures:
    """The ink of a page: height x width, 255 is black."""
    page.set_content(f"<!doctype html>{STYLE}<body>{body}</body>")
    data = page.screenshot(animations="disabled")
    gray = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_GRAYSCALE)
    assert gray is not None
    return np.asarray(255 - gray, np.uint8)


def cells(sheet: Pictures, width: int) -> Pictures:
    """A sheet cut into its cells, in reading order: count x CELL x width."""
    rows, columns = sheet.shape[0] // CELL, sheet.shape[1] // width
    cut = sheet[: rows * CELL, : columns * width].reshape(rows, CELL, columns, width)
    return np.ascontiguousarray(cut.transpose(0, 2, 1, 3).reshape(rows * columns, CELL, width))


def render_words(words: Iterable[str], folder: Path, chromium: str | None = None) -> None:
    """Words in many fonts, as what is no icon; writes `words.npy` (count x CELL x 2 CELL, 255 is ink)."""
    pictures = _written(list(words), chromium)
    np.save(folder / "words.npy", pictures[pictures.max(axis=(1, 2)) > 60])


def render_text(words: Sequence[str], chromium: str | None = None) -> list[Pictures]:
    """Words as crops of a page: each cut to its ink with a small margin, dark on white."""
    crops = []
    for picture in _written(words, chromium):
        rows, columns = np.flatnonzero(picture.max(axis=1) > 60), np.flatnonzero(picture.max(axis=0) > 60)
        if len(rows):
            cut = picture[max(0, rows[0] - 3) : rows[-1] + 4, max(0, columns[0] - 3) : columns[-1] + 4]
            crops.append(np.asarray(255 - cut, np.uint8))
    return crops


def _written(words: Sequence[str], chromium: str | None) -> Pictures:
    fonts = ("sans-serif", "serif", "monospace", "Liberation Sans Narrow", "DejaVu Sans")
    chance = np.random.default_rng(5)
    sheets = []
    with sync_playwright() as playwright, playwright.chromium.launch(executable_path=chromium) as browser:
        page = browser.new_page(viewport={"width": CELL * ACROSS, "height": CELL * ACROSS})
        for start in range(0, len(words), ACROSS * ACROSS // 2):
            part = words[start : start + ACROSS * ACROSS // 2]
            body = "".join(_word(text, fonts, chance) for text in part)
            sheets.append(cells(screenshot(page, body), CELL * 2)[: len(part)])
    return np.concatenate(sheets)


def _word(text: str, fonts: Sequence[str], chance: Any) -> str:
    size, weight = chance.integers(14, 44), chance.choice([400, 400, 700])
    style = f"font:{weight} {size}px/{CELL}px {chance.choice(fonts)};padding-left:4px;letter-spacing:{chance.integers(0, 2)}px"
    return f"<p style='{style}'>{text}</p>"
