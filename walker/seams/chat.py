"""What passes between a mind and a language model."""

from __future__ import annotations

from typing import Any, Literal

import msgspec


class ChatImage(msgspec.Struct, frozen=True, kw_only=True):
    """A picture beside the words of a message."""

    data: bytes
    media_type: str
    width: int
    height: int
    tokens: int = 0
    """What it costs, as known before it is sent."""


class ChatMessage(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One message of a conversation."""

    role: Literal["system", "user", "assistant"]
    content: str
    images: tuple[ChatImage, ...] = ()


class ChatRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What a model is asked."""

    model: str
    messages: tuple[ChatMessage, ...]
    schema_name: str = ""
    schema: dict[str, Any] = {}
    """JSON Schema that the reply should follow, {} for free text."""
    max_tokens: int = 800
    """Most that the reply may have; reasoning counts too where the server counts it."""
    prompt: str = ""
    """Name and hash of the prompt file, for the trace."""

    @property
    def image_tokens(self) -> int:
        """What its pictures cost."""
        return sum(image.tokens for message in self.messages for image in message.images)


class ChatReply(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """What a model said, and what it cost in tokens."""

    text: str = ""
    reasoning: str = ""
    """What it thought aloud: kept in the trace, no part of the answer."""
    finish: str = "stop"
    """Why it stopped, as the server says: stop, length, content_filter ..."""
    refusal: str = ""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    """Of the prompt's tokens, those that the server had cached."""
    estimated: bool = False
    """The server told no usage; the tokens were counted here."""
    attempts: int = 1


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
    """A call that came to nothing; the mind that asked goes on without it. `retry_after` in seconds, 0 if not told."""

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
        """With one more answer; a failure is a call without tokens."""
        if isinstance(answer, ChatFailure):
            return msgspec.structs.replace(self, calls=self.calls + 1)
        return Spent(
            calls=self.calls + 1,
            prompt_tokens=self.prompt_tokens + answer.prompt_tokens,
            completion_tokens=self.completion_tokens + answer.completion_tokens,
        )
