"""`walker ask --workflow agentic --code`: a model computes over passages, and its answer cites what these say."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.sites.endpoint_in_a_thread import served
from tests.walker.cli.program import walker_here
from tests.walker.workflows.test_workflow_commands import (
    BACKUP,
    QUOTE,
    asked_with,
    replayed,
    replies,
    run,
    without_times,
)
from traces.events import ActionRefused, CodeRan, EdgeCall
from traces.reading.reader import read_run
from walker.testing.chat_server import Asked, Endpoint, Reply

STAFF = "https://two.example/staff.html"
ROOM = "Her room is 4.17."
AGENTIC = ("--workflow", "agentic", "--no-summaries")


def number_of(prompt: str, url: str) -> int:
    """Of the passage of a page in a prompt."""
    found = re.search(rf"\[(\d+)\] \w+ \({re.escape(url)}\)", prompt)
    assert found is not None, prompt
    return int(found[1])


def computing(asked: Asked) -> Reply:
    """Searches, runs code that fails, runs code that does not, and answers by its output."""
    prompt = asked.prompt
    if "(nothing yet)" in prompt:
        return turn(action="search", text="backup kept", queries=["archive staff"])
    backup, staff = number_of(prompt, BACKUP), number_of(prompt, STAFF)
    quoted: dict[str, Any] = {"cite": [backup, staff], "quotes": [QUOTE, ROOM]}
    if "There is no passage 77." not in prompt:
        return turn(action="run", text="p77_value * 2")
    if "The code gave nothing" not in prompt:
        return turn(action="run", text=f"p{backup}_value / nothing", **quoted)
    if "Computed from" not in prompt:
        return turn(action="run", text=f"p{backup}_value * 2 + p{staff}_value", **quoted)
    computed = re.search(r"\[(\d+)\] Computed from", prompt)
    assert computed is not None
    return turn(action="answer", text="184.17", cite=[int(computed[1])], confidence=80)


def turn(**fields: Any) -> Reply:
    return Reply(text=json.dumps({"think": "so", **fields}))


def test_the_answer_cites_what_code_was_run_over_and_is_replayed_without_interpreter(folder: Path) -> None:
    pytest.importorskip("pydantic_monty")
    outcome, asked = asked_with(folder, computing, *AGENTIC, "--code", "monty")
    assert outcome["answer"] == "184.17"
    assert sorted((one["url"], one["quote"]) for one in outcome["citations"]) == [(BACKUP, QUOTE), (STAFF, ROOM)]
    assert "- run: let Python compute from passages" in asked[0].prompt
    assert '"run"' in json.dumps(asked[0].body["response_format"])
    recorded = read_run(folder / outcome["trace"])
    ran = [event for event in recorded.events if isinstance(event, CodeRan)]
    assert [event.value for event in ran] == ["", "184.17"]
    assert len(ran[1].inputs) == 2
    refused = [event.reason for event in recorded.events if isinstance(event, ActionRefused)]
    assert refused == ["There is no passage 77."]
    assert {event.seam for event in recorded.events if isinstance(event, EdgeCall)} == {"chat", "passages", "code"}
    (folder / "docs.library").unlink()
    for flags in ((), ("--deep",)):
        assert without_times(replayed(folder, outcome, *flags)) == without_times(outcome)
    assert run(folder, "verify", outcome["trace"]).code == 0
    for to in ("react", "sharegpt", "trl"):
        assert run(folder, "export", outcome["trace"], "--to", to, "--unfiltered", "--out", to).code == 0
    line = json.loads((folder / "trl").read_text())
    calls = [call["function"] for one in line["messages"] for call in one.get("tool_calls", ())]
    told = [one["content"] for one in line["messages"] if one["role"] == "tool"]
    assert [call["name"] for call in calls] == ["search", "run", "run", "run"]
    assert calls[0]["arguments"] == {"queries": ["backup kept", "archive staff"]}
    assert calls[3]["arguments"]["quotes"] == [QUOTE, ROOM]
    assert told[0].startswith("Searched “backup kept”, “archive staff”:\n[1] ")
    assert told[1] == "There is no passage 77."
    assert told[2].startswith("The code gave nothing: line 1")
    assert told[3].startswith("The code gave:\n[")
    assert told[3].endswith("184.17")
    assert line["messages"][-1]["content"].endswith("<answer>184.17</answer>")
    assert {tool["function"]["name"] for tool in line["tools"]} == {"search", "open", "run"}
    assert "library.invalid" not in line["messages"][0]["content"]
    assert "184.17" in run(folder, "why", outcome["trace"]).out
    assert run(folder, "view", outcome["trace"], "--export", "run.html").code == 0


def test_code_is_run_neither_twice_nor_over_nothing_nor_without_end(folder: Path) -> None:
    pytest.importorskip("pydantic_monty")
    turns: list[dict[str, Any]] = [
        {"action": "search", "text": "backup kept"},
        {"action": "run", "text": "2 + 2"},
        *({"action": "run", "text": f"len(p1) + {code}"} for code in ("1", "1", "x", "x", "3", "4", "5")),
        {"action": "answer", "text": ""},
    ]
    outcome, _ = asked_with(folder, replies(turns), *AGENTIC, "--code", "monty", "--turns", "10")
    refused = [event.reason for event in read_run(folder / outcome["trace"]).events if isinstance(event, ActionRefused)]
    assert refused == [
        "The code uses no passage: p1 is what passage 1 says, p1_value the number that it states.",
        "This very code was run already: its output is known.",
        "This very code was run already: it failed: line 1, column 11: NameError: name 'x' is not defined",
        "Code was run 4 times, as often as it may be.",
    ]


def test_without_an_interpreter_no_prompt_or_schema_speaks_of_code(folder: Path) -> None:
    turns: list[dict[str, Any]] = [
        {"action": "search", "text": "backup kept"},
        {"action": "run", "text": "len(p1)"},
        {"action": "answer", "text": "90 days", "cite": [1], "confidence": 80},
    ]
    outcome, asked = asked_with(folder, replies(turns), *AGENTIC)
    assert not any("Python" in one.prompt for one in asked)
    assert not any('"run"' in json.dumps(one.body["response_format"]) for one in asked)
    assert "There is no interpreter." in asked[2].prompt
    assert outcome["answer"] == "90 days"


def test_an_interpreter_that_cannot_be_is_told_before_the_model_is_asked(folder: Path) -> None:
    with served(Endpoint(computing)) as endpoint:
        model = ("--model", "test-model", "--base-url", endpoint.base_url)
        flags = (*model, *AGENTIC, "--code", "bash", "-q")
        ended = walker_here("ask", "--library", "docs.library", "How long?", *flags, folder=folder)
    assert ended.code == 2
    assert "--code bash: say monty" in " ".join(ended.err.split())
    assert not endpoint.asked
