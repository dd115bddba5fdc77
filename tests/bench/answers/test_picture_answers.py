"""What the program that asks about pictures prints, and what it refuses."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import msgspec
import picture_answers
import pytest
from answers.pictures.asking import AskedQuestion, Placed
from answers.question_set import Half, Site
from answers.sites_here import ServedSite
from answers.walks import Ended

from tests.bench.answers.bench_program import bench_program
from tests.bench.answers.test_picture_questions import CROP, ONWARD, WHOLE, question_of


def asked_of(site: Site, half: Half = "building") -> list[AskedQuestion]:
    served = ServedSite(site=msgspec.structs.replace(site, half=half), base="http://h:1/", questions=())
    questions = [question_of({**one, "id": f"ferry-{one['sort']}"}) for one in (WHOLE, CROP, ONWARD)]
    return [AskedQuestion(served=served, question=one, picture=Path(f"{one.id}.jpg")) for one in questions]


def options_of(**given: object) -> argparse.Namespace:
    return argparse.Namespace(**{"list_failures": True, "results": None, "model": "seer"} | given)


def figures_in(printed: str) -> dict[str, float]:
    figures = [json.loads(line) for line in printed.splitlines() if line.startswith("{")]
    return {one["figure"]: one["value"] for one in figures}


def test_a_question_is_asked_as_a_line_of_a_batch(site: Site) -> None:
    whole = asked_of(site)[0]
    assert msgspec.to_builtins(whole.walk) == {
        "id": "ferry-whole",
        "question": "How many seats has the vessel on this plan?",
        "root": "http://h:1/index.html",
        "lang": "en",
        "picture": "ferry-whole.jpg",
    }


def test_right_answers_are_counted_by_sort(site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ended = [
        Ended(id="ferry-whole", answer="120 seats", confidence=0.9),
        Ended(id="ferry-crop", nearest="120", confidence=0.3),
        Ended(id="ferry-onward", error="no page"),
    ]
    answered = [picture_answers.Answered(asked=one, ended=end) for one, end in zip(asked_of(site), ended, strict=True)]
    results = tmp_path / "results.jsonl"
    share = picture_answers.print_mode("walk", answered, options_of(results=results))
    printed = capsys.readouterr().out
    assert share == pytest.approx(1 / 3)
    assert "pictures, walk: whole: 1 of 1 right; the best that was found, given or not: 1" in printed
    assert "pictures, walk: crop: 0 of 1 right; the best that was found, given or not: 1" in printed
    assert "pictures, walk: failed: 1\n  no page" in printed
    assert "ferry-onward onward 0.00 In which year was the vessel on this plan built?" in printed
    assert figures_in(printed) == {"pictures, walk: right of 3": 0.333}
    lines = [json.loads(line) for line in results.read_text().splitlines()]
    assert [(one["id"], one["right"], one["cause"]) for one in lines] == [
        ("ferry-whole", True, "walk"),
        ("ferry-crop", False, "walk"),
        ("ferry-onward", False, "walk"),
    ]


@pytest.mark.parametrize(
    ("mode", "model", "want"), [("walk", "seer", ">= 0.75"), ("walk", "", ""), ("direct", "seer", "")]
)
def test_only_walks_with_a_model_are_held_to_a_share(
    site: Site, capsys: pytest.CaptureFixture[str], mode: str, model: str, want: str
) -> None:
    answered = [picture_answers.Answered(asked=one, ended=Ended(id=one.question.id)) for one in asked_of(site)]
    picture_answers.print_mode(mode, answered, options_of(model=model))
    figure = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (figure["want"], figure["ok"]) == (want, not want)


def test_failures_of_the_validation_half_are_counted_only(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    answered = [
        picture_answers.Answered(asked=one, ended=Ended(id=one.question.id, answer="no"))
        for one in asked_of(site, "validation")
    ]
    picture_answers.print_mode("walk", answered, options_of())
    placed = [Placed(asked=one, place=0) for one in asked_of(site, "validation")]
    picture_answers.print_search(placed, options_of())
    printed = capsys.readouterr().out
    assert printed.count("3 failures of the validation half are not listed") == 2
    assert "vessel" not in printed
    assert "ferry-" not in printed


def test_places_of_the_search_are_counted_by_sort(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    placed = [Placed(asked=one, place=place) for one, place in zip(asked_of(site), (1, 4, 0), strict=True)]
    picture_answers.print_search(placed, options_of())
    printed = capsys.readouterr().out
    assert "picture search: whole: first 1, among 5 1, of 1" in printed
    assert "picture search: crop: first 0, among 5 1, of 1" in printed
    assert "picture search: at 4: ferry-crop\npicture search: at -: ferry-onward" in printed
    assert figures_in(printed) == {"picture search: first": 0.333, "picture search: among 5": 0.667}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--mode", "direct"], "--mode direct needs --model"),
        (["--base-url", "http://127.0.0.1:1/v1"], "--base-url needs --model"),
        (["--sorts", "whole,half"], "there is no sort half: whole, crop, onward"),
    ],
)
def test_what_cannot_be_asked_is_refused(given: list[str], said: str, tmp_path: Path) -> None:
    ended = bench_program("picture_answers.py", *given, folder=tmp_path)
    assert ended.code == 2
    assert ended.err.splitlines()[-1].endswith(said)
