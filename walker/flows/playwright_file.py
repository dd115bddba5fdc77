"""A flow script as a Python file for pytest and Playwright, which runs without Walker."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from importlib import resources
from string import Template

from walker.flows.answer_again import CELLS
from walker.flows.script import START, FlowScript, FlowStep, Locator, Passage

TEMPLATE = "playwright_test.txt"
MOST_LISTED = 200
IN_PLAYWRIGHT = frozenset(("name", "css", "address"))
"""Kinds of locators that it has words for."""


def as_playwright(script: FlowScript) -> str:
    """A test that goes the way, and asserts what each step has to bring about; variables come from the environment."""
    text = resources.files("walker.flows").joinpath(TEMPLATE).read_text(encoding="utf-8")
    lines = [line for number, step in enumerate(script.steps, start=1) for line in _lines(number, step, script)]
    name = re.sub(r"\W+", "_", script.name.casefold()).strip("_") or "walk"
    return Template(text).substitute(
        name=name,
        title=_in_docstring(script.question or script.name),
        start=_literal(script.start),
        variables="".join(
            f"{variable} = os.environ.get({_literal(variable.upper())}, {_literal(one.value)})\n"
            for variable, one in script.variables.items()
        ),
        steps="\n".join(f"    {line}" if line else "" for line in lines),
    )


def _lines(number: int, step: FlowStep, script: FlowScript) -> list[str]:
    lines = ["", f"# {number}. {step.action} {_in_comment(step.target)}", *_act(step, script)]
    effect = step.expect
    if effect.url:
        lines.append(f"expect(page).to_have_url(address_pattern({_text(effect.url, script, in_address=True)}))")
    if effect.heading:
        lines.append(f"expect_heading(page, {_text(effect.heading, script)})")
    lines += [f"expect_text(page, {_text(text, script)})" for text in effect.text]
    lines += [line for one in script.answer.passages if one.step == number for line in _passage(one)]
    for listed in script.answer.lists:
        if listed.step == number:
            lines += [f"expect_text(page, {_literal(name)})" for name in listed.names[:MOST_LISTED]]
    return [*lines, "pages.append(page.url)"]


def _act(step: FlowStep, script: FlowScript) -> list[str]:
    def found() -> str:
        return "[" + ", ".join(_locator(one, script) for one in step.find if one.kind in IN_PLAYWRIGHT) + "]"

    actions: dict[str, Callable[[], list[str]]] = {
        "open": lambda: [f"page.goto(urljoin(start, {_text(step.open, script, in_address=True)}))"],
        "back": lambda: [f"page.goto(pages[{step.back - 1}])"],
        "scroll": lambda: ["scroll_to_end(page)"],
        "follow": lambda: [f"follow(page, {found()})"],
        "click": lambda: [f"first_of(page, {found()}).click()"],
        "type": lambda: [f"type_and_submit(first_of(page, {found()}), {_text(step.text, script)})"],
    }
    return actions[step.action]()


def _locator(locator: Locator, script: FlowScript) -> str:
    match locator.kind:
        case "name":
            return (
                f"page.get_by_role({_literal(locator.role or 'link')}, name={_text(locator.name, script)}, exact=True)"
            )
        case "css":
            return f"page.locator({_literal(locator.css)})"
        case _:
            return f"page.locator(link_to({_text(locator.address, script, in_address=True)}))"


def _passage(passage: Passage) -> list[str]:
    """The value, or else the quote; of a row its cells, which no element of the page holds with bars between."""
    return [f"expect_text(page, {_literal(text)})" for text in (passage.value or passage.quote).split(CELLS) if text]


def _text(text: str, script: FlowScript, *, in_address: bool = False) -> str:
    """An expression for a text with variables."""
    names = "|".join(map(re.escape, (START, *script.variables)))
    parts = re.split(rf"\{{({names})\}}", text)
    if len(parts) == 1:
        return _literal(text)
    written = [
        (f"quote_plus({part})" if in_address and part != START else part) if place % 2 else _literal(part)
        for place, part in enumerate(parts)
        if place % 2 or part
    ]
    return " + ".join(written)


def _literal(text: str) -> str:
    """A Python literal, in ASCII: whatever a page says is a text, never code."""
    return json.dumps(text, ensure_ascii=True)


def _in_comment(text: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in text)[:100]


def _in_docstring(text: str) -> str:
    return _in_comment(text).replace("\\", "/").replace('"', "'")
