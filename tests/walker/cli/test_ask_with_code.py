"""`walker ask --code` and `--tools`, and `walker doctor --code`: a real browser, a real interpreter, a scripted endpoint."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.fixtures.scripts import in_one_reply
from tests.sites.endpoint_in_a_thread import served
from tests.sites.pages_on_loopback import serve
from tests.walker.cli.program import walker_here
from tests.walker.walk.test_code_walk import FOUND, PAGES, QUESTION, QUOTES, SUM
from walker.code.pyodide_runner import NEEDED
from walker.testing.chat_server import Asked, Endpoint, Reply

HTML = next(iter(PAGES.values()))


@in_one_reply
def computing(asked: Asked) -> Reply:
    """Finds both fees, lets them be added, and is content with the sum."""
    if asked.schema_name == "critic_find":
        return Reply(text=json.dumps({"relevance": 40, "findings": FOUND, "list": 0}))
    if asked.schema_name == "critic_judge":
        enough = "computed by code" in asked.prompt
        return Reply(text=json.dumps({"sufficient": enough, "answer": "34.5 EUR", "confidence": 90, "cite": [3]}))
    return Reply(text=json.dumps({"action": "run", "text": SUM}))


def test_a_model_computes_and_why_says_of_what(tmp_path: Path) -> None:
    pytest.importorskip("pydantic_monty")
    assert isinstance(HTML, str)
    with serve({"/": HTML}) as root, served(Endpoint(computing)) as endpoint:
        model = ("--model", "test-model", "--base-url", endpoint.base_url, "--analysis", "rules")
        ended = walker_here("ask", root, QUESTION, *model, "--code", "monty", "--json", folder=tmp_path)
    assert ended.code == 0, ended.err
    outcome = json.loads(ended.out)
    assert outcome["answer"] == "34.5 EUR"
    assert [one["quote"] for one in outcome["citations"]] == list(QUOTES)
    why = walker_here("why", outcome["trace"], folder=tmp_path)
    assert f"computed: {SUM} = 34.5, where f1: 12 EUR; f2: 22.5 EUR" in " ".join(why.out.split())
    replayed = walker_here("replay", outcome["trace"], "--json", folder=tmp_path)
    assert replayed.code == 0, replayed.err


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (("--code", "bash", "--model", "m"), "--code bash: say monty, pyodide:FOLDER"),
        (("--code", "pyodide", "--model", "m"), "--code pyodide: say monty, pyodide:FOLDER"),
        (("--code", "monty"), "--code needs --model NAME too"),
        (("--tools", "ocr"), "--tools needs --model NAME too"),
        (("--tools", "ocr,eyes", "--model", "m"), "--tools eyes: there are ocr and ground"),
    ],
)
def test_what_cannot_be_is_told_before_anything_starts(flags: tuple[str, ...], said: str, tmp_path: Path) -> None:
    ended = walker_here("ask", "http://a.example/", "How long?", *flags, folder=tmp_path)
    assert ended.code == 2
    assert said in " ".join(ended.err.split())


def test_the_doctor_tries_the_interpreter(tmp_path: Path) -> None:
    pytest.importorskip("pydantic_monty")
    ended = walker_here("doctor", "--code", "monty", folder=tmp_path)
    assert "ok   code: monty: a sum in" in ended.out
    missing = walker_here("doctor", "--code", f"pyodide:{tmp_path / 'none'}", folder=tmp_path)
    assert missing.code == 1
    assert f"is no unpacked Pyodide package: {NEEDED[0]} is missing" in " ".join(missing.out.split())
