"""Installed distributions that conflict with Walker: others that use its five package names, and second builds of
onnxruntime or OpenCV."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.machinery import PathFinder
from importlib.metadata import Distribution, distributions
from importlib.util import find_spec
from pathlib import Path

import msgspec

DISTRIBUTION = "gemwalker"
PACKAGES = ("walker", "perception", "memory", "traces", "evaluation")

SHARED_FOLDERS = {
    "onnxruntime": (
        "onnxruntime",
        "onnxruntime-gpu",
        "onnxruntime-directml",
        "onnxruntime-openvino",
        "onnxruntime-rocm",
    ),
    "cv2": ("opencv-python", "opencv-python-headless", "opencv-contrib-python", "opencv-contrib-python-headless"),
}
"""Distributions that install into one and the same folder. The last one wins, and `pip check` sees nothing."""


class Installed(msgspec.Struct, frozen=True, kw_only=True):
    """One installed distribution: normalised name, version, and the top folders or modules that it lists files in."""

    name: str
    version: str
    tops: frozenset[str] = frozenset()


def installed_distributions() -> tuple[Installed, ...]:
    """Everything installed in this environment, by name."""
    return _installed_along(tuple(sys.path))


@cache
def _installed_along(path: tuple[str, ...]) -> tuple[Installed, ...]:
    found = {entry.name: entry for entry in map(_describe, distributions(path=list(path))) if entry.name}
    return tuple(found[name] for name in sorted(found))


def package_folders(search_path: Iterable[str] | None = None) -> dict[str, Path | None]:
    """The folder that each of the five names is imported from, None where there is none.

    Without a search path the interpreter itself is asked: an editable install may be known to its import hooks alone.
    """
    paths = list(search_path) if search_path is not None else None
    folders: dict[str, Path | None] = {}
    for name in PACKAGES:
        spec = find_spec(name) if paths is None else PathFinder.find_spec(name, paths)
        places = list(spec.submodule_search_locations or ()) if spec else []
        folders[name] = Path(places[0]).resolve() if places else None
    return folders


def foreign_owners(installed: Iterable[Installed]) -> tuple[tuple[str, str], ...]:
    """Pairs (package name of ours, other distribution that lists files under it)."""
    return tuple(
        (name, entry.name)
        for entry in installed
        if entry.name != DISTRIBUTION
        for name in PACKAGES
        if name in entry.tops
    )


def rival_builds(installed: Iterable[Installed]) -> dict[str, tuple[str, ...]]:
    """For each shared folder, the distributions installed into it, with versions; more than one is a conflict."""
    versions = {entry.name: entry.version for entry in installed}
    return {
        folder: tuple(f"{name} {versions[name]}" for name in names if name in versions)
        for folder, names in SHARED_FOLDERS.items()
    }


def _describe(distribution: Distribution) -> Installed:
    metadata = distribution.metadata
    name = (metadata["Name"] or "").lower().replace("_", "-").replace(".", "-")
    listed = distribution.read_text("RECORD")
    files = _recorded(listed) if listed else (str(file) for file in distribution.files or ())
    tops = frozenset(file.partition("/")[0].removesuffix(".py") for file in files)
    return Installed(name=name, version=metadata["Version"] or "", tops=tops)


def _recorded(listed: str) -> Iterator[str]:
    """The files of a RECORD. `Distribution.files` makes a path with hash and size of each."""
    for line in listed.splitlines():
        if line:
            yield next(csv.reader((line,)))[0] if line.startswith('"') else line.partition(",")[0]
