"""The table of models: real walks of the command line against real servers on loopback, told apart by their styles."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path

import models
import msgspec
import pytest
from answers.question_set import Question
from simulated_model import Known, Rates, SimulatedModel

from tests.sites.endpoint_in_a_thread import served
from walker.batch.predictions import Prediction
from walker.demo.server import serve_institute
from walker.seams.outcome import Usage
from walker.testing.chat_server import FEATURES, Asked, Endpoint, Reply

KEY = "sk-planted-5b1e77"
NEVER = Rates(wrong_link=0, loop=0, miscount=0, invented=0, bad_json=0)


class Knowing:
    """The stand-in for a model that knows the answers and never errs. `styled`: it thinks aloud, and the first reply to each prompt
    cannot be used."""

    def __init__(self, questions: tuple[Question, ...], *, styled: bool) -> None:
        self._questions, self._styled = questions, styled

    def __call__(self, asked: Asked) -> Reply:
        if self._styled and not any(one["role"] == "assistant" for one in asked.body["messages"]):
            return Reply(text="<think>which one</think>I would open the first link.")
        base = re.search(r"http://127\.0\.0\.1:\d+/", asked.prompt)
        known = tuple(
            Known(
                id=one.id, kind=one.kind, text=one.text, language=one.lang, root="", answers=one.forms, items=one.items,
                wanted=one.n, sources=tuple(f"{base[0] if base else ''}{path}" for path in one.sources),
            )
            for one in self._questions
        )  # fmt: skip
        return SimulatedModel(known, NEVER, 1)(asked)


@contextlib.contextmanager
def institute_from_the_flume() -> Iterator[str]:
    """The demo site, entered at the page that holds the first answer, so that a walk is short."""
    with serve_institute() as root:
        yield root.replace("index.html", "lab/tidal-flume.html")


def run(tmp_path: Path, *more: str) -> str:
    options = models.parser_of().parse_args(
        ["--results", str(tmp_path / "results"), "--cache", str(tmp_path / "none"), "--sample", "1", *more]
    )
    return models.measured(options, models.prices_in(options.price))


def cells(table: str) -> list[dict[str, str]]:
    heads, _, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines())
    return [dict(zip(heads, row, strict=True)) for row in rows]


@pytest.fixture
def questions() -> tuple[Question, ...]:
    return models.demo_questions()


def test_two_servers_are_asked_and_their_lines_tell_them_apart(
    tmp_path: Path, questions: tuple[Question, ...], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("WALKER_API_KEY", KEY)
    monkeypatch.setattr(models, "serve_institute", institute_from_the_flume)
    plain = Endpoint(Knowing(questions, styled=False), models=("qwen3:8b",), key=KEY)
    styled = Endpoint(
        Knowing(questions, styled=True), models=("own",), accepts=FEATURES - {"json_schema", "temperature"}, key=KEY
    )
    out = tmp_path / "table.md"
    with served(plain) as one, served(styled) as other:
        ask_one = ("--base-url", one.base_url, "--price", "1,2", "--out", str(out))
        first = cells(run(tmp_path, *ask_one, "--model", "qwen3:8b,nobody"))
        assert out.read_text(encoding="utf-8").count("\n") == 4
        calls = len(one.asked)
        assert cells(run(tmp_path, *ask_one, "--model", "qwen3:8b")) == first[:1]
        assert len(one.asked) == calls, "what was asked is not asked again"
        second = cells(run(tmp_path, "--base-url", other.base_url, "--model", "own"))
    known, nobody = first
    assert (known["model"], known["family"], known["asked"], known["right"]) == (
        "qwen3:8b",
        "qwen3",
        "1 of 1",
        "1 (100%)",
    )
    assert (known["wrong"], known["failed"], known["repaired a call"], known["error"]) == ("0", "0", "0.000", "-")
    assert float(known["money"]) > 0
    assert int(known["tokens a question"].replace(",", "")) > 500
    assert (nobody["asked"], nobody["right"]) == ("0 of 1", "-")
    assert "there is no model 'nobody'" in nobody["error"]
    assert "It has: qwen3:8b" in nobody["error"]
    (own,) = second
    assert (own["family"], own["right"], own["money"]) == ("-", "1 (100%)", "-")
    assert 0 < float(own["repaired a call"]) < 1
    told = capfd.readouterr().err
    assert "Traceback" not in told
    assert not any(KEY in file.read_text(errors="replace") for file in tmp_path.rglob("*") if file.is_file())


def test_an_endpoint_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    (row,) = cells(run(tmp_path, "--base-url", "http://127.0.0.1:9/v1", "--model", "any"))
    assert row["error"].startswith("http://127.0.0.1:9/v1/: the model's endpoint cannot be reached")
    assert row["asked"] == "0 of 1"


def test_a_failed_question_is_none_that_is_wrong_and_the_last_line_counts(
    tmp_path: Path, questions: tuple[Question, ...]
) -> None:
    sample = tuple(models.Sampled(question=one, root="http://demo.example/", site="demo") for one in questions[:4])
    lines = [
        Prediction(id=questions[0].id, stop_reason="failed", error="no page"),
        Prediction(id=questions[0].id, stop_reason="answered", answer="1.8 m", usage=Usage(total_tokens=900)),
        Prediction(id=questions[1].id, stop_reason="answered", answer="the wave basin", usage=Usage(total_tokens=100)),
        Prediction(id=questions[2].id, stop_reason="gave up", answered=False),
        Prediction(id=questions[3].id, stop_reason="failed", error="no page"),
    ]
    (tmp_path / "answers.jsonl").write_bytes(
        b"".join(msgspec.json.encode(line) + b"\n" for line in lines) + b'{"id":"cut'
    )
    score = models.score_of("m", sample, tmp_path)
    assert (score.asked, score.right, score.wrong, score.silent, score.failed) == (4, 1, 1, 1, 1)
    assert score.tokens == (900, 100, 0)


def test_the_sample_is_fixed_by_its_seed_and_begins_with_the_demo(tmp_path: Path) -> None:
    with models.sample_of(3, 7, tmp_path) as three, models.sample_of(99, 7, tmp_path) as all_there:
        assert [one.question.id for one in three] == [one.question.id for one in all_there][:3]
        assert {one.site for one in all_there} == {"demo"}, "where no site is unpacked"
        assert len(all_there) == 5


@pytest.mark.parametrize("price", ["1", "a,b", "x=1"])
def test_a_price_is_two_numbers(price: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        models.prices_in([price])
