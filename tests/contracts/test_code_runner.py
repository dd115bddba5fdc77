"""One body for every implementation of the CodeRunner seam: the scripted one, Monty, Pyodide where its package is, a server."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

import pytest
import pytest_asyncio

from tests.walker.code.sandbox_server import SandboxServer
from walker.browser.launch.chromium import Chromium, ContextOptions
from walker.browser.network.recorded_network import NOWHERE
from walker.code.http_runner import HttpRunner
from walker.code.monty_runner import MontyRunner
from walker.code.pyodide_runner import PyodideRunner, why_no_package
from walker.seams.code_runner import OUTPUT_CHARS, CodeFailure, CodeRunner, CodeValue, Ran
from walker.testing.scripted_code import ScriptedCode

PYODIDE = Path(os.environ.get("WALKER_PYODIDE", "pyodide"))
ROWS: tuple[tuple[str, ...], ...] = (("boat", "metres"), ("Mantis", "18.5"), ("Squid", "7"))
SUM = "sum(float(row[1]) for row in t1[1:])"
PRINTS = "print('a' * 5000)"
KNOWN: dict[str, Ran | str] = {
    "f1_value * 2": "25",
    "f1.upper()": "12.5 EUR",
    SUM: "25.5",
    "left": Ran(failure=CodeFailure(kind="error", message="NameError: name 'left' is not defined", line=1, column=1)),
    "x = (": Ran(failure=CodeFailure(kind="syntax", message="never closed", line=1, column=6)),
    "y = 5": "",
    PRINTS: Ran(printed="a" * (OUTPUT_CHARS + 1000)),
}


@pytest_asyncio.fixture(params=["scripted", "monty", "http", "pyodide"])
async def runner(request: pytest.FixtureRequest, chromium: Chromium) -> AsyncIterator[CodeRunner]:
    match request.param:
        case "scripted":
            yield ScriptedCode(cut)
        case "monty":
            pytest.importorskip("pydantic_monty")
            monty = MontyRunner()
            yield monty
            await monty.close()
        case "http":
            async with SandboxServer(scripted) as server:
                yield HttpRunner(server.address)
        case _:
            if why := why_no_package(PYODIDE):
                pytest.skip(f"{why}; WALKER_PYODIDE names another folder")
            pyodide = PyodideRunner(PYODIDE, lambda: chromium.new_context(ContextOptions(proxy=NOWHERE)))
            yield pyodide
            await pyodide.close()


def scripted(code: str, inputs: Mapping[str, CodeValue]) -> Ran | str:
    assert all(isinstance(value, str | int | float | tuple | list) for value in inputs.values())
    return KNOWN[code]


def cut(code: str, inputs: Mapping[str, CodeValue]) -> Ran | str:
    """What a script gives is given on as it is: it cuts its output itself, as all others do."""
    ran = scripted(code, inputs)
    if isinstance(ran, Ran) and len(ran.printed) > OUTPUT_CHARS:
        return Ran(printed=ran.printed[:OUTPUT_CHARS], is_cut=True)
    return ran


async def test_code_computes_with_its_inputs_and_leaves_nothing_behind(runner: CodeRunner) -> None:
    inputs: dict[str, CodeValue] = {"f1": "12.5 eur", "f1_value": 12.5, "t1": ROWS}
    assert (await runner.run("f1_value * 2", inputs)).value == "25"
    assert (await runner.run("f1.upper()", inputs)).value == "12.5 EUR"
    summed = await runner.run(SUM, inputs)
    assert (summed.value, summed.failure) == ("25.5", None)
    assert summed.seconds >= 0
    nothing = await runner.run("y = 5", inputs)
    assert nothing.failure is not None
    assert nothing.failure.kind == "output"
    missing = await runner.run("left", {})
    assert missing.failure is not None
    assert (missing.failure.kind, missing.value) == ("error", "")
    assert "left" in missing.failure.message


async def test_code_that_cannot_be_read_has_a_place(runner: CodeRunner) -> None:
    ran = await runner.run("x = (", {})
    assert ran.failure is not None
    assert (ran.failure.kind, ran.failure.line) == ("syntax", 1)
    assert ran.failure.column >= 5
    assert "\n" not in ran.failure.told


async def test_output_is_cut_and_says_so(runner: CodeRunner) -> None:
    ran = await runner.run(PRINTS, {})
    assert (len(ran.printed), ran.is_cut, ran.failure) == (OUTPUT_CHARS, True, None)
    assert ran.output == "a" * OUTPUT_CHARS
