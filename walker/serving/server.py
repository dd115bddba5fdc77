"""Runs the service until the process is told to stop."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import uvicorn

from traces.store.file_lock import lock_exclusively
from walker.assembly import WalkResources
from walker.errors import TraceUnwritable, UsageError
from walker.jobs.http_address import HttpAddress, listen_at
from walker.serving.app import guarded_app
from walker.serving.served import Served, ServiceOptions

TOKEN_NAME = "WALKER_SERVE_TOKEN"  # noqa: S105 - the name of a variable
CLOSE_SECONDS = 3
KEEP_SECONDS = 75
"""Until an idle connection is closed. On a busy machine the first job holds the loop up for more than uvicorn's five seconds (its
imports), and a client's next request over the connection met its end."""
BACKLOG = 128


async def serve(options: ServiceOptions, address: HttpAddress, ready: Callable[[str], None]) -> None:
    """Serve any number of callers until this process is told to stop; `ready` is told the address. Raises a `WalkerError`."""
    with contextlib.closing(listen_at(address, TOKEN_NAME)) as listener, _owned(options.data):
        async with WalkResources(options.settings) as resources:
            served = Served(options, resources, address.token)
            config = uvicorn.Config(
                guarded_app(served),
                log_level="warning",
                timeout_graceful_shutdown=CLOSE_SECONDS,
                timeout_keep_alive=KEEP_SECONDS,
                backlog=BACKLOG,
                server_header=False,
                lifespan="on",
            )
            http = uvicorn.Server(config)
            serving = asyncio.create_task(http.serve(sockets=[listener]))
            ready(address.url(listener.getsockname()[1]))
            try:
                await asyncio.wait({serving})
            finally:
                http.should_exit = True  # one that is cancelled would leave its connections open
                await serving


@contextlib.contextmanager
def _owned(data: Path) -> Iterator[None]:
    """The folder, of this service alone."""
    try:
        data.mkdir(parents=True, exist_ok=True, mode=0o700)
        file = os.open(data / "service.lock", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    except OSError as error:
        advice = "Name another folder with --data"
        raise TraceUnwritable(f"cannot be written ({error.strerror})", where=str(data), advice=advice) from None
    try:
        if not lock_exclusively(file):
            raise UsageError(
                "another service works in this folder", where=str(data), advice="Name another one with --data"
            )
        yield
    finally:
        os.close(file)
