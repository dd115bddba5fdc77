"""Events of a job as server-sent events (WHATWG): ids are the numbers of its lines, so that a client goes on where it was."""

from __future__ import annotations

from collections.abc import AsyncIterator

import msgspec

from walker.jobs.kept_jobs import Jobs

HEARTBEAT_SECONDS = 15.0
"""Proxies close connections that say nothing for half a minute or so."""


async def stream_events(jobs: Jobs, name: str, after: int) -> AsyncIterator[bytes]:
    """The events behind `after`, to the last one, with comments in between while nothing happens."""
    async for told in jobs.follow(name, after, HEARTBEAT_SECONDS):
        if told is None:
            yield b": nothing new\n\n"
            continue
        number, event = told
        body = msgspec.json.encode({"at": event.at, "data": event.data})
        yield b"id: %d\nevent: %s\ndata: %s\n\n" % (number, event.event.encode(), body)
