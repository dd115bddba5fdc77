"""Answers from kept passages without a model: the critic of walks reads them as pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import groupby

import msgspec

from memory.counting.counter import Counter
from memory.findings import Findings
from memory.state import PageNote, WalkMemory
from perception.document.reading import observe
from perception.observation import Observation
from perception.snapshot import Snapshot
from walker.seams.outcome import conclude
from walker.seams.protocols import Critic
from walker.seams.task import Task
from walker.strategies.passages.kept_passages import KeptAnswer, KeptPassage

LIST_LINES, LIST_CHARS = 3, 80
"""So many lines, each at most so long, that follow one another are read as a list: the markup of a passage is not kept."""


async def answer_by_rules(task: Task, kept: Sequence[KeptPassage], critic: Critic) -> KeptAnswer:
    """The best answer that the critic finds in the passages, page by page; nothing where none is kept."""
    memory = WalkMemory(counter=Counter.start(task.requirement))
    if not kept:
        return KeptAnswer()
    for step, page in enumerate(_pages(kept), start=1):
        note = PageNote(step=step, url=page.url, key=page.url, title=page.title)
        memory = msgspec.structs.replace(memory, step=step, pages=(*memory.pages, note))
        memory = _with_findings(memory, await critic.find(task, page, memory))
    end = conclude(memory, await critic.judge(task, memory))
    return KeptAnswer(
        answer=end.answer,
        items=end.items,
        confidence=end.confidence,
        citations=end.citations,
        tied=end.tied,
        evidence=bool(end.citations),
    )


def _pages(kept: Sequence[KeptPassage]) -> Iterator[Observation]:
    """The passages of each page as a page of their own."""
    for url, members in groupby((one.passage for one in kept), key=lambda passage: passage.url):
        passages = list(members)
        title = passages[0].title
        parts = [f"<title>{escape(title)}</title>"]
        above: tuple[str, ...] = ()
        for passage in passages:
            fresh = [
                (level, heading)
                for level, heading in enumerate(passage.headings, start=1)
                if passage.headings[:level] != above[:level]
            ]
            parts += [f"<h{min(level, 6)}>{escape(heading)}</h{min(level, 6)}>" for level, heading in fresh]
            parts += _marked(line for line in passage.text.splitlines() if line.strip() not in passage.headings)
            above = passage.headings
        html = f"<!DOCTYPE html><html><body><main>{''.join(parts)}</main></body></html>"
        yield observe(Snapshot(url=url, final_url=url, status=200, html=html, title=title))


def _marked(lines: Iterable[str]) -> Iterator[str]:
    """Lines as paragraphs; several short ones in a row as a list."""
    for is_short, members in groupby((line for line in lines if line.strip()), key=lambda one: len(one) <= LIST_CHARS):
        run = [escape(line.strip()) for line in members]
        if is_short and len(run) >= LIST_LINES:
            yield f"<ul>{''.join(f'<li>{line}</li>' for line in run)}</ul>"
        else:
            yield "".join(f"<p>{line}</p>" for line in run)


def _with_findings(memory: WalkMemory, found: Findings) -> WalkMemory:
    counter = memory.counter
    if counter.requirement.mode != "none":
        counter = counter.add(found.items, similarity=lambda one, other: float(one == other))
        counter = counter.saw_total(found.list_total) if found.list_total else counter
    return msgspec.structs.replace(memory, findings=(*memory.findings, *found.findings), counter=counter)
