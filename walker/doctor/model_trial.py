"""Tries a model's endpoint: reachability, model name, structured output, images, logprobs, context length, price."""

from __future__ import annotations

import asyncio
import base64
import re
import struct
import time
import zlib
from collections.abc import Sequence

import numpy as np

from memory.findings import Findings
from memory.retrieval import Ranker, Vectors
from memory.state import WalkMemory
from memory.url_key import key_of
from memory.url_stack import Frame, UntriedLink, UrlStack
from perception.document.reading import observe
from perception.snapshot import Snapshot
from walker.doctor.checks import Check
from walker.errors import EndpointUnusable
from walker.models.discovery.model_families import family_of
from walker.models.openai_compatible import OpenAICompatible
from walker.models.retry import RetryingChat
from walker.seams.chat import ChatFailure, ChatReply, ChatRequest
from walker.seams.task import Task
from walker.settings import ModelSettings
from walker.strategies.builtin.builtin_critic import BuiltinCritic
from walker.strategies.model.model_critic import ModelCritic
from walker.strategies.model.model_talk import ModelTalk
from walker.strategies.model.one_call import OneCall
from walker.strategies.model.prompt_values import PromptValues

CONTEXT_FIELDS = ("max_model_len", "context_length", "context_window", "max_context_length", "n_ctx")
"""Names of the context length in the model lists of servers; OpenAI's own list has none."""
TRIAL_SECONDS = 300.0
"""For a usable reply about one short page, repairs included. SmolLM2-135M on a core that others wanted too took longer, and the doctor
said nothing for as long as one cared to wait."""
_EMPTY_THOUGHT = re.compile(r"<think>\s*</think>")
"""What templates put before a reply without thoughts (Qwen3)."""
SIDE = 32
"""Pixels of the test image; some models reject images smaller than 28."""


QUESTION = "How high is the lighthouse of Vik?"
ROOT = "http://vik.example/"
PAGE = (
    '<!doctype html><html lang="en"><head><title>Harbour of Vik</title></head><body><main><h1>Harbour of Vik</h1>'
    "<p>The lighthouse was built in 1911. It is 34 metres high.</p>"
    '<p>See the <a href="/boats.html">boats</a> and the <a href="/tides.html">tides</a>.</p></main></body></html>'
)


class WordsAlone:
    """Implements `memory.retrieval.Embedder`: no text is like another. The page of the trial is short enough for ranking by words."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Zeros, a row per text."""
        return np.zeros((len(texts), 1), np.float32)


class HeardChat:
    """Implements `walker.seams.protocols.ChatModel`: an endpoint whose replies are kept, asked again where a walk would."""

    def __init__(self, endpoint: OpenAICompatible) -> None:
        self._endpoint = RetryingChat(endpoint, address=endpoint.address)
        self.heard: list[ChatReply | ChatFailure] = []

    async def complete(self, request: ChatRequest) -> ChatReply | ChatFailure:
        """The endpoint's reply."""
        answer = await self._endpoint.complete(request)
        self.heard.append(answer)
        return answer


async def examine_model(settings: ModelSettings) -> tuple[Check, ...]:
    """All checks of an endpoint; only the first if it fails."""
    endpoint = OpenAICompatible(settings.base_url, settings.key, seconds=settings.seconds)
    try:
        first = await _check_reply(endpoint, settings)
        first = (*first, _check_family(settings.name))
        if not all(check.ok for check in first):
            return first
        return (
            *first,
            await _check_images(endpoint, settings.name),
            await _check_logprobs(endpoint, settings.name),
            await _check_context(endpoint, settings),
            _check_price(settings),
        )
    finally:
        await endpoint.close()


