"""Answering without a walk: the model alone. (Search, and search in turns, stand beside it.)"""

from __future__ import annotations

import time

import msgspec

from evaluation.dataset.question import Question
from evaluation.experiment.variants import Workflow
from evaluation.prompts import request_of
from evaluation.sample import Sample
from walker.assembly import Workshop
from walker.chat import ChatFailure, ChatMessage, ChatRequest, Spent
from walker.errors import BudgetSpent
from walker.models.meter import MeteredChat, money_of
from walker.outcome import Usage
from walker.replies import BadReply, read_reply

TRIES = 2


class DirectReply(msgspec.Struct, frozen=True, kw_only=True):
    """An answer as a model gives it; items where a list or a count was asked for."""

    answer: str = ""
    items: tuple[str, ...] = ()


async def answer_without_walk(
    workshop: Workshop, question: Question, root: str, workflow: Workflow, empty: Sample
) -> Sample:
    """The sample of one of the other workflows. Raises `EndpointUnusable` and what opening pages raises."""
    assert workflow == "direct", workflow
    return await _answer_directly(workshop, question, root, empty)


async def _answer_directly(workshop: Workshop, question: Question, root: str, empty: Sample) -> Sample:
    settings = workshop.settings.model
    assert settings is not None, "checked before the run"
    chat = MeteredChat(workshop.endpoint, settings)
    request = request_of("direct", {"question": question.question, "root": root}, model=settings.name)
    began = time.monotonic()
    reply = DirectReply()
    for _ in range(TRIES):
        try:
            answer = await chat.complete(request)
        except BudgetSpent:
            break
        if isinstance(answer, ChatFailure):
            return msgspec.structs.replace(empty, error=f"{answer.kind}: {answer.message}", stop_reason="failed")
        try:
            reply = read_reply(answer, DirectReply)
            break
        except BadReply as error:
            request = _again(request, answer.text, str(error))
    return with_usage(
        msgspec.structs.replace(
            empty, answer=reply.answer, items=reply.items, stop_reason="answered" if reply.answer else "dead end"
        ),
        chat.spent,
        time.monotonic() - began,
        workshop,
    )


def with_usage(sample: Sample, spent: Spent, seconds: float, workshop: Workshop) -> Sample:
    """The sample with what it cost."""
    usage = Usage(
        prompt_tokens=spent.prompt_tokens,
        completion_tokens=spent.completion_tokens,
        total_tokens=spent.total_tokens,
        model_calls=spent.calls,
        seconds=round(seconds, 3),
    )
    model = workshop.settings.model
    return msgspec.structs.replace(sample, usage=usage, money=money_of(spent, model) if model else None)


def _again(request: ChatRequest, said: str, why: str) -> ChatRequest:
    more = (
        ChatMessage(role="assistant", content=said[:1000] or "{}"),
        ChatMessage(role="user", content=f"That cannot be used: {why}. Reply with the JSON object alone."),
    )
    return msgspec.structs.replace(request, messages=request.messages + more)
