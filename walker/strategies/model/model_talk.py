"""Asks a model until its reply can be used: page content is delimited, prompts are fitted to the context, and bad replies are sent
back with the reason."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import msgspec

from walker.models.replies import BadReply, read_reply, schema_of
from walker.models.sampling import with_sampling
from walker.models.token_count import count_tokens
from walker.prompts import PASSAGE_CODE, QUESTION_PICTURE, TOOLS, added_prompts, prompt_id, render_prompt
from walker.seams.chat import ChatFailure, ChatImage, ChatMessage, ChatReply, ChatRequest
from walker.seams.protocols import ChatModel
from walker.seams.tools import TOOLS as EVERY_TOOL
from walker.settings import ModelSettings

_ONLY_WITH = {
    "pictures": frozenset(("box", "crop")),
    "parts": frozenset(("part", "list_part")),
    "search": frozenset(("search",)),
    "find_pictures": frozenset(("find_pictures",)),
}
"""Parts of a reply's schema by the value of the prompt without which its text does not speak of them."""
_WITH_STACK = frozenset(("jump", "back"))
"""What needs the pages below, which a walk that may open pages again ("reopens") does not keep."""
_WITH_LISTS = frozenset(("list", "list_part"))
"""What needs the page's lists, which a prompt of a question that wants none does not number ("no_lists")."""
_SWITCHED = frozenset(tool.name for tool in EVERY_TOOL if tool.is_chosen)
R = TypeVar("R", bound=msgspec.Struct)
T = TypeVar("T")

REPAIRS = 2
"""How often an unusable reply is sent back with the reason."""
SHRINKS = 8
"""How often a page is halved for a model whose context is too small."""
LEAST_PAGE_TOKENS = 60
_COUNTED_FENCE = "===0a1b2c3d4e5f==="
"""Stands for the marker while tokens are counted: one of those with the most tokens."""
LONGER = 4
"""Factor for the tokens of a reply after one that was truncated."""

Build = Callable[[int], dict[str, object]]
"""Values of a prompt, given the tokens that its page may have."""


class _Asking(NamedTuple):
    """One question to the model, before any repair."""

    prompt: str
    language: str
    messages: tuple[ChatMessage, ...]
    schema: dict[str, Any]
    added: tuple[str, ...]


class NoUsableReply(Exception):
    """The model gave no usable reply; the message says why."""


