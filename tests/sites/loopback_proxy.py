"""A proxy on loopback: CONNECT and plain requests of HTTP, and SOCKS 5; it knows the names that it is told, and no others."""

from __future__ import annotations

import base64
import contextlib
import select
import socket
import socketserver
import threading
from collections.abc import Iterator, Mapping
from urllib.parse import urlsplit

Address = tuple[str, int]


class LoopbackProxy(socketserver.ThreadingTCPServer):
    """Connects to `names`, host:port -> address; `login` is user:password that it asks for, "" for none."""

    daemon_threads = True
    block_on_close = False
    allow_reuse_address = True

    def __init__(self, names: Mapping[str, Address], login: str = "") -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.names, self.login = dict(names), login
        self.asked: list[str] = []
        """What was asked for: "CONNECT host:port", "GET http://...", "SOCKS host:port"."""

    @property
    def place(self) -> str:
        """host:port."""
        return f"127.0.0.1:{self.server_address[1]}"

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that went away is no trouble of the proxy's."""


class _Handler(socketserver.StreamRequestHandler):
    server: LoopbackProxy

    def handle(self) -> None:
        first = self.rfile.read(1)
        if first == b"\x05":
            self._socks()
        elif first:
            self._http(first)

    def _http(self, first: bytes) -> None:
        lines = [first + self.rfile.readline()]
        while (line := self.rfile.readline()).strip():
            lines.append(line)
        method, target, _ = lines[0].decode().split(" ", 2)
        self.server.asked.append(f"{method} {target}")
        sent = next((line.decode() for line in lines if line.lower().startswith(b"proxy-authorization:")), "")
        if self.server.login and base64.b64encode(self.server.login.encode()).decode() not in sent:
            self.wfile.write(b"HTTP/1.1 407 Login\r\nProxy-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n")
            return
        parts = urlsplit(target)
        place = target if method == "CONNECT" else f"{parts.hostname}:{parts.port or 80}"
        if place not in self.server.names:
            self.wfile.write(b"HTTP/1.1 502 Unknown\r\nContent-Length: 0\r\n\r\n")
            return
        with socket.create_connection(self.server.names[place]) as beyond:
            if method == "CONNECT":
                self.wfile.write(b"HTTP/1.1 200 Connected\r\n\r\n")
            else:
                path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
                kept = [line for line in lines[1:] if not line.lower().startswith((b"proxy-", b"connection:"))]
                head = f"{method} {path} HTTP/1.1\r\n".encode() + b"".join(kept) + b"Connection: close\r\n\r\n"
                beyond.sendall(head)
            self._relay(beyond)

    def _socks(self) -> None:
        methods = self.rfile.read(self.rfile.read(1)[0])
        if self.server.login:
            if 2 not in methods:
                self.wfile.write(b"\x05\xff")
                return
            self.wfile.write(b"\x05\x02")
            self.rfile.read(1)
            user = self.rfile.read(self.rfile.read(1)[0])
            password = self.rfile.read(self.rfile.read(1)[0])
            is_known = (user + b":" + password).decode() == self.server.login
            self.wfile.write(b"\x01\x00" if is_known else b"\x01\x01")
            if not is_known:
                return
        else:
            self.wfile.write(b"\x05\x00")
        kind = self.rfile.read(4)[3]
        if kind == 3:
            host = self.rfile.read(self.rfile.read(1)[0]).decode()
        else:
            host = socket.inet_ntop(
                socket.AF_INET if kind == 1 else socket.AF_INET6, self.rfile.read(4 if kind == 1 else 16)
            )
        place = f"{host}:{int.from_bytes(self.rfile.read(2))}"
        self.server.asked.append(f"SOCKS {place}")
        if place not in self.server.names:
            self.wfile.write(b"\x05\x04\x00\x01" + bytes(6))
            return
        with socket.create_connection(self.server.names[place]) as beyond:
            self.wfile.write(b"\x05\x00\x00\x01" + bytes(6))
            self._relay(beyond)

    def _relay(self, beyond: socket.socket) -> None:
        ends = (self.connection, beyond)
        while True:
            for end in select.select(ends, (), ())[0]:
                data = end.recv(65536)
                if not data:
                    return
                (beyond if end is self.connection else self.connection).sendall(data)


@contextlib.contextmanager
def serve_proxy(names: Mapping[str, Address], login: str = "") -> Iterator[LoopbackProxy]:
    """The proxy, while the block lasts."""
    with LoopbackProxy(names, login) as proxy:
        threading.Thread(target=proxy.serve_forever, args=(0.05,), daemon=True).start()
        yield proxy
        proxy.shutdown()
