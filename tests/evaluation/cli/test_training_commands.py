"""`walker eval rewards` and `walker eval export` as a person runs them, on an experiment of recorded walks over a paper site."""

from __future__ import annotations

import asyncio
import contextlib
import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from evaluation.cli.export import by_reason
from evaluation.dataset.question import Dataset, Question
from evaluation.experiment.folder import ExperimentFolder
from evaluation.experiment.variants import read_variants
from evaluation.grading.grader import Graders, grade_samples
from evaluation.ledger import Ledger
from evaluation.sample import Sample
from tests.fixtures.paper import HOME
from tests.fixtures.recorded_walk import LENGTH, PEOPLE, record
from tests.fixtures.scripts import sensible
from tests.sites.endpoint_in_a_thread import served
from tests.walker.cli.program import Ended, walker_here
from walker.settings import Settings
from walker.testing.chat_server import Asked, Endpoint, Reply

WEATHER = "What is the weather forecast for tomorrow on the 'Weather' page?"
QUESTIONS = (
    Question(id="people", question=PEOPLE, answers=("5",), root=HOME, kind="exhaustive", domain="crew"),
    Question(id="length", question=LENGTH, answers=("18.4 metres",), root=HOME, domain="boats"),
    Question(id="weather", question=WEATHER, answers=("rain",), root=HOME, domain="weather"),
)


async def made(folder: Path, samples: int = 2, questions: Sequence[Question] = QUESTIONS) -> Path:
    """An experiment with grades: the first sample of "length" is of the built-in strategy, the others of a scripted model; the last
    answer to "people" is made wrong."""
    place = ExperimentFolder(folder)
    dataset = Dataset(name="paper", questions=tuple(questions))
    place.begin(dataset, read_variants(["all"]), Settings(), samples)
    with contextlib.closing(Ledger(place.samples_file, Sample)) as ledger:
        for question in questions:
            for number in range(1, samples + 1):
                trace = f"runs/{question.id}-{number}"
                script = sensible if question.id == "length" and number > 1 else None
                outcome = await record(folder / trace, question.question, script=script)
                said = "6 people" if (question.id, number) == ("people", 2) else outcome.answer
                ledger.add(Sample(question_id=question.id, variant="all", number=number, answer=said, trace=trace))
    known = place.read_answers()
    with contextlib.closing(place.open_grades(known.samples)) as grades:
        await grade_samples(known.dataset, known.samples, grades, Graders(), runs_base=folder)
    return folder


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return asyncio.run(made(tmp_path_factory.mktemp("kept") / "paper"))


@pytest.fixture
def folder(kept: Path, tmp_path: Path) -> Path:
    shutil.copytree(kept, tmp_path / "paper")
    return tmp_path


def run_eval(folder: Path, *words: str) -> Ended:
    return walker_here("eval", *words, folder=folder)


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_each_sample_has_a_reward_and_groups_that_teach_nothing_are_named(folder: Path) -> None:
    done = run_eval(folder, "rewards", "paper", "-o", "r.jsonl")
    assert (done.code, done.out) == (0, "6 rewards in 3 groups, 1 of which teach: r.jsonl\n"), done.err
    assert done.err.splitlines() == [
        "teaches nothing: all to length, all 2 rewards are 1.00",
        "teaches nothing: all to weather, all 2 rewards are 0.20",
    ]
    told = {(one["question_id"], one["number"]): one for one in lines(folder / "r.jsonl")}
    right, wrong = told["people", 1], told["people", 2]
    assert (right["r_format"], right["r_answer"], right["reward"], right["advantage"]) == (1, 1, 1, pytest.approx(0.4))
    assert (wrong["r_answer"], wrong["reward"], wrong["advantage"]) == (0, pytest.approx(0.2), pytest.approx(-0.4))
    more = run_eval(folder, "rewards", "paper", "-o", "s.jsonl", "--normalise", "std", "--format-weight", "0", "--json")
    assert json.loads(more.out)["groups"] == 3
    assert [one["advantage"] for one in lines(folder / "s.jsonl") if one["question_id"] == "people"] == [1, -1]


@pytest.mark.parametrize("to", ["trl", "sharegpt", "react", "llama-factory"])
def test_every_form_loads_and_its_calls_lead_where_they_led(folder: Path, to: str) -> None:
    done = run_eval(folder, "export", "paper", "--to", to, "-o", "data/t.jsonl", "--vetted", "--check")
    assert done.code == 0, done.err
    assert done.err.splitlines() == [
        "left out: paper/runs/people-2: its answer is wrong",
        "left out: paper/runs/length-1: it calls a tool 2 times, fewer than 3",
        "left out: paper/runs/length-2: it calls a tool 2 times, fewer than 3",
        "left out: paper/runs/weather-1: its answer is wrong",
        "left out: paper/runs/weather-2: its answer is wrong",
        *[line for line in done.err.splitlines() if " calls judged, " in line],
        "check: 1 of 1 lines load, with 3 valid calls; 1 of 1 walks lead where they led",
        "data/t.jsonl: 1 lines",
    ]
    assert [one["id"] for one in lines(folder / "data/t.jsonl")] == ["people-1"]


