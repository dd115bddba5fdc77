"""`seams.ChatModel` over any endpoint that speaks the OpenAI chat-completions protocol (OpenAI, vLLM, Ollama, llama.cpp ...).

Replies are streamed, so that a call which is cancelled stops costing.
"""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING, Any

import msgspec

from walker.errors import EndpointUnusable
from walker.models.dialect import Dialect, blames_request, is_too_long, takes_no_pictures
from walker.models.discovery.thinking_switch import ADVICE
from walker.models.token_count import count_tokens
from walker.seams.chat import ChatFailure, ChatReply, ChatRequest
from walker.seams.protocols import ChatModel

if TYPE_CHECKING:
    import openai

NO_KEY = "none"
"""Sent if no key is set: local servers accept anything, and the package requires one."""
CONNECT_SECONDS = 10.0
MODELS_NAMED = 6
_BAD_REQUEST = (400, 415, 422)
_FAULTS = (500, 501)


class OpenAICompatible:
    """One endpoint. The first calls detect its dialect: each error about a feature drops that feature."""

    def __init__(self, base_url: str, key: str, *, seconds: float) -> None:
        import openai  # noqa: PLC0415 - the import takes 0.6 s, and most walks need no model

        self._client = openai.AsyncOpenAI(
            api_key=key or NO_KEY,
            base_url=base_url or None,
            max_retries=0,
            timeout=openai.Timeout(seconds, connect=min(CONNECT_SECONDS, seconds)),
        )
        self._dialects: dict[str, Dialect] = {}

    @property
    def client(self) -> openai.AsyncOpenAI:
        """The package's own client, for calls other than completions."""
        return self._client

    def dialect(self, model: str) -> Dialect:
        """The features that this endpoint supports for a model."""
        return self._dialects.setdefault(model, Dialect.of(model))

    @property
    def address(self) -> str:
        """The endpoint's base URL."""
        return str(self._client.base_url)

    async def complete(self, request: ChatRequest) -> ChatReply | ChatFailure:
        """One call, repeated while its errors show features that the endpoint does not support."""
        import openai  # noqa: PLC0415 - as above

        dialect = self.dialect(request.model)
        while True:
            logprobs = dialect.logprobs_of(request)
            try:
                return await self._once(request, dialect)
            except openai.APIStatusError as error:
                if error.status_code not in _BAD_REQUEST and not _is_about_request(error):
                    return await self._refused(error, request.model)
                failure = _bad_request(error, request)
                if failure.kind != "bad_request" or not self._has_learnt(failure.message, request, logprobs):
                    return failure
            except openai.APITimeoutError:
                return ChatFailure(kind="timeout", message="no answer in time")
            except openai.APIConnectionError as error:
                return ChatFailure(kind="unreachable", message=_reason_of(error))
            except openai.APIError as error:
                return ChatFailure(kind="server_error", message=f"the stream broke off: {error.message}"[:300])
            except (openai.OpenAIError, ValueError, TypeError) as error:
                return ChatFailure(kind="server_error", message=f"the answer is not of the protocol: {error}"[:300])

    def _has_learnt(self, message: str, request: ChatRequest, logprobs: int) -> bool:
        """Whether an error message leaves something to ask for in another way. What a person asked for is not left out in silence."""
        dialect = self.dialect(request.model)
        is_switched = dialect.learn_switch(message, request)
        if is_switched is False:
            what = f"the server does not take --thinking {request.thinking} ({message})"
            raise EndpointUnusable(what, where=self.address, advice=ADVICE)
        return is_switched or dialect.learn(message, logprobs=logprobs)

    async def models(self) -> tuple[str, ...]:
        """Names of the models that the endpoint lists."""
        import openai  # noqa: PLC0415 - as above

        try:
            page = await self._client.models.list()
        except (openai.OpenAIError, ValueError, TypeError):
            return ()
        return tuple(model.id for model in page.data or ())

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def _once(self, request: ChatRequest, dialect: Dialect) -> ChatReply | ChatFailure:
        import openai  # noqa: PLC0415 - as above

        answer = await self._client.chat.completions.create(**dialect.arguments(request))
        gathered = _Gathered()
        if dialect.stream:
            async with answer as stream:
                try:
                    async for chunk in stream:
                        gathered.add(chunk, part="delta")
                except openai.OpenAIError as error:
                    is_cut = isinstance(error, openai.APIConnectionError) and not isinstance(
                        error, openai.APITimeoutError
                    )
                    if is_cut and not gathered.has_begun:
                        return await self._once(request, dataclasses.replace(dialect, stream=False))  # as below
                    raise
                except Exception as error:  # noqa: BLE001 - see below
                    # An interrupted stream raises the transport's own error, not the package's.
                    if "Timeout" in type(error).__name__:
                        return ChatFailure(kind="timeout", message="the answer stopped in the middle")
                    if not gathered.has_begun:
                        # It may have something against the request, which llama-cpp-python can say only where no stream has begun.
                        return await self._once(request, dataclasses.replace(dialect, stream=False))
                    return ChatFailure(kind="server_error", message=f"the answer broke off ({type(error).__name__})")
            if not gathered.chunks:
                dialect.stream = False  # a server that cannot stream sends a body that is not a stream
                return await self._once(request, dialect)
            if not gathered.finish:
                return ChatFailure(kind="server_error", message="the answer broke off before its end")
        else:
            gathered.add(answer, part="message")
        return gathered.reply(request)

    async def _refused(self, error: openai.APIStatusError, model: str) -> ChatFailure:
        message = _message_of(error)
        match error.status_code:
            case 401 | 403:
                raise EndpointUnusable(
                    f"the endpoint refuses the key ({message})",
                    where=self.address,
                    advice="Set WALKER_API_KEY (or OPENAI_API_KEY) to a key that is valid there",
                )
            case 404:
                there = await self.models()
                named = ", ".join(there[:MODELS_NAMED]) + (" ..." if len(there) > MODELS_NAMED else "")
                advice = (
                    f"It has: {named}" if there else "Check --model, and that --base-url ends as the server wants (/v1)"
                )
                raise EndpointUnusable(f"there is no model {model!r} ({message})", where=self.address, advice=advice)
            case 429:
                after = _seconds(error.response.headers.get("retry-after", ""))
                if "insufficient_quota" in (str(error.code or ""), message):
                    raise EndpointUnusable(f"the account is used up ({message})", where=self.address)
                return ChatFailure(kind="rate_limited", message=message, retry_after=after)
            case 413:
                return ChatFailure(kind="too_long", message=message)
            case _:
                kind = "server_error" if error.status_code >= 500 else "bad_request"
                after = _seconds(error.response.headers.get("retry-after", ""))
                return ChatFailure(kind=kind, message=f"{error.status_code}: {message}", retry_after=after)  # type: ignore[arg-type]


