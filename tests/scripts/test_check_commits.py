from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from scripts.check_commits import new_subjects, problems_of


@pytest.mark.parametrize(
    "subject",
    [
        "Move every module into a room that says what lies in it",
        "Bring the browser back after a crash",
        "Press what unfolds a menu",
        "x".upper() * 72,
    ],
)
def test_a_good_subject(subject: str) -> None:
    assert list(problems_of(subject)) == []


@pytest.mark.parametrize(
    "subject",
    ["Added a rule", "Adding a rule", "Adds a rule", "add a rule", "Add a rule.", "A" * 73],
)
def test_a_bad_subject(subject: str) -> None:
    assert len(list(problems_of(subject))) == 1


def test_subjects_since_the_last_release(tmp_path: Path) -> None:
    def git(*arguments: str) -> str:
        named = ("-c", "user.name=a", "-c", "user.email=a@b")
        done = subprocess.run(["git", *named, *arguments], cwd=tmp_path, check=True, capture_output=True, text=True)
        return done.stdout.strip()

    def commit(subject: str) -> str:
        git("commit", "--allow-empty", "-m", subject)
        return git("rev-parse", "HEAD")

    git("init", "-q")
    first = commit("Begin")
    commit("Go on")
    assert new_subjects(tmp_path, since=first) == ["Go on"]
    git("tag", "-a", "v0.1.0", "-m", "first")
    commit("Go further")
    assert new_subjects(tmp_path, since=first) == ["Go further"]
    assert new_subjects(tmp_path, since="0" * 40) == ["Go further"]
    git("tag", "-d", "v0.1.0")
    assert new_subjects(tmp_path, since="0" * 40) is None
