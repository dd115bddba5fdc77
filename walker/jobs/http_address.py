"""Where a server listens."""

from __future__ import annotations

import socket

import msgspec

from walker.errors import UsageError

LOOPBACK = ("127.0.0.1", "::1", "localhost")


class HttpAddress(msgspec.Struct, frozen=True, kw_only=True):
    """Where a server listens, and what its clients show."""

    host: str
    port: int
    """0 for any that is free."""
    token: str = ""
    """Which clients show as bearer token; "" on loopback only."""

    def url(self, port: int) -> str:
        """The start of its addresses, once it listens at a port."""
        return f"http://{f'[{self.host}]' if ':' in self.host else self.host}:{port}"


def listen_at(address: HttpAddress, token_name: str) -> socket.socket:
    """A socket that listens there; `token_name` is of the variable that holds the token. Raises `UsageError` where it cannot, or where
    others could reach it without a token."""
    if address.host not in LOOPBACK and not address.token:
        raise UsageError(
            "others can reach this address", where=address.host, advice=f"Set {token_name}, or listen on 127.0.0.1"
        )
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((address.host, address.port))
        listener.listen()  # who connects before the server is up waits, instead of being refused
    except OSError as error:
        listener.close()
        where = f"{address.host}:{address.port}"
        raise UsageError(f"cannot listen there ({error.strerror})", where=where, advice="Name another port") from None
    return listener
