"""Requests to a language model and its replies."""

from __future__ import annotations

from typing import Any, Literal

import msgspec


class ChatImage(msgspec.Struct, frozen=True, kw_only=True):
    """A picture in a message."""

    data: bytes
    media_type: str
    width: int
    height: int
    tokens: int = 0
    """Estimated before it is sent."""


class ChatMessage(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One message of a conversation."""

    role: Literal["system", "user", "assistant"]
    content: str
    images: tuple[ChatImage, ...] = ()


class ChatRequest(msgspec.Struct, frozen=True, kw_only=True):
    """One call of a language model."""

    model: str
    messages: tuple[ChatMessage, ...]
    schema_name: str = ""
    schema: dict[str, Any] = {}
    """JSON Schema that the reply should follow, {} for free text."""
    max_tokens: int = 800
    """Limit for the reply; reasoning counts too if the server counts it."""
    prompt: str = ""
    """Name and hash of the prompt file, for the recording."""
    temperature: float | msgspec.UnsetType = msgspec.UNSET
    """Above 0; unset for 0, which is not in the recorded form."""
    top_p: float | msgspec.UnsetType = msgspec.UNSET
    """Unset for the server's own; not in the recorded form then."""
    thinking: Literal["off", "on", "low", "medium", "high"] | msgspec.UnsetType = msgspec.UNSET
    """Whether it reasons before its reply, or how much; unset for the server's own; not in the recorded form then."""
    top_logprobs: int | msgspec.UnsetType = msgspec.UNSET
    """Likeliest first tokens whose probabilities are wanted; unset for none, which is not in the recorded form."""

    @property
    def image_tokens(self) -> int:
        """Estimated tokens of its pictures."""
        return sum(image.tokens for message in self.messages for image in message.images)


class ChatReply(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """A model's reply, and its tokens."""

    text: str = ""
    reasoning: str = ""
    """Reasoning text: recorded, but not part of the answer."""
    finish: str = "stop"
    """The server's finish reason: stop, length, content_filter ..."""
    refusal: str = ""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    """Prompt tokens that came from the server's cache."""
    estimated: bool = False
    """The server reported no usage; the tokens were counted here."""
    attempts: int = 1
    first_token: dict[str, float] | msgspec.UnsetType = msgspec.UNSET
    """Probabilities 0..1 of the likeliest first tokens, as the server spells them; unset where none were asked for or given, which
    is not in the recorded form."""


ChatFailureKind = Literal[
    "rate_limited",  # 429, and waiting did not help
    "server_error",  # 5xx, or an answer that is not of the protocol
    "unreachable",  # no connection
    "timeout",  # no answer, or no further piece of one, in time
    "too_long",  # the prompt does not fit the model's context
    "bad_request",  # 4xx that names nothing to leave out
    "no_eyes",  # the model takes no pictures
]


class ChatFailure(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """A failed call; the strategy goes on without it. `retry_after` in seconds, 0 if the server named none."""

    kind: ChatFailureKind
    message: str
    retry_after: float = 0.0
    attempts: int = 1


class Spent(msgspec.Struct, frozen=True, kw_only=True):
    """Tokens and calls so far."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0

    @property
    def total_tokens(self) -> int:
        """Prompts and replies together."""
        return self.prompt_tokens + self.completion_tokens

    def plus(self, answer: ChatReply | ChatFailure) -> Spent:
        """The sum with one more answer; a failure counts as a call without tokens."""
        if isinstance(answer, ChatFailure):
            return msgspec.structs.replace(self, calls=self.calls + 1)
        return Spent(
            calls=self.calls + 1,
            prompt_tokens=self.prompt_tokens + answer.prompt_tokens,
            completion_tokens=self.completion_tokens + answer.completion_tokens,
        )


msgspec.json.Decoder(ChatFailure)  # described at import: docs/design/msgspec.md
msgspec.json.Decoder(ChatReply)  # described at import: docs/design/msgspec.md
