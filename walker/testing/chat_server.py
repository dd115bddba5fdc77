"""A real HTTP server for the OpenAI chat-completions protocol with scripted replies and failures. It ships with the product, for
testing strategies of one's own and Walker's behaviour with a faulty endpoint."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import msgspec

from walker.browser.egress.stream_server import StreamServer

CHUNK_CHARS = 24
"""Characters per chunk of a streamed reply."""
FEATURES = frozenset(
    (
        "json_schema",
        "tools",
        "json_object",
        "stream_options",
        "temperature",
        "top_p",
        "max_tokens",
        "max_completion_tokens",
        "images",
        "logprobs",
    )
)


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """A reply of the server, or a failure."""

    text: str = ""
    reasoning: str = ""
    """Sent beside the text, as `reasoning_content`."""
    tool_arguments: str | None = None
    """Reply with a call of the first tool in the request, with these arguments."""
    status: int = 200
    """Other than 200: reply with an error of `error_code` and `error_message`."""
    error_code: str = ""
    error_message: str = ""
    headers: Mapping[str, str] = {}
    finish: str = "stop"
    refusal: str = ""
    no_choices: bool = False
    seconds: float = 0.0
    """Delay before the first byte."""
    hang: bool = False
    """Read the request and never reply."""
    hang_after: int = -1
    """Stop streaming after so many chunks without closing; -1 to stream all."""
    reset: bool = False
    """Close the connection without a reply."""
    cut: bool = False
    """Close the stream in the middle."""
    cut_first: bool = False
    """Close the stream before its first piece."""
    prompt_tokens: int | None = None
    """Reported in the usage; None for a quarter of the characters."""
    no_usage: bool = False
    first_token: Mapping[str, float] = {}
    """Log-probabilities of its first token, the token that is taken first; sent where a request asks for them."""
    raw: bytes | None = None
    """A body sent as it is."""


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """One request: its body, its headers by lower-case name, and when it came, in monotonic seconds."""

    body: dict[str, Any]
    headers: dict[str, str]
    at: float

    @property
    def prompt(self) -> str:
        """The text of all messages, a blank line between."""
        texts = []
        for message in self.body.get("messages", ()):
            content = message.get("content") or ""
            parts = content if isinstance(content, list) else [{"text": content}]
            texts.append(" ".join(str(part.get("text", "")) for part in parts))
        return "\n\n".join(texts)

    @property
    def schema_name(self) -> str:
        """Name of the reply's JSON Schema, "" if the request has none."""
        shape = self.body.get("response_format", {}).get("json_schema", {}).get("name", "")
        tools = self.body.get("tools") or [{"function": {"name": ""}}]
        return str(shape or tools[0]["function"]["name"])


Script = Callable[[Asked], Reply | Awaitable[Reply]]


