from __future__ import annotations

import os
import shutil
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "release"


class Project:
    """A small project under git with the release script in it, and a stand-in for the one that makes the files to give out."""

    def __init__(self, folder: Path, changelog: str, made: str = "true") -> None:
        self.folder = folder
        (folder / "scripts").mkdir()
        shutil.copy(SCRIPT, folder / "scripts")
        files = folder / "scripts" / "release_files"
        files.write_text(f"#!/bin/sh\n{made}\n", encoding="utf-8")
        files.chmod(0o755)
        (folder / "pyproject.toml").write_text('[project]\nname = "a"\nversion = "0.2.0"\n', encoding="utf-8")
        (folder / "CHANGELOG.md").write_text(changelog, encoding="utf-8")
        self.git("init", "-q")
        self.git("config", "user.name", "a")
        self.git("config", "user.email", "a@b")
        self.git("add", ".")
        self.git("commit", "-q", "-m", "Begin")

    def git(self, *arguments: str) -> str:
        done = subprocess.run(["git", *arguments], cwd=self.folder, check=True, capture_output=True, text=True)
        return done.stdout.strip()

    def release(self, **more: str) -> subprocess.CompletedProcess[str]:
        script = self.folder / "scripts" / "release"
        return subprocess.run([str(script)], check=False, capture_output=True, text=True, env=os.environ | more)


def today() -> str:
    return datetime.now(UTC).date().isoformat()


def test_the_version_is_tagged_once(tmp_path: Path) -> None:
    project = Project(tmp_path, "# Changelog\n\n## 0.2.0 (2026-11-22)\n\n- rooms\n")
    assert project.release().returncode == 0
    assert project.git("tag") == "v0.2.0"
    again = project.release()
    assert again.returncode == 1
    assert "tagged already" in again.stderr


def test_a_section_gets_the_day_of_its_release(tmp_path: Path) -> None:
    project = Project(tmp_path, "# Changelog\n\n## 0.2.0 (not released)\n\n- rooms\n\n## 0.1.0 (2026-01-01)\n")
    days = {today()}
    assert project.release(DRY="1").returncode == 0
    assert project.git("log", "--format=%s") == "Begin"
    assert project.git("tag") == project.git("status", "--porcelain") == ""
    assert project.release().returncode == 0
    days.add(today())
    assert project.git("log", "-1", "--format=%s", "v0.2.0") == "Release 0.2.0"
    tagged = project.git("show", "v0.2.0:CHANGELOG.md").splitlines()
    assert tagged[2] in {f"## 0.2.0 ({day})" for day in days}
    assert tagged[4:] == ["- rooms", "", "## 0.1.0 (2026-01-01)"]
    assert project.git("status", "--porcelain") == ""


@pytest.mark.parametrize(
    ("changelog", "told"),
    [
        ("# Changelog\n\n## 0.1.0\n", "no section"),
        ("# Changelog\n\n## 0.2.01\n", "no section"),
    ],
)
def test_a_version_without_its_section_is_refused(tmp_path: Path, changelog: str, told: str) -> None:
    project = Project(tmp_path, changelog)
    refused = project.release()
    assert refused.returncode == 1
    assert told in refused.stderr
    assert project.git("tag") == ""


def test_changes_that_are_not_committed_are_refused(tmp_path: Path) -> None:
    project = Project(tmp_path, "# Changelog\n\n## 0.2.0 (2026-11-22)\n")
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## 0.2.0 (2026-11-23)\n", encoding="utf-8")
    refused = project.release()
    assert refused.returncode == 1
    assert "not committed" in refused.stderr


def test_a_release_without_its_files_is_not_tagged(tmp_path: Path) -> None:
    project = Project(
        tmp_path, "# Changelog\n\n## 0.2.0 (2026-11-22)\n", made="echo 'release: there is no wheel' >&2; exit 1"
    )
    failed = project.release()
    assert failed.returncode == 1
    assert "no wheel" in failed.stderr
    assert project.git("tag") == ""
