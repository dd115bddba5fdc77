"""The rows of the timeline, one per step, built incrementally from the events."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from traces.viewer.blob_values import BlobValues, is_ref
from traces.viewer.log import Line

MOST_PROBLEMS = 1_000
"""Problems listed with their text; further ones are only counted."""


class StepRow(msgspec.Struct, kw_only=True, array_like=True):
    """One step. Serialised as an array: field names would be half the size of 5,000 steps."""

    step: int
    url: str = ""
    title: str = ""
    status: int = 0
    began: int = 0
    """Microseconds since the run started."""
    ended: int = 0
    depth: int = 0
    parent: int = 0
    """Step of the page below it on the stack, 0 for none."""
    outcome: str = ""
    """"rejected", "failed", "error", or "" for a page that was read."""
    why: str = ""
    score: float = -1.0
    """Understanding score, -1 where the page was not scored."""
    trust: float = -1.0
    threshold: float = 0.0
    choice: str = ""
    """read, glance or look: the most expensive of the gate's choices."""
    findings: int = 0
    """Items found, -1 for a list that is not counted."""
    items: int = 0
    """Items counted here for the first time."""
    counted: int = -1
    """Items in all so far, -1 where nothing is counted."""
    sufficient: bool = False
    answer: str = ""
    move: str = ""
    move_url: str = ""
    reason: str = ""
    refusals: int = 0
    errors: int = 0
    calls: int = 0
    """Number of model calls."""
    tokens: int = 0
    picture: str = ""
    """Digest of the step's first screenshot."""
    spent: dict[str, int] = msgspec.field(default_factory=dict)
    """Microseconds by edge; the time of a strategy's model is included in that of the strategy."""


COLUMNS = tuple(field.name for field in msgspec.structs.fields(StepRow))


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """Something that went wrong, in the walk or in its recording."""

    weight: str
    """error, warning or note."""
    step: int
    line: int
    text: str


