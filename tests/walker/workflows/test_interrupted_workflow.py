"""A workflow's run that was killed: it is replayed as far as it came, shown, and resumed from the calls that were recorded."""

from __future__ import annotations

import json
import re
import signal
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.sites.endpoint_in_a_thread import served
from tests.walker.cli.program import started
from tests.walker.workflows.test_workflow_code import AGENTIC, computing, turn
from tests.walker.workflows.test_workflow_commands import QUESTION, replayed, run, without_times
from traces.events import EdgeCall
from traces.reading.reader import read_run
from walker.demo.server import serve_institute
from walker.testing.chat_server import Asked, Endpoint, Reply

HELD_AT = 4
"""The call of the model in which the run is killed: it has searched and run code by then."""


class _Held:
    """A model that does not answer one call until it is let go."""

    def __init__(self, model: Callable[[Asked], Reply] = computing, at: int = HELD_AT) -> None:
        self._model, self._at = model, at
        self.comes, self.goes = threading.Event(), threading.Event()
        self.asked = 0

    def __call__(self, asked: Asked) -> Reply:
        self.asked += 1
        if self.asked == self._at:
            self.comes.set()
            self.goes.wait(60)
        return self._model(asked)


FLUME = "What is the greatest depth of water in the tidal flume?"


def looking(asked: Asked) -> Reply:
    """Searches the site, and answers with a page of it."""
    prompt = asked.prompt
    if "(nothing yet)" in prompt:
        return turn(action="search", text="depth of water", queries=[FLUME])
    found = re.search(r"^\[(\d+)\] .*\(http://127", prompt, re.MULTILINE)
    assert found is not None, prompt
    return turn(action="answer", text="So it is", cite=[int(found[1])], confidence=90)


@pytest.mark.usefixtures("kept_chromium")
def test_one_of_a_live_site_goes_on_with_the_site(tmp_path: Path) -> None:
    """Killed before the model has answered: what was searched and opened comes from the recording, the rest from model and site."""
    held = _Held(looking, at=2)
    with served(Endpoint(held)) as endpoint, serve_institute() as root:
        model = ("--model", "test-model", "--base-url", endpoint.base_url)
        flags = ("--workflow", "agentic", "--no-summaries", "--scout-pages", "30", "--hits", "4", "--passages", "12")
        with started("ask", root, FLUME, *model, *flags, "--json", "-q", folder=tmp_path) as process:
            assert held.comes.wait(120)
            process.send_signal(signal.SIGKILL)
            process.communicate(timeout=60)
        held.goes.set()
        (recorded,) = (str(one.relative_to(tmp_path)) for one in (tmp_path / "runs").glob("2*"))
        before = [event for event in read_run(tmp_path / recorded).events if isinstance(event, EdgeCall)]
        assert "browser" in {call.seam for call in before}
        resumed = run(tmp_path, "ask", "--resume", recorded, "--json", "-q")
    assert resumed.code == 0, resumed.err
    outcome = json.loads(resumed.out)
    assert (outcome["answer"], outcome["trace"], outcome["usage"]["model_calls"]) == ("So it is", recorded, 2)
    after = [event for event in read_run(tmp_path / recorded).events if isinstance(event, EdgeCall)]
    assert after[: len(before)] == before
    assert [call.seam for call in after[len(before) :]] == ["chat"], "what was opened is not opened again"
    assert without_times(replayed(tmp_path, outcome)) == without_times(outcome)


def test_it_is_replayed_shown_and_resumed(folder: Path) -> None:
    pytest.importorskip("pydantic_monty")
    held = _Held()
    with served(Endpoint(held)) as endpoint:
        flags = ("--model", "test-model", "--base-url", endpoint.base_url, *AGENTIC, "--code", "monty", "--json", "-q")
        with started("ask", "--library", "docs.library", QUESTION, *flags, folder=folder) as process:
            assert held.comes.wait(90)
            process.send_signal(signal.SIGKILL)
            process.communicate(timeout=60)
        held.goes.set()
        (recorded,) = (str(one.relative_to(folder)) for one in (folder / "runs").glob("2*"))
        again = run(folder, "replay", recorded, "--json")
        assert again.code == 0, again.err
        report = json.loads(again.out)
        assert (report["outcome"], report["calls"]) == (None, 3 + 2 + 1)  # of model, library, interpreter
        assert report["ended_with"]
        assert run(folder, "verify", recorded).code == 0
        assert run(folder, "view", recorded, "--export", "run.html").code == 0
        without = run(folder, "ask", "--resume", recorded, "--json", "-q")
        assert without.code == 2
        assert "--library" in without.line
        resumed = run(folder, "ask", "--resume", recorded, "--library", "docs.library", "--json", "-q")
    assert resumed.code == 0, resumed.err
    outcome = json.loads(resumed.out)
    assert (outcome["answer"], outcome["trace"], outcome["usage"]["model_calls"]) == ("184.17", recorded, 5)
    assert held.asked == HELD_AT + 2
    assert without_times(replayed(folder, outcome)) == without_times(outcome)


@pytest.mark.usefixtures("kept_chromium")
def test_an_extraction_that_was_killed_before_its_first_page_is_verified_as_far_as_it_came(tmp_path: Path) -> None:
    (tmp_path / "page.json").write_text('{"type": "object", "properties": {"title": {"type": "string"}}}')
    with serve_institute() as root:
        assert run(tmp_path, "extract", root, "--schema", "page.json", "-q").code == 0
    (recorded,) = (tmp_path / "runs").glob("2*")
    events = recorded / "events.jsonl"
    lines = events.read_bytes().splitlines(keepends=True)
    first = next(number for number, line in enumerate(lines) if b'"k":"call"' in line)
    events.write_bytes(b"".join(lines[:first]))
    verified = run(tmp_path, "verify", str(recorded))
    assert "the recording ends here; the walk was interrupted" in verified.out, (
        "it lacks lines, and is followed all the same"
    )
    assert (verified.code, verified.err) == (1, "")
