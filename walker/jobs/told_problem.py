"""What is wrong with a request, in words for whoever wrote it: those of the checks are for whoever wrote the patterns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
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


MOST_TOLD = 10
"""Problems of one request that are told."""


def told_problems(problems: Iterable[Mapping[str, Any]], fields: str = "") -> str:
    """What pydantic found, in one line; `fields` says where those that there are can be read."""
    return "; ".join(_told(one, fields) for one in islice(problems, MOST_TOLD))


def _told(problem: Mapping[str, Any], fields: str) -> str:
    names = [one for one in problem["loc"] if isinstance(one, str)]
    where = ".".join(map(str, problem["loc"]))
    match problem["type"]:
        case "json_invalid":
            return f"body: this is no JSON ({problem.get('ctx', {}).get('error', 'it ends too soon')})"
        case "string_pattern_mismatch" | "string_too_short" if said := next(
            (_PATTERNS[one] for one in names if one in _PATTERNS), ""
        ):
            return f"{where}: {said}"
        case "extra_forbidden":
            return f"{where}: there is no such field{fields and f'; {fields}'}"
    return f"{where}: {problem['msg']}"
