"""One run in the viewer: its overview, steps and blobs, even while it is being written."""

from __future__ import annotations

import threading
from collections import defaultdict
from pathlib import Path
from typing import Any

import msgspec

from traces.errors import TraceReadError
from traces.reading.reader import read_manifest
from traces.store.blobs import BlobRef
from traces.store.run_files import SEAL_NAME
from traces.store.run_path import open_run_path
from traces.viewer.blob_values import BlobValues, media_of, refs_in
from traces.viewer.calls import CallRow, call_row
from traces.viewer.known_site import SiteMap, draw_map
from traces.viewer.log import GrowingLog, Line
from traces.viewer.steps import COLUMNS, Problem, StepTable
from traces.viewer.summary import summarise
from traces.viewer.texts import Passage, TextIndex, passages_of

SENT_WHOLE = 400_000
"""Blobs of up to so many bytes are sent with their step; larger ones are requested separately."""


_LOOKED_UP = ("counter", "stack")
"""Event kinds that are requested separately."""


class OpenedRun:
    """A run, in its folder or in a zip. Thread-safe; each method first reads what was added to the log."""

    def __init__(self, folder: Path) -> None:
        self.folder, self._place = folder, open_run_path(folder)
        self._manifest = read_manifest(self._place)
        self._lock = threading.RLock()
        self._start_over()

    def overview(self, after_line: int = 0) -> dict[str, Any]:
        """The run with a row for each step; only rows that changed after a line of the log, if one is given."""
        with self._lock:
            self._read_on()
            summary = summarise(self.folder)
            changed = {line.step for line in self._log.lines[after_line:]} if after_line else None
            rows = [row for row in self._table.rows.values() if changed is None or row.step in changed]
            return {
                "summary": summary,
                "manifest": self._manifest,
                "lines": len(self._log.lines),
                "steps": len(self._table.rows),
                "columns": COLUMNS,
                "rows": rows,
                "problems": [*self._table.problems, *self._of_the_record(summary.state)],
                "more_problems": self._table.more_problems,
            }

    def step(self, number: int) -> dict[str, Any]:
        """Every event of one step, with the stack before and after; raises `KeyError` for an unknown step."""
        with self._lock:
            self._read_on()
            lines = [self._log.lines[place] for place in self._places.get(number, ())]
            if not lines:
                raise KeyError(number)
            before = self._path_before(lines[0].number)
            after = self._path_before(lines[-1].number + 1)
            return {
                "step": number,
                "began": self._table.rows[number].began if number in self._table.rows else 0,
                "before": self._table.path_steps(before),
                "after": self._table.path_steps(after),
                "events": [self._event(line) for line in lines],
            }

    def events_of(self, kind: str) -> list[dict[str, Any]]:
        """All events of one kind, with blobs dereferenced."""
        with self._lock:
            self._read_on()
            return [self._event(self._log.lines[place]) for place in self._by_kind.get(kind, ())]

    def counting(self) -> dict[str, Any]:
        """The counted items, and which candidates were merged into which item."""
        return {"events": self.events_of("counter")}

    def model_calls(self) -> dict[str, Any]:
        """A row for every model call; the messages are with its step."""
        with self._lock:
            self._read_on()
            return {"calls": [self._call(line) for line in self._table.calls_of["chat"]]}

    def passages_from(self, place: int, count: int) -> tuple[list[Passage], int]:
        """The texts of `count` lines with searchable text, from index `place`, and the number of such lines."""
        with self._lock:
            self._read_on()
            lines = [self._log.lines[number] for number in self._spoken[place : place + count]]
            passages = [one for line in lines for one in passages_of(line, self._fields(line), self._values)]
            return passages, len(self._spoken)

    def map(self) -> SiteMap:
        """Pages and the links between them."""
        with self._lock:
            self._read_on()
            readings = ((line.step, self._fields(line).get("outcome")) for line in self._table.calls_of["reader"])
            return draw_map(list(self._table.rows.values()), readings, self._values)

    def blob(self, digest: str) -> tuple[bytes, str]:
        """Bytes and media type of a blob; raises `TraceReadError` if it is not available."""
        with self._lock:
            ref = self._ref_of(digest)
            data = self._values.get(ref)
            return data, ref.media if ref.size else media_of(data)

    def _start_over(self) -> None:
        self._log, self._values = GrowingLog(self._place), BlobValues(self._place)
        self._table = StepTable(self._values)
        self._places: defaultdict[int, list[int]] = defaultdict(list)
        self._by_kind: dict[str, list[int]] = {kind: [] for kind in _LOOKED_UP}
        self._refs: dict[str, BlobRef] = {}
        self._spoken: list[int] = []
        """Lines with searchable text."""
        self.texts = TextIndex(self.passages_from)

    def _read_on(self) -> None:
        if self._log.was_replaced:
            self._start_over()
        for line, fields in self._log.grow():
            self._table.add(line, fields)
            self._places[line.step].append(line.number - 1)
            if line.kind in _LOOKED_UP:
                self._by_kind[line.kind].append(line.number - 1)
            if line.kind in ("findings", "verdict") or self._table.last_call is line:
                self._spoken.append(line.number - 1)

    def _of_the_record(self, state: str) -> list[Problem]:
        """Problems at the end of the log."""
        last = self._log.lines[-1] if self._log.lines else None
        step, line = (last.step, last.number) if last else (0, 0)
        found = []
        if self._log.torn_bytes and state != "live":
            text = f"the last line is truncated after {self._log.torn_bytes} bytes; it was never acknowledged"
            found.append(Problem(weight="warning", step=step, line=line + 1, text=text))
        if state == "cut off":
            text = "the recording ends here: the walk was interrupted"
            found.append(Problem(weight="error", step=step, line=line, text=text))
        if state == "ended" and not (self._place / SEAL_NAME).exists():
            text = "the run was not sealed"
            found.append(Problem(weight="note", step=step, line=line, text=text))
        return found

    def _event(self, line: Line) -> dict[str, Any]:
        fields = self._log.fields_of(line)
        head = {"line": line.number, "seq": line.seq, "t": line.t, "k": line.kind or "damaged", "step": line.step}
        if fields is None:
            text = self._log.text_of(line)[:2_000].decode("utf-8", "replace")
            return head | {"damage": line.damage, "d": {"text": text}}
        plain: dict[str, Any] = msgspec.json.decode(fields)
        for ref in refs_in(plain):
            self._keep(ref)
        is_page = plain.get("seam") == "reader"
        whole = {name: value if is_page else self._values.whole(value, SENT_WHOLE) for name, value in plain.items()}
        for ref in refs_in(whole):
            self._keep(ref)
            if "m" in ref and not self._values.has(msgspec.convert(ref, BlobRef)):
                ref["$missing"] = "the recorded value is missing"
        return head | ({"damage": line.damage} if line.damage else {}) | {"d": whole}

    def _call(self, line: Line) -> CallRow:
        fields = self._fields(line)
        request, outcome = (self._values.whole(fields.get(name)) for name in ("request", "outcome"))
        return call_row(line, fields, request, outcome)

    def _fields(self, line: Line) -> dict[str, Any]:
        fields = self._log.fields_of(line)
        return msgspec.json.decode(fields) if fields is not None else {}

    def _path_before(self, number: int) -> tuple[str, ...]:
        """The stack as it was before a line of the log."""
        for place in reversed(self._by_kind.get("stack", ())):
            if place + 1 < number:
                path = self._event(self._log.lines[place])["d"].get("path")
                return tuple(path) if isinstance(path, list) else ()
        return ()

    def _keep(self, ref: dict[str, Any]) -> None:
        digest = ref["$b"].removeprefix("sha256:")
        try:
            kept = msgspec.convert({"n": 0, "m": "application/octet-stream"} | ref, BlobRef)
        except msgspec.ValidationError:
            return
        if "m" in ref or digest not in self._refs:
            self._refs[digest] = kept

    def _ref_of(self, digest: str) -> BlobRef:
        if digest in self._table.pictures:
            self._keep(self._table.pictures[digest])
        if digest not in self._refs:
            self._read_on()
            line = self._log.line_with(f'"$b":"sha256:{digest}"'.encode())
            if line is not None:
                self._event(line)
        if digest not in self._refs:
            raise TraceReadError("the run references no such value", str(self.folder))
        return self._refs[digest]
