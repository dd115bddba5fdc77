"""A person at the terminal: told what to do, and waited for."""

from __future__ import annotations

import asyncio
import sys

from walker.seams.web.handover import WHAT_IS_IN_THE_WAY, Obstacle

WAIT_SECONDS = 300.0


async def ask_at_terminal(obstacle: Obstacle, seconds: float = WAIT_SECONDS) -> bool:
    """Whether a person has acted: they press Enter, or type "s" and Enter to go on without; False when the time is over, and where
    nobody is there to be asked."""
    told = f"{obstacle.url} {WHAT_IS_IN_THE_WAY[obstacle.kind]}. Act in the window, then press Enter here (s to skip, {seconds:.0f} s)"
    print(f"walker: {told}", file=sys.stderr, flush=True)  # noqa: T201 - the person is at this terminal
    try:
        async with asyncio.timeout(seconds):
            line = await next_line()
    except TimeoutError:
        print("walker: nobody answered; going on without", file=sys.stderr, flush=True)  # noqa: T201
        return False
    return line is not None and line.strip().lower() not in ("s", "skip")


async def next_line() -> str | None:
    """The next line on stdin, None at its end. Reads no byte once it is cancelled, as a thread that waits in `readline` would."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[str | None] = loop.create_future()

    def read() -> None:
        if not done.done():
            line = sys.stdin.readline()
            done.set_result(line or None)

    try:
        loop.add_reader(sys.stdin, read)
    except (ValueError, OSError):  # closed, or a file: nobody types there
        return sys.stdin.readline() or None if not sys.stdin.closed else None
    try:
        return await done
    finally:
        loop.remove_reader(sys.stdin)