async def _check_reply(endpoint: OpenAICompatible, settings: ModelSettings) -> tuple[Check, ...]:
    """Whether it answers what a walk asks of it about a page, in the same words and with the same schema."""
    chat, started = HeardChat(endpoint), time.monotonic()
    try:
        async with asyncio.timeout(TRIAL_SECONDS):
            found = await _read_page(chat, settings)
    except EndpointUnusable as error:
        return (Check(name="model", ok=False, detail=f"{error.where}: {error.what}", advice=error.advice),)
    except TimeoutError:
        return (_too_slow(endpoint, chat),)
    answer = chat.heard[-1]
    if isinstance(answer, ChatFailure):
        is_long = answer.kind == "too_long"
        advice = _more_context(settings) if is_long else "Check that address, and that the server runs"
        return (Check(name="model", ok=False, detail=f"{endpoint.address}: {answer.message}", advice=advice),)
    usage = "estimated here" if answer.estimated else "reported by the server"
    took = f"{time.monotonic() - started:.0f} s"
    spent = f"{answer.prompt_tokens} + {answer.completion_tokens} tokens, {usage}, {took}"
    model = Check(name="model", ok=True, detail=f"{settings.name} answers at {endpoint.address} ({spent})")
    checked = _check_format(endpoint.dialect(settings.name).format, found, answer, len(chat.heard))
    return (model, checked, *_check_thinking(settings, answer))


def _too_slow(endpoint: OpenAICompatible, chat: HeardChat) -> Check:
    """That no usable reply came in time: a server that goes on sending pieces never runs into the time-out between two of them."""
    heard = len([answer for answer in chat.heard if isinstance(answer, ChatReply)])
    detail = f"{endpoint.address}: no usable reply in {TRIAL_SECONDS:.0f} s ({heard} of no use came whole)"
    advice = "A walk makes such a call for each page: use a smaller model, a faster machine, or no model"
    return Check(name="model", ok=False, detail=detail, advice=advice)


def _more_context(settings: ModelSettings) -> str:
    need = settings.step_tokens + settings.reply_tokens
    return f"Start the server with a context of {need} tokens (llama.cpp: --ctx-size, llama-cpp-python: --n_ctx)"


def _check_thinking(settings: ModelSettings, answer: ChatReply) -> tuple[Check, ...]:
    """Whether a server obeys that was told not to let the model think; one that ignores that does not say so."""
    if settings.thinking != "off":
        return ()
    if not _thinks(answer):
        return (Check(name="thinking", ok=True, detail="off, as asked"),)
    advice = "Switch it off at the server, or leave --thinking out and give replies more tokens"
    return (Check(name="thinking", ok=False, detail="the server ignores --thinking off", advice=advice),)


def _thinks(answer: ChatReply) -> bool:
    return bool(answer.reasoning) or ("<think" in answer.text and not _EMPTY_THOUGHT.search(answer.text))


def _check_family(name: str) -> Check:
    """Which family it is taken for, why, and what follows; what the server refuses of that is learnt at its first call."""
    family = family_of(name)
    if family is None:
        return Check(
            name="family", ok=True, detail="none that is known by this name; what the server refuses is learnt"
        )
    sees = "takes pictures" if family.sees else "takes no pictures"
    detail = (
        f"{family.name}, since the name matches {family.pattern}; {family.told()}; {sees} (source: {family.source})"
    )
    return Check(name="family", ok=True, detail=detail)


async def _read_page(chat: HeardChat, settings: ModelSettings) -> Findings:
    """What the critic of a walk makes of a page with it."""
    ranker, task = Ranker(WordsAlone()), Task(question=QUESTION, root_url=ROOT)
    page = observe(Snapshot(url=ROOT, final_url=ROOT, status=200, html=PAGE))
    links = tuple(UntriedLink(url=link.url, key=key_of(link.url), label=link.label) for link in page.links)
    stack = UrlStack().push(Frame(url=ROOT, key=key_of(ROOT), title=page.title)).offer(links)
    talk, values = ModelTalk(chat, settings, "doctor"), PromptValues(ranker)
    one_call = OneCall(talk, values) if settings.order == "combined" else None
    critic = ModelCritic(talk, ranker, BuiltinCritic(ranker), values=values, one_call=one_call)
    return await critic.find(task, page, WalkMemory(step=1, stack=stack))


