"""Tries the interpreter for a model's code: it computes, and reaches no file."""

from __future__ import annotations

from walker.browser.launch.chromium import Chromium, ContextOptions
from walker.browser.launch.find_chromium import find_browser
from walker.browser.network.recorded_network import NOWHERE
from walker.code.runners import runner_of
from walker.doctor.checks import Check
from walker.errors import WalkerError
from walker.seams.code_runner import CodeRunner, Ran

SUM, SUMMED = "sum([f1, f2])", "42"
FILE = "open('/etc/hostname').read()"
_ADVICE = {
    "monty": "pip install 'gemwalker[code]'",
    "pyodide": "Unpack the npm package pyodide, and name its folder: --code pyodide:FOLDER",
}


async def examine_code(code: str, chromium: str = "") -> Check:
    """One sum and one file that must not open. Raises `UsageError` for what is no interpreter."""
    try:
        async with Chromium(find_browser(chromium or None)) as browser:
            runner = runner_of(code, lambda: browser.new_context(ContextOptions(proxy=NOWHERE)))
            try:
                return _judged(code, await runner.run(SUM, {"f1": 40, "f2": 2}), await _file(runner))
            finally:
                await runner.close()
    except WalkerError as error:
        if error.exit_code == 2:
            raise
        return Check(name="code", ok=False, detail=str(error))


async def _file(runner: CodeRunner) -> Ran:
    return await runner.run(FILE, {})


def _judged(code: str, summed: Ran, file: Ran) -> Check:
    advice = _ADVICE.get(code.partition(":")[0], "")
    if summed.value != SUMMED:
        said = summed.failure.told if summed.failure is not None else f"40 and 2 are {summed.output} there"
        return Check(name="code", ok=False, detail=f"{code}: {said}", advice=advice)
    if file.failure is None:
        return Check(
            name="code",
            ok=False,
            detail=f"{code} reads files of the machine that it runs on",
            advice="A model's code must not run where it can reach anything: choose another interpreter",
        )
    return Check(name="code", ok=True, detail=f"{code}: a sum in {summed.seconds:.2f} s, no files")
