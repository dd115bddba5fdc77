"""Recording proxy of a summariser: a replay takes its summaries from the recording."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import msgspec

from memory.findings import PageSummary
from memory.library.protocol import WholePage
from walker.recording.recorded_pages import Get, Put, whole_value
from walker.recording.recording import Form, Recording
from walker.seams.protocols import Summariser
from walker.seams.task import Task

SEAM = "summariser"


class RecordedSummariser:
    """Implements `walker.seams.protocols.Summariser` by another one. Pages are known by a digest of their text."""

    def __init__(self, live: Summariser, recording: Recording) -> None:
        self._live, self._recording = live, recording

    async def summarise(self, task: Task, goal: str, page: WholePage, step: int) -> PageSummary:
        """The recorded summary of this very page for this goal, or a live one."""
        request = {"step": step, "goal": goal, "url": page.url, "text": _digest(page.text)}
        return await self._recording.answer(
            SEAM, "summarise", request, lambda: self._live.summarise(task, goal, page, step), _SUMMARY
        )

    async def join(self, task: Task, goal: str, summaries: Sequence[PageSummary], step: int) -> PageSummary:
        """The recorded summary of these very summaries, or a live one."""
        told = msgspec.json.encode(tuple(summaries)).decode()
        request = {"step": step, "goal": goal, "summaries": len(summaries), "text": _digest(told)}
        return await self._recording.answer(
            SEAM, "join", request, lambda: self._live.join(task, goal, summaries, step), _SUMMARY
        )


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _dump(outcome: PageSummary, _put: Put) -> Any:
    return msgspec.to_builtins(outcome)


def _load(plain: Any, get: Get) -> PageSummary:
    return msgspec.convert(whole_value(plain, get), PageSummary)


_SUMMARY = Form(_dump, _load)
