"""The committed icons of a set that is never learnt from, drawn for tests and figures."""

from __future__ import annotations

from pathlib import Path

import msgspec

from tools.icon_training.evaluate import UnseenIcon, on_screen
from tools.icon_training.render import draw


class _Icon(msgspec.Struct, frozen=True):
    name: str
    common: str
    tags: tuple[str, ...]
    drawing: str


class _Sample(msgspec.Struct, frozen=True):
    source: str
    licence: str
    icons: tuple[_Icon, ...]


def drawn_icons(sample: Path, chromium: str | None = None) -> list[UnseenIcon]:
    """The icons of a sample file as a screenshot shows them, dark on white."""
    read = msgspec.json.decode(sample.read_bytes(), type=_Sample)
    svg = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 256 256">{icon.drawing}</svg>' for icon in read.icons]
    return [
        UnseenIcon(name=icon.name, common=icon.common, tags=icon.tags, crop=on_screen(picture))
        for icon, picture in zip(read.icons, draw(svg, chromium), strict=True)
    ]
