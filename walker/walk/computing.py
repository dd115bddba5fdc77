"""Moves that change no page: code over values that were found, and where an element is."""

from __future__ import annotations

from decimal import Decimal

import msgspec

from memory.findings import CodeRun, Findings
from walker.rules.tools.code_rules import FoundValue, computed_finding, found_values
from walker.rules.tools.locating import located, location_in_words
from walker.seams.actions import Compute, Locate, Refusal
from walker.seams.code_runner import CodeFailure, CodeRunner, CodeValue, Ran
from walker.seams.protocols import PageFailure
from walker.strategies.values.value_kinds import Days, Measure
from walker.strategies.values.written_values import only_value
from walker.walk.walk_events import code_ran, element_located, findings_added
from walker.walk.walk_state import Computed, NothingNew, Page, WalkContext, WalkState, bring_back

VALUE = "_value"
"""What the variable is called, behind the name of a text, that holds the number or the date which the text states."""
_NO_RUNNER = Ran(failure=CodeFailure(kind="unavailable", message="there is no interpreter"))


async def use_tool(context: WalkContext, state: WalkState, move: Compute | Locate) -> tuple[WalkState, Page]:
    """Carry out a move that changes no page."""
    if isinstance(move, Compute):
        return await compute(context, state, move)
    return await locate(context, state, move)


async def compute(context: WalkContext, state: WalkState, move: Compute) -> tuple[WalkState, Page]:
    """Run the code of a move. Its output is a finding that rests on the inputs; where it gave none, the explorer is told why as of
    an action that was refused."""
    values = found_values(move.action, state.page.observation, state.memory)
    told = tuple(value.told for value in values)
    runner: CodeRunner | None = context.edges.code
    variables = variables_of(values, context.task.language)
    ran = await runner.run(move.action.code, variables) if runner is not None else _NO_RUNNER
    context.sink.emit(code_ran(state.step, move.action.code, told, ran))
    failure = ran.failure.told if ran.failure is not None else ""
    run = CodeRun(step=state.step, code=move.action.code, inputs=told, output=ran.output, failure=failure)
    state = state.remember(runs=(*state.memory.runs, run))
    if ran.failure is not None:
        refusal = Refusal(action=move.action, reason=failure)
        return msgspec.structs.replace(state.with_outcome(failure), refused=(refusal,)), NothingNew()
    finding = computed_finding(move.action, ran.output, values, state.step)
    context.sink.emit(findings_added(state.step, Findings(findings=(finding,))))
    cut = " (cut)" if ran.is_cut else ""
    state = state.with_outcome(f"gave {finding.text}{cut}")
    return state.remember(findings=(*state.memory.findings, finding)), Computed()


async def locate(context: WalkContext, state: WalkState, move: Locate) -> tuple[WalkState, Page]:
    """Look for an element on the open page, and tell where it is with the move that asked."""
    state = await bring_back(context, state)
    observation = state.page.observation
    view = await context.edges.browser.see(whole=True)
    if isinstance(view, PageFailure):
        context.sink.emit(element_located(state.step, move.words, None, view.message))
        return state.with_outcome(f"the page cannot be drawn ({view.message})"), NothingNew()
    found = located(move.words, view)
    said = location_in_words(found, view, observation)
    context.sink.emit(element_located(state.step, move.words, found, said))
    return state.with_outcome(said), NothingNew()


def variables_of(values: tuple[FoundValue, ...], language: str) -> dict[str, CodeValue]:
    """The variables of code: each input by its name, and beside a text the number or the date that it states, if it states one."""
    variables: dict[str, CodeValue] = {}
    for one in values:
        variables[one.name] = one.value
        if isinstance(one.value, str) and (stated := _stated(one.value, language)) is not None:
            variables[one.name + VALUE] = stated
    return variables


def _stated(text: str, language: str) -> CodeValue | None:
    match only_value(text, language):
        case Measure(amount=amount):
            return _number(amount)
        case Days(first=first, last=last) if first == last:
            return first.isoformat()
        case _:
            return None


def _number(amount: Decimal) -> int | float:
    return int(amount) if amount == amount.to_integral_value() else float(amount)