class Endpoint:
    """`async with Endpoint(script) as endpoint:` serves at `endpoint.base_url` until the block ends. A list of replies is given in
    order, the last one repeatedly."""

    def __init__(
        self,
        script: Script | Sequence[Reply],
        *,
        models: tuple[str, ...] = ("test-model",),
        key: str = "",
        accepts: frozenset[str] = FEATURES,
        context: int = 0,
    ) -> None:
        self._script = script if callable(script) else _in_order(script)
        self._models, self._key, self._accepts, self._context = models, key, accepts, context
        self._server = StreamServer(self._serve)
        self.base_url = ""
        self.asked: list[Asked] = []
        self.cancelled = 0
        """Requests whose client disconnected before the reply was complete."""

    async def __aenter__(self) -> Endpoint:
        host, port = await self._server.start()
        self.base_url = f"http://{host}:{port}/v1"
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            await self._answer(reader, writer)
        writer.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one request per connection."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        method, path, _ = head[0].split(" ", 2)
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:] if line)}
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        if self._key and headers.get("authorization") != f"Bearer {self._key}":
            return await _send(writer, 401, _error("invalid_api_key", "Incorrect API key provided"))
        if method == "GET" and path == "/v1/models":
            models = [{"id": name, "object": "model", "created": 0, "owned_by": "test"} for name in self._models]
            return await _send(writer, 200, {"object": "list", "data": models})
        if method != "POST" or path != "/v1/chat/completions":
            return await _send(writer, 404, _error("not_found", f"there is nothing at {path}"))
        asked = Asked(body=msgspec.json.decode(body), headers=headers, at=time.monotonic())
        self.asked.append(asked)
        if refusal := self._why_not(asked):
            return await _send(writer, *refusal)
        made = self._script(asked)
        reply = await made if inspect.isawaitable(made) else made
        watch = asyncio.create_task(reader.read(1))
        work = asyncio.create_task(self._reply(asked, reply, writer))
        try:
            await asyncio.wait((watch, work), return_when=asyncio.FIRST_COMPLETED)
            if not work.done():
                self.cancelled += 1
            else:
                work.result()
        except ConnectionError:
            self.cancelled += 1
        finally:
            watch.cancel()
            work.cancel()
            await asyncio.gather(watch, work, return_exceptions=True)
        return None

    def _why_not(self, asked: Asked) -> tuple[int, dict[str, Any]] | None:
        """The status and error for a request with a feature that this server does not support, None for any other."""
        body = asked.body
        if body.get("model") not in self._models:
            return 404, _error("model_not_found", f"The model {body.get('model')!r} does not exist")
        shape = body.get("response_format", {}).get("type", "")
        instead = " Use 'max_completion_tokens' instead." if "max_completion_tokens" in self._accepts else ""
        pictured = any(isinstance(message.get("content"), list) for message in body.get("messages", ()))
        wrong = {
            shape: f"response_format.type {shape!r} is not supported" if shape else "",
            "tools": "tools are not supported" if "tools" in body else "",
            "stream_options": "Unknown parameter: 'stream_options'" if "stream_options" in body else "",
            "temperature": "'temperature' is not supported with this model" if "temperature" in body else "",
            "top_p": "'top_p' is not supported with this model" if "top_p" in body else "",
            "max_tokens": f"'max_tokens' is not supported with this model.{instead}" if "max_tokens" in body else "",
            "max_completion_tokens": "Unknown parameter: 'max_completion_tokens'"
            if "max_completion_tokens" in body
            else "",
            "logprobs": "'top_logprobs' is not supported with this model" if "logprobs" in body else "",
            "images": "image_url is not supported" if pictured else "",
        }
        for feature, message in wrong.items():
            if message and feature not in self._accepts:
                return 400, _error("unsupported_parameter", message)
        sent = len(asked.prompt) // 4
        if self._context and sent > self._context:
            message = f"This model's maximum context length is {self._context} tokens, and the prompt has {sent}"
            return 400, _error("context_length_exceeded", message)
        return None

    async def _reply(self, asked: Asked, reply: Reply, writer: asyncio.StreamWriter) -> None:
        if reply.hang:
            await asyncio.Event().wait()
        await asyncio.sleep(reply.seconds)
        if reply.reset:
            writer.transport.abort()
        elif reply.raw is not None:
            await _send(writer, reply.status, reply.raw, reply.headers)
        elif reply.status != 200:
            await _send(writer, reply.status, _error(reply.error_code, reply.error_message), reply.headers)
        elif asked.body.get("stream"):
            await _stream(asked, reply, writer)
        else:
            await _send(writer, 200, _whole(asked, reply), reply.headers)


def _in_order(replies: Sequence[Reply]) -> Script:
    left = list(replies)
    return lambda _: left.pop(0) if len(left) > 1 else left[0]


def _error(code: str, message: str) -> dict[str, Any]:
    return {"error": {"message": message, "type": "invalid_request_error", "param": None, "code": code or None}}


def _usage(asked: Asked, reply: Reply) -> dict[str, int]:
    sent = len(asked.prompt) // 4 if reply.prompt_tokens is None else reply.prompt_tokens
    said = (len(reply.text) + len(reply.reasoning) + len(reply.tool_arguments or "")) // 4
    return {"prompt_tokens": sent, "completion_tokens": said, "total_tokens": sent + said}


def _call(asked: Asked, arguments: str) -> dict[str, Any]:
    name = (asked.body.get("tools") or [{"function": {"name": "reply"}}])[0]["function"]["name"]
    return {"index": 0, "id": "call-1", "type": "function", "function": {"name": name, "arguments": arguments}}


