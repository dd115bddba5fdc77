"""`walker ask --batch` as a person runs it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.walker.cli.program import closed_address, walker_here
from walker.demo.questions import bundled_questions
from walker.demo.server import serve_institute

QUESTIONS = tuple(one for one in bundled_questions() if one.id in ("flume-depth", "three-papers", "fee-chinese"))
"""More than are asked at once, in two languages; what each of the five is answered, the test of the demo has."""


@pytest.fixture(scope="module")
def institute() -> Iterator[str]:
    with serve_institute() as root:
        yield root.removesuffix("index.html")


@pytest.fixture
def batch(institute: str, tmp_path: Path) -> tuple[str, ...]:
    lines = [
        {
            "id": one.id,
            "site": "tides",
            "root": "index.html",
            "question": one.question,
            "lang": one.lang,
            "answer": "unread",
        }
        for one in QUESTIONS
    ]
    (tmp_path / "qa.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return ("ask", "--batch", "qa.jsonl", "--site", f"tides={institute}", "--out", "answers.jsonl", "--jobs", "2")


def answers(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "answers.jsonl").read_text(encoding="utf-8").splitlines()]


def test_every_question_is_answered_once_and_not_asked_again(batch: tuple[str, ...], tmp_path: Path) -> None:
    ended = walker_here(*batch, "--json", folder=tmp_path)
    assert ended.code == 0, ended.err
    report = json.loads(ended.out)
    assert (report["questions"], report["skipped"], report["failed"]) == (3, 0, 0)
    told = answers(tmp_path)
    assert sorted(one["id"] for one in told) == sorted(one.id for one in QUESTIONS)
    assert next(one for one in told if one["id"] == "flume-depth")["answer"] == "1.8 m"
    assert all((tmp_path / one["trace"] / "events.jsonl").exists() for one in told)
    again = walker_here(*batch, "--json", folder=tmp_path)
    assert json.loads(again.out)["skipped"] == 3
    assert answers(tmp_path) == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "the file holds no question"),
        ('{"id": "a", "question": "Who?", "site": "tides"}\n{"id": "b", "quest', "qa.jsonl:2: not a question"),
        (
            '{"id": "a", "question": "Who?", "site": "tides"}\n\n{"id": "a", "question": "Who?"}',
            'qa.jsonl:3: the id "a"',
        ),
        ('{"id": "a", "question": " ", "site": "tides"}', "qa.jsonl:1: the question is empty"),
        ('{"id": "a", "question": "Who?", "site": "elsewhere"}', 'no address is known for the site "elsewhere"'),
    ],
)
def test_a_question_file_that_is_wrong_is_told_by_its_line(
    batch: tuple[str, ...], tmp_path: Path, text: str, told: str
) -> None:
    (tmp_path / "qa.jsonl").write_text(text, encoding="utf-8")
    ended = walker_here(*batch, folder=tmp_path)
    assert (ended.code, ended.out) == (2, "")
    assert told in ended.line
    assert not (tmp_path / "runs").exists()


def test_a_site_that_is_gone_is_an_answer_of_its_own_and_the_others_go_on(
    batch: tuple[str, ...], tmp_path: Path
) -> None:
    gone = {"id": "gone", "root": closed_address(), "question": "Who is there?"}
    lines = (tmp_path / "qa.jsonl").read_text(encoding="utf-8").splitlines()[:1]
    (tmp_path / "qa.jsonl").write_text("\n".join([json.dumps(gone), *lines]), encoding="utf-8")
    ended = walker_here(*batch, "--json", folder=tmp_path)
    assert ended.code == 1
    told = {one["id"]: one for one in answers(tmp_path)}
    assert "refused" in told["gone"]["error"]
    assert told["flume-depth"]["answer"] == "1.8 m"


@pytest.mark.parametrize("flags", [("WALKER_CHROMIUM",), ("--model",)])
def test_what_no_walk_can_do_without_ends_the_batch_in_one_line(
    batch: tuple[str, ...], tmp_path: Path, flags: tuple[str, ...]
) -> None:
    if flags == ("WALKER_CHROMIUM",):
        ended = walker_here(*batch, "-q", folder=tmp_path, WALKER_CHROMIUM=str(tmp_path / "none"))
    else:
        ended = walker_here(*batch, "-q", "--model", "m", "--base-url", "http://127.0.0.1:9/v1", folder=tmp_path)
    assert (ended.code, ended.out) == (1, "")
    assert ended.line.startswith("walker: ")
    assert not (tmp_path / "answers.jsonl").exists() or answers(tmp_path) == []