def test_prompts_have_columns_for_a_reward_function(folder: Path) -> None:
    done = run_eval(folder, "export", "paper", "--to", "grpo", "-o", "g.jsonl", "--hard-only", "--check")
    assert done.code == 0, done.err
    (line,) = lines(folder / "g.jsonl")
    assert line["prompt"] == [{"role": "user", "content": f"{PEOPLE}\nThe site: {HOME}"}]
    assert (line["answers"], line["pass_rate"], line["teaches"]) == (["5"], 0.5, True)
    assert line["rewards"] == [1.0, pytest.approx(0.2)]
    assert any(tool["function"]["name"] == "follow" for tool in line["tools"])
    assert "people-1: its question is not hard" not in done.err
    assert done.err.count("its question is not hard") == 4


def test_a_mixture_keeps_its_shares_of_what_is_fit(folder: Path) -> None:
    grades = folder / "g.jsonl"
    grades.write_text("".join(json.dumps({"question": one.question, "correct": True}) + "\n" for one in QUESTIONS))
    words = ("export", "paper", "--to", "trl", "-o", "t.jsonl", "--grades", "g.jsonl")
    done = run_eval(folder, *words, "--mix", "exhaustive=2")
    assert done.code == 0, done.err
    assert [one["id"] for one in lines(folder / "t.jsonl")] == ["people-1", "people-2"]
    done = run_eval(folder, *words, "--mix", "exhaustive=2,boats=1")
    assert (done.code, "there is no walk of 'boats'" in done.err) == (2, True)


def test_a_line_that_was_spoilt_fails_the_check(folder: Path) -> None:
    """A call of the recording is another than the one that led on: the line loads, and leads elsewhere."""
    log = folder / "paper/runs/people-1/events.jsonl"
    spoilt = log.read_text().replace('"action":"NextPage","detail":{', '"action":"Scroll","detail":{')
    log.write_text(spoilt)
    done = run_eval(folder, "export", "paper", "--to", "trl", "-o", "t.jsonl", "--check")
    assert done.code == 1
    assert "1 of 1 lines load, with 3 valid calls; 0 of 1 walks lead where they led" in done.err


def test_a_model_judges_the_steps_beside_the_rules(folder: Path) -> None:
    def judge(asked: Asked) -> Reply:
        this = asked.prompt.partition("This step:")[2]
        return Reply(text=json.dumps({"verdict": "B" if '"next"' in this else "A", "reason": "so"}))

    words = ("export", "paper", "--to", "trl", "-o", "t.jsonl", "--vetted", "--vet-model", "test-model", "--vet-url")
    with served(Endpoint(judge, key="sk-judge")) as endpoint:
        done = walker_here("eval", *words, endpoint.base_url, "--json", folder=folder, WALKER_API_KEY="sk-judge")
    assert done.code == 0, done.err
    told = json.loads(done.out)
    assert (told["lines"], told["agreement"]["first"], told["agreement"]["second"]) == (1, "rules", "test-model")
    calls = 3 + 2 + 2
    assert told["agreement"]["samples"] == calls == len(endpoint.asked), "those of walks with a right answer"
    assert told["agreement"]["observed"] == pytest.approx((calls - 1) / calls)


def test_how_far_a_model_agrees_is_told_with_the_walks_that_it_judged(folder: Path) -> None:
    words = ("export", "paper", "--to", "trl", "-o", "t.jsonl", "--vetted", "--vet-model", "test-model", "--vet-url")
    with served(Endpoint(lambda _: Reply(text=json.dumps({"verdict": "A", "reason": "so"})))) as endpoint:
        done = walker_here("eval", *words, endpoint.base_url, folder=folder)
        gone = endpoint.base_url
    assert "rules and test-model agree on 100% of 7 calls in right walks, kappa undefined" in done.err
    unreached = walker_here("eval", *words, gone, folder=folder)
    assert unreached.code == 1
    assert f"walker: {gone}" in unreached.err
    assert "Check that address, and that the server runs" in " ".join(unreached.err.split())