class _Fields(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The union of the event fields that rows are made from; missing ones keep their defaults."""

    url: str = ""
    final_url: str = ""
    title: str = ""
    status: int = 0
    kind: str = ""
    message: str = ""
    error: str = ""
    obstacle: str = ""
    by: str = ""
    note: str = ""
    reason: str = ""
    detail: Any = None
    score: float = 0.0
    threshold: float = 0.0
    choice: str = ""
    findings: Any = ()
    found: int = 0
    mode: str = ""
    sufficient: bool = False
    answer: Any = ""
    move: str = ""
    change: str = ""
    depth: int = 0
    path: Any = ()
    seam: str = ""
    method: str = ""
    seconds: float = 0.0
    outcome: msgspec.Raw = msgspec.Raw(b"null")
    action: str = ""
    notes: Any = ()
    failure: str = ""
    image_index: int = 0
    about: str = ""
    chosen: str = ""


class _Picture(msgspec.Struct, frozen=True):
    picture: Any = None


class _Spent(msgspec.Struct, frozen=True):
    prompt_tokens: int = 0
    completion_tokens: int = 0


_fields = msgspec.json.Decoder(_Fields)
_FURTHER = {"": 0, "read": 1, "glance": 2, "look": 3}


class StepTable:
    """Rows by step, and problems. Step 0, before the first page, has no row."""

    def __init__(self, values: BlobValues) -> None:
        self._values = values
        self.rows: dict[int, StepRow] = {}
        self.problems: list[Problem] = []
        self.more_problems = 0
        self.pictures: dict[str, Any] = {}
        """References of the rows' screenshots, by digest."""
        self.calls_of: dict[str, list[Line]] = {"reader": [], "chat": []}
        """Calls that are requested separately, by edge."""
        self.last_call: Line | None = None
        """The last of them."""
        self._ended = 0
        self._opened: dict[str, int] = {}
        """Step at which a URL was last opened."""
        self._path: tuple[str, ...] = ()
        self._counted = 0
        self._kinds: dict[str, Callable[[StepRow, _Fields, Line], None]] = {
            "page.open": self._page_opened,
            "page.fail": self._page_failed,
            "obs": self._observed,
            "page.reject": self._page_rejected,
            "handover": self._handed_over,
            "asked": self._asked,
            "us": self._understood,
            "gate": self._gate,
            "look": self._looked,
            "crop": self._cropped,
            "findings": self._found,
            "counter": self._counter,
            "verdict": self._judged,
            "refusal": self._refused,
            "move": self._moved,
            "stack": self._stack,
            "call": self._called,
            "error": self._failed,
            "doubt": self._doubted,
        }

    def path_steps(self, path: tuple[str, ...]) -> list[dict[str, Any]]:
        """URLs of a stack with the step at which each was opened, 0 where that is not recorded."""
        return [{"url": url, "step": self._opened.get(url, 0)} for url in path]

    def add(self, line: Line, fields: msgspec.Raw | None) -> None:
        """Process one line."""
        if line.damage:
            self._problem("error", line, line.damage)
        began = self._ended
        self._ended = max(began, line.t)
        if line.step < 1 and line.kind != "error":
            return
        row = self.rows.get(line.step)
        if row is None:
            row = self.rows[line.step] = StepRow(step=line.step, began=began, ended=line.t)
        row.ended = max(row.ended, line.t)
        take = self._kinds.get(line.kind)
        if take is not None and fields is not None:
            try:
                take(row, _fields.decode(fields), line)
            except msgspec.DecodeError as error:
                self._problem("warning", line, f"the event {line.kind} has unknown fields ({error})")

    def _page_opened(self, row: StepRow, d: _Fields, line: Line) -> None:
        row.url, row.title, row.status = d.final_url or d.url, d.title, d.status
        self._opened[row.url] = line.step
        self._stand_on_stack(row)

    def _observed(self, row: StepRow, d: _Fields, _: Line) -> None:
        row.title = row.title or d.title

    def _page_failed(self, row: StepRow, d: _Fields, line: Line) -> None:
        row.url, row.outcome, row.why = d.url, "failed", f"{d.kind}: {d.message}" if d.message else d.kind
        self._stand_on_stack(row)
        self._problem("warning", line, f"{row.why} ({d.url})")

    def _stand_on_stack(self, row: StepRow) -> None:
        """Set the parent of the row: until it is pushed, a page is above the top of the stack."""
        row.depth = len(self._path) + 1
        row.parent = self._opened.get(self._path[-1], 0) if self._path else 0
        if row.parent >= row.step:
            row.parent = 0

    def _page_rejected(self, row: StepRow, d: _Fields, line: Line) -> None:
        row.outcome, row.why = "rejected", f"{d.reason}: {d.detail}" if d.detail else d.reason
        self._problem("note", line, f"left: {row.why} ({d.url})")

    def _handed_over(self, _row: StepRow, d: _Fields, line: Line) -> None:
        told = d.note if d.by == "nobody" else f"opened again by {d.by} after {d.seconds:g} s"
        self._problem("note", line, f"{d.obstacle}: {told} ({d.url})")

    def _asked(self, _row: StepRow, d: _Fields, line: Line) -> None:
        self._problem(
            "note", line, f"a person was asked ({d.about}), and {f'chose: {d.chosen}' if d.chosen else 'nobody chose'}"
        )

    def _understood(self, row: StepRow, d: _Fields, _: Line) -> None:
        row.score = round(d.score, 1)

    def _gate(self, row: StepRow, d: _Fields, _: Line) -> None:
        row.trust, row.threshold = round(d.score, 1), d.threshold
        if _FURTHER.get(d.choice, 0) > _FURTHER.get(row.choice, 0):
            row.choice = d.choice

    def _looked(self, _row: StepRow, d: _Fields, line: Line) -> None:
        for note in d.notes if isinstance(d.notes, list) else ():
            self._problem("note", line, f"a look: {note}")

    def _cropped(self, _row: StepRow, d: _Fields, line: Line) -> None:
        if d.failure:
            self._problem("note", line, f"a crop of picture {d.image_index} was not rendered: {d.failure}")

    def _doubted(self, _row: StepRow, d: _Fields, line: Line) -> None:
        detail = f": {d.detail}" if d.detail else ""
        self._problem("note", line, f"may not replay exactly in a browser, {d.kind}{detail} ({d.url})")

    def _found(self, row: StepRow, d: _Fields, _: Line) -> None:
        row.findings = len(d.findings) if isinstance(d.findings, list) else -1

    def _counter(self, row: StepRow, d: _Fields, _: Line) -> None:
        if d.mode != "none":
            row.items, row.counted = row.items + max(0, d.found - self._counted), d.found
        self._counted = d.found

    def _judged(self, row: StepRow, d: _Fields, _: Line) -> None:
        answer = self._values.whole(d.answer)
        row.sufficient, row.answer = d.sufficient, answer[:200] if isinstance(answer, str) else ""

    def _refused(self, row: StepRow, d: _Fields, line: Line) -> None:
        row.refusals += 1
        self._problem("note", line, f"refused {d.action}: {d.reason}")

    def _moved(self, row: StepRow, d: _Fields, _: Line) -> None:
        row.move, row.move_url, row.reason = d.move, d.url, d.reason

    def _stack(self, row: StepRow, d: _Fields, _: Line) -> None:
        path = self._values.whole(d.path)
        self._path = tuple(path) if isinstance(path, list) else ()
        if d.change == "push":
            row.depth = d.depth
            below = self._path[-2] if len(self._path) > 1 else ""
            row.parent = self._opened.get(below, 0)
            if row.parent >= row.step:
                row.parent = 0

    def _called(self, row: StepRow, d: _Fields, line: Line) -> None:
        if d.seam in self.calls_of:
            self.calls_of[d.seam].append(line)
            self.last_call = line
        row.spent[d.seam] = row.spent.get(d.seam, 0) + round(d.seconds * 1e6)
        if d.error:
            row.errors += 1
            self._problem("error", line, f"{d.seam}.{d.method}: {d.error}")
        if d.seam == "chat":
            spent = spent_on(d.outcome, self._values)
            row.calls, row.tokens = row.calls + 1, row.tokens + spent.prompt_tokens + spent.completion_tokens
        if d.method == "see" and not row.picture:
            shown = msgspec.json.decode(d.outcome, type=_Picture | None)
            if shown is not None and is_ref(shown.picture):
                row.picture = shown.picture["$b"].removeprefix("sha256:")
                self.pictures[row.picture] = shown.picture

    def _failed(self, row: StepRow, d: _Fields, line: Line) -> None:
        message = self._values.whole(d.message)
        row.outcome, row.why = "error", f"{d.error}: {message}"
        row.errors += 1
        self._problem("error", line, f"the walk ended: {row.why}")

    def _problem(self, weight: str, line: Line, text: str) -> None:
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(Problem(weight=weight, step=line.step, line=line.number, text=text))
        else:
            self.more_problems += 1


def spent_on(outcome: msgspec.Raw, values: BlobValues) -> _Spent:
    """Tokens of one model call; none for a failure."""
    plain = values.whole(msgspec.json.decode(outcome))
    try:
        return msgspec.convert(plain, _Spent) if isinstance(plain, dict) else _Spent()
    except msgspec.ValidationError:
        return _Spent()


msgspec.json.Decoder(_Picture)  # described at import: docs/design/msgspec.md
msgspec.json.Decoder(_Spent)  # described at import: docs/design/msgspec.md
