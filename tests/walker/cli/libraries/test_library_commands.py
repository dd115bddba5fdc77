"""`walker library` and `walker search` as a person uses them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.walker.cli.program import Ended, walker_here

ROWS = (
    ("backup.html", "Backups", "<h2 id=plan>Plan</h2><p>The backup of the database runs every night at two.</p>"),
    ("restore.html", "Restoring", "<p>Restore a backup with the tool of the archive.</p>"),
    ("old/zh.html", "备份", "<p>数据库每晚两点备份。</p>"),
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    lines = (
        json.dumps(
            {
                "url": f"https://docs.example/{path}",
                "status": 200,
                "html": f"<title>{title}</title><body>{html}</body>",
            }
        )
        for path, title, html in ROWS
    )
    (tmp_path / "pages.jsonl").write_text("\n".join(lines))
    ended = run(tmp_path, "library", "add", "docs.library", "pages.jsonl")
    assert (ended.code, ended.out) == (0, "")
    assert ended.line == "pages.jsonl: 3 new"
    return tmp_path


def run(folder: Path, *arguments: str) -> Ended:
    return walker_here(*arguments, folder=folder)


def test_hits_are_printed_with_the_words_marked(folder: Path) -> None:
    ended = run(folder, "search", "docs.library", "when does", "the backup run?")
    assert ended.code == 0
    title, snippet, address, *_ = ended.out.splitlines()
    assert title == "Backups > Plan"
    assert snippet == "  Plan The *backup* of the database *runs* every night at two."
    assert address.startswith("  https://docs.example/backup.html#plan  (")
    assert "\x1b" not in ended.out


def test_hits_are_json_lines(folder: Path) -> None:
    ended = run(folder, "search", "docs.library", "数据库备份", "--json")
    (hit,) = [json.loads(line) for line in ended.out.splitlines()]
    assert {name: hit[name] for name in ("rank", "url", "title", "headings", "passage", "language")} == {
        "rank": 1,
        "url": "https://docs.example/old/zh.html",
        "title": "备份",
        "headings": [],
        "passage": 0,
        "language": "zh",
    }
    assert [hit["snippet"][start:end] for start, end in hit["marks"]] == ["数据库", "备份"]
    assert set(hit) == set("rank url address title headings snippet marks text passage language score".split())
    assert hit["score"] > 0


def test_one_page_and_a_number_of_hits(folder: Path) -> None:
    assert len(run(folder, "search", "docs.library", "backup", "-k", "1", "--json").out.splitlines()) == 1
    assert len(run(folder, "search", "docs.library", "backup", "--meaning", "--json").out.splitlines()) == 2
    alone = run(folder, "search", "docs.library", "backup", "--page", "https://docs.example/restore.html", "--json")
    assert [json.loads(line)["title"] for line in alone.out.splitlines()] == ["Restoring"]


def test_nothing_found_is_exit_code_3(folder: Path) -> None:
    ended = run(folder, "search", "docs.library", "zeppelin", "--json")
    assert (ended.code, ended.out, ended.line) == (3, "", "walker: nothing found")


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("search", "none.library", "x1"), 1, "there is no such file"),
        (("search", "pages.jsonl", "x1"), 1, "is not a library"),
        (("search", ".", "x1"), 1, "is a folder"),
        (("search", "docs.library", ""), 2, "has no word in it"),
        (("search", "docs.library", "what is the"), 2, "only words that every page has"),
        (("library", "add", "docs.library", "nowhere"), 2, "there is no such file or folder"),
        (("library", "add", "pages.jsonl", "pages.jsonl"), 1, "is not a library"),
        (("library", "list", "none.library"), 1, "there is no such file"),
        (("library", "info", "none.library"), 1, "there is no such file"),
        (("library", "remove", "none.library", "x"), 1, "there is no such file"),
    ],
)
def test_bad_input_is_told_in_one_line(folder: Path, arguments: tuple[str, ...], code: int, said: str) -> None:
    ended = run(folder, *arguments)
    assert ended.code == code
    assert said in ended.line
    assert ended.line.startswith("walker: ")
    assert not (folder / "none.library").exists()


def test_a_library_is_listed_described_and_emptied(folder: Path) -> None:
    listed = [json.loads(line) for line in run(folder, "library", "list", "docs.library", "--json").out.splitlines()]
    assert [page["title"] for page in listed] == ["Backups", "备份", "Restoring"]
    assert "https://docs.example/old/zh.html  备份" in run(folder, "library", "list", "docs.library").out
    info = json.loads(run(folder, "library", "info", "docs.library", "--json").out)
    assert (info["pages"], info["addresses"], info["passages"]) == (3, 3, 3)
    assert info["sites"] == {"https://docs.example": 3}
    assert "3 pages under 3 addresses, 3 passages" in run(folder, "library", "info", "docs.library").out
    removed = run(folder, "library", "remove", "docs.library", "https://docs.example/old/*", "--json")
    assert json.loads(removed.out) == {"removed": 1}
    assert run(folder, "search", "docs.library", "数据库").code == 3
    assert run(folder, "library", "remove", "docs.library", "https://docs.example/old/*").code == 3


def test_adding_again_adds_nothing(folder: Path) -> None:
    ended = run(folder, "library", "add", "docs.library", "pages.jsonl", "--json")
    assert json.loads(ended.out) == {"known": 3}
