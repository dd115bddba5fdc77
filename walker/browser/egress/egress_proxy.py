"""The egress proxy of a walk: listens on loopback, resolves a name once, checks all addresses, and connects to a checked one.

Checks in the browser would not suffice: it follows redirects and fetches subresources by itself, and resolves a name again after
a check (DNS rebinding).
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import socket
import struct
import time
from collections.abc import Coroutine
from typing import Any
from urllib.parse import SplitResult, urlsplit

from walker.browser.egress.dialing import Dialer, Refused
from walker.browser.egress.stream_server import StreamServer
from walker.browser.egress.tunnel_meter import TunnelMeter
from walker.seams.protocols import FailureKind
from walker.seams.web.way_out import PLAIN, WayOut

HEAD_BYTES = 65536
HEAD_SECONDS = 30.0
RELAY_BYTES = 65536
RESET = struct.pack("ii", 1, 0)
"""SO_LINGER value with which close sends a reset."""
REFUSED_HEADER = "x-walker-egress"
"""Header of the proxy's own responses, with the reason for not connecting."""
_HEAD_END = re.compile(rb"\r?\n\r?\n")
_STATUS = re.compile(rb"HTTP/\d(?:\.\d)? (\d{3})")
_DROPPED = (b"proxy-connection:", b"proxy-authorization:", b"connection:", b"keep-alive:")


