"""The servers that destinations need, one for all tests of a process, and a place of every kind."""

from __future__ import annotations

import uuid
from pathlib import Path

import pytest

from tests.fixtures.written_records import DuckDbTables, Files, Place, PostgresTables, S3Objects

KINDS = ("jsonl", "csv", "parquet", "sqlite", "duckdb", "postgres", "s3 object", "s3 parts")


@pytest.fixture(autouse=True)
def crawls_share_a_browser() -> None:
    """Nothing here crawls: no browser."""


@pytest.fixture
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """The place of the kind that the test is parametrised with."""
    return place_of(request.param, request, tmp_path)


def place_of(kind: str, request: pytest.FixtureRequest, folder: Path) -> Place:
    """A new place of a kind, with nothing in it."""
    match kind:
        case "duckdb":
            pytest.importorskip("duckdb", reason="the extra duckdb is not installed")
            return DuckDbTables(folder / "new" / "a.duckdb")
        case "postgres":
            return PostgresTables(request.getfixturevalue("postgres"), f"t{uuid.uuid4().hex[:8]}")
        case "s3 object" | "s3 parts":
            server, parts = request.getfixturevalue("s3"), kind == "s3 parts"
            return S3Objects(server, f"b{uuid.uuid4().hex[:8]}", ".parquet", folder, parts=parts)
    return Files(folder, f".{kind}")
