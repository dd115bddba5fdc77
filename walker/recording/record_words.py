"""Words that the format of a recording depends on: redaction must not replace them, even if a secret is spelled like one."""

from __future__ import annotations

from functools import cache

from memory.counting.requirement import Requirement
from memory.findings import Findings
from perception.element_map import View
from perception.observation import Observation
from perception.snapshot import Snapshot
from traces.events import Event
from traces.format_words import words_of
from traces.manifest import RunManifest
from walker.models.replies import AnalysisReply, FindReply, JudgeReply, LookReply, StepReply
from walker.seams.actions import Action, Operate, Refusal
from walker.seams.chat import ChatFailure, ChatReply, ChatRequest
from walker.seams.code_runner import Ran
from walker.seams.outcome import Outcome
from walker.seams.protocols import Look, PageFailure, Verdict
from walker.seams.task_analysis import TaskAnalysis
from walker.settings import Settings

SEAMS = frozenset("browser picture reader vision vision_model analyst explorer critic chat code session".split())
METHODS = frozenset("open act see read look analyse propose find judge complete run take ask".split())
"""With the seams, they identify a recorded call."""
_OTHERS = frozenset(("deterministic", "natural", "crawl", "bodies", "process", "quota", "exhaustive", "single"))
"""Modes used as dictionary values, which no type lists."""
_MEDIA_TYPES = frozenset(
    "application/json application/octet-stream image/jpeg image/png image/webp text/html text/plain walker-trace".split()
)


@cache
def known_words() -> frozenset[str]:
    """Names of fields, tags, enumerations, edges and media types."""
    asked = (Action, Operate, Refusal, ChatRequest)
    answered = (
        Snapshot,
        Observation,
        View,
        PageFailure,
        Look,
        Findings,
        Verdict,
        TaskAnalysis,
        ChatReply,
        ChatFailure,
        Ran,
    )
    replied = (AnalysisReply, FindReply, JudgeReply, StepReply, LookReply)
    stored = (Event, RunManifest, Requirement, Outcome, Settings)
    return words_of(*asked, *answered, *replied, *stored) | SEAMS | METHODS | _OTHERS | _MEDIA_TYPES
