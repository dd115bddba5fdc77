"""A call of a model in one line: what the list of calls shows before one is opened."""

from __future__ import annotations

from typing import Any

import msgspec

from traces.viewer.log import Line


class CallRow(msgspec.Struct, frozen=True, kw_only=True):
    """Who asked, and what it took."""

    seq: int
    step: int
    seconds: float
    name: str = ""
    """Of the reply's schema, else of the prompt."""
    model: str = ""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    attempts: int = 1
    failed: str = ""


class _Request(msgspec.Struct, frozen=True):
    model: str = ""
    schema_name: str = ""
    prompt: str = ""


class _Reply(msgspec.Struct, frozen=True):
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    attempts: int = 1
    kind: str = ""
    """Of a failure."""


def call_row(line: Line, fields: dict[str, Any], request: Any, outcome: Any) -> CallRow:
    """The line of a call; what cannot be read of it stays at its default."""
    asked, reply = _read(request, _Request), _read(outcome, _Reply)
    return CallRow(
        seq=line.seq,
        step=line.step,
        seconds=float(fields.get("seconds") or 0.0),
        name=asked.schema_name or asked.prompt,
        model=asked.model,
        prompt_tokens=reply.prompt_tokens,
        completion_tokens=reply.completion_tokens,
        cached_tokens=reply.cached_tokens,
        attempts=reply.attempts,
        failed=reply.kind or str(fields.get("error") or ""),
    )


def _read(plain: Any, kind: type[Any]) -> Any:
    try:
        return msgspec.convert(plain, kind) if isinstance(plain, dict) else kind()
    except msgspec.ValidationError:
        return kind()
