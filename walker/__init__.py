"""Walker answers questions about a website by walking it, and crawls sites.

from walker import ask_sync
print(ask_sync("https://www.sqlite.org/", "What is the maximum length of an SQL statement?").answer)
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from walker.asking import ask, ask_sync
    from walker.crawl.crawl_report import CrawlReport
    from walker.crawl.script.spec import CrawlSpec
    from walker.errors import (
        BudgetSpent,
        Divergence,
        LoginNeeded,
        NoSuchTarget,
        NotAllowed,
        NotAnswered,
        OutOfBudget,
        PageNotOpened,
        SiteBlocked,
        WalkerError,
    )
    from walker.extraction.schemas.typed_answers import FieldValue, RecordValue, TypedOutcome
    from walker.programs.shared_walker import Walker, ask_many, crawl, crawl_sync
    from walker.programs.walk_events import WalkBegan, WalkConcluded, WalkEvent, stream, stream_sync
    from walker.runs.compare import diff_runs
    from walker.runs.recorded_run import open_run
    from walker.runs.walk_widget import WalkWidget
    from walker.seams.outcome import Outcome
    from walker.session.calls import Acted
    from walker.session.secret import Secret
    from walker.session.session import Session
    from walker.session.session_sync import SessionSync
    from walker.session.targets import ActionTarget
    from walker.settings import Components, Limits, ModelSettings, Settings, VisionSettings

__all__ = [
    "Acted",
    "ActionTarget",
    "BudgetSpent",
    "Components",
    "CrawlReport",
    "CrawlSpec",
    "Divergence",
    "FieldValue",
    "Limits",
    "LoginNeeded",
    "ModelSettings",
    "NoSuchTarget",
    "NotAllowed",
    "NotAnswered",
    "OutOfBudget",
    "Outcome",
    "PageNotOpened",
    "RecordValue",
    "Secret",
    "Session",
    "SessionSync",
    "Settings",
    "SiteBlocked",
    "TypedOutcome",
    "VisionSettings",
    "WalkBegan",
    "WalkConcluded",
    "WalkEvent",
    "WalkWidget",
    "Walker",
    "WalkerError",
    "ask",
    "ask_many",
    "ask_sync",
    "crawl",
    "crawl_sync",
    "diff_runs",
    "open_run",
    "stream",
    "stream_sync",
]

_HOMES = {
    "ask": "walker.asking",
    "ask_sync": "walker.asking",
    "ask_many": "walker.programs.shared_walker",
    "crawl": "walker.programs.shared_walker",
    "crawl_sync": "walker.programs.shared_walker",
    "Walker": "walker.programs.shared_walker",
    "WalkBegan": "walker.programs.walk_events",
    "WalkConcluded": "walker.programs.walk_events",
    "WalkEvent": "walker.programs.walk_events",
    "stream": "walker.programs.walk_events",
    "stream_sync": "walker.programs.walk_events",
    "WalkWidget": "walker.runs.walk_widget",
    "diff_runs": "walker.runs.compare",
    "open_run": "walker.runs.recorded_run",
    "Outcome": "walker.seams.outcome",
    "FieldValue": "walker.extraction.schemas.typed_answers",
    "RecordValue": "walker.extraction.schemas.typed_answers",
    "TypedOutcome": "walker.extraction.schemas.typed_answers",
    "CrawlReport": "walker.crawl.crawl_report",
    "CrawlSpec": "walker.crawl.script.spec",
    "WalkerError": "walker.errors",
    "BudgetSpent": "walker.errors",
    "Divergence": "walker.errors",
    "LoginNeeded": "walker.errors",
    "NoSuchTarget": "walker.errors",
    "NotAllowed": "walker.errors",
    "NotAnswered": "walker.errors",
    "OutOfBudget": "walker.errors",
    "PageNotOpened": "walker.errors",
    "SiteBlocked": "walker.errors",
    "Acted": "walker.session.calls",
    "ActionTarget": "walker.session.targets",
    "Secret": "walker.session.secret",
    "Session": "walker.session.session",
    "SessionSync": "walker.session.session_sync",
    "Components": "walker.settings",
    "Limits": "walker.settings",
    "ModelSettings": "walker.settings",
    "Settings": "walker.settings",
    "VisionSettings": "walker.settings",
}


def __getattr__(name: str) -> Any:
    """Public names are fetched on first use, so that `import walker.seams.protocols` does not load a browser."""
    if name not in _HOMES:
        raise AttributeError(f"module 'walker' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    """What is public, for `dir` and for completion."""
    return sorted(__all__)
