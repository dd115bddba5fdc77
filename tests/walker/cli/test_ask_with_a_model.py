"""`walker ask --model`: a real browser, a real site, a real endpoint."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fixtures.scripts import in_one_reply
from tests.sites.endpoint_in_a_thread import served
from tests.walker.cli.program import walker, walker_here
from walker.demo.server import serve_institute
from walker.testing.chat_server import Asked, Endpoint, Reply

KEY = "sk-planted-7f3a9c"
QUESTION = "What is the greatest depth of water in the tidal flume?"
ROW = "Greatest depth of water | 1.8 m"


@in_one_reply
def clever(asked: Asked) -> Reply:
    """Goes to the laboratory and the flume, and reads the table."""
    sent = asked.prompt.partition("===")[2]
    if asked.schema_name == "critic_find":
        found = [{"answer": "1.8 m", "quote": ROW, "confidence": 95}] if ROW in sent else []
        return Reply(text=json.dumps({"relevance": 40 if found else 10, "findings": found, "list": 0}), reasoning="hm")
    if asked.schema_name == "critic_judge":
        verdict = {"sufficient": True, "answer": "1.8 m", "confidence": 95, "cite": [1], "missing": []}
        return Reply(text=f"<think>let me see</think>{json.dumps(verdict)}")
    link = re.search(r"(?:Tidal flume|Laboratory) \[(\d+)\]", sent)
    number = int(link[1]) if link else 0
    action = {"action": "follow" if number else "back", "number": number, "text": "", "reason": "to the flume"}
    return Reply(text=json.dumps(action))


def run(*arguments: str, key: str = KEY, folder: Path) -> tuple[int, str, str]:
    """The command within this process: its exit code, stdout and stderr."""
    ended = walker_here(*arguments, folder=folder, **({"WALKER_API_KEY": key} if key else {}))
    return ended.code, ended.out, ended.err


def holding(folder: Path, secret: bytes) -> list[Path]:
    """Files that hold it in any byte."""
    return [path for path in folder.rglob("*") if path.is_file() and secret in path.read_bytes()]


@pytest.fixture(scope="module")
def institute() -> Iterator[str]:
    with serve_institute() as root:
        yield root


def test_a_model_answers_and_the_walk_replays_without_it_and_without_its_key(institute: str, tmp_path: Path) -> None:
    with served(Endpoint(clever, key=KEY)) as endpoint:
        asked = ("ask", institute, QUESTION, "--model", "test-model", "--base-url", endpoint.base_url, "--json")
        ended = walker(*asked, folder=tmp_path, WALKER_API_KEY=KEY)  # a process of its own, as a person starts it
    assert ended.code == 0, ended.err
    outcome = json.loads(ended.out)
    assert (outcome["answer"], outcome["stop_reason"], outcome["pages"]) == ("1.8 m", "answered", 3)
    assert outcome["citations"] == [{"url": institute.replace("index.html", "lab/tidal-flume.html"), "quote": ROW}]
    assert (outcome["analysis"]["by"], outcome["analysis"]["kind"]) == ("rules", "number"), (
        "this model's reply is unusable"
    )
    assert "asked for: number (length);" in " ".join(ended.err.split())
    assert outcome["usage"]["model_calls"] == 4, "one call for the question, one call a page"
    assert outcome["usage"]["total_tokens"] > 1000
    assert "let me see" not in outcome["answer"]
    for flags in ((), ("--deep",)):
        code, out, err = run("replay", outcome["trace"], *flags, key="", folder=tmp_path)
        assert code == 0, err
        assert "equal" in out + err
    held = holding(tmp_path, KEY.encode())
    assert held == []
    assert KEY not in ended.err + err


def test_a_key_that_is_refused_is_one_line_and_leaves_a_trace(institute: str, tmp_path: Path) -> None:
    with served(Endpoint(clever, key="another")) as endpoint:
        asked = ("ask", institute, QUESTION, "--model", "test-model", "--base-url", endpoint.base_url, "-q")
        code, out, err = run(*asked, folder=tmp_path)
    assert (code, out) == (1, "")
    (line,) = err.strip().splitlines()
    assert "refuses the key" in line
    assert "WALKER_API_KEY" in line
    (trace,) = (tmp_path / "runs").glob("2*")
    code, _, err = run("replay", str(trace), folder=tmp_path)
    assert "refuses the key" in err + _


def test_a_budget_that_runs_out_gives_the_best_so_far_and_says_so(institute: str, tmp_path: Path) -> None:
    with served(Endpoint(clever)) as endpoint:
        flags = ("--model", "test-model", "--base-url", endpoint.base_url, "--max-calls", "2", "--one-by-one", "--json")
        code, out, err = run("ask", institute, QUESTION, *flags, folder=tmp_path)
    assert code == 3, err
    outcome = json.loads(out)
    assert outcome["stop_reason"] == "budget"
    assert outcome["usage"]["model_calls"] == 2


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (("--base-url", "http://127.0.0.1:9/v1"), "--base-url needs --model"),
        (("--model", "m", "--base-url", "127.0.0.1:9"), "write it with its scheme"),
        (("--model", "m", "--max-cost", "1"), "--max-cost needs --price"),
        (("--model", "m", "--price", "cheap"), "write it as 0.15,0.60"),
        (("--model", "m", "--max-tokens", "-1"), "take positive numbers"),
    ],
)
def test_flags_that_make_no_sense_are_refused_before_anything_starts(
    tmp_path: Path, flags: tuple[str, ...], told: str
) -> None:
    code, out, err = run("ask", "http://127.0.0.1:9/", QUESTION, *flags, folder=tmp_path)
    assert (code, out) == (2, "")
    assert told in " ".join(err.split())
    assert not (tmp_path / "runs").exists()


HEIGHT = {"answer": "34 metres", "quote": "It is 34 metres high.", "confidence": 95}


def test_doctor_tries_the_model(tmp_path: Path) -> None:
    @in_one_reply
    def script(asked: Asked) -> Reply:
        said = {
            "critic_find": {"relevance": 40, "findings": [HEIGHT]},
            "critic_judge": {"sufficient": True, "answer": "34 metres", "cite": [1]},
            "explorer": {"action": "answer"},
        }.get(asked.schema_name)
        return Reply(text=json.dumps(said) if said else "Red.")

    with served(Endpoint(script)) as endpoint:
        flags = ("--model", "test-model", "--base-url", endpoint.base_url, "--price", "0.1,0.4", "--json")
        _, out, err = run("doctor", *flags, folder=tmp_path)
    checks = {check["name"]: check for check in json.loads(out)["checks"]}
    assert checks["model"]["ok"], err
    assert checks["structured output"] == {
        "name": "structured output",
        "ok": True,
        "detail": "json_schema",
        "advice": "",
    }
    assert endpoint.asked[0].schema_name == "step", "as a walk asks"
    assert checks["images"]["detail"] == "accepts and recognises images"
    assert checks["logprobs"]["detail"] == "not returned"
    assert checks["context"]["detail"].startswith("not reported; a step needs")
    assert checks["price"]["detail"] == "0.1 and 0.4 for a million tokens"


def test_doctor_tells_a_model_that_is_not_there(tmp_path: Path) -> None:
    with served(Endpoint(clever, models=("small",))) as endpoint:
        code, out, _ = run("doctor", "--model", "large", "--base-url", endpoint.base_url, "--json", folder=tmp_path)
    assert code == 1
    (check,) = [check for check in json.loads(out)["checks"] if check["name"] == "model"]
    assert "there is no model 'large'" in check["detail"]
    assert check["advice"] == "It has: small"


def test_with_rules_the_model_is_not_asked_what_the_question_wants(institute: str, tmp_path: Path) -> None:
    with served(Endpoint(clever, key=KEY)) as endpoint:
        flags = ("--model", "test-model", "--base-url", endpoint.base_url, "--json", "--analysis", "rules")
        ended = walker_here("ask", institute, QUESTION, *flags, folder=tmp_path, WALKER_API_KEY=KEY)
    assert ended.code == 0, ended.err
    outcome = json.loads(ended.out)
    assert (outcome["answer"], outcome["analysis"]["by"], outcome["analysis"]["note"]) == ("1.8 m", "rules", "")
    assert "analysis" not in {asked.schema_name for asked in endpoint.asked}