def _check_format(shape: str, found: Findings, answer: ChatReply, asked: int) -> Check:
    if found.note:
        detail = f"{shape}, but {found.note.removeprefix('built-in critic: ')}"
        advice = "Walks will fall back to the built-in strategy; use a larger model, or raise its context"
        return Check(name="structured output", ok=False, detail=detail, advice=advice)
    thinks = "; it reasons first" if _thinks(answer) else ""
    again = f"; usable at the {asked}. reply" if asked > 1 else ""
    is_found = any("34" in finding.text for finding in found.findings)
    advice = (
        ""
        if is_found
        else "It did not find and quote what one short page says: expect little of it, or use a larger model"
    )
    return Check(name="structured output", ok=True, detail=f"{shape}{thinks}{again}", advice=advice)


async def _check_images(endpoint: OpenAICompatible, model: str) -> Check:
    picture = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{_red_square()}"}}
    content = [{"type": "text", "text": "The colour of this square, in one word?"}, picture]
    said = await _plain_call(endpoint, model, content=content)
    seen = bool(said) and "red" in said.lower()
    detail = (
        "accepts and recognises images"
        if seen
        else "accepts images, but did not recognise a red square"
        if said
        else "accepts no images"
    )
    return Check(name="images", ok=True, detail=detail)


async def _check_logprobs(endpoint: OpenAICompatible, model: str) -> Check:
    import openai  # noqa: PLC0415 - it takes 0.6 s, and is wanted here only

    try:
        answer = await endpoint.client.chat.completions.create(
            model=model, messages=[{"role": "user", "content": "Say yes."}], logprobs=True, max_tokens=8
        )
        reported = bool(answer.choices and answer.choices[0].logprobs)
    except (openai.OpenAIError, ValueError, TypeError):
        reported = False
    return Check(name="logprobs", ok=True, detail="returned" if reported else "not returned")


async def _check_context(endpoint: OpenAICompatible, settings: ModelSettings) -> Check:
    import openai  # noqa: PLC0415 - it takes 0.6 s, and is wanted here only

    length = 0
    try:
        page = await endpoint.client.models.list()
        for model in page.data or ():
            if model.id == settings.name:
                extra = model.model_extra or {}
                length = next((int(extra[name]) for name in CONTEXT_FIELDS if extra.get(name)), 0)
    except (openai.OpenAIError, ValueError, TypeError):
        length = 0
    wanted = settings.step_tokens + settings.reply_tokens
    if not length:
        family = family_of(settings.name)
        most = f"; its family has {family.context} tokens at most" if family is not None and family.context else ""
        return Check(name="context", ok=True, detail=f"not reported{most}; a step needs {wanted} tokens")
    if length < wanted:
        advice = f"Lower --page-tokens, or start the server with a context of {wanted} tokens and more"
        return Check(name="context", ok=False, detail=f"{length} tokens, and a step needs {wanted}", advice=advice)
    return Check(name="context", ok=True, detail=f"{length} tokens; a step needs {wanted}")


def _check_price(settings: ModelSettings) -> Check:
    if settings.prompt_price and settings.completion_price:
        detail = f"{settings.prompt_price:g} and {settings.completion_price:g} for a million tokens"
        return Check(name="price", ok=True, detail=detail)
    return Check(
        name="price", ok=True, detail="not known: only tokens are counted", advice="Give it with --price IN,OUT"
    )


async def _plain_call(endpoint: OpenAICompatible, model: str, *, content: object) -> str:
    import openai  # noqa: PLC0415 - it takes 0.6 s, and is wanted here only

    try:
        answer = await endpoint.client.chat.completions.create(
            model=model,
            messages=[{"role": "user", "content": content}],  # type: ignore[list-item, misc]
        )
    except (openai.OpenAIError, ValueError, TypeError):
        return ""
    return (answer.choices[0].message.content or "-") if answer.choices else ""


def _red_square() -> str:
    """A PNG, base64."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + b"\xff\0\0" * SIDE for _ in range(SIDE))
    head = struct.pack(">IIBBBBB", SIDE, SIDE, 8, 2, 0, 0, 0)
    whole = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return base64.b64encode(whole).decode()
