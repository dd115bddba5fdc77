"""Ages and sizes as people write them."""

from __future__ import annotations

import re

import click

_SECONDS = {"m": 60, "h": 3600, "d": 86_400, "w": 604_800}
_BYTES = {"": 1, "k": 1_000, "m": 1_000_000, "g": 1_000_000_000}
_AGE = re.compile(r"(\d+(?:\.\d+)?)\s*([mhdw])", re.IGNORECASE)
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmg]?)b?", re.IGNORECASE)


def read_age(text: str) -> float:
    """Seconds from "90m", "12h", "30d" or "2w". Raises `click.BadParameter`."""
    match = _AGE.fullmatch(text.strip())
    if match is None:
        raise click.BadParameter(f"{text}: write it as 90m, 12h, 30d or 2w")
    return float(match[1]) * _SECONDS[match[2].lower()]


def read_size(text: str) -> int:
    """Bytes from "500k", "100MB" or "1.5G", in powers of ten. Raises `click.BadParameter`."""
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        raise click.BadParameter(f"{text}: write it as 500k, 100MB or 1.5G")
    return round(float(match[1]) * _BYTES[match[2].lower()])


def size_in_words(size: int) -> str:
    """A size as people read it: "120.4 KB"."""
    if size < 1_000:
        return f"{size} B"
    for unit, least in (("KB", 1_000), ("MB", 1_000_000), ("GB", 1_000_000_000)):
        if size < least * 1_000 or unit == "GB":
            return f"{size / least:.1f} {unit}"
    raise AssertionError("every size has a unit")
