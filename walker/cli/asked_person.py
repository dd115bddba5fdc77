"""A person at the terminal: told what to do or to choose, and waited for. They may choose in the viewer of the walk as well."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys

from walker.handover.open_question import Asked, NotAsked, OpenQuestion
from walker.handover.question_socket import Elsewhere, answerable
from walker.handover.whom_to_ask import WAIT_SECONDS, asking_run
from walker.seams.web.asked_person import Pause

SKIPPED = frozenset(("s", "skip"))


class AskedTerminal:
    """Asks whoever is at the terminal, for one walk at a time."""

    def __init__(self, seconds: float = WAIT_SECONDS) -> None:
        self._seconds = seconds
        self._question = OpenQuestion(seconds=seconds)
        self._turn = asyncio.Lock()

    async def ask(self, pause: Pause) -> int:
        """The number of the choice that a person types, with Enter, or presses in the viewer; where there is one choice, Enter is enough.
        0 for "s", when the time is over, and where nobody is there to be asked."""
        async with self._turn:
            asked = self._question.put(pause)
            async with answerable(self._question, asking_run()) as elsewhere:
                _say(_told(pause, self._seconds, elsewhere))
                typing = asyncio.create_task(self._typed(asked))
                try:
                    chosen = await self._question.chosen()
                finally:
                    was_typed = typing.done()
                    typing.cancel()
                    with contextlib.suppress(asyncio.CancelledError):
                        await typing
            if not was_typed:
                _say(_ended(pause, chosen, elsewhere))
            return chosen

    async def _typed(self, asked: Asked) -> None:
        """Take the first line that is an answer; the end of stdin is that nobody is there."""
        most, number = len(asked.pause.choices), None
        while number is None:
            line = await next_line()
            number = 0 if line is None else _number(line, most)
            if number is None:
                _say(f"type a number from 1 to {most}, or s to go on without")
        with contextlib.suppress(NotAsked):  # the viewer was faster
            self._question.answer(asked.number, number)


def _told(pause: Pause, seconds: float, elsewhere: Elsewhere) -> str:
    if len(pause.choices) == 1:
        where = ", or press the button in walker view" if elsewhere.can_be else ""
        return f"{pause.text}, then press Enter here{where} (s to skip, {seconds:.0f} s)"
    lines = [pause.text]
    for number, one in enumerate(pause.choices, 1):
        behind = f"  [{one.url}]" if one.url else ""
        quote = f"\n     {one.detail}" if one.detail else ""
        lines.append(f"  {number}. {one.text}{behind}{quote}")
    where = ", or choose in walker view" if elsewhere.can_be else ""
    return "\n".join((*lines, f"Type its number and Enter{where} (s to go on without, {seconds:.0f} s)"))


def _ended(pause: Pause, chosen: int, elsewhere: Elsewhere) -> str:
    if not elsewhere.has_answered:
        return "nobody answered; going on without"
    return f"chosen in the viewer: {pause.choices[chosen - 1].text if chosen else 'go on without'}"


def _number(line: str, most: int) -> int | None:
    """The choice that a line names, 0 for none, None where it is no answer."""
    text = line.strip().lower()
    if text in SKIPPED:
        return 0
    if not text:
        return 1 if most == 1 else None
    return int(text) if text in map(str, range(1, most + 1)) else None


def _say(text: str) -> None:
    print(f"walker: {text}", file=sys.stderr, flush=True)  # noqa: T201 - the person is at this terminal


async def next_line() -> str | None:
    """The next line on stdin, None at its end. Takes no byte of a line behind it, and none once it is cancelled, as a thread that waits
    in `readline` would."""
    loop, typed = asyncio.get_running_loop(), bytearray()
    done: asyncio.Future[str | None] = loop.create_future()

    def read() -> None:
        if done.done():
            return
        byte = os.read(sys.stdin.fileno(), 1)
        typed.extend(byte)
        if not byte or byte == b"\n":
            done.set_result(typed.decode("utf-8", "replace") or None)

    try:
        loop.add_reader(sys.stdin, read)
    except (ValueError, OSError):  # closed, or a file: nobody types there
        return sys.stdin.readline() or None if not sys.stdin.closed else None
    try:
        return await done
    finally:
        loop.remove_reader(sys.stdin)
