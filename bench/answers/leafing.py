"""A question asked of given pages: what the built-in critic makes of them, without an explorer, a browser or a record."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from answers.walks import Ended
from memory.counting.counter import Counter
from memory.findings import Findings
from memory.state import PageNote, WalkMemory
from perception.observation import Observation
from walker.assembly import read_task
from walker.seams.outcome import conclude
from walker.seams.protocols import Critic, Verdict
from walker.strategies.question.question_analysis import analyse_question

LIKENESS = 0.9


async def leaf_through(
    question: str,
    language: str,
    pages: Sequence[Observation],
    critic: Critic,
    *,
    home: Observation | None = None,
    to_the_end: bool = False,
) -> tuple[Ended, WalkMemory, Verdict]:
    """Read the pages in order, until the critic says that it is enough, or `to_the_end`. The memory holds all findings. Of `home` only
    the title is known, as to a walk, which begins there: words of the site's name narrow nothing down."""
    task = read_task(pages[0].url, question, language)
    task = task.analysed(analyse_question(task.question, task.language, task.requirement))
    memory, verdict = WalkMemory(counter=Counter.start(task.requirement)), Verdict()
    if home is not None:
        memory = msgspec.structs.replace(
            memory, pages=(PageNote(step=1, url=home.url, key=home.url, title=home.title),)
        )
    for step, page in enumerate(pages, start=1 + len(memory.pages)):
        note = PageNote(step=step, url=page.url, key=page.url, title=page.title)
        memory = msgspec.structs.replace(memory, step=step, pages=(*memory.pages, note))
        memory = _with_findings(memory, await critic.find(task, page, memory))
        verdict = await critic.judge(task, memory)
        memory = msgspec.structs.replace(memory, answer=verdict.answer, confidence=verdict.confidence)
        if verdict.sufficient and not to_the_end:
            break
    end = conclude(memory, verdict)
    ended = Ended(
        id="", answer=end.answer, items=end.items, confidence=end.confidence, pages=memory.step - (home is not None)
    )
    return ended, memory, verdict


def _with_findings(memory: WalkMemory, found: Findings) -> WalkMemory:
    counter = memory.counter
    if counter.requirement.mode != "none":
        counter = counter.add(found.items, similarity=lambda one, other: 1.0 if one == other else 0.0)
        counter = counter.saw_total(found.list_total) if found.list_total else counter
        counter = counter.saw_end() if found.list_ended else counter
    return msgspec.structs.replace(memory, findings=(*memory.findings, *found.findings), counter=counter)
