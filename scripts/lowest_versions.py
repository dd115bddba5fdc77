"""Prints the lowest versions that pyproject.toml allows, as constraints for pip. Arguments name the extras that count too."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

REQUIREMENT = re.compile(r"(?P<name>[\w.-]+)(?:\[[^]]*\])?\s*>=\s*(?P<version>\d+(?:\.\d+)*)")


def lowest_versions(project: dict[str, Any], extras: Iterable[str]) -> dict[str, str]:
    """Version by package; of the lowest that several lists name, the highest. Raises `ValueError` for an entry without one."""
    lists = [project["dependencies"], *(project["optional-dependencies"][extra] for extra in extras)]
    lowest: dict[str, str] = {}
    for entry in (entry for entries in lists for entry in entries):
        if entry.startswith("types-"):
            continue  # read by the type checker alone, and their versions end with a date
        found = REQUIREMENT.match(entry)
        if found is None:
            raise ValueError(f"{entry!r} names no lowest version")
        name, version = found["name"], found["version"]
        lowest[name] = max(lowest.get(name, version), version, key=_numbers)
    return lowest


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


if __name__ == "__main__":
    pyproject = Path(__file__).parents[1] / "pyproject.toml"
    versions = lowest_versions(tomllib.loads(pyproject.read_text(encoding="utf-8"))["project"], sys.argv[1:])
    print("\n".join(f"{name}=={version}" for name, version in versions.items()))
