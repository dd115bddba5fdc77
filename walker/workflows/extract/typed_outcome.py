"""From what pages gave for a schema to a typed outcome, told as events like any other answer."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from memory.findings import Citation, Finding, Findings
from traces.session_events import WalkStopped
from walker.extraction.filled import Filled, data_of, flat_fields, has_value, is_whole, valid_data
from walker.extraction.schemas.typed_answers import FieldValue, RecordValue, TypedOutcome
from walker.extraction.schemas.wanted import WantedRecords, leaves_of, records_of
from walker.seams.outcome import CUT_SHORT, StopReason, Usage
from walker.seams.protocols import Verdict
from walker.walk.walk_events import findings_added, judged, walk_ended, walk_stopped
from walker.workflows.extract.extracting import Extracted
from walker.workflows.workflow_run import WorkflowRun

MOST_FINDINGS = 60
"""Told in the trace as findings; all fields are in its `fields` events."""
RIGHT_BY_CODE, RIGHT_BY_MODEL = 0.97, 0.8
"""Share of values that are right: of those that code reads without a model by `bench/extract.py`; of a model's references a guess on
the safe side, as long as no figures of models are there."""


def end_extraction(run: WorkflowRun, extracted: Extracted) -> TypedOutcome[Any]:
    """The outcome, with the data where every required field has a value."""
    outcome = outcome_of(run, extracted)
    found = [one for one in outcome.fields.values() if one.value is not None][:MOST_FINDINGS]
    findings = tuple(
        Finding(text=str(one.value), quote=one.quote, url=one.page, step=run.step, score=outcome.confidence)
        for one in found
    )
    verdict = Verdict(
        sufficient=outcome.answered,
        answer=outcome.answer,
        confidence=outcome.confidence,
        citations=outcome.citations,
        missing=outcome.missing[:MOST_FINDINGS],
        reason=_told(outcome),
    )
    run.emit(findings_added(run.step, Findings(findings=findings)))
    run.emit(judged(run.step, verdict))
    run.emit(walk_ended(run.step, outcome))
    return outcome


def stopped_extraction(run: WorkflowRun, extracted: Extracted) -> WalkStopped:
    """What an extraction that ends before it is over has found: its fields with their values, as JSON."""
    outcome = outcome_of(run, extracted)
    stopped = walk_stopped(run.step, msgspec.structs.replace(outcome, answer=outcome.answer or outcome.nearest))
    return msgspec.structs.replace(stopped, is_answer=outcome.answered)


def outcome_of(run: WorkflowRun, extracted: Extracted) -> TypedOutcome[Any]:
    """The outcome, told to nobody."""
    listed = records_of(extracted.wanted)
    if listed is not None:
        return _of_records(run, extracted, listed)
    data = valid_data(extracted.filled, extracted.wanted) if extracted.filled else None
    fields = dict(flat_fields(extracted.filled)) if extracted.filled else {}
    missing = tuple(path for path, one in fields.items() if one.value is None)
    outcome = _outcome(run, extracted, data, fields, missing, ())
    is_complete = bool(extracted.filled) and is_whole(extracted.filled, extracted.wanted)
    return msgspec.structs.replace(outcome, is_complete=is_complete)


def _of_records(run: WorkflowRun, extracted: Extracted, listed: WantedRecords) -> TypedOutcome[Any]:
    records: list[RecordValue] = []
    complete: list[Any] = []
    fields: dict[str, FieldValue] = {}
    for place, (record, page) in enumerate(zip(extracted.filled, extracted.pages, strict=True)):
        data = valid_data(record, listed.record)
        own = dict(flat_fields(record))
        records.append(
            RecordValue(data=data_of(record), fields=own, page=page, is_complete=is_whole(record, listed.record))
        )
        fields |= {f"{listed.under}[{place}].{path}": one for path, one in own.items()}
        if data is not None:
            complete.append(data)
    is_enough = len(complete) >= max(1, listed.least)
    data = ({listed.under: complete} if listed.under else complete) if is_enough else None
    missing = tuple(
        path for path, _ in leaves_of(listed.record) if not any(_has(record, path) for record in extracted.filled)
    )
    if not records:
        fields = {listed.under or "records": FieldValue(reason=extracted.reason)}
    outcome = _outcome(run, extracted, data, fields, missing, tuple(records))
    is_complete = is_enough and all(record.is_complete for record in records)
    return msgspec.structs.replace(outcome, is_complete=is_complete)


def _has(record: dict[str, Filled], path: str) -> bool:
    filled: Any = record
    for name in path.split("."):
        filled = filled.get(name) if isinstance(filled, dict) else None
    return filled is not None and has_value(filled)


def _outcome(
    run: WorkflowRun,
    extracted: Extracted,
    data: Any,
    fields: dict[str, FieldValue],
    missing: tuple[str, ...],
    records: tuple[RecordValue, ...],
) -> TypedOutcome[Any]:
    found = [one for one in fields.values() if one.value is not None]
    right = min((RIGHT_BY_MODEL if one.source == "model" else RIGHT_BY_CODE for one in found), default=0.0)
    nearest = json.dumps({path: one.value for path, one in fields.items() if one.value is not None}, ensure_ascii=False)
    spent = run.edges.spent()
    is_answered = data is not None and bool(found)  # where nothing is required, data may be empty
    stop = extracted.stop if is_answered or extracted.stop is not StopReason.ANSWERED else StopReason.DEAD_END
    return TypedOutcome(
        question=run.task.question,
        answer=json.dumps(data, ensure_ascii=False) if is_answered else "",
        items=(),
        confidence=right,
        citations=tuple(dict.fromkeys(Citation(url=one.page, quote=one.quote) for one in found if one.quote))[
            :MOST_FINDINGS
        ],
        stop_reason=stop,
        partial=stop in CUT_SHORT,
        pages=len(run.seen),
        steps=max(1, run.step - 1),
        count={},
        answered=is_answered,
        nearest="" if is_answered or not found else nearest,
        evidence=True,
        usage=Usage(
            prompt_tokens=spent.prompt_tokens,
            completion_tokens=spent.completion_tokens,
            total_tokens=spent.total_tokens,
            model_calls=spent.calls,
        ),
        data=data,
        fields=fields,
        missing=missing,
        records=records,
        refused=extracted.refused,
    )


def _told(outcome: TypedOutcome[Any]) -> str:
    found = sum(one.value is not None for one in outcome.fields.values())
    return f"{found} fields have a value, {len(outcome.missing)} have none"
