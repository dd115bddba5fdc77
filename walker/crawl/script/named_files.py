"""Checks that the files named by a script can be read or written, without asking anything beyond this machine."""

from __future__ import annotations

import importlib.util
import json
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from walker.crawl.script.destination import Destination, DuckDbTable, PostgresTable, S3Object, S3Parts
from walker.crawl.script.script_yaml import Location
from walker.crawl.script.spec import CrawlSpec
from walker.crawl.script.spec_problems import Problem

RECORD_ENDINGS = (".jsonl", ".csv", ".parquet", ".sqlite")
PART_ENDINGS = (".jsonl", ".csv", ".parquet")
WARC_ENDINGS = (".warc", ".warc.gz")
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/")


def problems_of_files(spec: CrawlSpec) -> list[Problem]:
    """All problems with the paths and destinations of a script; paths are relative to the working directory."""
    output = spec.output
    records: list[tuple[Location, Destination]] = [
        (("output", "items", number), to) for number, to in enumerate(output.items)
    ]
    records += [(("output", "pages", number), to) for number, to in enumerate(output.pages)]
    if output.chunks:
        records.append((("output", "chunks"), output.chunks))
    found = [problem for location, to in records for problem in _records(location, to)]
    files = [(location, path) for location, path in _files_alone(spec) if not _is_address(path)]
    found += [
        Problem(location=location, what="an address", expected="expected a path; records alone can go elsewhere")
        for location, path in _files_alone(spec)
        if _is_address(path)
    ]
    written: list[tuple[Location, Path]] = []
    for location, path in files:
        if location in (("output", "files"), ("output", "markdown")):
            found += _folder_to_write(location, path)
            continue
        if location == ("output", "warc") and not path.name.endswith(WARC_ENDINGS):
            found.append(_unknown_ending(location, path, WARC_ENDINGS))
        written.append((location, path))
        found += _file_to_write(location, path)
    found += _named_twice([*records, *written])
    return found + (_state_to_read(spec.state_in) if spec.state_in else [])


def _files_alone(spec: CrawlSpec) -> list[tuple[Location, Path]]:
    """What is written that is no records."""
    output = spec.output
    named: list[tuple[Location, Path | None]] = [
        (("output", "warc"), output.warc),
        (("state_out",), spec.state_out),
        (("output", "files"), output.files),
        (("output", "markdown"), output.markdown),
    ]
    return [(location, path) for location, path in named if path is not None]


def _is_address(path: Path) -> bool:
    """Whether it was an address, of whose slashes a path keeps one."""
    return _ADDRESS.match(str(path)) is not None


def _records(location: Location, to: Destination) -> list[Problem]:
    match to:
        case DuckDbTable():
            return [*_extra(location, "duckdb", "DuckDB", "duckdb"), *_file_to_write(location, to.path)]
        case PostgresTable():
            return _extra(location, "psycopg", "Postgres", "postgres")
        case S3Object() | S3Parts():
            endings = RECORD_ENDINGS if isinstance(to, S3Object) else PART_ENDINGS
            return [*_extra(location, "obstore", "S3", "s3"), *_records_format(location, to, endings)]
        case _:
            return [*_records_format(location, to, RECORD_ENDINGS), *_file_to_write(location, to)]


def _records_format(location: Location, to: Path | S3Object | S3Parts, endings: tuple[str, ...]) -> list[Problem]:
    if to.suffix not in endings:
        return [_unknown_ending(location, to, endings)]
    return _extra(location, "pyarrow", "Parquet", "files") if to.suffix == ".parquet" else []


def _extra(location: Location, package: str, what: str, extra: str) -> list[Problem]:
    """The problem that an optional package is missing, if it is."""
    if importlib.util.find_spec(package) is not None:
        return []
    expected = f"install it: pip install 'gemwalker[{extra}]'"
    return [Problem(location=location, what=f"{what} needs {package}", expected=expected)]


def _unknown_ending(location: Location, path: Destination, endings: tuple[str, ...]) -> Problem:
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


def _named_twice(written: Sequence[tuple[Location, Destination]]) -> Iterator[Problem]:
    seen: set[Destination] = set()
    for location, to in written:
        one = _absolute(to)
        if one in seen:
            kind = "file" if isinstance(to, Path) else "table or object"
            yield Problem(location=location, what=f"'{to}' is named twice", expected=f"expected a {kind} of its own")
        seen.add(one)


def _absolute(to: Destination) -> Destination:
    match to:
        case Path():
            return to.absolute()
        case DuckDbTable():
            return DuckDbTable(path=to.path.absolute(), table=to.table.casefold())
        case _:
            return to


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
