"""Stands in the pipe between chromedriver and its browser, and adds a user's own header fields to requests over https.

Chromedriver tells nobody of the events of the Fetch domain, and while it waits for an answer it passes on no command, that of BiDi
(`network.continueRequest`) included: a page whose requests are stopped would wait for ever. So they are answered here, before it
hears of them. All other messages pass through as they are.
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from walker.browser.selenium import pipe_handover
from walker.seams.web.own_headers import OwnHeaders

PATTERNS = {"patterns": [{"urlPattern": "https://*", "requestStage": "Request"}]}
"""The arguments of Fetch.enable: all requests over https, each hop of a redirect as one of its own."""
FIRST_ID = 1_900_000_000
"""Ids of the commands that are sent here; chromedriver counts its own from 1."""
READ_BYTES = 1 << 16
WAIT_SECONDS = 0.2
_PAUSED = b'{"method":"Fetch.requestPaused",'
_REPLY = re.compile(rb'\{"id":(\d+)[,}]')


class _Request(msgspec.Struct):
    url: str
    headers: dict[str, str] = {}


class _Paused(msgspec.Struct, rename="camel"):
    request_id: str
    request: _Request


class _Event(msgspec.Struct):
    params: _Paused
    session: str = msgspec.field(name="sessionId", default="")


class ProtocolTap:
    """The tap of one browser. Its threads end with the browser or chromedriver, or by `close`."""

    def __init__(self, folder: Path, headers: OwnHeaders) -> None:
        """Listen in a folder that is this user's alone, for the browser that is to be started."""
        self._headers, self._folder = headers, folder
        self._sent = 0
        self._to_browser = threading.Lock()
        self._over = threading.Event()
        self._listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listening.bind(str(folder / "tap"))
        self._listening.listen(1)
        self._listening.settimeout(WAIT_SECONDS)
        threading.Thread(target=self._serve, name="protocol-tap", daemon=True).start()

    def command(self, browser: list[str]) -> str:
        """The line of a shell that starts a browser behind this tap."""
        program = [sys.executable, "-I", "-S", str(Path(pipe_handover.__file__)), str(self._folder / "tap"), *browser]
        return shlex.join(program)

    def close(self) -> None:
        """Wait for no browser any more."""
        self._over.set()

    def _serve(self) -> None:
        with contextlib.suppress(OSError, ValueError), self._listening:
            while not self._over.is_set():
                with contextlib.suppress(TimeoutError):
                    taken, _ = self._listening.accept()
                    break
            else:
                return
            with taken:
                _, (from_driver, to_driver), _, _ = socket.recv_fds(taken, 1, 2)
                commands, to_browser = os.pipe()
                from_browser, answers = os.pipe()
                socket.send_fds(taken, [b"."], [commands, answers])
            os.close(commands)
            os.close(answers)
            self._start(self._bring_commands, from_driver, to_browser)
            self._start(lambda source, sink: self._bring_answers(source, sink, to_browser), from_browser, to_driver)

    def _start(self, work: Callable[[int, int], None], source: int, sink: int) -> None:
        def until_it_ends() -> None:
            with contextlib.suppress(OSError):
                work(source, sink)
            # Whoever is on the other side learns by this that it is alone.
            os.close(source)
            with self._to_browser:
                os.close(sink)

        threading.Thread(target=until_it_ends, name="protocol-tap", daemon=True).start()

    def _bring_commands(self, source: int, sink: int) -> None:
        for messages in _whole(source):
            with self._to_browser:
                _write(sink, messages)

    def _bring_answers(self, source: int, sink: int, to_browser: int) -> None:
        for messages in _whole(source):
            if _PAUSED not in messages and b'{"id":%d' % (FIRST_ID // 100_000_000) not in messages:
                _write(sink, messages)
                continue
            passed = [one for one in messages[:-1].split(b"\0") if not self._is_mine(one, to_browser)]
            if passed:
                _write(sink, b"\0".join([*passed, b""]))

    def _is_mine(self, message: bytes, to_browser: int) -> bool:
        """Whether a message is not for chromedriver; a stopped request is sent on."""
        if message.startswith(_PAUSED):
            event = msgspec.json.decode(message, type=_Event)
            with self._to_browser:
                _write(to_browser, msgspec.json.encode(self._sent_on(event)) + b"\0")
            return True
        reply = _REPLY.match(message)
        return reply is not None and int(reply[1]) >= FIRST_ID

    def _sent_on(self, event: _Event) -> dict[str, Any]:
        request = event.params.request
        fields = self._headers.applied(request.url, request.headers.items())
        self._sent += 1
        sent_on = {"requestId": event.params.request_id, "headers": [{"name": n, "value": v} for n, v in fields]}
        command = {"id": FIRST_ID + self._sent, "method": "Fetch.continueRequest", "params": sent_on}
        return {**command, "sessionId": event.session} if event.session else command


def _whole(source: int) -> Iterator[bytes]:
    """Messages as they come, each with the NUL that ends it; several at a time where they come together."""
    parts: list[bytes] = []
    while data := os.read(source, READ_BYTES):
        end = data.rfind(b"\0") + 1
        if end:
            yield b"".join([*parts, data[:end]])
            parts = []
        if end < len(data):
            parts.append(data[end:])


def _write(sink: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(sink, rest) :]


msgspec.json.Decoder(_Event)  # described at import: docs/design/msgspec.md
