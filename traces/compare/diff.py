"""Compares two walks: what differs first, why, and with what consequences. Pure; the terminal and the viewer render the result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from traces.compare.alignment import align
from traces.compare.difference import Difference, find_difference
from traces.notebooks.table import notebook_table
from traces.reading.steps import STAGES, Fields, ModelCall, Stage, Step, Walk

CAUSES: dict[Stage, tuple[Stage, ...]] = {
    "page": (),
    "observation": ("page",),
    "stack": ("page",),
    "rejection": ("observation", "page"),
    "understanding": ("observation", "findings"),
    "gate": ("understanding",),
    "look": ("gate", "page"),
    "findings": ("look", "observation"),
    "counter": ("findings",),
    "verdict": ("counter", "findings"),
    "proposal": ("observation", "stack", "rejection", "verdict"),
    "refusal": ("proposal", "stack"),
    "move": ("refusal", "proposal"),
}
"""The stages that each stage depends on, within its step."""
REMEMBERS: frozenset[Stage] = frozenset(("counter", "verdict", "proposal", "refusal", "findings", "gate"))
"""Stages that depend on earlier steps too."""
REMEMBERED: tuple[Stage, ...] = ("counter", "findings", "stack")
SETTINGS_OF: dict[Stage, tuple[str, ...]] = {
    "gate": ("threshold", "look_threshold", "weights", "components.vision", "may_look", "limits.looks"),
    "look": ("vision", "ocr"),
    "findings": ("model",),
    "verdict": ("model",),
    "proposal": ("model", "components"),
    "refusal": ("scope", "limits"),
    "counter": ("components.counter",),
    "stack": ("components.url_stack",),
}
SEAM_OF: dict[Stage, tuple[str, str]] = {
    "findings": ("critic", "find"),
    "verdict": ("critic", "judge"),
    "proposal": ("explorer", "propose"),
    "look": ("vision", "look"),
}
ASKED = ("question", "root_url", "language", "requirement")
DECIDES: dict[Stage, tuple[str, ...]] = {
    "gate": ("choice",),
    "verdict": ("sufficient", "answer"),
    "move": ("move", "url"),
}
"""Fields that decide the course of a walk; a different score of the gate alone changes nothing."""


class StageDifference(msgspec.Struct, frozen=True, kw_only=True):
    """The first field of a stage that differs between two steps of one page."""

    stage: Stage
    field: str
    one: Any
    other: Any


class StepPair(msgspec.Struct, frozen=True, kw_only=True):
    """A step of both walks, or of one of them: then the other's number is 0."""

    one: int
    other: int
    url: str
    title: str = ""
    differences: tuple[StageDifference, ...] = ()


class Cause(msgspec.Struct, frozen=True, kw_only=True):
    """A link of the causal chain. `stage` is "settings", "site", "model" or "code" at its root."""

    stage: str
    one_step: int
    other_step: int
    field: str
    one: Any
    other: Any


class WalkDiff(msgspec.Struct, frozen=True, kw_only=True):
    """The whole comparison. `chain` leads from the first decision that differs back to its cause; both are empty for equal walks."""

    one: str
    other: str
    is_equal: bool
    settings: tuple[Difference, ...]
    pairs: tuple[StepPair, ...]
    first: StepPair | None
    chain: tuple[Cause, ...]
    end: tuple[Difference, ...]
    """Answer, stop reason, items, confidence, count."""
    cost: dict[str, tuple[float, float]]
    origins: tuple[tuple[str, str], ...] = ()
    """Origins of the first walk and of the other, where they were treated as the same site."""

    def _repr_html_(self) -> str:
        """As a notebook shows it: what the first difference comes from, each step that differs, and how both ended."""
        because = [("because", f"{one.stage} {one.field}", repr(one.one), repr(one.other)) for one in self.chain]
        steps = [
            (
                f"step {pair.one or '-'} | {pair.other or '-'}",
                f"{one.stage} {one.field}",
                repr(one.one),
                repr(one.other),
            )
            for pair in self.pairs
            for one in pair.differences
        ]
        alone = [
            (f"step {pair.one or '-'} | {pair.other or '-'}", f"only in {'A' if pair.one else 'B'}", pair.url, "")
            for pair in self.pairs
            if not (pair.one and pair.other)
        ]
        end = [("end", one.field, repr(one.expected), repr(one.got)) for one in self.end]
        title = f"{self.one} | {self.other}{': equal' if self.is_equal else ''}"
        return notebook_table(title, (*because, *steps, *alone, *end), heads=("where", "what", "A", "B"))


