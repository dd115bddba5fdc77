"""Executes the steps of a script on the open page, in any browser."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from perception.snapshot import Snapshot
from walker.browser.scripts.page_functions import page_function
from walker.crawl.script.secret_text import fill_in
from walker.crawl.script.spec import Step
from walker.seams.protocols import PageFailure, ScriptedBrowser

REST_MS, REST_AT_MOST_MS = 150, 3000
SCRIPT_SECONDS = 5.0
"""Seconds of grace beyond a step's own time limit."""
PRESS_SECONDS = 2.0
"""Seconds for one click or scroll, including settling, when many are requested."""


class StepsFailed(msgspec.Struct, frozen=True, kw_only=True):
    """A step failed; `message` is one line and never contains typed text."""

    number: int
    """Number of the step, from 1."""
    message: str


class StepsDone(msgspec.Struct, frozen=True, kw_only=True):
    """The effect of each step, one short line each ("click #more: 7 times, until it was gone")."""

    notes: tuple[str, ...] = ()


async def take_steps(
    browser: ScriptedBrowser, steps: Iterable[Step], environment: Mapping[str, str]
) -> StepsDone | StepsFailed | PageFailure:
    """Execute the steps in order, up to the first failure. `environment` has the values of `${NAME}` in texts."""
    notes: list[str] = []
    for number, step in enumerate(steps, start=1):
        if step.wait:
            await asyncio.sleep(step.wait)
            continue
        name, function, argument, seconds = _call_of(step, environment)
        done = await browser.run(function, argument, seconds=seconds + SCRIPT_SECONDS)
        if isinstance(done, PageFailure):
            return done
        if done is not None and "missing" in done:
            if step.optional:
                continue
            return StepsFailed(
                number=number, message=f"step {number} ({name}): {done['missing']} did not appear in {step.seconds:g} s"
            )
        if done is None or step.submit or step.type:
            # The step may have navigated.
            await browser.run(
                page_function("steps/waiting.js", "restPage"), [REST_MS, REST_AT_MOST_MS], seconds=SCRIPT_SECONDS
            )
        notes.append(_note(name, done))
    return StepsDone(notes=tuple(notes))


async def steps_then_take(
    browser: ScriptedBrowser, steps: Iterable[Step], environment: Mapping[str, str]
) -> Snapshot | StepsFailed | PageFailure:
    """Execute the steps, and take a snapshot of the page after them."""
    done = await take_steps(browser, steps, environment)
    return await browser.take() if isinstance(done, StepsDone) else done


def _call_of(step: Step, environment: Mapping[str, str]) -> tuple[str, str, list[Any], float]:
    """Name of the step, JavaScript function, its argument, and time limit in seconds."""
    if step.click:
        seconds = step.seconds + PRESS_SECONDS * (1 if step.until == "once" else step.most)
        return (
            f"click {step.click}",
            page_function("steps/click.js", "click"),
            [step.click, step.until, step.most, step.seconds, step.optional],
            seconds,
        )
    if step.scroll:
        seconds = PRESS_SECONDS * step.most
        return (
            "scroll to the end",
            page_function("steps/scroll.js", "scrollToEnd"),
            [step.most, step.seconds, False, seconds],
            seconds,
        )
    if step.type:
        text = fill_in(step.text, environment)
        return (
            f"type into {step.type}",
            page_function("steps/forms.js", "typeText"),
            [step.type, text, step.seconds],
            step.seconds,
        )
    if step.submit:
        return (
            f"submit {step.submit}",
            page_function("steps/forms.js", "submitForm"),
            [step.submit, step.seconds],
            step.seconds,
        )
    if step.dismiss:
        return (
            f"dismiss {step.dismiss}",
            page_function("steps/single_elements.js", "dismiss"),
            [step.dismiss],
            PRESS_SECONDS,
        )
    return (
        f"wait for {step.wait_for}",
        page_function("steps/single_elements.js", "waitUntilShown"),
        [step.wait_for, step.seconds],
        step.seconds,
    )


def _note(name: str, done: dict[str, Any] | None) -> str:
    if done is None:
        return f"{name}: navigated to another page"
    ended = {"gone": ", until it was gone", "repeats": ", until nothing new came", "most": ", the limit"}
    kept = f", {done['kept']} rows kept that the page removed" if done.get("kept") else ""
    return f"{name}: {done['done']} times{ended.get(str(done.get('ended', '')), '')}{kept}"
