"""An endpoint that answers while the test's own thread runs a command, which wants the signals of the main thread."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Iterator

from walker.testing.chat_server import Endpoint

SECONDS = 60


@contextlib.contextmanager
def served(endpoint: Endpoint) -> Iterator[Endpoint]:
    """The endpoint, while the block lasts."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        asyncio.run_coroutine_threadsafe(endpoint.__aenter__(), loop).result(SECONDS)
        try:
            yield endpoint
        finally:
            asyncio.run_coroutine_threadsafe(endpoint.__aexit__(), loop).result(SECONDS)
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(SECONDS)
        loop.close()
