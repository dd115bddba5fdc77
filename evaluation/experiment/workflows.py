"""Baseline workflows without a walk: the model alone, retrieval-augmented answering, and agentic search.

Their costs are measured as for walks: pages are those read for the answer, tokens those of all calls. Crawling the site for the
search index happens once for all questions and is not counted.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Literal, TypeVar

import msgspec

from evaluation.asking import NoReply, ask_for
from evaluation.dataset.question import Question
from evaluation.experiment.site_search import Passage, SiteIndex, SiteSearch
from evaluation.experiment.variants import Workflow
from evaluation.prompts import request_of
from evaluation.sample import Sample
from memory.findings import Citation
from walker.assembly import WalkResources
from walker.errors import BudgetSpent
from walker.models.meter import MeteredChat, money_of
from walker.models.sampling import with_sampling
from walker.seams.outcome import Usage
from walker.settings import ModelSettings

PASSAGES = 8
"""Passages per search: 1,200 tokens."""
TURNS = 8
"""Turns of the agentic workflow, including the answer."""
OPENED_CHARS = 6000
R = TypeVar("R", bound=msgspec.Struct)


class AnswerReply(msgspec.Struct, frozen=True, kw_only=True):
    """A model's answer; with items if a list or a count was asked for, and the numbers of the passages it is based on."""

    answer: str = ""
    items: tuple[str, ...] = ()
    cite: tuple[int, ...] = ()


class TurnReply(msgspec.Struct, frozen=True, kw_only=True):
    """One turn of the agentic workflow."""

    action: Literal["search", "open", "answer"]
    text: str = ""
    """The query, or the answer."""
    number: int = 0
    """Number of the passage whose page is to be opened."""
    items: tuple[str, ...] = ()
    cite: tuple[int, ...] = ()


async def answer_without_walk(
    resources: WalkResources, question: Question, root: str, workflow: Workflow, empty: Sample, search: SiteSearch
) -> Sample:  # fmt: skip
    """The sample of one of these workflows. Raises `EndpointUnusable` and what crawling a site raises."""
    settings = resources.settings.model
    assert settings is not None, "checked before the run"
    index = None if workflow == "direct" else await search.index(root)
    talk = _Conversation(MeteredChat(resources.endpoint, settings), settings)
    began = time.monotonic()
    try:
        if index is None:
            sample = await _answer_directly(talk, question, root, empty)
        elif workflow == "retrieval":
            sample = await _answer_from_search(talk, question, index, empty)
        else:
            sample = await _answer_in_turns(talk, question, index, empty)
    except NoReply as error:
        sample = msgspec.structs.replace(empty, error=str(error), stop_reason="failed")
    except BudgetSpent:
        sample = msgspec.structs.replace(empty, stop_reason="budget")
    return talk.with_usage(sample, time.monotonic() - began)


async def _answer_directly(talk: _Conversation, question: Question, root: str, empty: Sample) -> Sample:
    reply = await talk.ask("direct", {"question": question.question, "root": root}, AnswerReply)
    return _answered(empty, reply.answer, reply.items, (), reply.cite)


async def _answer_from_search(talk: _Conversation, question: Question, index: SiteIndex, empty: Sample) -> Sample:
    found = index.search(question.question, PASSAGES)
    values = {"question": question.question, "passages": _listed(found)}
    reply = await talk.ask("retrieval", values, AnswerReply)
    sample = _answered(empty, reply.answer, reply.items, found, reply.cite)
    return msgspec.structs.replace(sample, pages=len({passage.url for passage in found}), steps=1)


async def _answer_in_turns(talk: _Conversation, question: Question, index: SiteIndex, empty: Sample) -> Sample:
    found: list[Passage] = []
    opened: set[str] = set()
    notes: list[str] = []
    reply = TurnReply(action="answer")
    for turn in range(1, TURNS + 1):
        values = {"question": question.question, "notes": notes, "left": TURNS - turn}
        reply = await talk.ask("agentic", values, TurnReply)
        if reply.action == "answer":
            break
        if reply.action == "search":
            hits = [hit for hit in index.search(reply.text or question.question, PASSAGES) if hit not in found]
            start = len(found)
            found += hits
            notes.append(f"Searched “{reply.text}”:\n{_listed(hits, start)}")
        else:
            notes.append(_opened(index, found, reply.number, opened))
    answer = reply.text if reply.action == "answer" else ""
    sample = _answered(empty, answer, reply.items, tuple(found), reply.cite)
    urls = {passage.url for passage in found} | opened
    return msgspec.structs.replace(sample, pages=len(urls), steps=min(turn, TURNS))


def _opened(index: SiteIndex, found: list[Passage], number: int, opened: set[str]) -> str:
    if not 1 <= number <= len(found):
        return f"There is no passage {number}."
    page = index.page(found[number - 1].url)
    if page is None:
        return f"The page of passage {number} cannot be opened."
    opened.add(page.url)
    return f"Opened the page of passage {number}, “{page.title}”:\n{page.text[:OPENED_CHARS]}"


def _answered(
    empty: Sample, answer: str, items: tuple[str, ...], found: tuple[Passage, ...], cite: tuple[int, ...]
) -> Sample:  # fmt: skip
    cited = [found[number - 1] for number in dict.fromkeys(cite) if 1 <= number <= len(found)]
    return msgspec.structs.replace(
        empty,
        answer=answer.strip(),
        items=items,
        citations=tuple(Citation(url=one.url, quote=one.text[:200]) for one in cited),
        stop_reason="answered" if answer.strip() else "dead end",
    )


def _listed(passages: list[Passage] | tuple[Passage, ...], start: int = 0) -> str:
    return "\n\n".join(
        f"[{number}] {one.title} ({one.url})\n{one.text}" for number, one in enumerate(passages, start=start + 1)
    )


class _Conversation:
    """Model calls for one answer, with their cost."""

    def __init__(self, chat: MeteredChat, settings: ModelSettings) -> None:
        self._chat, self._settings = chat, settings

    async def ask(self, prompt: str, values: Mapping[str, object], kind: type[R]) -> R:
        """The reply to a prompt. Raises `NoReply`, `BudgetSpent`."""
        request = request_of(prompt, values, model=self._settings.name, max_tokens=self._settings.reply_tokens)
        return await ask_for(self._chat, with_sampling(request, self._settings), kind)

    def with_usage(self, sample: Sample, seconds: float) -> Sample:
        """The sample with its cost."""
        spent = self._chat.spent
        usage = Usage(
            prompt_tokens=spent.prompt_tokens,
            completion_tokens=spent.completion_tokens,
            total_tokens=spent.total_tokens,
            model_calls=spent.calls,
            seconds=round(seconds, 3),
        )
        return msgspec.structs.replace(sample, usage=usage, money=money_of(spent, self._settings))
