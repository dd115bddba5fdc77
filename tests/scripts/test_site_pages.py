"""The pages of the documentation site: one for each command, every public name, every event of a recording."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import get_args

import yaml

import walker
from traces.events import Event
from walker.cli.commands import COMMANDS

PROJECT = Path(__file__).parents[2]


def test_all_commands_names_and_events_have_their_place(tmp_path: Path) -> None:
    command = [sys.executable, str(PROJECT / "scripts" / "site_pages.py"), str(tmp_path / "site")]
    subprocess.run(command, check=True)
    site = tmp_path / "site"
    reference = site / "reference"
    assert {page.stem for page in (reference / "commands").iterdir()} >= {"index", "runs-pack", *COMMANDS}
    asked = (reference / "commands" / "ask.md").read_text(encoding="utf-8")
    assert asked.startswith("# walker ask\n")
    assert "--max-pages" in asked
    python = (reference / "python.md").read_text(encoding="utf-8")
    assert [name for name in walker.__all__ if f".{name}\n" not in python] == []
    recordings = (reference / "recordings.md").read_text(encoding="utf-8")
    tags = [kind.__struct_config__.tag for kind in get_args(Event)]
    assert len(tags) > 30
    assert [tag for tag in tags if f"\n## {tag}\n" not in recordings] == []
    assert "| `final_url` | `str` |" in recordings
    extra = yaml.safe_load(
        (PROJECT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nextra:")[2].partition("\nnot_in_nav")[0]
    )
    assert [name for name in extra["polyfills"] if not (site / name).is_file()] == [], "none of another host"
    assert "](docs/" not in (site / "index.md").read_text(encoding="utf-8"), (
        "links of the README lead to pages of the site"
    )
