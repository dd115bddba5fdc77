"""What a walk at a terminal asks, for other programs of the same user on this machine: a viewer shows it, and brings an answer. The
socket stands only while something is asked, in a folder that this user alone may enter."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import socket
import stat
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
from platformdirs import user_data_path

from walker.errors import UsageError
from walker.handover.open_question import Asked, NotAsked, OpenQuestion

MOST_BYTES = 1 << 16
"""Of a line; a question has at most some twenty choices of 160 characters."""
SECONDS = 2.0
"""Until the other side is given up: it is on this machine."""


class Message(msgspec.Struct, frozen=True, kw_only=True):
    """What is sent either way: an answer to the question of this number, or what is asked, and why an answer was not taken."""

    number: int = 0
    choice: int = 0
    asked: Asked | None = None
    error: str = ""


class Elsewhere:
    """Whether a question was answered by another program."""

    def __init__(self, *, can_be: bool) -> None:
        self.can_be, self.has_answered = can_be, False


def place_of(run: Path) -> Path:
    """Where the walk that is recorded in this folder listens."""
    name = hashlib.sha256(os.fsencode(run.resolve())).hexdigest()[:16]
    return user_data_path("walker", appauthor=False) / "asked" / f"{name}.socket"


@contextlib.asynccontextmanager
async def answerable(question: OpenQuestion, run: Path | None) -> AsyncIterator[Elsewhere]:
    """Let viewers of a run answer what is asked while the block lasts, where this machine lets them."""
    place = place_of(run) if run is not None else None
    elsewhere = Elsewhere(can_be=False)
    if place is None or not _is_ours(place.parent):
        yield elsewhere
        return
    place.unlink(missing_ok=True)  # of a walk that was killed: the lock of its run is ours now
    try:
        server = await asyncio.start_unix_server(_Listener(question, elsewhere).take, place, limit=MOST_BYTES)
    except OSError:  # no such sockets on this file system, or its path is too long for one
        yield elsewhere
        return
    elsewhere.can_be = True
    try:
        yield elsewhere
    finally:
        server.close()
        place.unlink(missing_ok=True)


def asked_in(run: Path) -> Asked | None:
    """What a walk asks now, None where it asks nothing, or nobody walks there."""
    return _told(run, Message()).asked


def answer_in(run: Path, number: int, choice: int) -> None:
    """Bring a walk an answer. Raises `NotAsked` where it was not taken."""
    told = _told(run, Message(number=number, choice=choice))
    if told.error:
        raise NotAsked(told.error)


class _Listener:
    """Takes one message a connection."""

    def __init__(self, question: OpenQuestion, elsewhere: Elsewhere) -> None:
        self._question, self._elsewhere = question, elsewhere

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer it, and close."""
        with contextlib.suppress(OSError, TimeoutError, ValueError), contextlib.closing(writer):
            async with asyncio.timeout(SECONDS):
                told = self._answer(await reader.readline())
                writer.write(msgspec.json.encode(told) + b"\n")
                await writer.drain()

    def _answer(self, line: bytes) -> Message:
        message = msgspec.json.decode(line, type=Message)
        if not message.number:
            return Message(asked=self._question.asked)
        try:
            self._question.answer(message.number, message.choice)
        except UsageError as error:
            return Message(error=str(error))
        self._elsewhere.has_answered = True
        return Message()


def _is_ours(folder: Path) -> bool:
    """Whether the folder is there and nobody else may enter it."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = folder.stat()
    except OSError:
        return False
    return found.st_uid == os.getuid() and not stat.S_IMODE(found.st_mode) & 0o077


def _told(run: Path, message: Message) -> Message:
    place = place_of(run)
    nobody = Message(error="this is not asked any more" if message.number else "")
    if not place.exists() or not _is_ours(place.parent):
        return nobody
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as link:
            link.settimeout(SECONDS)
            link.connect(str(place))
            with link.makefile("rwb") as lines:
                lines.write(msgspec.json.encode(message) + b"\n")
                lines.flush()
                return msgspec.json.decode(lines.readline(MOST_BYTES), type=Message)
    except (OSError, msgspec.MsgspecError):
        return nobody


msgspec.json.Decoder(Message)  # described at import: docs/design/msgspec.md
