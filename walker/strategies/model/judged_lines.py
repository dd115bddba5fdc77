"""What a judge is shown besides the findings: which parts of the question they answer, where they differ, and how far a count is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from memory.findings import Finding
from memory.state import WalkMemory
from perception.document.visible import shortened
from walker.seams.task import Task
from walker.seams.task_analysis import TaskPart
from walker.strategies.answers.conflicts import asks_for_several, conflicts_of
from walker.strategies.model.digest.digest_words import said
from walker.strategies.question.answered_parts import parts_of_finding
from walker.strategies.question.question import read_question

PART_CHARS = 160
OTHER_CHARS = 60
ITEMS_SHOWN, ITEM_CHARS = 24, 70
"""Counted things that are told by name, the first, and characters of each."""
STEPS_SHOWN = 12
"""Steps that are told with what was new there, the last."""


def parts_of(task: Task) -> tuple[TaskPart, ...]:
    """The parts of the question, in order; the one place that says where they come from."""
    if task.analysis.parts:
        return task.analysis.parts
    return tuple(TaskPart(text=part.text) for part in read_question(task.question, task.language).parts)


def judged_values(task: Task, shown: Sequence[Finding], memory: WalkMemory) -> dict[str, object]:
    """The values `parts` and `differ` of a prompt; "" for a question of one part, and where no findings differ."""
    parts = parts_of(task)
    answered = [parts_of_finding(finding, parts, memory) for finding in shown]
    return {"parts": _part_lines(parts, answered, task.language), "differ": _conflict_lines(task, shown)}


def counted_so_far(memory: WalkMemory, language: str) -> str:
    """How many distinct things were counted, their names, and where they stand on several pages, how many were new on each; "" where
    nothing is counted."""
    counter = memory.counter
    requirement = counter.requirement
    # The number that "how many" asks for may stand on a page: nothing counted is then no count of nothing.
    if requirement.mode == "none" or (requirement.mode == "exhaustive" and not counter.items):
        return ""
    names = "; ".join(shortened(item.told, ITEM_CHARS) for item in counter.items[:ITEMS_SHOWN])
    names += said("more counted", language, more) if (more := counter.found - ITEMS_SHOWN) > 0 else ""
    count = f"{counter.found}/{requirement.target}" if requirement.mode == "quota" else str(counter.found)
    by_step = _new_by_step(memory, language)
    total = said("stated total", language, counter.stated_total) if counter.stated_total else ""
    end = said("list ended", language) if counter.end_seen else ""
    return f"{count} ({names}){by_step}{total}{end}" if names else count


def _new_by_step(memory: WalkMemory, language: str) -> str:
    """How many of the counted things were new at each step, where there are several; of many steps the last."""
    new = Counter(item.step for item in memory.counter.items)
    if len(new) < 2:
        return ""
    steps = sorted(new)
    early, late = steps[:-STEPS_SHOWN], steps[-STEPS_SHOWN:]
    lines = [said("counted to step", language, early[-1], sum(new[step] for step in early))] if early else []
    lines += [said("counted at step", language, step, new[step]) for step in late]
    return said("new by step", language, said("and", language).join(lines))


def unticked_parts(parts: Sequence[TaskPart], found: Sequence[Finding], cited: Sequence[Finding]) -> tuple[int, ...]:
    """The parts, from 0, that no finding answers. Where a cited finding does not say what it answers, it may answer any."""
    if len(parts) < 2 or not all(finding.parts for finding in cited):
        return ()
    answered = {part for finding in found for part in finding.parts}
    return tuple(part for part in range(len(parts)) if part not in answered)


def contradicted(cited: Sequence[Finding], found: Sequence[Finding], task: Task) -> list[str]:
    """For a person: other findings that say something else than what is cited."""
    told = [
        f"“{shortened(found[other].text, OTHER_CHARS)}” on {found[other].address}"
        for one, other in _both_ways(_conflicts(found, task))
        if found[one] in cited and found[other] not in cited
    ]
    return [f"found too: {', '.join(dict.fromkeys(told))}"] if told else []


def _conflicts(findings: Sequence[Finding], task: Task) -> tuple[tuple[int, int], ...]:
    """None where things are counted or listed: these are to differ. Nor between findings of a part that wants several things."""
    parts = parts_of(task)
    asked = [part.text for part in parts] if len(parts) > 1 else [task.question]
    several = {place for place, text in enumerate(asked) if asks_for_several(text, task.language)}
    if task.requirement.mode != "none" or task.analysis.kind == "list" or several.issuperset(range(len(asked))):
        return ()
    names = tuple((one.name, *one.spellings) for one in task.analysis.names)
    found = conflicts_of(findings, task.language, parts=len(parts), names=names)
    return tuple(pair for pair in found if not several.intersection(findings[pair[0]].parts))


def _both_ways(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    return [*pairs, *((other, one) for one, other in pairs)]


def _part_lines(parts: Sequence[TaskPart], answered: Sequence[tuple[int, ...]], language: str) -> str:
    """A line a part, with the numbers of the findings that answer it; `answered`: the parts of each finding."""
    if len(parts) < 2:
        return ""
    see, still_open, needs = ("见", "未找到", "需要") if language == "zh" else ("see", "open", "needs")
    lines = []
    for place, part in enumerate(parts):
        numbers = [f"[{number}]" for number, told in enumerate(answered, start=1) if place in told]
        state = f"{see} {', '.join(numbers)}" if numbers else still_open
        after = f", {needs} {part.needs}" if part.needs and not numbers else ""
        lines.append(f"{place + 1} ({state}{after}) {shortened(part.text, PART_CHARS)}")
    return "\n".join(lines)


def _conflict_lines(task: Task, shown: Sequence[Finding]) -> str:
    pairs = _conflicts(shown, task)
    told = "[{}] 与 [{}] 不同" if task.language == "zh" else "[{}] and [{}] differ"
    return "; ".join(told.format(one + 1, other + 1) for one, other in pairs)
