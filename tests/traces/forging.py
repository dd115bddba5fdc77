"""Changes recorded runs so that their chain still holds: what a verifier then finds, it finds by deriving the walk again."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from traces.store.recorder import Recorder

Line = dict[str, Any]


def forge(run: Path, change: Callable[[Line], Line | None]) -> int:
    """Hand every line to `change`; what it returns is written, None drops the line. How many lines were changed."""
    lines: list[bytes] = []
    previous, changed = "", 0
    for raw in (run / "events.jsonl").read_bytes().splitlines():
        line = change(msgspec.json.decode(raw))
        changed += line is None or line != msgspec.json.decode(raw)
        if line is None:
            continue
        written = msgspec.json.encode(line | {"seq": len(lines), "p": previous})
        previous = hashlib.sha256(written).hexdigest()[:16]
        lines.append(written + b"\n")
    (run / "events.jsonl").write_bytes(b"".join(lines))
    return changed


def seal(run: Path) -> None:
    """Seal a run as it is."""
    recorder = Recorder.resume(run, clock=time.time)
    recorder.seal("answered", {})
    recorder.close()
