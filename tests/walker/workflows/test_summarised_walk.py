"""A walk with summaries: each page is summarised for what it was opened for, and what is left behind is kept by its summary."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sites.endpoint_in_a_thread import served
from tests.walker.cli.program import walker_here
from traces.events import EdgeCall, PageSummarised
from traces.reading.reader import read_run
from walker.demo.server import serve_institute
from walker.models.token_count import count_tokens
from walker.settings import ModelSettings
from walker.testing.chat_server import Asked, Endpoint, Reply

pytestmark = pytest.mark.usefixtures("kept_chromium")
QUESTION = "What is the greatest depth of water in the tidal flume?"
ROW = "Greatest depth of water | 1.8 m"


@pytest.fixture(scope="module")
def institute() -> Iterator[str]:
    with serve_institute() as root:
        yield root


def clever(asked: Asked) -> Reply:
    """Goes to the laboratory and the flume, says what it still looks for, and reads the table."""
    sent = asked.prompt.partition("===")[2]
    if asked.schema_name == "page_summary":
        quote = ROW if ROW in sent else "Laboratory" if "Laboratory" in sent else ""
        said = {
            "rationale": "seen",
            "evidence": [quote] if quote else [],
            "summary": "The flume lies in the laboratory.",
        }
        return Reply(text=json.dumps(said))
    if asked.schema_name != "step":
        return Reply(text="nothing of the kind")
    if ROW in sent:
        found = {"answer": "1.8 m", "quote": ROW, "confidence": 95}
        answer = {"sufficient": True, "answer": "1.8 m", "confidence": 95, "cite": [1], "action": "answer"}
        return Reply(text=json.dumps({"relevance": 40, "findings": [found], **answer}))
    link = re.search(r"(Tidal flume|Laboratory) \[(\d+)\]", sent)
    assert link is not None
    reason = "the flume has a depth" if link[1] == "Tidal flume" else "where it stands"
    missing = ["depth of the flume", "address of the laboratory"]
    action = {"action": "follow", "number": int(link[2]), "reason": reason}
    return Reply(text=json.dumps({"relevance": 10, "findings": [], "missing": missing, **action}))


def test_pages_are_summarised_for_what_is_missing_and_kept_by_their_summaries(institute: str, tmp_path: Path) -> None:
    with served(Endpoint(clever)) as endpoint:
        model = ("--model", "test-model", "--base-url", endpoint.base_url)
        ended = walker_here("ask", institute, QUESTION, *model, "--summaries", "--json", "-q", folder=tmp_path)
        prompts = [(one.schema_name, one.prompt) for one in endpoint.asked]
    outcome = json.loads(ended.out)
    assert (outcome["answer"], outcome["pages"]) == ("1.8 m", 3), ended.err
    events = read_run(tmp_path / outcome["trace"]).events
    summaries = [event for event in events if isinstance(event, PageSummarised)]
    assert [summary.goal for summary in summaries] == [QUESTION, "address of the laboratory", "depth of the flume"]
    assert summaries[-1].evidence == (ROW,)
    steps = [prompt for name, prompt in prompts if name == "step"]
    assert "The flume lies in the laboratory." in steps[-1]
    most = ModelSettings(name="").step_tokens
    assert all(count_tokens(prompt) <= most for _, prompt in prompts)
    for flags in ((), ("--deep",)):
        replayed = walker_here("replay", outcome["trace"], "--json", *flags, folder=tmp_path)
        assert replayed.code == 0, replayed.err
        assert json.loads(replayed.out)["outcome"]["answer"] == "1.8 m"
    assert walker_here("verify", outcome["trace"], folder=tmp_path).code == 0


def test_without_a_model_the_sentences_of_a_page_are_kept(institute: str, tmp_path: Path) -> None:
    asked = ("ask", institute, QUESTION, "--summaries", "--json", "-q", "--no-scout")
    ended = walker_here(*asked, folder=tmp_path)
    outcome = json.loads(ended.out)
    assert "1.8 m" in outcome["answer"], ended.err
    events = read_run(tmp_path / outcome["trace"]).events
    summaries = [event for event in events if isinstance(event, PageSummarised)]
    assert "1.8 m" in summaries[-1].summary
    assert {summary.by for summary in summaries} == {"sentences"}
    assert "summariser" in {event.seam for event in events if isinstance(event, EdgeCall)}
    assert walker_here("replay", outcome["trace"], "--deep", folder=tmp_path).code == 0


def test_a_walk_makes_no_summaries_unless_it_is_told_to(institute: str, tmp_path: Path) -> None:
    ended = walker_here("ask", institute, QUESTION, "--json", "-q", "--no-scout", folder=tmp_path)
    run = read_run(tmp_path / json.loads(ended.out)["trace"])
    assert not any(isinstance(event, PageSummarised) for event in run.events)
    assert "summaries" not in run.manifest.settings
    assert "workflow" not in run.manifest.settings
