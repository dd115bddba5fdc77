"""A folder with a library of three pages, as a person makes one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.walker.cli.program import walker_here

PAGES = {
    "https://one.example/backup.html": (
        "Backups",
        "The backup of the archive is kept for 90 days.",
        "It is written to two disks in the cellar.",
    ),
    "https://two.example/restore.html": (
        "Restoring",
        "Restore the archive with the tool unpackarchive.",
        "It is slow.",
    ),
    "https://two.example/staff.html": ("Staff", "Ilse Brandt looks after the archive.", "Her room is 4.17."),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = [
        {"url": url, "status": 200, "html": f"<title>{title}</title><h1>{title}</h1><p>{one}</p><p>{two}</p>"}
        for url, (title, one, two) in PAGES.items()
    ]
    (tmp_path / "pages.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    ended = walker_here("library", "add", "docs.library", "pages.jsonl", folder=tmp_path)
    assert ended.code == 0, ended.err
    return tmp_path
