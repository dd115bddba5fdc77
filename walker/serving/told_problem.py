"""What is wrong with a request, in words for whoever wrote it: those of the checks are for whoever wrote the patterns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_ADDRESS = "is no address of a web page. Give it as https://host/path"
_PATTERNS = {
    "root": _ADDRESS,
    "url": _ADDRESS,
    "start": _ADDRESS,
    "webhook": _ADDRESS,
    "question": "holds no word",
    "job": "is no id of a job: they look like ask-0123456789ab",
    "after": "is no id of a job: they look like ask-0123456789ab",
    "run": "is no name of a run",
}
"""By the field whose text does not fit its pattern."""


def problem_line(problem: Mapping[str, Any]) -> str:
    """One problem that pydantic found, in a line: where, and what."""
    names = [one for one in problem["loc"] if isinstance(one, str)]
    where = ".".join(map(str, problem["loc"]))
    match problem["type"]:
        case "json_invalid":
            return f"body: this is no JSON ({problem.get('ctx', {}).get('error', 'it ends too soon')})"
        case "string_pattern_mismatch" if said := next((_PATTERNS[one] for one in names if one in _PATTERNS), ""):
            return f"{where}: {said}"
        case "extra_forbidden":
            return f"{where}: there is no such field; /openapi.json lists them"
    return f"{where}: {problem['msg']}"
