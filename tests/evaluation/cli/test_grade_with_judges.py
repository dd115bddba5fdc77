"""Judges asked from the command line, at a real endpoint."""

from __future__ import annotations

import json
from pathlib import Path

from evaluation.dataset.question import Dataset, Question
from evaluation.experiment.folder import ExperimentFolder
from evaluation.experiment.variants import read_variants
from evaluation.ledger import Ledger
from evaluation.sample import Sample
from tests.sites.endpoint_in_a_thread import served
from tests.walker.cli.program import Ended, walker_here
from walker.settings import Settings
from walker.testing.chat_server import Asked, Endpoint, Reply

QUESTIONS = tuple(
    Question(id=name, question=f"How deep is {name}?", answers=("1.8 m",), root="https://a.example/") for name in "abcd"
)
ANSWERS = {"a": "1.8 m", "b": "one metre eighty", "c": "two miles", "d": "hard to say"}


def experiment(tmp_path: Path) -> ExperimentFolder:
    folder = ExperimentFolder(tmp_path / "tide")
    folder.begin(Dataset(name="set", questions=QUESTIONS), read_variants(["all"]), Settings(), 1)
    ledger = Ledger(folder.samples_file, Sample)
    for name, answer in ANSWERS.items():
        ledger.add(Sample(question_id=name, variant="all", answer=answer, pages=2))
    ledger.close()
    return folder


def verdict(asked: Asked) -> Reply:
    if "is wrong. Say in which way" in asked.prompt:
        return Reply(text='{"class": "totally incorrect", "reason": "it is another depth"}')
    if "hard to say" in asked.prompt:
        return Reply(text="I would rather not.")
    return Reply(text="<judge>Yes</judge>" if "eighty" in asked.prompt else "<judge>No</judge>")


def graded(endpoint: Endpoint, folder: ExperimentFolder, *more: str) -> Ended:
    judge = ("--judge", "yesno", "--judge-model", "test-model", "--judge-url", endpoint.base_url)
    command = ("eval", "grade", folder.path.name, *judge, "--classify", "--json", "-q", *more)
    return walker_here(*command, folder=folder.path.parent, WALKER_API_KEY="sk-judge")


def test_judges_grade_what_does_not_match_and_an_unreadable_grade_stays_open(tmp_path: Path) -> None:
    folder = experiment(tmp_path)
    with served(Endpoint(verdict, key="sk-judge")) as endpoint:
        ended = graded(endpoint, folder)
        assert (ended.code, ended.err) == (0, "")
        assert json.loads(ended.out) == {"graded": 4, "right": 2, "unscored": 1}
        asked = len(endpoint.asked)
        again = graded(endpoint, folder)
        assert json.loads(again.out)["unscored"] == 1
        assert len(endpoint.asked) == asked + 2  # the unreadable one, twice
    grades = {grade.question_id: grade for grade in folder.read_grades(folder.read_answers().samples)}
    assert grades["a"].by == "match"
    assert grades["b"].votes == {"match": False, "yesno/test-model": True}
    assert (grades["c"].error_class, grades["c"].error_by) == ("totally incorrect", "test-model")
    assert grades["d"].right is None


def test_a_judge_that_cannot_be_had_is_one_line(tmp_path: Path) -> None:
    folder = experiment(tmp_path)
    with served(Endpoint(verdict, key="another")) as endpoint:
        ended = graded(endpoint, folder)
    assert ended.code == 1
    assert len(ended.err.strip().splitlines()) == 1
    assert "sk-judge" not in ended.err