def compare_walks(one: Walk, other: Walk, origins: Mapping[str, str] | None = None) -> WalkDiff:
    """Compare two walks, ignoring times and step numbers. `origins` maps origins of the other walk that were replaced by the
    first one's (see `traces.compare.origins`)."""
    settings = _all_differences(one.settings, other.settings, "") + _all_differences(_asked(one), _asked(other), "")
    shared = {step.key for step in one.steps} & {step.key for step in other.steps}
    aligned = [
        (None if left is None else one.steps[left], None if right is None else other.steps[right])
        for left, right in align(one.steps, other.steps)
    ]
    pairs = tuple(_pair(left, right, shared) for left, right in aligned)
    end = _all_differences(_ending(one), _ending(other), "")
    first = next((pair for pair in pairs if not pair.one or not pair.other or pair.differences), None)
    chain = _Chain(settings, pairs, aligned).trace()
    if not chain and settings:
        chain = (_cause("settings", None, settings[0]),)
    return WalkDiff(
        one=one.name,
        other=other.name,
        is_equal=first is None and not settings and not end,
        settings=tuple(settings),
        pairs=pairs,
        first=first,
        chain=chain,
        end=tuple(end),
        cost={name: (one.cost[name], other.cost[name]) for name in one.cost},
        origins=tuple((ours, theirs) for theirs, ours in (origins or {}).items()),
    )


class _Chain:
    """Traces a decision back to its cause."""

    def __init__(
        self,
        settings: list[Difference],
        pairs: tuple[StepPair, ...],
        aligned: list[tuple[Step | None, Step | None]],
    ) -> None:
        self._settings, self._pairs, self._aligned = settings, pairs, aligned

    def trace(self) -> tuple[Cause, ...]:
        """The chain from the first decision that differs, else from the first difference at all."""
        place = next((place for place, pair in enumerate(self._pairs) if _decision(pair)), None)
        if place is None:
            place = next((place for place, pair in enumerate(self._pairs) if pair.differences), None)
        if place is None:
            return ()
        found = _decision(self._pairs[place]) or self._pairs[place].differences[0]
        chain, stage = [_cause(found.stage, self._pairs[place], found)], found.stage
        visited = {(place, stage)}
        while True:
            before = self._before(place, stage)
            # An OCR pass has a page understood twice: findings lead to a look, and a look to findings.
            if before is None or (before[0], before[1].stage) in visited:
                leaf = self._leaf(place, stage)
                if leaf is None or (before is not None and leaf.stage != "settings"):
                    return tuple(chain)
                return (*chain, leaf)
            place, found = before
            stage = found.stage
            visited.add((place, stage))
            chain.append(_cause(stage, self._pairs[place], found))

    def _before(self, place: int, stage: Stage) -> tuple[int, StageDifference] | None:
        """The first difference among the stages that this one depends on: in this step, else in an earlier one."""
        found = _of(self._pairs[place], *CAUSES[stage])
        if found is not None and found.stage != stage:
            return place, found
        if stage in REMEMBERS and not self._setting(stage):
            for earlier in range(place - 1, -1, -1):
                found = _of(self._pairs[earlier], *REMEMBERED)
                if found is not None:
                    return earlier, found
        return None

    def _leaf(self, place: int, stage: Stage) -> Cause | None:
        pair, (one, other) = self._pairs[place], self._aligned[place]
        if (difference := self._setting(stage)) is not None:
            return _cause("settings", None, difference)
        if stage in ("page", "observation"):
            return None
        if (difference := next((found for found in self._settings if found.field in ASKED), None)) is not None:
            return _cause("settings", None, difference)
        if one is not None and other is not None and stage in SEAM_OF:
            return _model_leaf(pair, one, other, stage)
        return None

    def _setting(self, stage: Stage) -> Difference | None:
        names = SETTINGS_OF.get(stage, ())
        return next(
            (found for found in self._settings if any(f"{found.field}.".startswith(f"{name}.") for name in names)), None
        )


