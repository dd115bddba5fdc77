"""The summary of a run, for the list of runs."""

from __future__ import annotations

import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from traces.errors import TraceReadError
from traces.manifest import RunManifest
from traces.reading.reader import read_manifest
from traces.store.run_files import LOG_NAME
from traces.store.run_path import RunPath, open_run_path
from traces.viewer.blob_values import BlobValues
from traces.viewer.log import is_being_written
from traces.viewer.steps import spent_on

_CHAT, _DOUBT = b'"seam":"chat"', b'"k":"doubt"'
_ENDS = (b'"k":"run.end"', b'"k":"error"')
MOST_QUOTED = 400
"""An answer is truncated to so many characters in the list."""


class RunSummary(msgspec.Struct, frozen=True, kw_only=True):
    """Outcome and cost of a walk."""

    id: str
    """Name of its folder or zip file."""
    question: str = ""
    root_url: str = ""
    created: float = 0.0
    state: str = "cut off"
    """ended, failed, live, or cut off; "unreadable" with the reason in `answer`."""
    stop_reason: str = ""
    answer: str = ""
    confidence: float = 0.0
    sure: float = 0.0
    """From which confidence `answer` is one, and not the nearest that was found."""
    pages: int = 0
    steps: int = 0
    seconds: float = 0.0
    model: str = ""
    model_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0
    """Cost in the unit of the recorded prices, 0 where there are none."""
    looks: int = 0
    bytes: int = 0
    """Size of the log."""
    doubts: dict[str, int] = {}
    """Replay warnings: number of each kind."""


class _Call(msgspec.Struct, frozen=True):
    outcome: msgspec.Raw = msgspec.Raw(b"null")


class _Doubt(msgspec.Struct, frozen=True):
    kind: str = ""


class _Line(msgspec.Struct, frozen=True):
    t: int = 0
    step: int = 0
    k: str = ""
    d: msgspec.Raw = msgspec.Raw(b"{}")


def summarise(run: Path) -> RunSummary:
    """The summary of one run, a folder or a zip; an unreadable run is reported in its summary."""
    try:
        folder = open_run_path(run)
        manifest = read_manifest(folder)
    except TraceReadError as error:
        return RunSummary(id=run.name, state="unreadable", answer=error.what)
    try:
        data = (folder / LOG_NAME).read_bytes()
    except (OSError, zipfile.BadZipFile):
        data = b""
    first = RunSummary(
        id=run.name,
        question=manifest.question,
        root_url=manifest.root_url,
        created=manifest.created,
        sure=manifest.sure,
        model=_setting(manifest, "name"),
        bytes=len(data),
    )
    whole = data[: data.rfind(b"\n") + 1]
    last = _last_line(whole)
    calls = [line for line in _lines_with(_CHAT, whole) if line.k == "call"]
    spent = [spent_on(msgspec.json.decode(call.d, type=_Call).outcome, BlobValues(folder)) for call in calls]
    known = msgspec.structs.replace(
        first,
        seconds=round(last.t / 1e6, 3),
        steps=last.step,
        pages=whole.count(b'"k":"page.open"') + whole.count(b'"k":"page.fail"'),
        looks=whole.count(b'"k":"look"'),
        model_calls=len(calls),
        prompt_tokens=sum(one.prompt_tokens for one in spent),
        completion_tokens=sum(one.completion_tokens for one in spent),
        doubts=_doubts(whole),
    )
    return _ended(msgspec.structs.replace(known, cost=cost_of(manifest, known)), whole, folder)


def _doubts(whole: bytes) -> dict[str, int]:
    noted = (line.d for line in _lines_with(_DOUBT, whole) if line.k == "doubt")
    return dict(Counter(msgspec.json.decode(fields, type=_Doubt).kind for fields in noted))


def cost_of(manifest: RunManifest, spent: RunSummary) -> float:
    """Cost by the prices that were set for the walk."""
    prompt, reply = _price(manifest, "prompt_price"), _price(manifest, "completion_price")
    return round((spent.prompt_tokens * prompt + spent.completion_tokens * reply) / 1e6, 6)


def _ended(summary: RunSummary, whole: bytes, folder: RunPath) -> RunSummary:
    start = whole.rfind(b"\n", 0, max(whole.rfind(mark) for mark in _ENDS) + 1) + 1
    end = whole.find(b"\n", start)
    line, is_last = _decoded(whole[start:end]), end + 1 == len(whole)
    if (
        line is None or line.k not in ("run.end", "error") or (line.k == "error" and not is_last)
    ):  # a walk that failed once and was resumed
        return msgspec.structs.replace(summary, state="live" if is_being_written(folder) else "cut off")
    values = BlobValues(folder)
    d = {name: values.whole(value) for name, value in msgspec.json.decode(line.d).items()}
    if line.k == "error":
        message = f"{d.get('error', '')}: {d.get('message', '')}"
        return msgspec.structs.replace(summary, state="failed", stop_reason="failed", answer=message[:MOST_QUOTED])
    return msgspec.structs.replace(
        summary,
        state="ended",
        pages=int(d.get("pages", summary.pages)),  # without pages of our own, such as one of hits
        stop_reason=str(d.get("stop_reason", "")),
        answer=str(d.get("answer", ""))[:MOST_QUOTED],
        confidence=float(d.get("confidence") or 0.0),
    )


def _lines_with(mark: bytes, whole: bytes) -> Iterator[_Line]:
    place = whole.find(mark)
    while place >= 0:
        end = whole.find(b"\n", place)
        line = _decoded(whole[whole.rfind(b"\n", 0, place) + 1 : end])
        if line is not None:
            yield line
        place = whole.find(mark, end)


def _last_line(whole: bytes) -> _Line:
    start = whole.rfind(b"\n", 0, max(0, len(whole) - 1)) + 1
    return _decoded(whole[start:]) or _Line()


def _decoded(line: bytes) -> _Line | None:
    try:
        return msgspec.json.decode(line, type=_Line)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def _setting(manifest: RunManifest, name: str) -> str:
    model: Any = manifest.settings.get("model")
    return str(model.get(name, "")) if isinstance(model, dict) else ""


def _price(manifest: RunManifest, name: str) -> float:
    try:
        return float(_setting(manifest, name) or 0.0)
    except ValueError:
        return 0.0


msgspec.json.Decoder(_Call)  # described at import: docs/design/msgspec.md
msgspec.json.Decoder(_Doubt)  # described at import: docs/design/msgspec.md
msgspec.json.Decoder(_Line)  # described at import: docs/design/msgspec.md
