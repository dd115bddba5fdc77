"""Further workers of a shared crawl as processes on this machine."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import Mapping, Sequence
from types import TracebackType

from walker.crawl.fleet.crew import HelperLost
from walker.crawl.job.shared.postgres_base import split_password
from walker.errors import WalkerError

ENDING_SECONDS = 5.0
"""How long a worker that is told to end has for giving back what it had in flight."""


class LocalHelpers:
    """Each is a `walker worker` of its own. The password of the address is handed on in the environment, where no other user sees
    it."""

    def __init__(self, address: str, environment: Mapping[str, str], options: Sequence[str] = ()) -> None:
        """`environment` is this process's; `options` are further ones of `walker worker`."""
        where, password = split_password(address)
        self._command = (sys.executable, "-m", "walker", "worker", where, "-q", *options)
        self._environment = {**environment, **({"PGPASSWORD": password} if password else {})}

    async def __aenter__(self) -> LocalHelpers:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """All are ended by then: each by the call that started it."""

    async def help(self) -> None:
        """Run one to its end."""
        process = await asyncio.create_subprocess_exec(
            *self._command,
            env=self._environment,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
        )
        try:
            _, told = await process.communicate()
        except asyncio.CancelledError:
            await _end(process)
            raise
        if process.returncode == 0:
            return
        line = (told.decode(errors="replace").strip().splitlines() or ["it said nothing"])[-1]
        if process.returncode is not None and process.returncode < 0:
            raise HelperLost(f"signal {-process.returncode}", where="a worker on this machine")
        raise WalkerError(line.removeprefix("walker: "), where="a worker on this machine")


async def _end(process: asyncio.subprocess.Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        process.terminate()
        try:
            async with asyncio.timeout(ENDING_SECONDS):
                await process.wait()
        except TimeoutError:
            process.kill()
            await process.wait()