def _whole(asked: Asked, reply: Reply) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": reply.text, "refusal": reply.refusal or None}
    if reply.reasoning:
        message["reasoning_content"] = reply.reasoning
    if reply.tool_arguments is not None:
        message["tool_calls"] = [_call(asked, reply.tool_arguments)]
    choice = {"index": 0, "message": message, "finish_reason": reply.finish} | _logprobs(asked, reply)
    choices = [] if reply.no_choices else [choice]
    whole = {"id": "reply", "object": "chat.completion", "created": 0, "model": asked.body["model"], "choices": choices}
    return whole if reply.no_usage else whole | {"usage": _usage(asked, reply)}


def _logprobs(asked: Asked, reply: Reply) -> dict[str, Any]:
    """The part of a choice that tells the probabilities of its first token, {} where they are not asked for or not given."""
    if not asked.body.get("logprobs") or not reply.first_token:
        return {}
    wanted = list(reply.first_token.items())[: asked.body.get("top_logprobs", 0)]
    told = [{"token": token, "logprob": logprob, "bytes": None} for token, logprob in wanted]
    taken, logprob = next(iter(reply.first_token.items()))
    return {"logprobs": {"content": [{"token": taken, "logprob": logprob, "bytes": None, "top_logprobs": told}]}}


def _deltas(asked: Asked, reply: Reply) -> list[dict[str, Any]]:
    pieces: list[dict[str, Any]] = [{"role": "assistant"}]
    pieces += [{"reasoning_content": piece} for piece in _cut(reply.reasoning)]
    pieces += [{"content": piece} for piece in _cut(reply.text)]
    pieces += [{"tool_calls": [_call(asked, piece)]} for piece in _cut(reply.tool_arguments or "")]
    if reply.refusal:
        pieces.append({"refusal": reply.refusal})
    return pieces


def _cut(text: str) -> list[str]:
    return [text[start : start + CHUNK_CHARS] for start in range(0, len(text), CHUNK_CHARS)]


async def _stream(asked: Asked, reply: Reply, writer: asyncio.StreamWriter) -> None:
    more = "".join(f"{name}: {value}\r\n" for name, value in reply.headers.items())
    if reply.cut_first:
        more += "Transfer-Encoding: chunked\r\n"  # so that the end of the connection is not that of the reply
    writer.write(f"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n{more}\r\n".encode())
    if reply.cut_first:
        await writer.drain()
        return

    async def say(choices: list[dict[str, Any]], **usage: Any) -> None:
        chunk = {"id": "reply", "object": "chat.completion.chunk", "created": 0, "model": asked.body["model"]}
        writer.write(b"data: " + msgspec.json.encode(chunk | {"choices": choices} | usage) + b"\n\n")
        await writer.drain()

    deltas = [] if reply.no_choices else _deltas(asked, reply)
    is_told = False
    for number, delta in enumerate(deltas):
        if number == reply.hang_after:
            await asyncio.Event().wait()
        if reply.cut and number > len(deltas) // 2:
            writer.transport.abort()
            return
        told = _logprobs(asked, reply) if "content" in delta and not is_told else {}
        is_told = is_told or bool(told)
        await say([{"index": 0, "delta": delta, "finish_reason": None} | told])
    if not reply.no_choices:
        await say([{"index": 0, "delta": {}, "finish_reason": reply.finish}])
    if asked.body.get("stream_options", {}).get("include_usage") and not reply.no_usage:
        await say([], usage=_usage(asked, reply))
    writer.write(b"data: [DONE]\n\n")
    await writer.drain()


async def _send(
    writer: asyncio.StreamWriter, status: int, body: dict[str, Any] | bytes, headers: Mapping[str, str] | None = None
) -> None:
    data = body if isinstance(body, bytes) else msgspec.json.encode(body)
    more = "".join(f"{name}: {value}\r\n" for name, value in (headers or {}).items())
    head = (
        f"HTTP/1.1 {status} -\r\nContent-Type: application/json\r\nContent-Length: {len(data)}\r\nConnection: close\r\n"
    )
    writer.write(f"{head}{more}\r\n".encode() + data)
    await writer.drain()
