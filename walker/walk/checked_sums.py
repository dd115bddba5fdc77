"""The stage that computes again what an answer says it has computed ("12 + 22.5 = 35"), where the walk has an interpreter."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation

import msgspec

from walker.seams.code_runner import CodeRunner
from walker.walk.walk_events import code_ran, judged
from walker.walk.walk_state import WalkContext, WalkState

_NUMBER = r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?![\d.,]*\d)"
_TERM = rf"(?:[€$£¥]\s?)?{_NUMBER}(?:\s?(?:[^\W\d_]{{1,12}}|[€$£¥°]))?"
_SUM = re.compile(
    rf"(?P<sum>[(\s]*{_TERM}(?:[)\s]*(?:[+*/×÷]|\s[-−–]\s)[(\s]*{_TERM})+[)\s]*)=\s*(?:[€$£¥]\s?)?(?P<result>{_NUMBER})(?!\s?%)"
)
_DIGITS, _UNIT = re.compile(_NUMBER), re.compile(r"[^\W\d_]+|[€$£¥°]")
_OPERATORS = str.maketrans({"×": "*", "÷": "/", "−": "-", "–": "-"})
MOST_SUMS = 3
"""Of one answer."""


class StatedSum(msgspec.Struct, frozen=True, kw_only=True):
    """A computation as an answer states it, and the same as code."""

    code: str
    result: str
    """The number behind the equals sign, as it is written."""

    def corrected(self, value: str) -> str:
        """The right result in the form of the stated one; "" where that is right, rounded as it is."""
        try:
            right, said = Decimal(value), Decimal(self.result.replace(",", ""))
        except InvalidOperation:
            return ""
        exponent = said.as_tuple().exponent
        places = -exponent if isinstance(exponent, int) else 0
        if abs(right - said) <= Decimal("0.5").scaleb(-places):
            return ""
        shown = f"{right.normalize():f}"
        return f"{right.normalize():,f}" if "," in self.result else shown


def stated_sums(answer: str) -> tuple[StatedSum, ...]:
    """The computations that a text spells out to an equals sign. One that adds amounts of different units is left out: what it
    converts is not told."""
    found = []
    for match in _SUM.finditer(answer):
        written = match["sum"]
        is_added = re.search(r"[+]|\s[-−–]\s", written) is not None
        if (is_added and len(set(_UNIT.findall(written))) > 1) or written.count("(") != written.count(")"):
            continue
        code = " ".join(_UNIT.sub(" ", written).translate(_OPERATORS).split())
        found.append(StatedSum(code=_DIGITS.sub(_plain, code), result=match["result"]))
    return tuple(found[:MOST_SUMS])


async def check_sums(context: WalkContext, state: WalkState) -> WalkState:
    """Correct a sum of the answer that an interpreter computes otherwise; the reason of the verdict says so."""
    runner: CodeRunner | None = context.edges.code
    verdict = state.verdict
    if runner is None:
        return state
    for one in stated_sums(verdict.answer):
        ran = await runner.run(one.code, {})
        context.sink.emit(code_ran(state.step, one.code, (), ran))
        if right := one.corrected(ran.value):
            answer = re.sub(rf"(?<![\d.,]){re.escape(one.result)}(?![\d.,]*\d)", right, verdict.answer)
            reason = f"{verdict.reason}; computed: {one.code} = {right}, the model said {one.result}"
            verdict = msgspec.structs.replace(verdict, answer=answer, reason=reason)
    if verdict is state.verdict:
        return state
    context.sink.emit(judged(state.step, verdict))
    return msgspec.structs.replace(state.remember(answer=verdict.answer), verdict=verdict)


def _plain(match: re.Match[str]) -> str:
    """A number as code has it: without separators, and without the zeros before it that Python does not read."""
    number = match[0].replace(",", "")
    return number.lstrip("0") or "0" if number.isdigit() else number
