"""Walker answers questions about a website by walking it, and crawls sites.

from walker import ask_sync
print(ask_sync("https://docs.python.org/3/", "Which release added the match statement?").answer)
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from walker.asking import ask, ask_sync
    from walker.seams.outcome import Outcome
    from walker.settings import Components, Limits, ModelSettings, Settings

__all__ = ["Components", "Limits", "ModelSettings", "Outcome", "Settings", "ask", "ask_sync"]

_HOMES = {
    "ask": "walker.asking",
    "ask_sync": "walker.asking",
    "Outcome": "walker.seams.outcome",
    "Components": "walker.settings",
    "Limits": "walker.settings",
    "ModelSettings": "walker.settings",
    "Settings": "walker.settings",
}


def __getattr__(name: str) -> Any:
    """Public names are fetched on first use, so that `import walker.seams.protocols` does not load a browser."""
    if name not in _HOMES:
        raise AttributeError(f"module 'walker' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)
