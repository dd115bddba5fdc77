"""Tells callers that their jobs have ended: signed, tried again, and after a restart too."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from walker.errors import WalkerError
from walker.jobs.allowed_hosts import check_address
from walker.jobs.kept_jobs import ENDED, JobRecord
from walker.watching.telling import PAUSES, Untold, key_of_secret, post_signed

TOLD = ".told"
"""Ending of the file that says that nobody is to be told of a job again."""


class Webhooks:
    """Posts the records of jobs that have ended to the addresses that their callers gave."""

    def __init__(
        self,
        folder: Path,
        secret: str,
        allowed: Sequence[str],
        *,
        pauses: Sequence[float] = PAUSES,
        counted: Callable[[str], None] = lambda _: None,
    ) -> None:
        """`folder` is that of the jobs; private addresses only where `allowed` names them. `counted` is told `taken` or `failed`."""
        self._folder, self._key, self._allowed = folder, key_of_secret(secret), allowed
        self._pauses, self._counted = pauses, counted
        self._tasks: set[asyncio.Task[None]] = set()

    def tell(self, record: JobRecord) -> None:
        """Begin to tell, where somebody wants to know and was not told."""
        url = record.arguments.get("webhook")
        if not url or record.state not in ENDED or self._mark(record).exists():
            return
        task = asyncio.create_task(self._tell(url, record))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Stop telling; the next start goes on."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _tell(self, url: str, record: JobRecord) -> None:
        message = {
            "type": "job.ended",
            "job": record.id,
            "kind": record.tool,
            "state": record.state,
            "error": record.error,
            "result": record.result or None,
        }
        try:
            await check_address(url, self._allowed)
            homes = (url,) if self._allowed else ()
            signed = (self._key, record.id)
            await post_signed(url, msgspec.json.encode(message), signed, time.time, pauses=self._pauses, homes=homes)
        except (Untold, WalkerError) as error:
            self._counted("failed")
            said = str(error)
        else:
            self._counted("taken")
            said = "taken"
        self._mark(record).write_text(f"{said}\n", encoding="utf-8")

    def _mark(self, record: JobRecord) -> Path:
        return self._folder / f"{record.id}{TOLD}"
