"""A workflow's run that was killed: it is replayed as far as it came, shown, and resumed from the calls that were recorded."""

from __future__ import annotations

import json
import signal
import threading
from pathlib import Path

import pytest

from tests.sites.endpoint_in_a_thread import served
from tests.walker.cli.program import started
from tests.walker.workflows.test_workflow_code import AGENTIC, computing
from tests.walker.workflows.test_workflow_commands import QUESTION, replayed, run, without_times
from walker.testing.chat_server import Asked, Endpoint, Reply

HELD_AT = 4
"""The call of the model in which the run is killed: it has searched and run code by then."""


class _Held:
    """A model that does not answer one call until it is let go."""

    def __init__(self) -> None:
        self.comes, self.goes = threading.Event(), threading.Event()
        self.asked = 0

    def __call__(self, asked: Asked) -> Reply:
        self.asked += 1
        if self.asked == HELD_AT:
            self.comes.set()
            self.goes.wait(60)
        return computing(asked)


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
