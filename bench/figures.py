"""How a benchmark prints: one JSON line a figure."""

from __future__ import annotations

import json
from typing import Any


def print_figure(name: str, value: Any, unit: str, want: str, ok: bool) -> None:
    """Print one figure with what it is measured against."""
    print(json.dumps({"figure": name, "value": value, "unit": unit, "want": want, "ok": ok}), flush=True)
