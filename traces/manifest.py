"""The manifest run.json: the task and configuration of a run; written first and never changed."""

from __future__ import annotations

import re
from typing import Any, Literal

import msgspec

from traces.events import FORMAT
from traces.redaction import POLICY_VERSION


class Parent(msgspec.Struct, frozen=True, kw_only=True):
    """The run that this one was forked from."""

    run_id: str
    after_step: int
    overrides: dict[str, str] = {}
    """Settings that differ from the parent's."""


USUAL_SURE = 0.5
"""Of walks that record no other."""


class RunManifest(msgspec.Struct, frozen=True, kw_only=True):
    """Everything about a run that is known when it starts; never keys."""

    run_id: str
    created: float
    """Seconds since the epoch, UTC."""
    question: str
    root_url: str
    format: Literal["walker-trace"] = "walker-trace"
    version: tuple[int, int] = FORMAT
    package: dict[str, str] = {}
    settings: dict[str, Any] = {}
    models: tuple[dict[str, str], ...] = ()
    env: dict[str, str] = {}
    """Environment that affects how pages render: python, os, playwright, locale, time_zone, viewport and pixel_ratio."""
    parent: Parent | None = None
    record: dict[str, str] = {}
    """mode (natural or deterministic), network (off, meta, bodies) and durability (process, step)."""
    redaction_version: int = POLICY_VERSION

    @property
    def sure(self) -> float:
        """From which confidence what a walk found is its answer, and not the nearest; 0 for what is no walk, as a session."""
        return 0.0 if self.settings.get("kind") else float(self.settings.get("sure", USUAL_SURE))


def folder_name(created: str, question: str, run_id: str) -> str:
    """`<time>-<slug>-<id>`: sorts by time, reads like the question, and is unique. `created` is YYYYMMDD-HHMMSS."""
    words = re.findall(r"\w+", question.lower())
    slug = "-".join(words)[:40].strip("-") or "walk"
    return f"{created}-{slug}-{run_id}"


msgspec.json.Decoder(RunManifest)  # described at import: docs/design/msgspec.md
