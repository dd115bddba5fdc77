"""All that can be set, with its default; only the command line reads the environment and passes it in here."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec

Scope = Literal["host", "path"]

UNDERSTANDING_THRESHOLD = 60.0
"""Below this the gate looks at the picture. V-GEMS section 3.3 uses 60 of 100; `--tau` sets another."""


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Where a walk ends at the latest."""

    pages: int = 30
    seconds: float = 600.0
    """From the first page to the last, as the snapshots are dated."""
    depth: int = 12
    """Frames on the stack; a trap that goes ever deeper ends here."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """One walk's settings."""

    limits: Limits = Limits()
    threshold: float = UNDERSTANDING_THRESHOLD
    scope: Scope = "host"
    """`host`: any page of the root's host; `path`: only below the root's folder."""
    language: str = ""
    """Language of the question, "" to find out."""
    runs_folder: Path = Path("runs")
    record: bool = True
    durability: Literal["process", "step"] = "process"
    """When an event is safe: after kill -9 (`process`), or after a power failure too (`step`, one sync a page)."""
    chromium: str = ""
    """Path of a browser; "" to find one."""
    page_seconds: float = 20.0
    """How long one page may take."""
    headed: bool = False
    secrets: tuple[str, ...] = ()
    """Values that must never reach a trace."""
