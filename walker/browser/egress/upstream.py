"""Connections through the proxy that a user names: CONNECT of HTTP (RFC 9110, section 9.3.6) and SOCKS 5 (RFC 1928, RFC 1929)."""

from __future__ import annotations

import asyncio
import ipaddress

from walker.seams.web.way_out import UpstreamProxy

HEAD_BYTES = 65536
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
_VERSION, _NO_LOGIN, _LOGIN, _CONNECT, _NAME = 5, 0, 2, 1, 3
_ADDRESS_BYTES = {1: 4, 4: 16}
_WHY = {
    2: "its rules do not allow it",
    3: "it cannot reach that network",
    4: "it cannot reach that host",
    5: "the connection was refused",
}


class ProxyFailed(Exception):
    """The proxy made no connection; the message says why."""


async def open_proxy(proxy: UpstreamProxy) -> Streams:
    """A connection to the proxy itself. Raises `ProxyFailed`."""
    try:
        return await asyncio.open_connection(proxy.host, proxy.port)
    except OSError:
        raise ProxyFailed(f"the proxy {proxy.address} does not answer") from None


async def connect_through(proxy: UpstreamProxy, host: str, port: int) -> Streams:
    """A connection to a host by its name or address, made by the proxy. Raises `ProxyFailed`."""
    streams = await open_proxy(proxy)
    try:
        await (_connect if proxy.kind == "http" else _greet)(proxy, streams, host, port)
    except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError):
        streams[1].transport.abort()
        raise ProxyFailed(f"the proxy {proxy.address} closed the connection, or speaks another protocol") from None
    except ProxyFailed:
        streams[1].transport.abort()
        raise
    return streams


async def _connect(proxy: UpstreamProxy, streams: Streams, host: str, port: int) -> None:
    reader, writer = streams
    host = host if host.isascii() else host.encode("idna").decode()
    place = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    lines = [f"CONNECT {place} HTTP/1.1", f"Host: {place}"]
    if proxy.authorization:
        lines.append(f"Proxy-Authorization: {proxy.authorization}")
    writer.write("\r\n".join([*lines, "", ""]).encode())
    head = await reader.readuntil(b"\r\n\r\n")
    status = int(head.split(b" ", 2)[1][:3])
    if status == 407:
        raise ProxyFailed(f"the proxy {proxy.address} asks for other credentials")
    if not 200 <= status < 300:
        raise ProxyFailed(f"the proxy {proxy.address} made no connection (HTTP {status})")


async def _greet(proxy: UpstreamProxy, streams: Streams, host: str, port: int) -> None:
    reader, writer = streams
    methods = bytes((_NO_LOGIN, _LOGIN)) if proxy.authorization else bytes((_NO_LOGIN,))
    writer.write(bytes((_VERSION, len(methods))) + methods)
    version, method = await reader.readexactly(2)
    if version != _VERSION:
        raise ValueError("not SOCKS 5")
    if method == _LOGIN and proxy.authorization:
        user, password = proxy.user.encode(), proxy.password.encode()
        writer.write(bytes((1, len(user))) + user + bytes((len(password),)) + password)
        _, status = await reader.readexactly(2)
        if status:
            raise ProxyFailed(f"the proxy {proxy.address} asks for other credentials")
    elif method != _NO_LOGIN:
        raise ProxyFailed(f"the proxy {proxy.address} asks for credentials")
    writer.write(bytes((_VERSION, _CONNECT, 0)) + _destination(host) + port.to_bytes(2, "big"))
    _, reply, _, kind = await reader.readexactly(4)
    if reply:
        raise ProxyFailed(f"the proxy {proxy.address} made no connection: {_WHY.get(reply, 'it failed')}")
    length = _ADDRESS_BYTES[kind] if kind in _ADDRESS_BYTES else (await reader.readexactly(1))[0]
    await reader.readexactly(length + 2)


def _destination(host: str) -> bytes:
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        name = host.encode("ascii" if host.isascii() else "idna")
        return bytes((_NAME, len(name))) + name
    return bytes((1 if address.version == 4 else 4,)) + address.packed