class ModelTalk:
    """Asks one model in one walk. `seed` determines the markers that delimit page content."""

    def __init__(
        self,
        chat: ChatModel,
        settings: ModelSettings,
        seed: str,
        *,
        repairs: int = REPAIRS,
        pictures: tuple[ChatImage, ...] = (),
    ) -> None:
        """`repairs`: how often an unusable reply is sent back; `pictures`: that of the question, and the part of it that is meant, for
        a model that takes pictures."""
        self._chat, self._settings, self._seed, self._repairs = chat, settings, seed, repairs
        self._page_tokens = settings.page_tokens
        self._pictures = pictures

    def with_picture(self, build: Build) -> Build:
        """The values of a prompt that is sent with the picture of the question; the same ones where there is none to send."""

        def pictured(tokens: int) -> dict[str, object]:
            return {**build(tokens), **({QUESTION_PICTURE: len(self._pictures)} if self._pictures else {})}

        return pictured

    async def ask(self, prompt: str, language: str, step: int, build: Build, kind: type[R], use: Callable[[R], T]) -> T:
        """The result of `use` for the model's reply; `use` raises `BadReply` for a reply that cannot be acted upon.

        Raises `NoUsableReply` if no reply is usable after the repairs.
        """
        page_tokens = self._page_tokens
        refused: tuple[ChatMessage, ...] = ()
        for _ in range(SHRINKS):
            values = self._fitted(prompt, language, step, build, page_tokens)
            messages = self._rendered(prompt, language, values)
            if messages != refused:  # a page that is shorter than that makes the same request
                schema = schema_of(kind, leave_out=_unsaid(values))
                asking = _Asking(prompt, language, messages, schema, added=added_prompts(values))
                answer = await self._converse(asking, kind, use)
                if not isinstance(answer, ChatFailure):
                    return answer
                if answer.kind == "no_eyes" and values.get(QUESTION_PICTURE):
                    self._pictures = ()  # it takes none: it is asked again, and from here on, without
                    continue
                if answer.kind != "too_long":
                    raise NoUsableReply(f"{answer.kind}: {answer.message}")
            # The model's context is smaller than assumed: later pages start with a size that fits.
            page_tokens = self._page_tokens = page_tokens // 2
            refused = messages
            if page_tokens < LEAST_PAGE_TOKENS:
                break
        raise NoUsableReply("the model's context is too small even for a short page")

    def _rendered(self, prompt: str, language: str, values: dict[str, object]) -> tuple[ChatMessage, ...]:
        """The messages, with the picture of the question where their values say that it comes with them."""
        system, user, *others = render_prompt(prompt, language, values, self._settings.prompts)
        if values.get(QUESTION_PICTURE):
            user = msgspec.structs.replace(user, images=self._pictures)
        return (system, user, *others)

    def _fitted(self, prompt: str, language: str, step: int, build: Build, page_tokens: int) -> dict[str, object]:
        """The values of messages within the token limit of a step; the page is shortened to fit."""
        limit = self._settings.step_tokens
        while True:
            values = build(page_tokens)
            digest = hashlib.sha256(f"{self._seed} {prompt} {step} {sorted(values.items())}".encode(errors="replace"))
            fenced = values | {"fence": f"==={digest.hexdigest()[:12]}==="}
            # One marker has more tokens than another: what is shown of a page must not depend on it.
            messages = render_prompt(prompt, language, values | {"fence": _COUNTED_FENCE}, self._settings.prompts)
            over = sum(count_tokens(message.content) for message in messages) - limit
            if over <= 0 or page_tokens <= LEAST_PAGE_TOKENS:
                return fenced
            page_tokens = max(LEAST_PAGE_TOKENS, min(page_tokens - over, int(0.8 * page_tokens)))

    async def _converse(self, asking: _Asking, kind: type[R], use: Callable[[R], T]) -> T | ChatFailure:
        reason, most, messages = "", self._settings.reply_tokens, asking.messages
        for _ in range(self._repairs + 1):
            request = ChatRequest(
                model=self._settings.name,
                messages=messages,
                schema_name=asking.prompt,
                schema=asking.schema,
                max_tokens=most,
                prompt=prompt_id(asking.prompt, asking.language, self._settings.prompts, added=asking.added),
            )
            answer = await self._chat.complete(with_sampling(request, self._settings))
            if isinstance(answer, ChatFailure):
                return answer
            try:
                return use(read_reply(answer, kind))
            except BadReply as error:
                reason = str(error)
            if answer.refusal or answer.finish == "content_filter":
                break  # a model that refuses will refuse again
            if answer.finish == "length":
                most = LONGER * self._settings.reply_tokens
            messages = (*messages, *_objection(answer, reason, asking.language))
        raise NoUsableReply(reason)


def _unsaid(values: dict[str, object]) -> frozenset[str]:
    """What of the schema the prompt with these values does not speak of."""
    named = values.get(TOOLS)
    switched = _SWITCHED.difference(named if isinstance(named, tuple) else ())
    if values.get(PASSAGE_CODE):
        switched -= {"run"}
    stack = _WITH_STACK if values.get("reopens") else frozenset()
    lists = _WITH_LISTS if values.get("no_lists") else frozenset()
    return switched.union(stack, lists, *(names for value, names in _ONLY_WITH.items() if not values.get(value)))


def _objection(answer: ChatReply, reason: str, language: str) -> tuple[ChatMessage, ...]:
    said = answer.text[:1000].strip() or "{}"
    return (
        ChatMessage(role="assistant", content=said),
        *render_prompt("repair", language, {"reason": reason})[1:],
    )
