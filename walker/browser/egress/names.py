"""Host names and their addresses: the system is asked in threads of its own, once for all who ask at the same time."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import socket
import threading
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

Lookup = Callable[[str], Sequence[str]]
"""Asks the system for the addresses of a name. Raises OSError or UnicodeError."""

KNOWN_SECONDS = 60.0
"""For which an answer is kept. What is connected to is always an address that was checked, so an old answer lets nothing through."""
UNKNOWN_SECONDS = 20.0
"""For which is kept that a name has no address: a page names the same missing host many times."""
LOOKUP_SECONDS = 10.0
"""After which a name counts as unknown; the system alone may take minutes over a name server that is silent."""


class _Known(NamedTuple):
    addresses: tuple[str, ...]
    error: OSError | UnicodeError | None
    until: float


class HostNames:
    """The names that one walk or crawl has asked for. Threads are daemons: a slow name server holds up neither other work nor the end
    of the program."""

    def __init__(self, lookup: Lookup | None = None) -> None:
        self._lookup = lookup or ask_system
        self._known: dict[str, _Known] = {}
        self._asked: dict[str, asyncio.Future[_Known]] = {}

    async def addresses(self, host: str) -> list[str]:
        """All addresses of a name, each once; unusual notations of an address (2130706433, 0x7f.0.0.1, 0) as the system parses them.
        One in its usual notation is itself. Raises OSError or UnicodeError."""
        if is_ipv4(host):
            return [host]
        known = self._known.get(host)
        if known is None or known.until < time.monotonic():
            known = self._known[host] = await self._ask(host)
        if known.error is not None:
            raise type(known.error)(*known.error.args)  # a new one for each who asks: tracebacks grow
        return list(known.addresses)

    async def _ask(self, host: str) -> _Known:
        asked = self._asked.get(host)
        if asked is None:
            asked = self._asked[host] = asyncio.get_running_loop().create_future()
            asked.add_done_callback(lambda _: self._asked.pop(host, None))
            threading.Thread(target=self._answer, args=(host, asked), name="walker-names", daemon=True).start()
        try:
            async with asyncio.timeout(LOOKUP_SECONDS):
                return await asyncio.shield(asked)
        except TimeoutError:
            error = socket.gaierror(socket.EAI_AGAIN, "no answer from the name server in time")
            return _Known((), error, time.monotonic() + UNKNOWN_SECONDS)

    def _answer(self, host: str, asked: asyncio.Future[_Known]) -> None:
        """Runs in a thread."""
        try:
            known = _Known(tuple(dict.fromkeys(self._lookup(host))), None, time.monotonic() + KNOWN_SECONDS)
        except (OSError, UnicodeError) as error:
            known = _Known((), error, time.monotonic() + UNKNOWN_SECONDS)
        with contextlib.suppress(RuntimeError):  # its loop has ended meanwhile
            asked.get_loop().call_soon_threadsafe(_settle, asked, known)


def _settle(asked: asyncio.Future[_Known], known: _Known) -> None:
    if not asked.done():
        asked.set_result(known)


def ask_system(host: str) -> list[str]:
    """The system's answer, with the name service that the machine is set to."""
    return [str(entry[4][0]) for entry in socket.getaddrinfo(host, 0, type=socket.SOCK_STREAM)]


def is_ipv4(host: str) -> bool:
    """Whether this is an IPv4 address in its usual notation: to ask the system takes a thread, for every request of a crawl."""
    try:
        return str(ipaddress.IPv4Address(host)) == host
    except ValueError:
        return False
