"""The file of answers: nothing that was answered is lost, and no other file is harmed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from walker.batch.predictions import Prediction, PredictionFile
from walker.errors import UsageError


def written(path: Path, *ids: str) -> bytes:
    file = PredictionFile(path)
    for one in ids:
        file.add(Prediction(id=one, question="Who?", answer="Ada", stop_reason="answered"))
    file.close()
    return path.read_bytes()


def done_in(path: Path) -> frozenset[str]:
    file = PredictionFile(path)
    file.close()
    return file.done


def test_an_answer_is_on_disk_when_it_was_added_and_is_found_again(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "answers.jsonl"
    lines = written(path, "a", "b").splitlines()
    assert [json.loads(line)["id"] for line in lines] == ["a", "b"]
    assert done_in(path) == {"a", "b"}


def test_a_question_that_failed_is_asked_again(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    file = PredictionFile(path)
    file.add(Prediction(id="a", stop_reason="failed", error="refused"))
    file.add(Prediction(id="b", stop_reason="exhausted"))
    file.close()
    assert done_in(path) == {"b"}


def test_a_last_line_cut_off_anywhere_costs_that_answer_only(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    whole = written(path, "a", "b")
    first = whole.index(b"\n") + 1
    for cut in range(first + 1, len(whole) - 1):
        path.write_bytes(whole[:cut])
        assert done_in(path) == {"a"}
        assert path.read_bytes() == whole[:first]


def test_a_whole_last_line_without_its_end_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    whole = written(path, "a", "b")
    path.write_bytes(whole[:-1])
    assert done_in(path) == {"a", "b"}
    assert path.read_bytes() == whole


@pytest.mark.parametrize(
    "text",
    [
        '{"id":"a","question":"Who?","site":"tides"}',
        '{"id": "a", "question": "Who?", "site": "tides"}\n',
        '[{"id": "a", "answer": "Ada"}]',
        "Notes of today",
        "Notes of today\n",
        '{"id":"a","stop_reason":"answered"}\n\n',
    ],
)
def test_another_file_is_refused_and_left_as_it_is(tmp_path: Path, text: str) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text(text)
    with pytest.raises(UsageError, match=r"not a prediction.*Give --out a new file"):
        PredictionFile(path)
    assert path.read_text() == text


def test_a_line_that_is_damaged_is_named(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_bytes(written(path, "a") + b"garbage\n" + written(path, "b"))
    with pytest.raises(UsageError, match=r"answers\.jsonl:2: not a prediction"):
        PredictionFile(path)


def test_two_batches_cannot_write_to_one_file(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    first = PredictionFile(path)
    with pytest.raises(UsageError, match="another process writes to it"):
        PredictionFile(path)
    first.close()
    assert done_in(path) == frozenset()


def test_a_place_that_cannot_be_written_is_told_before_anything_is_asked(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="cannot be written"):
        PredictionFile(tmp_path / "file" / "answers.jsonl")
    for place in (tmp_path, Path("/dev/null")):
        with pytest.raises(UsageError, match="need a file"):
            PredictionFile(place)
