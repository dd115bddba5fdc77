"""Checks that the files named by a script can be read or written."""

from __future__ import annotations

import importlib.util
import json
import os
from collections.abc import Iterator
from pathlib import Path

from walker.crawl.script.script_yaml import Location
from walker.crawl.script.spec import CrawlSpec
from walker.crawl.script.spec_problems import Problem

RECORD_ENDINGS = (".jsonl", ".csv", ".parquet", ".sqlite")
WARC_ENDINGS = (".warc", ".warc.gz")


def problems_of_files(spec: CrawlSpec) -> list[Problem]:
    """All problems with the paths of a script, which are relative to the working directory."""
    output = spec.output
    records: list[tuple[Location, Path]] = [
        (("output", "items", number), path) for number, path in enumerate(output.items)
    ]
    records += [(("output", "pages", number), path) for number, path in enumerate(output.pages)]
    if output.chunks:
        records.append((("output", "chunks"), output.chunks))
    found = [problem for location, path in records for problem in _records_file(location, path)]
    written = list(records)
    if output.warc:
        written.append((("output", "warc"), output.warc))
        if not output.warc.name.endswith(WARC_ENDINGS):
            found.append(_unknown_ending(("output", "warc"), output.warc, WARC_ENDINGS))
    if spec.state_out:
        written.append((("state_out",), spec.state_out))
    for location, path in written:
        found += _file_to_write(location, path)
    found += _named_twice(written)
    if output.files:
        found += _folder_to_write(("output", "files"), output.files)
    if output.markdown:
        found += _folder_to_write(("output", "markdown"), output.markdown)
    return found + (_state_to_read(spec.state_in) if spec.state_in else [])


def _records_file(location: Location, path: Path) -> Iterator[Problem]:
    if path.suffix not in RECORD_ENDINGS:
        yield _unknown_ending(location, path, RECORD_ENDINGS)
    elif path.suffix == ".parquet" and importlib.util.find_spec("pyarrow") is None:
        yield Problem(
            location=location, what="Parquet needs pyarrow", expected="install it: pip install 'gemwalker[files]'"
        )


def _unknown_ending(location: Location, path: Path, endings: tuple[str, ...]) -> Problem:
    return Problem(
        location=location, what=f"'{path}' has no known file extension", expected=f"expected one of {' '.join(endings)}"
    )


def _file_to_write(location: Location, path: Path) -> list[Problem]:
    if path.is_dir():
        return [Problem(location=location, what=f"'{path}' is a folder", expected="expected the path of a file")]
    return _folder_to_write(location, path.parent)


def _folder_to_write(location: Location, folder: Path) -> list[Problem]:
    """Missing folders are created later, so the nearest existing one must be writable."""
    there = next(one for one in (folder, *folder.absolute().parents) if one.exists())
    if not there.is_dir():
        return [Problem(location=location, what=f"'{there}' is a file", expected="expected a folder")]
    if not os.access(there, os.W_OK | os.X_OK):
        return [
            Problem(location=location, what=f"'{there}' cannot be written", expected="expected a folder that can be")
        ]
    return []


def _named_twice(written: list[tuple[Location, Path]]) -> Iterator[Problem]:
    seen: set[Path] = set()
    for location, path in written:
        if path.absolute() in seen:
            yield Problem(location=location, what=f"'{path}' is named twice", expected="expected a file of its own")
        seen.add(path.absolute())


def _state_to_read(path: Path) -> list[Problem]:
    expected = "expected a storage state as Playwright and state_out write it"
    try:
        state = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        return [Problem(location=("state_in",), what=f"'{path}' cannot be read ({error.strerror})", expected=expected)]
    except ValueError:
        return [Problem(location=("state_in",), what=f"'{path}' is not JSON", expected=expected)]
    if not isinstance(state, dict) or not {"cookies", "origins"} & set(state):
        return [Problem(location=("state_in",), what=f"'{path}' holds no cookies and origins", expected=expected)]
    return []