def _model_leaf(pair: StepPair, one: Step, other: Step, stage: Stage) -> Cause:
    """Why a strategy's result differs though the stages before it agree: the request to its model differs, or the reply."""
    for first, second in zip(_chats(one), _chats(other), strict=False):
        difference = None
        if first.fingerprint != second.fingerprint:
            difference = find_difference(first.request, second.request)
        if difference is not None:
            return _cause(
                "model",
                pair,
                Difference(field=f"request.{difference.field}", expected=difference.expected, got=difference.got),
            )
        if (difference := find_difference(first.outcome, second.outcome)) is not None and difference.field == "text":
            return _cause("model", pair, Difference(field="reply", expected=difference.expected, got=difference.got))
    name = ".".join(SEAM_OF[stage])
    return _cause(
        "code", pair, Difference(field=name, expected="the answer of then", got="another to the same request")
    )


def _chats(step: Step) -> list[ModelCall]:
    return [call for call in step.calls if call.seam == "chat"]


def _cause(stage: str, pair: StepPair | None, difference: StageDifference | Difference) -> Cause:
    one, other = (
        (difference.one, difference.other)
        if isinstance(difference, StageDifference)
        else (difference.expected, difference.got)
    )
    return Cause(
        stage=stage,
        one_step=pair.one if pair else 0,
        other_step=pair.other if pair else 0,
        field=difference.field,
        one=one,
        other=other,
    )


def _of(pair: StepPair, *stages: Stage) -> StageDifference | None:
    return next((found for stage in stages for found in pair.differences if found.stage == stage), None)


def _decision(pair: StepPair) -> StageDifference | None:
    return next(
        (found for found in pair.differences if found.field.endswith(DECIDES.get(found.stage, ("never",)))), None
    )


def _pair(one: Step | None, other: Step | None, shared: set[str]) -> StepPair:
    step = one or other
    assert step is not None, "a pair has a step"
    title = step.last("observation").get("title") or step.last("page").get("title", "")
    if one is None or other is None:
        return StepPair(one=one.number if one else 0, other=other.number if other else 0, url=step.url, title=title)
    differences = []
    for stage in STAGES:
        if stage != "stack" and one.stages.get(stage) == other.stages.get(stage):
            continue  # the most of them; a stack differs by the path too
        found = find_difference(_comparable(one, stage, shared), _comparable(other, stage, shared))
        if found is not None:
            differences.append(StageDifference(stage=stage, field=found.field, one=found.expected, other=found.got))
    return StepPair(one=one.number, other=other.number, url=step.url, title=title, differences=tuple(differences))


def _comparable(step: Step, stage: Stage, shared: set[str]) -> Any:
    """A stage without what an extra step elsewhere would change: step numbers, running totals, pages of only one walk."""
    events = [_without_step(fields) for fields in step.stages.get(stage, ())]
    if stage == "stack":
        return {"path": [key for key in step.path if key in shared], "changes": [event["change"] for event in events]}
    if stage == "counter":
        return [{name: event[name] for name in ("added", "merged", "done", "complete")} for event in events]
    if stage == "gate":  # the thresholds are settings, which are compared once
        events = [{name: value for name, value in event.items() if name != "threshold"} for event in events]
    return events[0] if len(events) == 1 else events


def _without_step(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_step(inner) for name, inner in value.items() if name != "step"}
    return [_without_step(inner) for inner in value] if isinstance(value, list) else value


def _asked(walk: Walk) -> Fields:
    return {name: walk.start.get(name) for name in ASKED}


def _ending(walk: Walk) -> Fields:
    names = ("stop_reason", "answer", "confidence", "items", "count")
    return {name: walk.end.get(name) for name in names}


def _all_differences(one: Fields, other: Fields, field: str) -> list[Difference]:
    """Every field that differs, objects field by field."""
    found: list[Difference] = []
    for name in (*one, *(name for name in other if name not in one)):
        place = f"{field}.{name}" if field else name
        left, right = one.get(name), other.get(name)
        if isinstance(left, dict) and isinstance(right, dict):
            found += _all_differences(left, right, place)
        elif left != right:
            found.append(Difference(field=place, expected=left, got=right))
    return found
