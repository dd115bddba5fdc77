"""A person at the terminal: told what to do or to choose, and waited for."""

from __future__ import annotations

import asyncio
import os
import sys

from walker.handover.whom_to_ask import WAIT_SECONDS
from walker.seams.web.asked_person import Pause

SKIPPED = frozenset(("s", "skip"))


async def ask_at_terminal(pause: Pause, seconds: float = WAIT_SECONDS) -> int:
    """The number of the choice that a person types, with Enter; where there is one choice, Enter is enough. 0 for "s", when the time is
    over, and where nobody is there to be asked."""
    _say(_told(pause, seconds))
    try:
        async with asyncio.timeout(seconds):
            while (line := await next_line()) is not None:
                if (number := _number(line, len(pause.choices))) is not None:
                    return number
                _say(f"type a number from 1 to {len(pause.choices)}, or s to go on without")
    except TimeoutError:
        _say("nobody answered; going on without")
    return 0


def _told(pause: Pause, seconds: float) -> str:
    if len(pause.choices) == 1:
        return f"{pause.text}, then press Enter here (s to skip, {seconds:.0f} s)"
    lines = [pause.text]
    for number, one in enumerate(pause.choices, 1):
        behind = f"  [{one.url}]" if one.url else ""
        quote = f"\n     {one.detail}" if one.detail else ""
        lines.append(f"  {number}. {one.text}{behind}{quote}")
    return "\n".join((*lines, f"Type its number and Enter (s to go on without, {seconds:.0f} s)"))


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
