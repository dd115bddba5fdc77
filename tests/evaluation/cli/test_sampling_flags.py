"""`walker eval run --temperature --top-p --samples`, at a real endpoint."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from evaluation.experiment.folder import ExperimentFolder
from tests.sites.endpoint_in_a_thread import served
from tests.walker.cli.program import Ended, walker_here
from walker.testing.chat_server import Endpoint, Reply

QUESTION = {"id": "a", "question": "How deep is the flume?", "answers": ["1.8 m"], "root": "https://a.example/"}
ALIKE = "walker: at temperature 0 the samples of a question are mostly alike; --temperature 0.6 varies them"


def run(endpoint: Endpoint, folder: Path, *more: str) -> Ended:
    (folder / "questions.jsonl").write_text(json.dumps(QUESTION) + "\n")
    model = ("--model", "test-model", "--base-url", endpoint.base_url)
    asking = ("questions.jsonl", "--out", "out", "--variant", "direct", "--json", *model)
    return walker_here("eval", "run", *asking, *more, folder=folder)


def test_several_samples_at_temperature_0_are_told_to_be_alike_in_one_line(tmp_path: Path) -> None:
    with served(Endpoint(lambda _: Reply(text='{"answer": "1.8 m"}'))) as endpoint:
        ended = run(endpoint, tmp_path, "--samples", "2")
        bodies = [asked.body for asked in endpoint.asked]
    assert (ended.code, ended.err.count("\n" + ALIKE) + ended.err.startswith(ALIKE)) == (0, 1)
    assert json.loads(ended.out)["asked"] == 2
    assert {(body["temperature"], body.get("top_p")) for body in bodies} == {(0, None)}


def test_the_flags_reach_the_endpoint_and_the_setup(tmp_path: Path) -> None:
    with served(Endpoint(lambda _: Reply(text='{"answer": "1.8 m"}'))) as endpoint:
        ended = run(endpoint, tmp_path, "--samples", "2", "--temperature", "0.6", "--top-p", "0.95")
        bodies = [asked.body for asked in endpoint.asked]
        other = run(endpoint, tmp_path, "--samples", "2", "--temperature", "0.6")
    assert (ended.code, ALIKE in ended.err) == (0, False)
    assert {(body["temperature"], body["top_p"]) for body in bodies} == {(0.6, 0.95)}
    setup = ExperimentFolder(tmp_path / "out").experiment.setup
    assert (setup.temperature, setup.top_p) == (0.6, 0.95)
    assert other.code == 2
    assert "top-p 0.95, and this is of the server" in json.loads(other.out or other.err)["error"]


@pytest.mark.parametrize(
    "flags", [("--temperature", "-1"), ("--temperature", "nan"), ("--top-p", "0"), ("--top-p", "2")]
)
def test_a_sampling_that_cannot_be_is_a_usage_error(tmp_path: Path, flags: tuple[str, str]) -> None:
    ended = walker_here("eval", "run", "demo", "--out", "out", "--model", "m", *flags, folder=tmp_path)
    assert ended.code == 2
    assert f"{flags[0]} takes" in ended.err


def test_summaries_and_code_reach_the_setup_and_no_interpreter_that_cannot_be(tmp_path: Path) -> None:
    with served(Endpoint(lambda _: Reply(text='{"answer": "1.8 m"}'))) as endpoint:
        ended = run(endpoint, tmp_path, "--summaries", "--code", "monty")
        mixed = run(endpoint, tmp_path)
        refused = run(endpoint, tmp_path, "--code", "bash")
    assert ended.code == 0, ended.err
    setup = ExperimentFolder(tmp_path / "out").experiment.setup
    assert (setup.summaries, setup.code) == (True, "monty")
    assert (mixed.code, refused.code) == (2, 2)
    assert "summaries True, and this is False; code “monty”" in json.loads(mixed.out or mixed.err)["error"]
    assert "--code bash: say monty" in " ".join((refused.out + refused.err).split())


def test_tools_and_the_search_by_pictures_reach_the_setup_as_they_do_those_of_a_walk(tmp_path: Path) -> None:
    Image.new("RGB", (64, 48), "navy").save(tmp_path / "mill.png")
    pictured = json.dumps(QUESTION | {"picture": "mill.png"}) + "\n"
    service = ("--picture-search", "http://127.0.0.1:9/find")
    with served(Endpoint(lambda _: Reply(text='{"answer": "1.8 m"}'))) as endpoint:
        without = run(endpoint, tmp_path, *service)
        (tmp_path / "pictured.jsonl").write_text(pictured)
        model = ("--model", "test-model", "--base-url", endpoint.base_url)
        asking = ("eval", "run", "pictured.jsonl", "--out", "pictured", "--variant", "direct", "--json", *model)
        ended = walker_here(*asking, *service, "--tools", "ground,ocr", folder=tmp_path)
        unknown = walker_here(*asking, "--tools", "saw", folder=tmp_path)
        unsearched = walker_here(*asking, "--picture-model", "encoder", folder=tmp_path)
    assert (without.code, "--picture-search needs questions with a picture" in without.err) == (2, True)
    assert ended.code == 0, ended.err
    setup = ExperimentFolder(tmp_path / "pictured").experiment.setup
    assert (setup.picture_search, setup.tools) == ("http://127.0.0.1:9/find", ("ground", "ocr"))
    assert (unknown.code, "--tools saw: there are ocr and ground" in unknown.err) == (2, True)
    assert (unsearched.code, "--picture-model needs --library FILE too" in unsearched.err) == (2, True)