class _Gathered:
    """Assembles the chunks of one reply."""

    def __init__(self) -> None:
        self.chunks = 0
        self.finish = ""
        self._text: list[str] = []
        self._reasoning: list[str] = []
        self._refusal: list[str] = []
        self._arguments: list[str] = []
        self._usage: Any = None
        self._first_token: dict[str, float] = {}

    @property
    def has_begun(self) -> bool:
        """Whether a word of the reply has come, or of the thoughts before it."""
        return any((*self._text, *self._reasoning, *self._refusal, *self._arguments))

    def add(self, chunk: Any, *, part: str) -> None:
        self.chunks += 1
        self._usage = getattr(chunk, "usage", None) or self._usage
        for choice in (getattr(chunk, "choices", None) or ())[:1]:
            said = getattr(choice, part, None)
            self.finish = choice.finish_reason or self.finish
            self._first_token = self._first_token or _first_token(choice)
            if said is None:
                continue
            text, thought = _parts_of(said.content)
            self._text.append(text)
            self._reasoning.append(thought)
            self._refusal.append(getattr(said, "refusal", None) or "")
            self._reasoning.append(getattr(said, "reasoning_content", None) or getattr(said, "reasoning", None) or "")
            for call in (said.tool_calls or ())[:1]:
                self._arguments.append((call.function.arguments if call.function else "") or "")

    def reply(self, request: ChatRequest) -> ChatReply | ChatFailure:
        if not self.finish and not any((*self._text, *self._arguments, *self._refusal)):
            return ChatFailure(kind="server_error", message="the answer holds no choice")
        text = "".join(self._arguments) or "".join(self._text)
        usage = self._usage
        details = getattr(usage, "prompt_tokens_details", None)
        prompt = "\n".join(message.content for message in request.messages)
        reasoning = "".join(map(str, self._reasoning))
        return ChatReply(
            text=text,
            reasoning=reasoning,
            finish=self.finish or "stop",
            refusal="".join(self._refusal),
            prompt_tokens=usage.prompt_tokens if usage else count_tokens(prompt) + request.image_tokens,
            completion_tokens=usage.completion_tokens if usage else count_tokens(text + reasoning),
            cached_tokens=getattr(details, "cached_tokens", None) or 0,
            estimated=usage is None,
            first_token=self._first_token or msgspec.UNSET,
        )


def _first_token(choice: Any) -> dict[str, float]:
    """Probabilities of the first token of a choice, or of a piece of one; {} where it has none."""
    told = getattr(choice, "logprobs", None)
    first = next(iter(getattr(told, "content", None) or ()), None)
    if first is None:
        return {}
    # A server may leave the token that it took out of the likeliest ones.
    named = {first.token: first.logprob} | {one.token: one.logprob for one in first.top_logprobs or ()}
    return {token: math.exp(min(0.0, logprob)) for token, logprob in named.items()}


def _bad_request(error: openai.APIStatusError, request: ChatRequest) -> ChatFailure:
    message = _message_of(error)
    if is_too_long(str(error.code or ""), message):
        return ChatFailure(kind="too_long", message=message)
    if request.image_tokens and takes_no_pictures(message):
        return ChatFailure(kind="no_eyes", message=f"the model takes no pictures ({message})"[:200])
    return ChatFailure(kind="bad_request", message=message)


def _is_about_request(error: openai.APIStatusError) -> bool:
    return error.status_code in _FAULTS and blames_request(_message_of(error))


def _message_of(error: openai.APIStatusError) -> str:
    body = error.body
    told = body.get("message") if isinstance(body, dict) else None
    return " ".join(str(told or error.message).split())[:300]


def _reason_of(error: Exception) -> str:
    cause = error.__cause__ or error
    return (" ".join(str(cause).split()) or type(cause).__name__)[:200]


def _seconds(header: str) -> float:
    try:
        return max(0.0, float(header))
    except ValueError:
        return 0.0


def _is_chat_model(model: OpenAICompatible) -> ChatModel:
    """Makes the type checker verify that the class implements the protocol."""
    return model


def _parts_of(content: Any) -> tuple[str, str]:
    """The text of a message, and the thoughts in it: some servers give it as a list of parts, `text` and `thinking`."""
    if not isinstance(content, list):
        return str(content or ""), ""
    texts: list[str] = []
    thoughts: list[str] = []
    for part in content:
        told = part if isinstance(part, dict) else {"text": str(part)}
        texts.append(str(told.get("text") or ""))
        thought = told.get("thinking") or ""
        thoughts.append("".join(_parts_of(thought)) if isinstance(thought, list) else str(thought))
    return "".join(texts), "".join(thoughts)
