from __future__ import annotations

import asyncio
import contextlib
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path

import psutil
import pytest
import pytest_asyncio

from tests.walker.code.code_sets import CodeTask, Hostile, code_tasks, has_escaped, hostile_snippets
from walker.code.monty_runner import MontyRunner
from walker.seams.code_runner import Ran

pytest.importorskip("pydantic_monty", reason="the extra code is not installed")
MOST_SECONDS, MOST_BYTES = 1.5, 200_000_000
SECONDS_TO_END = 5
"""Until a process that was told to end is gone, on a busy machine."""
KINDS = sorted({one.kind for one in hostile_snippets()})


@pytest_asyncio.fixture
async def runner() -> AsyncIterator[MontyRunner]:
    made = MontyRunner()
    yield made
    await made.close()


@pytest.mark.parametrize("task", code_tasks(), ids=lambda task: task.name)
async def test_code_for_a_task_gives_the_right_output(runner: MontyRunner, task: CodeTask) -> None:
    ran = await runner.run(task.code, task.inputs)
    assert (ran.value, ran.failure) == (task.value, None)


def test_the_sets_are_whole() -> None:
    assert (len(code_tasks()), len(hostile_snippets())) == (40, 60)
    assert len({one.name for one in code_tasks()}) == 40
    assert len({(one.kind, one.name) for one in hostile_snippets()}) == 60


@pytest.mark.parametrize("kind", KINDS)
async def test_hostile_code_gets_nowhere_and_ends(
    runner: MontyRunner, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    snippets = [one for one in hostile_snippets() if one.kind == kind]
    assert snippets
    await runner.run("1", {})  # the worker is there: starting it is no part of a run
    escaped, late, large = [], [], []
    for snippet in snippets:
        ran, seconds, most = await watched(runner, snippet)
        escaped += [(snippet.name, ran)] if has_escaped(snippet, ran) else []
        late += [(snippet.name, seconds)] if seconds > MOST_SECONDS else []
        large += [(snippet.name, most)] if most > MOST_BYTES else []
    assert (escaped, late, large) == ([], [], [])
    assert written_in(tmp_path) == []
    assert (await runner.run("1 + 1", {})).value == "2", "the next run is as if there had been none"
    await runner.close()
    _, alive = psutil.wait_procs(workers(), timeout=SECONDS_TO_END)
    assert alive == []


def workers() -> list[psutil.Process]:
    """The interpreters' processes."""
    found = []
    for child in psutil.Process().children():
        with contextlib.suppress(psutil.NoSuchProcess):
            found += [child] if "monty" in child.name() else []
    return found


def written_in(folder: Path) -> list[Path]:
    return list(folder.iterdir())


async def watched(runner: MontyRunner, snippet: Hostile) -> tuple[Ran, float, int]:
    """The run of a snippet, its seconds, and the most memory that a worker had."""
    most, began = 0, time.perf_counter()
    running = asyncio.ensure_future(runner.run(snippet.code, {}))
    while not running.done():
        for child in psutil.Process().children():
            try:
                most = max(most, child.memory_info().rss if "monty" in child.name() else 0)
            except psutil.Error:
                continue
        await asyncio.wait((running,), timeout=0.02)
    return running.result(), time.perf_counter() - began, most


def test_code_that_is_not_kept_in_is_seen_to_escape() -> None:
    """The same judgement of snippets that a plain interpreter runs: else none could ever be found."""
    free = [one for one in hostile_snippets() if one.name in ("all of it", "all classes", "the function behind")]
    assert len(free) == 3
    for snippet in free:
        done = subprocess.run([sys.executable, "-c", snippet.code], capture_output=True, text=True, check=True)
        assert has_escaped(snippet, Ran(printed=done.stdout))


async def test_what_a_text_states_comes_with_it(runner: MontyRunner) -> None:
    ran = await runner.run("f1_value", {"f1": "12.5 EUR", "f1_value": 12.5})
    assert ran.value == "12.5"


async def test_a_module_that_is_not_there_is_named(runner: MontyRunner) -> None:
    ran = await runner.run("import numpy\nnumpy.mean([1])", {})
    assert ran.failure is not None
    assert (ran.failure.kind, ran.failure.line) == ("module", 1)
    assert "numpy" in ran.failure.message


@pytest.mark.parametrize(
    "code", ["import time\ntime.time()", "from datetime import date\ndate.today()", "import random\nrandom.random()"]
)
async def test_there_is_no_clock_and_no_chance(runner: MontyRunner, code: str) -> None:
    ran = await runner.run(code, {})
    assert ran.failure is not None
    assert ran.failure.kind == "refused"


async def test_a_value_that_is_no_value_is_refused(runner: MontyRunner) -> None:
    ran = await runner.run("class A:\n    pass\nA()", {})
    assert ran.failure is not None
    assert "give a text, a number" in ran.failure.message
    huge = await runner.run("10 ** 5000", {})
    assert huge.failure is not None