def test_a_model_that_judges_nothing_is_told(folder: Path) -> None:
    words = ("export", "paper", "--to", "trl", "-o", "t.jsonl", "--vetted", "--vet-model", "test-model", "--vet-url")
    with served(Endpoint(lambda _: Reply(text="perhaps"), key="sk-judge")) as endpoint:
        done = walker_here("eval", *words, endpoint.base_url, folder=folder, WALKER_API_KEY="sk-judge")
    assert done.code == 0, done.err
    assert "test-model gave no valid reply for 7 calls: the rules alone judged them" in done.err


def test_many_walks_left_out_for_one_reason_share_a_line() -> None:
    left_out = [*(f"runs/{number}: its answer is wrong" for number in range(8)), "runs/9: the walk has no end"]
    assert list(by_reason(left_out)) == [
        "8 walks, runs/0 the first: its answer is wrong",
        "runs/9: the walk has no end",
    ]


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("rewards", "nowhere", "-o", "x"), 2, "nowhere: there is no experiment"),
        (("export", "nowhere", "--to", "trl", "-o", "x"), 2, "nowhere: there is no experiment"),
        (("export", "paper", "--to", "grpo", "--vetted", "-o", "x"), 2, "leave out --vetted"),
        (("export", "paper", "--to", "trl", "--vet-model", "m", "-o", "x"), 2, "give --vetted too"),
        (("export", "paper", "--to", "trl", "--mix", "a", "-o", "x"), 2, "--mix: 'a' is no share"),
        (("export", "paper", "--to", "trl", "--mix", "a=0", "-o", "x"), 2, "--mix: 'a=0' is no share"),
        (("export", "paper", "--to", "trl", "--variant", "none", "-o", "x"), 2, "there are no recorded answers"),
        (("export", "paper", "--to", "trl", "--check", "-o", "-"), 2, "name one with -o"),
    ],
)
def test_what_cannot_be_is_one_line(folder: Path, words: tuple[str, ...], code: int, told: str) -> None:
    done = run_eval(folder, *words)
    assert (done.code, done.out) == (code, "")
    assert told in done.err.splitlines()[-1]
    assert not (folder / "x").exists()


def test_answers_without_a_verdict_are_told_and_never_taken_for_wrong(folder: Path) -> None:
    grades = [
        one
        for one in lines(folder / "paper/grades.jsonl")
        if (one["question_id"], one.get("number", 1)) != ("weather", 2)
    ]
    (folder / "paper/grades.jsonl").write_text("".join(json.dumps(one) + "\n" for one in grades))
    done = run_eval(folder, "rewards", "paper", "-o", "x")
    assert (done.code, "1 of 6 answers have no verdict, the first all to weather" in done.err) == (2, True)
    by_task = run_eval(folder, "rewards", "paper", "-o", "y", "--answer-reward", "task")
    assert by_task.code == 0, "the score of short answers needs no grade"
    done = run_eval(folder, "export", "paper", "--to", "trl", "-o", "t.jsonl")
    assert "weather-2: its answer was not graded" in done.err


def test_one_sample_a_question_is_no_group_and_shows_no_difficulty(tmp_path: Path) -> None:
    asyncio.run(made(tmp_path / "paper", samples=1, questions=QUESTIONS[:2]))
    for words, told in (
        (("rewards", "paper", "-o", "x"), "each question has one sample, and a group needs two"),
        (("export", "paper", "--to", "grpo", "-o", "x"), "each question has one sample, and a group needs two"),
        (("export", "paper", "--to", "trl", "--hard-only", "-o", "x"), "each question has one sample with a verdict"),
    ):
        done = run_eval(tmp_path, *words)
        assert (done.code, told in done.err.splitlines()[-1]) == (2, True), done.err
    assert not (tmp_path / "x").exists()


def test_experiments_of_different_setups_are_not_mixed(folder: Path) -> None:
    shutil.copytree(folder / "paper", folder / "other")
    written = (folder / "other/experiment.json").read_text()
    for name, value, told in (
        ("model", "m at http://127.0.0.1/", "its model is m at http://127.0.0.1/, and that of"),
        ("library", "museum.library, 44 pages", "its library is museum.library, 44 pages, and that of paper is none."),
    ):
        manifest = json.loads(written)
        manifest["setup"][name] = value
        (folder / "other/experiment.json").write_text(json.dumps(manifest))
        done = run_eval(folder, "export", "paper", "other", "--to", "trl", "-o", "x")
        assert (done.code, done.err.startswith(f"walker: other: {told}")) == (2, True), done.err


def test_a_walk_without_end_is_left_out(folder: Path) -> None:
    log = folder / "paper/runs/people-1/events.jsonl"
    whole = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(whole[: len(whole) // 2]))
    for more in ((), ("--vetted",)):
        done = run_eval(folder, "export", "paper", "--to", "trl", "-o", "t.jsonl", *more)
        assert "left out: paper/runs/people-1: the walk has no end" in done.err
        assert lines(folder / "t.jsonl") == []
