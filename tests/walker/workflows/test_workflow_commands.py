"""`walker ask --workflow`: a question answered without a walk is cited, recorded and replayed as one that walks."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.sites.endpoint_in_a_thread import served
from tests.walker.cli.program import Ended, walker_here
from tests.walker.workflows.conftest import PAGES
from traces.events import ActionProposed, EdgeCall, PageSummarised, PassagesFound
from traces.reading.reader import read_run
from walker.testing.chat_server import Asked, Endpoint, Reply

QUESTION = "How long is the backup of the archive kept?"
QUOTE = "The backup of the archive is kept for 90 days."
BACKUP = "https://one.example/backup.html"


def run(folder: Path, *arguments: str) -> Ended:
    return walker_here(*arguments, folder=folder)


def asked_with(folder: Path, script: Callable[[Asked], Reply], *flags: str) -> tuple[dict[str, Any], list[Asked]]:
    """The outcome of a question to a library with a scripted model, and what the model was asked."""
    with served(Endpoint(script)) as endpoint:
        model = ("--model", "test-model", "--base-url", endpoint.base_url)
        ended = run(folder, "ask", "--library", "docs.library", QUESTION, *model, *flags, "--json", "-q")
        asked = list(endpoint.asked)
    assert ended.code in (0, 3), ended.err
    outcome: dict[str, Any] = json.loads(ended.out)
    return outcome, asked


def replayed(folder: Path, outcome: dict[str, Any], *flags: str) -> dict[str, Any]:
    """The outcome of a replay, but for what says how long it took and where it lies."""
    ended = run(folder, "replay", outcome["trace"], "--json", *flags)
    assert ended.code == 0, ended.err
    again: dict[str, Any] = json.loads(ended.out)["outcome"]
    return again


def without_times(outcome: dict[str, Any]) -> dict[str, Any]:
    usage = {name: value for name, value in outcome["usage"].items() if name != "seconds"}
    return {name: value for name, value in outcome.items() if name != "trace"} | {"usage": usage}


def replies(answers: list[dict[str, Any]]) -> Callable[[Asked], Reply]:
    """A model that takes its turns from a list, and summarises what it is shown by its first sentence about the backup."""
    turns = iter(answers)

    def reply(asked: Asked) -> Reply:
        if asked.schema_name == "page_summary":
            held = QUOTE in asked.prompt.partition("===")[2]
            said = {
                "rationale": "It tells how long.",
                "evidence": [QUOTE, "Nobody wrote this."],
                "summary": f"{QUOTE} " * 9,
            }
            return Reply(text=json.dumps(said if held else {"rationale": "", "evidence": [], "summary": ""}))
        return Reply(text=json.dumps(next(turns)))

    return reply


def test_retrieval_without_a_model_answers_from_the_passages_of_one_search(folder: Path) -> None:
    ended = run(folder, "ask", "--library", "docs.library", QUESTION, "--workflow", "retrieval", "--json", "-q")
    outcome = json.loads(ended.out)
    assert ended.code == 0, ended.err
    assert "90 days" in outcome["answer"]
    assert [citation["url"] for citation in outcome["citations"]] == [BACKUP]
    assert outcome["citations"][0]["quote"] in QUOTE
    assert (outcome["stop_reason"], outcome["evidence"], outcome["usage"]["model_calls"]) == ("answered", True, 0)
    (searched,) = [event for event in read_run(folder / outcome["trace"]).events if isinstance(event, PassagesFound)]
    assert searched.queries == (QUESTION,)
    assert searched.passages[0]["url"] == BACKUP


def test_its_run_is_replayed_verified_explained_shown_and_exported_without_the_library(folder: Path) -> None:
    asked = json.loads(
        run(folder, "ask", "--library", "docs.library", QUESTION, "--workflow", "retrieval", "--json", "-q").out
    )
    (folder / "docs.library").unlink()
    for flags in ((), ("--deep",)):
        assert without_times(replayed(folder, asked, *flags)) == without_times(asked)
    verified = run(folder, "verify", asked["trace"], "--json")
    assert verified.code == 0, verified.out + verified.err
    why = run(folder, "why", asked["trace"])
    assert why.code == 0, why.err
    assert QUOTE in why.out
    assert run(folder, "view", asked["trace"], "--export", "run.html").code == 0
    assert Path(asked["trace"]).name in (folder / "run.html").read_text(encoding="utf-8")
    assert run(folder, "export", asked["trace"], "--to", "otel", "--out", "run.otel").code == 0
    assert (folder / "run.otel").stat().st_size > 0
    assert run(folder, "export", asked["trace"], "--to", "trl", "--unfiltered", "--out", "trl").code == 0
    line = json.loads((folder / "trl").read_text())
    (call,) = (call["function"] for one in line["messages"] for call in one.get("tool_calls", ()))
    assert call == {"name": "search", "arguments": {"queries": [QUESTION]}}
    assert QUOTE in line["messages"][2]["content"]
    again = run(folder, "diff", asked["trace"], asked["trace"])
    assert again.code == 0, again.err


def test_a_model_answers_from_passages_and_its_quotes_are_checked(folder: Path) -> None:
    said = {"answer": "90 days", "cite": [1, 1, 77, 2], "quotes": [QUOTE, "", "", "Never written."], "confidence": 90}
    flags = ("--workflow", "retrieval", "--keep-from", "0")
    outcome, asked = asked_with(folder, lambda _: Reply(text=json.dumps(said)), *flags)
    assert (outcome["answer"], outcome["confidence"], outcome["answered"]) == ("90 days", 0.9, True)
    assert outcome["citations"][0] == {"url": BACKUP, "quote": QUOTE}
    assert "Never written." not in json.dumps(outcome["citations"])
    assert len(outcome["citations"]) == 2
    assert f"[1] Backups ({BACKUP})" in asked[0].prompt
    (folder / "docs.library").unlink()
    assert without_times(replayed(folder, outcome)) == without_times(outcome)


def test_only_passages_that_bear_on_the_question_are_shown_in_the_order_of_their_pages(folder: Path) -> None:
    said = {"answer": "90 days", "cite": [{"passage": 1, "quote": QUOTE}], "confidence": 90}
    outcome, asked = asked_with(folder, lambda _: Reply(text=json.dumps(said)), "--workflow", "retrieval")
    assert outcome["citations"] == [{"url": BACKUP, "quote": QUOTE}]
    (found,) = [event for event in read_run(folder / outcome["trace"]).events if isinstance(event, PassagesFound)]
    kept = [one["url"] for one in found.passages if one["kept"]]
    assert BACKUP in kept
    assert len(kept) < len(found.passages) == 3
    assert all((one["chance"] >= 0.1) == one["kept"] for one in found.passages)
    assert found.note == "by score"
    assert [f"({url})" in asked[0].prompt for url in PAGES] == [url in kept for url in PAGES]


def test_a_model_weighs_passages_and_a_replay_asks_it_nothing(folder: Path) -> None:
    def says(asked: Asked) -> Reply:
        if asked.schema_name:
            cited = [{"passage": 1, "quote": "Ilse Brandt looks after the archive."}]
            return Reply(text=json.dumps({"answer": "Ilse Brandt", "cite": cited, "confidence": 80}))
        return Reply(text="Yes" if "Ilse Brandt" in asked.prompt else "No")

    outcome, asked = asked_with(folder, says, "--workflow", "retrieval", "--weigh-by", "model")
    assert [citation["url"] for citation in outcome["citations"]] == ["https://two.example/staff.html"]
    (found,) = [event for event in read_run(folder / outcome["trace"]).events if isinstance(event, PassagesFound)]
    assert sorted(one["chance"] for one in found.passages) == [0.0, 0.0, 1.0]
    assert found.note == "by word"
    assert len(asked) == 4
    (folder / "docs.library").unlink()
    assert without_times(replayed(folder, outcome)) == without_times(outcome)


def test_with_nothing_found_the_model_is_asked_alone_and_what_it_says_stands_nowhere(folder: Path) -> None:
    said = {"answer": "A fortnight", "confidence": 95}
    with served(Endpoint(lambda _: Reply(text=json.dumps(said)))) as endpoint:
        model = ("--model", "test-model", "--base-url", endpoint.base_url)
        question = "Zeppelin gondola upholstery?"
        flags = ("--workflow", "retrieval", "--json", "-q")
        ended = run(folder, "ask", "--library", "docs.library", question, *model, *flags)
        asked = list(endpoint.asked)
    outcome = json.loads(ended.out)
    assert ended.code == 3
    assert (outcome["answer"], outcome["nearest"]) == ("", ""), "it stands on no page, so nobody is told it"
    assert (outcome["confidence"], outcome["evidence"], outcome["citations"]) == (0.3, False, [])
    assert "Answer from what you know" in asked[0].prompt


def test_agentic_thinks_searches_side_by_side_opens_for_a_goal_and_answers(folder: Path) -> None:
    turns: list[dict[str, Any]] = [
        {"think": "I know nothing yet.", "action": "search", "text": "backup kept", "queries": ["archive staff"]},
        {"think": "Not that one.", "action": "open", "number": 70},
        {"think": "This page may tell.", "action": "open", "number": 1, "goal": "how long a backup is kept"},
        {
            "think": "That is it.",
            "action": "answer",
            "text": "90 days",
            "cite": [9],
            "quotes": [QUOTE],
            "confidence": 88,
        },
    ]

    def cite_the_quote(asked: Asked) -> Reply:
        reply = scripted(asked)
        number = re.search(rf"\[(\d+)\] Backups \({re.escape(BACKUP)}\)\n{re.escape(QUOTE)}", asked.prompt)
        return Reply(text=reply.text.replace("[9]", f"[{number[1]}]")) if number else reply

    scripted = replies(turns)
    outcome, asked = asked_with(folder, cite_the_quote, "--workflow", "agentic")
    assert (outcome["answer"], outcome["steps"], outcome["stop_reason"]) == ("90 days", 4, "answered")
    assert outcome["citations"] == [{"url": BACKUP, "quote": QUOTE}]
    prompts = [one.prompt for one in asked if one.schema_name == "agentic"]
    assert "(nothing yet)" in prompts[0]
    assert "Searched “backup kept”, “archive staff”" in prompts[1]
    assert "There is no passage 70." in prompts[2]
    assert "for “how long a backup is kept”" in prompts[3]
    assert "Looked for: how long a backup is kept" in next(
        one.prompt for one in reversed(asked) if one.schema_name != "agentic"
    )
    events = read_run(folder / outcome["trace"]).events
    summaries = [event for event in events if isinstance(event, PageSummarised)]
    assert summaries[-1].evidence == (QUOTE,)
    assert summaries[-1].summary.count("90 days") == 5
    assert [event.action for event in events if isinstance(event, ActionProposed)] == [
        "search",
        "open",
        "open",
        "answer",
    ]
    assert {event.seam for event in events if isinstance(event, EdgeCall)} == {"chat", "passages"}
    (folder / "docs.library").unlink()
    for flags in ((), ("--deep",)):
        assert without_times(replayed(folder, outcome, *flags)) == without_times(outcome)
    assert run(folder, "verify", outcome["trace"]).code == 0
    assert QUOTE in run(folder, "why", outcome["trace"]).out
    assert run(folder, "export", outcome["trace"], "--to", "trl", "--unfiltered", "--out", "trl").code == 0
    told = [one["content"] for one in json.loads((folder / "trl").read_text())["messages"] if one["role"] == "tool"]
    assert [one.partition(" ")[0] for one in told] == ["Searched", "There", "Opened"]
    assert told[2].startswith("Opened the page of passage 1, “Backups”, for “how long a backup is kept”:")
    assert "Searched" not in told[2]
    assert run(folder, "view", outcome["trace"], "--export", "run.html").code == 0


def test_without_summaries_a_page_is_shown_as_it_is(folder: Path) -> None:
    turns: list[dict[str, Any]] = [
        {"action": "search", "text": "backup kept"},
        {"action": "open", "number": 1},
        {"action": "answer", "text": "90 days", "cite": [1], "confidence": 80},
    ]
    outcome, asked = asked_with(folder, replies(turns), "--workflow", "agentic", "--no-summaries")
    assert outcome["usage"]["model_calls"] == 3
    assert "It is written to two disks in the cellar." in asked[2].prompt
    assert {one.schema_name for one in asked} == {"agentic"}


def test_turns_end_and_a_spent_budget_ends_too(folder: Path) -> None:
    search = {"think": "again", "action": "search", "text": "backup"}
    outcome, asked = asked_with(
        folder, replies([search] * 9), "--workflow", "agentic", "--turns", "2", "--no-summaries"
    )
    assert (outcome["answer"], outcome["stop_reason"], len(asked)) == ("", "dead end", 2)
    outcome, asked = asked_with(folder, replies([search] * 9), "--workflow", "agentic", "--max-calls", "1")
    assert (outcome["stop_reason"], outcome["usage"]["model_calls"]) == ("budget", 1)
    assert without_times(replayed(folder, outcome)) == without_times(outcome)


def test_a_model_that_says_nothing_usable_fails_in_one_line(folder: Path) -> None:
    with served(Endpoint(lambda _: Reply(text="Well."))) as endpoint:
        flags = ("--model", "test-model", "--base-url", endpoint.base_url, "--workflow", "direct", "-q")
        ended = run(folder, "ask", QUESTION, *flags)
    assert ended.code == 3
    assert "Not found (failed" in ended.out
    assert "the model gave no usable reply" in ended.err


def test_direct_asks_once_and_searches_nothing(folder: Path) -> None:
    with served(Endpoint(lambda _: Reply(text='{"answer": "90 days", "confidence": 70}'))) as endpoint:
        flags = ("--model", "test-model", "--base-url", endpoint.base_url, "--workflow", "direct", "--json", "-q")
        alone = json.loads(run(folder, "ask", QUESTION, *flags).out)
        sited = json.loads(run(folder, "ask", "https://one.example/", QUESTION, *flags).out)
        prompts = [one.prompt for one in endpoint.asked]
        schemas = [one.body["response_format"]["json_schema"]["schema"] for one in endpoint.asked]
    assert [(one["answer"], one["pages"], one["evidence"]) for one in (alone, sited)] == [("90 days", 0, True)] * 2
    assert {tuple(schema["required"]) for schema in schemas} == {("answer", "items", "confidence")}, "as its text says"
    assert "library.invalid" not in prompts[0]
    assert "Site: https://one.example/" in prompts[1]
    assert without_times(replayed(folder, alone)) == without_times(alone)


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (("--workflow", "agentic"), "the workflow agentic needs a model"),
        (("--workflow", "direct"), "the workflow direct needs a model"),
        (("--workflow", "agentic", "--turns", "0"), "--turns"),
        (("--workflow", "retrieval", "--keep-from", "1.5"), "--keep-from"),
        (("--workflow", "retrieval", "--weigh-by", "model"), "--weigh-by"),
        (("--workflow", "retrieval", "--passages", "0"), "--passages"),
        (("--workflow", "guess"), "--workflow"),
        (("--workflow", "direct", "--model", "m", "--code", "monty"), "--code: the workflow direct takes one turn"),
        (
            ("--workflow", "retrieval", "--model", "m", "--code", "monty"),
            "--code: the workflow retrieval takes one turn",
        ),
    ],
)
def test_what_cannot_be_is_told_in_one_line(folder: Path, flags: tuple[str, ...], told: str) -> None:
    ended = run(folder, "ask", "--library", "docs.library", QUESTION, *flags, "-q")
    assert ended.code == 2
    assert told in " ".join(ended.err.split())
    assert ended.out == ""
    assert not list((folder / "runs").glob("2*"))


def test_a_workflow_that_searches_needs_something_to_search(folder: Path) -> None:
    model = ("--model", "m", "--base-url", "http://127.0.0.1:9/v1")
    ended = run(folder, "ask", "http://127.0.0.1:9/", QUESTION, *model, "--workflow", "agentic", "--no-scout", "-q")
    assert ended.code == 2
    assert "the workflow agentic has nothing to search" in " ".join(ended.err.split())
    gone = run(folder, "ask", "--library", "none.library", QUESTION, "--workflow", "retrieval", "-q")
    assert gone.code != 0
    assert "none.library" in gone.err
