"""Values within the JSON answers of services, by paths such as "web.results.0.url"."""

from __future__ import annotations

from typing import Any


def value_at(data: Any, path: str) -> Any:
    """The value at a path of names and numbers with dots between, "" for all of it; None where there is none."""
    for part in path.split(".") if path else ():
        if isinstance(data, dict):
            data = data.get(part)
        elif isinstance(data, list) and part.isdecimal() and int(part) < len(data):
            data = data[int(part)]
        else:
            return None
    return data