class EgressProxy:
    """The proxy of one walk. Plain HTTP is forwarded, everything else is tunnelled; TLS is end to end."""

    def __init__(self, *root_urls: str, most_bytes: int = 0, way_out: WayOut = PLAIN) -> None:
        """A plain HTTP response is truncated at `most_bytes` on the wire; 0 for no limit. The content of a tunnel is invisible: it is
        closed after more than `most_bytes` and a fiftieth per request (tunnel_meter). The header fields of `way_out` are added to
        plain HTTP requests only."""
        self._dialer, self._own = Dialer(*root_urls, upstream=way_out.proxy), way_out.headers
        self._server = StreamServer(self._connect, limit=HEAD_BYTES)
        self._starting = asyncio.Lock()
        self._most = most_bytes
        self._overfull: set[str] = set()
        self._meters: set[TunnelMeter] = set()
        self._ended: dict[str, float] = {}
        """Hosts to which a tunnel was closed for exceeding the limit, and when."""

    async def start(self) -> str:
        """Start listening and return the address as host:port."""
        async with self._starting:
            await self._dialer.prepare()
            host, port = await self._server.start()
            return f"{host}:{port}"

    async def close(self) -> None:
        """Stop listening and abort all connections, as a server that never responds would keep its own open forever."""
        async with self._starting:
            await self._server.close()

    async def cut_connections(self) -> None:
        """Abort all connections, and continue listening."""
        await self._server.cut_connections()

    def renew(self) -> None:
        """Reset the limits at a new driver action."""
        for meter in self._meters:
            meter.renew()

    def why_refused(self, url: str) -> str:
        """The kind of failure of the last connection to this URL's host, "" for none."""
        return self._dialer.why_refused(url) or ""

    def is_overfull(self, *urls: str) -> bool:
        """Whether the response of one of these URLs was truncated."""
        return any(url.partition("#")[0] in self._overfull for url in urls)

    def ended_since(self, moment: float, *urls: str) -> bool:
        """Whether a tunnel to the host of one of these URLs was closed for exceeding the limit since `moment` (`time.monotonic`)."""
        return any(self._ended.get(_place_of(url), -1.0) >= moment for url in urls)

    def broke_off(self, moment: float, *urls: str) -> bool:
        """Whether the response of one of these URLs was truncated, or a tunnel to its host closed since `moment`, so that the browser
        waits in vain for the rest."""
        return self.is_overfull(*urls) or self.ended_since(moment, *urls)

    def was_too_much(self, url: str, kind: FailureKind, started: float) -> bool:
        """Whether a failure of this kind is due to a truncated response or a closed tunnel since `started`."""
        return self.is_overfull(url) or (kind in ("refused", "empty", "other") and self.ended_since(started, url))

    def take_blocked(self) -> tuple[str, ...]:
        """Addresses that were blocked since the last call, as host:port."""
        return self._dialer.take_blocked()

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(HEAD_SECONDS):
                head = await reader.readuntil(b"\r\n\r\n")
            await self._forward(head, reader, writer)
            writer.close()
        except Refused as refused:
            await _answer(writer, refused.kind)
            writer.close()
        except (OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass
        except ValueError:
            await _answer(writer, "bad_scheme")  # no host and port can be read from the request
            writer.close()

    async def _forward(self, head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        first, _, rest = head.partition(b"\r\n")
        method, _, target = first.partition(b" ")
        address = target.rsplit(b" ", 1)[0].decode("latin-1")
        if method == b"CONNECT":
            host, _, port = address.rpartition(":")
            up_reader, up_writer = await self._dialer.dial(host.strip("[]"), int(port))
            writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
            meter = TunnelMeter(self._most and self._most + self._most // 50 + HEAD_BYTES)
            down = self._bring_tunnelled(address.lower(), meter, up_reader, writer)
            self._meters.add(meter)
            try:
                await _relay(down, _copy(reader, up_writer, meter), up_writer)
            finally:
                self._meters.discard(meter)
        else:
            parts = urlsplit(address)
            if parts.scheme not in ("http", "ws") or not parts.hostname:
                raise Refused("bad_scheme")
            up_reader, up_writer, target = await self._dial_plain(parts)
            lines = [line for line in rest.split(b"\r\n") if line and not line.lower().startswith(_DROPPED)]
            lines = self._with_own(address, lines)
            request = [method + b" " + target + b" HTTP/1.1", *lines, b"Connection: close", b"", b""]
            up_writer.write(b"\r\n".join(request))
            await _relay(self._bring(address, up_reader, writer), _copy(reader, up_writer), up_writer)

    async def _dial_plain(self, parts: SplitResult) -> tuple[asyncio.StreamReader, asyncio.StreamWriter, bytes]:
        """A connection for a plain HTTP request, and its target: an HTTP proxy is asked for the whole address."""
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        host, port, upstream = parts.hostname or "", parts.port or 80, self._dialer.upstream
        if upstream is None or upstream.kind != "http":
            return (*await self._dialer.dial(host, port), path.encode("latin-1"))
        return (*await self._dialer.dial_upstream(host, port), f"http://{parts.netloc}{path}".encode("latin-1"))

    def _with_own(self, address: str, lines: list[bytes]) -> list[bytes]:
        """The header lines of a plain HTTP request as they are sent on."""
        upstream = self._dialer.upstream
        if self._own:
            fields = [(name.decode("latin-1"), value) for name, _, value in (line.partition(b":") for line in lines)]
            pairs = self._own.applied(address, ((name, value.decode("latin-1").strip()) for name, value in fields))
            lines = [f"{name}: {value}".encode("latin-1") for name, value in pairs]
        if upstream is not None and upstream.kind == "http" and upstream.authorization:
            lines.append(f"Proxy-Authorization: {upstream.authorization}".encode())
        return lines

    async def _bring(self, address: str, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        """Forward the bytes of a response."""
        with contextlib.suppress(OSError):
            first = await _closing_head(source)
            brought = len(first)
            sink.write(first)
            while data := await source.read(RELAY_BYTES):
                brought += len(data)
                if 0 < self._most < brought - HEAD_BYTES:
                    self._overfull.add(address)
                    return
                sink.write(data)
                await sink.drain()

    async def _bring_tunnelled(
        self, place: str, meter: TunnelMeter, source: asyncio.StreamReader, sink: asyncio.StreamWriter
    ) -> None:
        with contextlib.suppress(OSError):
            while data := await source.read(RELAY_BYTES):
                if meter.is_overfull(len(data)):
                    self._ended[place] = time.monotonic()
                    # A browser takes an orderly close for the end of a response without Content-Length.
                    sink.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
                    sink.transport.abort()
                    return
                sink.write(data)
                await sink.drain()


async def _closing_head(source: asyncio.StreamReader) -> bytes:
    """The first bytes of a response, its head in them saying that the connection ends with it whatever the server says: a browser
    would send its next request over it, which may be for another host. What is no HTTP is left as it is."""
    passed = b""
    data = b""
    while more := await source.read(RELAY_BYTES):
        data += more
        while end := _HEAD_END.search(data):
            status = _STATUS.match(data)
            if status is None or status[1] == b"101":
                return passed + data
            if not status[1].startswith(b"1"):
                lines = [line for line in data[: end.start()].splitlines() if not line.lower().startswith(_DROPPED)]
                return passed + b"\r\n".join([*lines, b"Connection: close", b"", data[end.end() :]])
            passed, data = passed + data[: end.end()], data[end.end() :]
        if len(data) > HEAD_BYTES or not b"HTTP/".startswith(data[:5]):
            break
    return passed + data


def _place_of(url: str) -> str:
    """Host and port, as in a browser's CONNECT request."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    return f"{f'[{host}]' if ':' in host else host}:{parts.port or (443 if parts.scheme == 'https' else 80)}"


async def _answer(writer: asyncio.StreamWriter, kind: str) -> None:
    body = f"Walker did not open this address: {kind}".encode()
    head = f"HTTP/1.1 403 Forbidden\r\n{REFUSED_HEADER}: {kind}\r\nContent-Type: text/plain\r\nContent-Length: {len(body)}\r\n"
    writer.write(head.encode() + b"Connection: close\r\n\r\n" + body)
    with contextlib.suppress(OSError):
        await writer.drain()


async def _relay(
    down: Coroutine[Any, Any, None], up: Coroutine[Any, Any, None], up_writer: asyncio.StreamWriter
) -> None:
    """Copy bytes in both directions until one side closes."""
    ways = [asyncio.ensure_future(down), asyncio.ensure_future(up)]
    try:
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for way in ways:
            way.cancel()
        up_writer.transport.abort()
        await asyncio.gather(*ways, return_exceptions=True)


async def _copy(source: asyncio.StreamReader, sink: asyncio.StreamWriter, meter: TunnelMeter | None = None) -> None:
    with contextlib.suppress(OSError):
        while data := await source.read(RELAY_BYTES):
            if meter is not None:
                meter.sent(data)
            sink.write(data)
            await sink.drain()
