"""Icons of our own for tests: lines on a 24 px grid, in no set that was learnt from."""

from __future__ import annotations

from functools import cache
from typing import Any

import cv2
import numpy as np

from tools.icon_training.render import draw
from walker.browser.launch.find_chromium import find_browser

Picture = np.ndarray[Any, Any]

LINES = {
    "search": '<circle cx="10.2" cy="10.2" r="6.4"/><path d="m15 15 5.6 5.6"/>',
    "menu": '<path d="M3.5 6.2h17M3.5 12h17M3.5 17.8h17"/>',
    "close": '<path d="M5.4 5.4l13.2 13.2M18.6 5.4 5.4 18.6"/>',
    "add": '<path d="M12 4.2v15.6M4.2 12h15.6"/>',
    "check": '<path d="m4 12.6 5.2 5.2L20.2 6.6"/>',
    "left": '<path d="M20.4 12H3.8M10.2 5.4 3.6 12l6.6 6.6"/>',
    "chevron down": '<path d="m5 8.6 7 7 7-7"/>',
    "home": '<path d="M4 11.4 12 4l8 7.4V20.4h-5.4v-5.8H9.4v5.8H4z"/>',
    "play": '<path d="M7 4.2v15.6L19.6 12z"/>',
    "download": '<path d="M12 3.6v11M7.4 10.2 12 14.8l4.6-4.6M4 15v5h16v-5"/>',
    "mail": '<path d="M3.4 5.6h17.2v12.8H3.4zM3.6 6.2 12 13.4l8.4-7.2"/>',
    "more": '<circle cx="5" cy="12" r="1"/><circle cx="12" cy="12" r="1"/><circle cx="19" cy="12" r="1"/>',
    "favorite": '<path d="M12 20.2 4 12a5 5 0 0 1 8-6.2A5 5 0 0 1 20 12z"/>',
    "account": '<circle cx="12" cy="8.4" r="4.6"/><path d="M3.6 20.4a8.8 8.8 0 0 1 16.8 0"/>',
    "delete": '<path d="M4 6.6h16M9 6.4V3.8h6v2.6M6 6.8l.8 13.6h10.4L18 6.8M10 10.4v6.4M14 10.4v6.4"/>',
}


@cache
def drawings() -> dict[str, Picture]:
    """Name to ink: 96 x 96, 255 is ink. Drawn once by the installed browser."""
    svg = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#000" stroke-width="1.8" '
        f'stroke-linecap="round" stroke-linejoin="round">{lines}</svg>'
        for lines in LINES.values()
    ]
    return dict(zip(LINES, draw(svg, find_browser().path), strict=True))


def painted(ink: Picture, ink_color: tuple[int, int, int], background: tuple[int, int, int], side: int = 32) -> Picture:
    """Ink in one BGR colour on another, `side` pixels high and wide."""
    share = cv2.resize(ink, (side, side), interpolation=cv2.INTER_AREA)[:, :, None] / 255
    color = np.array(background) + (np.array(ink_color) - np.array(background)) * share
    return np.asarray(color.round(), np.uint8)
