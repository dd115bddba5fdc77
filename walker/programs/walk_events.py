"""A walk as a stream of what happens: one event after the other, and at the end its outcome."""

from __future__ import annotations

import asyncio
import contextlib
import queue
from collections.abc import AsyncGenerator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Unpack

import msgspec

from traces.events import Event
from walker.asking import GivenPicture, Roots, ask
from walker.programs.named_settings import SettingNames
from walker.run_setup import RunListener
from walker.seams.outcome import Outcome
from walker.settings import Settings


class WalkBegan(msgspec.Struct, frozen=True, kw_only=True):
    """The first event of a walk that is recorded: where."""

    run: str
    """Folder of the run. `walker ask --resume RUN` goes on with a walk that was left."""


class WalkConcluded(msgspec.Struct, frozen=True, kw_only=True):
    """The last event of a walk that was not left."""

    outcome: Outcome


WalkEvent = WalkBegan | Event | WalkConcluded
"""What a walk tells. The events between the first and the last are those of a recording (`traces.events`)."""


class _Told(RunListener):
    """A sink that hands events to a queue."""

    def __init__(self, events: asyncio.Queue[WalkEvent | None]) -> None:
        self._events = events

    def emit(self, event: Event) -> None:
        """Hand it on."""
        self._events.put_nowait(event)

    def began(self, run: Path) -> None:
        """Tell where the run is recorded."""
        self._events.put_nowait(WalkBegan(run=str(run)))


async def stream(
    root: Roots,
    question: str,
    *,
    picture: GivenPicture | None = None,
    box: Sequence[float] | None = None,
    settings: Settings | None = None,
    **named: Unpack[SettingNames],
) -> AsyncGenerator[WalkEvent, None]:
    """Answer a question as `ask` does, and tell what happens meanwhile.

        async for event in stream("https://www.sqlite.org/", "What is the maximum length of an SQL statement?"):
            match event:
                case PageOpened(final_url=url):
                    print("opened", url)
                case WalkConcluded(outcome=outcome):
                    print(outcome.answer)

    Leaving the loop ends the walk; what was recorded stays, and can be resumed. The walk does not wait for whoever reads its events.
    Raises what `ask` raises, once all events before it were told."""
    events: asyncio.Queue[WalkEvent | None] = asyncio.Queue()
    work = asyncio.create_task(
        ask(root, question, picture=picture, box=box, settings=settings, progress=_Told(events), **named)
    )
    work.add_done_callback(lambda _: events.put_nowait(None))
    try:
        while (event := await events.get()) is not None:
            yield event
        yield WalkConcluded(outcome=work.result())
    finally:
        if not work.done():
            work.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await work


def stream_sync(root: Roots, question: str, **given: Any) -> Iterator[WalkEvent]:
    """`stream` for programs without `await`: the walk runs in a thread of its own, which ends with the loop over its events."""
    events: queue.SimpleQueue[WalkEvent | None] = queue.SimpleQueue()
    began: queue.SimpleQueue[tuple[asyncio.AbstractEventLoop, asyncio.Task[None] | None]] = queue.SimpleQueue()

    async def run() -> None:
        began.put((asyncio.get_running_loop(), asyncio.current_task()))
        async with contextlib.aclosing(stream(root, question, **given)) as told:
            async for event in told:
                events.put(event)

    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="walker") as thread:
        walking = thread.submit(lambda: asyncio.run(run()))
        walking.add_done_callback(lambda _: events.put(None))
        loop, work = began.get()
        try:
            while (event := events.get()) is not None:
                yield event
            walking.result()
        finally:
            if work is not None and not walking.done():
                loop.call_soon_threadsafe(work.cancel)
