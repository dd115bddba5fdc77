"""Question files: what is wrong is told by its line, before anything is opened."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from walker.batch.questions import read_questions
from walker.errors import UsageError

SITES = {"tides": "http://127.0.0.1:8101/docs/"}
ONE = '{"id": "a", "question": "Who?", "site": "tides", "root": "/index.html", "lang": "en"}'


def file_of(folder: Path, text: str) -> Path:
    path = folder / "qa.jsonl"
    path.write_bytes(text.encode())
    return path


def test_a_root_stands_below_its_site_and_a_full_address_needs_none(tmp_path: Path) -> None:
    full = json.dumps({"id": "b", "question": "What?", "root": "https://example.org/x", "answer": 3})
    first, second = read_questions(file_of(tmp_path, f"{ONE}\n\n{full}"), SITES)
    assert (first.id, first.roots, first.language) == ("a", ("http://127.0.0.1:8101/docs/index.html",), "en")
    assert (second.id, second.roots, second.question) == ("b", ("https://example.org/x",), "What?")


def test_the_marks_of_other_editors_and_alphabets_do_no_harm(tmp_path: Path) -> None:
    question = "Which\u2028line\x85is it?"
    line = json.dumps({"id": "a", "question": question, "site": "tides"}, ensure_ascii=False)
    (read,) = read_questions(file_of(tmp_path, f"\ufeff{line}\r\n"), SITES)
    assert read.question == question


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("[]", "not a question"),
        ('{"id": 3, "question": "Who?", "site": "tides"}', "not a question (Expected `str`, got `int` - at `$.id`)"),
        ('{"question": "Who?", "site": "tides"}', "missing required field `id`"),
        ('{"id": "", "question": "Who?", "site": "tides"}', "the id is empty"),
        ('{"id": "b", "question": "\\ud83d", "site": "tides"}', "surrogate"),
        ('{"id": "b", "question": "Who?"}', 'no address is known for the site "". Add --site NAME=http://...'),
        ('{"id": "b", "question": "Who?", "root": "ftp://x/", "site": "tides"}', "ftp is not http or https"),
        ('{"id": "b", "question": "Who?", "root": "http://[::1"}', "not a valid address"),
        (ONE, 'the id "a" occurs twice'),
    ],
)
def test_a_line_that_is_wrong_is_named(tmp_path: Path, line: str, told: str) -> None:
    path = file_of(tmp_path, f"{ONE}\n\n{line}\n")
    with pytest.raises(UsageError) as caught:
        read_questions(path, SITES)
    assert str(caught.value).startswith(f"{path}:3: ")
    assert told in str(caught.value)


def test_a_file_that_is_not_there_or_not_text_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"cannot be read \(No such file or directory\)\. Check the path"):
        read_questions(tmp_path / "none.jsonl", SITES)
    with pytest.raises(UsageError, match="Is a directory"):
        read_questions(tmp_path, SITES)
    (tmp_path / "latin.jsonl").write_bytes(f"{ONE}\nWér".encode("latin-1"))
    with pytest.raises(UsageError, match=r"latin\.jsonl:2: not UTF-8 text"):
        read_questions(tmp_path / "latin.jsonl", SITES)
