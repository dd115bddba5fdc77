"""What a prompt says of the task besides its question: what became of each part, other spellings, what would prove the answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from memory.findings import Finding
from memory.state import WalkMemory
from memory.words import tokens
from perception.document.visible import visible_text
from walker.seams.task import Task
from walker.seams.task_analysis import TaskPart

FOUND_CHARS = 80

PartState = Finding | Literal["found", "open"]
"""The best answer to a part; or only whether there is one."""
_WORDS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "parts": "Parts of the question:",
        "open": "open",
        "found": "found",
        "after": "needs",
        "joined": "Joined by",
        "names": "The site may write",
        "proof": "What would prove it",
    },
    "zh": {
        "parts": "问题的各部分：",
        "open": "未找到",
        "found": "已找到",
        "after": "需要",
        "joined": "合并方式",
        "names": "网站可能写作",
        "proof": "能证明答案的内容",
    },
}


def task_lines(task: Task, memory: WalkMemory) -> str:
    """A few lines in the language of the prompt; "" where there is no more to say than the question does. Of an analysis by rules only
    what cannot be read off the question."""
    analysis, words = task.analysis, _WORDS.get(task.language, _WORDS["en"])
    lines: list[str] = []
    if len(analysis.parts) > 1:
        states = part_states(analysis.parts, memory)
        numbered = enumerate(zip(analysis.parts, states, strict=True), start=1)
        lines += [words["parts"], *(_part_line(number, part, state, words) for number, (part, state) in numbered)]
        if analysis.operation not in ("none", "yes/no"):
            lines.append(f"{words['joined']}: {analysis.operation}")
    spelled = (f"{one.name} = {', '.join(one.spellings)}" for one in analysis.names if one.spellings)
    if names := "; ".join(spelled):
        lines.append(f"{words['names']}: {names}")
    if analysis.by == "model" and analysis.proof:
        lines.append(f"{words['proof']}: {analysis.proof}")
    return "\n".join(map(visible_text, lines))


def part_states(parts: tuple[TaskPart, ...], memory: WalkMemory) -> tuple[PartState, ...]:
    """What became of each part.

    Where no finding names a part but the first, which is also what is said of none, the phrases that the verdict misses tell: each
    is of the part nearest to it.
    """
    if any(finding.part for finding in memory.findings):
        return tuple(_best(memory.findings, number) or "open" for number in range(len(parts)))
    missing = {_nearest(phrase, parts) for phrase in memory.missing}
    is_told = bool(memory.findings) and bool(missing)
    return tuple("found" if is_told and number not in missing else "open" for number in range(len(parts)))


def _best(findings: tuple[Finding, ...], part: int) -> Finding | None:
    return max((one for one in findings if one.part == part), key=lambda one: one.score, default=None)


def _nearest(phrase: str, parts: tuple[TaskPart, ...]) -> int:
    words = frozenset(tokens(phrase))
    shares = [len(words & (own := frozenset(tokens(part.text)))) / (len(own) or 1) for part in parts]
    return max(range(len(parts)), key=lambda place: (shares[place], -place))


def _part_line(number: int, part: TaskPart, state: PartState, words: Mapping[str, str]) -> str:
    needs = f", {words['after']} {part.needs}" if part.needs and state == "open" else ""
    told = f": {state.text[:FOUND_CHARS]}" if isinstance(state, Finding) else ""
    return f"{number} ({words['open'] if state == 'open' else words['found']}{told}{needs}) {part.text}"
