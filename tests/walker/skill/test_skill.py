"""The skill: what it says is so, and its installation keeps what a person has changed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from tests.walker.cli.program import walker_here
from walker.cli.commands import COMMANDS
from walker.seams.outcome import Outcome, StopReason
from walker.skill.installing import install_skill, skill_folders, skill_text


def test_its_head_is_what_agents_read() -> None:
    head = yaml.safe_load(skill_text().split("---")[1])
    assert head["name"] == "walker"
    assert "Use when" in head["description"]
    assert len(head["description"]) <= 1024


def test_commands_fields_and_stop_reasons_that_it_names_exist() -> None:
    text = skill_text()
    named = set(re.findall(r"`walker ([a-z-]+)", text))
    assert {"ask", "extract", "crawl", "look", "mcp"} <= named <= set(COMMANDS)
    fields = ("answered", "answer", "nearest", "items", "confidence", "citations", "stop_reason", "trace")
    for field in fields:
        assert f"`{field}`" in text
        assert field in Outcome.__struct_fields__
    (entry,) = re.findall(r"^- `stop_reason`.*?(?=^- )", text, flags=re.MULTILINE | re.DOTALL)
    told = set(re.findall(r"`([a-z ]+)`", entry)) - {"stop_reason", "walker login"}
    assert told == {reason.value for reason in StopReason}, "an agent meets each of them"


def test_a_login_is_a_persons_part_and_then_a_profile() -> None:
    """An agent that is told that nothing behind a login can be had gives up where one command of its person would do."""
    assert "`walker login URL --save NAME`" in skill_text()
    assert "`--profile NAME`" in skill_text()


def test_it_is_installed_and_a_second_time_left_alone(tmp_path: Path) -> None:
    first = walker_here("skill", "install", "--to", "skills", folder=tmp_path)
    again = walker_here("skill", "install", "--to", "skills", folder=tmp_path)
    assert (first.code, first.out) == (0, "installed: skills/walker/SKILL.md\n")
    assert (again.code, again.out) == (0, "unchanged: skills/walker/SKILL.md\n")
    assert (tmp_path / "skills/walker/SKILL.md").read_text().startswith(skill_text())


def test_a_changed_file_is_kept_unless_forced(tmp_path: Path) -> None:
    path = install_skill(tmp_path, force=False).path
    path.write_text(path.read_text().replace("# Walker", "# Ours"))
    kept = walker_here("skill", "install", "--to", ".", folder=tmp_path)
    assert kept.code == 1
    assert "--force" in kept.line
    assert "# Ours" in path.read_text()
    assert walker_here("skill", "install", "--to", ".", "--force", folder=tmp_path).code == 0
    assert "# Ours" not in path.read_text()


def test_an_older_version_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("walker.skill.installing.skill_text", lambda: "# The skill of last year\n")
        install_skill(tmp_path, force=False)
    assert install_skill(tmp_path, force=False).done == "installed"


def test_folders_are_those_of_agents_that_are_used(tmp_path: Path) -> None:
    assert skill_folders(tmp_path) == (tmp_path / ".claude" / "skills",)
    (tmp_path / ".codex").mkdir()
    assert skill_folders(tmp_path) == (tmp_path / ".codex" / "skills",)


def test_it_is_shown(tmp_path: Path) -> None:
    assert walker_here("skill", "show", folder=tmp_path).out == skill_text()
