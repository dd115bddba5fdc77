"""Code of a turn: it runs over passages that were found, and what it gives is one more passage, which rests on these."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory.findings import Citation, ComputedFinding, Findings
from walker.rules.tools.code_rules import RUNS_A_WALK, TEXT_CHARS, FoundValue, computed_finding
from walker.seams.actions import RunCode
from walker.seams.code_runner import CODE_CHARS
from walker.seams.passage_critic import OfferedPassage
from walker.strategies.model.quotes import is_within
from walker.walk.computing import variables_of
from walker.walk.walk_events import code_ran, findings_added
from walker.workflows.replies import TurnReply
from walker.workflows.workflow_run import WorkflowRun

_NAMES = re.compile(r"\bp([0-9]{1,4})(?:_value)?\b")
"""The variables of passages: `p3` its words, `p3_value` the number or the date that they state."""


class TurnCode:
    """The code that one workflow ran, and what it gave."""

    def __init__(self, run: WorkflowRun) -> None:
        self._run = run
        self._ran: dict[tuple[str, tuple[str, ...]], str] = {}
        """Why code over these inputs gave nothing, "" where it gave something."""
        self.computed: dict[int, ComputedFinding] = {}
        """What code gave, by the number of the passage that stands for it."""

    async def why_not_computed(self, reply: TurnReply, found: list[OfferedPassage]) -> str:
        """Run the code of a turn; its output is added to `found`. Else why there is none, worded for the model."""
        run, code = self._run, reply.text.strip("\n")
        values = self._values(code, reply, found)
        told = () if isinstance(values, str) else tuple(value.told for value in values)
        why_not = values if isinstance(values, str) else self._why_not(code, told)
        if isinstance(values, str) or why_not or run.edges.code is None:
            why_not = why_not or "There is no interpreter."
            run.refuse(reply.action, why_not)
            return why_not
        ran = await run.edges.code.run(code, variables_of(values, run.task.language))
        self._ran[code, told] = ran.failure.told if ran.failure is not None else ""
        run.emit(code_ran(run.step, code, told, ran))
        if ran.failure is not None:
            return f"The code gave nothing: {ran.failure.told}"
        finding = computed_finding(RunCode(code=code), ran.output, values, run.step)
        run.emit(findings_added(run.step, Findings(findings=(finding,))))
        names = ", ".join(value.name for value in values)
        found.append(OfferedPassage(url=finding.url, title=f"Computed from {names}", text=finding.text))
        self.computed[len(found)] = finding
        return ""

    def _why_not(self, code: str, told: tuple[str, ...]) -> str:
        if len(self._ran) >= RUNS_A_WALK:
            return f"Code was run {RUNS_A_WALK} times, as often as it may be."
        if len(code) > CODE_CHARS:
            return f"The code has {len(code)} characters; {CODE_CHARS} are the most."
        if (before := self._ran.get((code, told))) is not None:
            return f"This very code was run already: {f'it failed: {before}' if before else 'its output is known.'}"
        return ""

    def _values(self, code: str, reply: TurnReply, found: Sequence[OfferedPassage]) -> tuple[FoundValue, ...] | str:
        """The passages that code uses, each once, or why it cannot be run over them."""
        numbers = list(dict.fromkeys(int(number) for number in _NAMES.findall(code)))
        if not numbers:
            return "The code uses no passage: p1 is what passage 1 says, p1_value the number that it states."
        missing = next((number for number in numbers if not 1 <= number <= len(found)), None)
        if missing is not None:
            return f"There is no passage {missing}."
        quotes = dict(zip(reply.cite, reply.quotes, strict=False))
        return tuple(self._value(number, found[number - 1], quotes.get(number, "")) for number in numbers)

    def _value(self, number: int, passage: OfferedPassage, quote: str) -> FoundValue:
        """A passage as an input: the words that the model quotes of it if it has them, else all of it."""
        if number in self.computed:
            earlier = self.computed[number]
            return FoundValue(name=f"p{number}", value=earlier.text, sources=earlier.sources, score=earlier.score)
        words = quote.strip() if quote.strip() and is_within(passage.text, quote) else passage.text
        source = Citation(url=passage.url, quote=words[:TEXT_CHARS])
        return FoundValue(name=f"p{number}", value=words, sources=(source,), score=1.0)
