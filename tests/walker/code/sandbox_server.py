"""A sandbox server on loopback: it answers each run as a script says, and runs nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any

import msgspec

from walker.browser.egress.stream_server import StreamServer
from walker.seams.code_runner import CodeValue, Ran

Script = Callable[[str, Mapping[str, CodeValue]], Ran | str]


class SandboxServer:
    """Serves POST requests at `address`; `raw` replaces the whole response, `seconds` is how long it waits before."""

    def __init__(self, script: Script | None = None, *, raw: bytes = b"", seconds: float = 0.0) -> None:
        self._script, self._raw, self._seconds = script, raw, seconds
        self._server = StreamServer(self._serve, limit=1 << 20)
        self.address = ""
        self.asked: list[dict[str, Any]] = []

    async def __aenter__(self) -> SandboxServer:
        host, port = await self._server.start()
        self.address = f"http://{host}:{port}/run"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        size = int(head.partition("content-length:")[2].split()[0])
        asked = msgspec.json.decode(await reader.readexactly(size))
        self.asked.append(asked)
        await asyncio.sleep(self._seconds)
        writer.write(self._raw or self._reply(asked))
        await writer.drain()
        writer.close()

    def _reply(self, asked: dict[str, Any]) -> bytes:
        assert self._script is not None, "without a script the response is given"
        said = self._script(asked["code"], asked["inputs"])
        ran = Ran(value=said) if isinstance(said, str) else said
        body = msgspec.json.encode({"value": ran.value, "printed": ran.printed, "failure": ran.failure})
        return response(body)


def response(body: bytes, status: str = "200 OK") -> bytes:
    head = f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    return head.encode() + body
