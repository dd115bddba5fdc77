"""Walks as tasks of a Ray cluster: a few workers with a browser each, and a walk that is lost with its worker is asked again."""

from __future__ import annotations

import asyncio
import contextlib
import warnings
from importlib.metadata import version
from types import TracebackType
from typing import Any

import msgspec

from walker.batch.places import Answered, failed
from walker.batch.questions import Assignment
from walker.errors import MissingExtra, UsageError, WalkerError
from walker.fleet.key_names import without_keys
from walker.fleet.walk_worker import EndOfBatch, Environment, WalkWorker, raised_here
from walker.settings import Settings

TRIES = 4
"""Of one walk: the first, and as many more as workers were lost under it."""
STARTS = 5
"""Of workers that died before they were ready, one after the other, until the batch ends."""
WORKER_MEMORY = 1_500_000_000
"""Bytes that a worker asks its machine for; a browser that has grown beyond is started again after the walk."""
READY_SECONDS = 300.0
"""How long a walk waits for a worker while none is there; a cluster that grows by itself needs minutes for a machine."""


class RayPlace:
    """Walks in at most `jobs` workers of a Ray cluster: `ray` for the one that this machine belongs to (a new one here, if it belongs
    to none), `ray://HOST:PORT` for another."""

    def __init__(
        self, where: str, settings: Settings, environment: Environment, *, jobs: int, memory: int = WORKER_MEMORY
    ) -> None:
        """`environment` is called here and in each worker; `memory` is in bytes. Raises `UsageError` for settings that cannot
        leave this machine, and `MissingExtra`."""
        try:
            import ray  # noqa: PLC0415 - an extra
        except ModuleNotFoundError:
            raise MissingExtra(
                "walks on a cluster need Ray", where="--on", advice="Install it with: pip install 'gemwalker[fleet]'"
            ) from None
        self._ray: Any = ray
        settings = msgspec.structs.replace(settings, runs_folder=settings.runs_folder.absolute())
        self._settings, self._keys = without_keys(settings, environment())
        self._environment = environment
        self._where, self.jobs, self._memory = where, jobs, memory
        self._idle: asyncio.Queue[Any] = asyncio.Queue()
        """Workers that are ready and have no walk; or the error because of which there are none."""
        self._starting: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> RayPlace:
        warnings.filterwarnings("ignore", category=UserWarning, module=r"ray\.util\.client")  # said below, in one line
        address = self._where if self._where.startswith("ray://") else None
        try:
            await asyncio.to_thread(self._ray.init, address=address, log_to_driver=False, logging_level="error")
        except (ConnectionError, RuntimeError, ImportError, OSError) as error:
            raise WalkerError(
                f"no Ray cluster answers ({type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''})",
                where=self._where,
                advice="Check address, RAY_AUTH_MODE and RAY_AUTH_TOKEN; Ray and Python must be the versions that run there",
            ) from None
        for _ in range(self.jobs):
            self._start_worker()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for task in self._starting:
            task.cancel()
        await asyncio.gather(*self._starting, return_exceptions=True)
        await asyncio.to_thread(self._ray.shutdown)  # ends the workers of this batch too

    async def ask(self, assignment: Assignment) -> Answered:
        """Walk in the next worker that is free."""
        assignment = _from_anywhere(assignment)
        for _ in range(TRIES):
            worker = await self._free_worker()
            try:
                told = await worker.ask.remote(assignment)
            except self._ray.exceptions.RayError:
                self._give_up(worker)
                continue
            self._idle.put_nowait(worker)
            if isinstance(told, EndOfBatch):
                raise raised_here(told)
            return told  # type: ignore[no-any-return]
        return failed(assignment, f"its worker died {TRIES} times. Look at the machines: `ray status` and Ray's logs")

    def so_far(self, assignment: Assignment) -> Answered | None:  # noqa: ARG002 - of the protocol
        """None: its worker has recorded it, and the next run goes on from there."""
        return None

    async def _free_worker(self) -> Any:
        try:
            worker = await asyncio.wait_for(self._idle.get(), READY_SECONDS)
        except TimeoutError:
            raise WalkerError(
                f"no worker could be placed in {READY_SECONDS:.0f} s",
                where=self._where,
                advice=f"A worker needs one CPU and {self._memory / 1e9:.1f} GB on one machine; `ray status` shows what is free",
            ) from None
        if isinstance(worker, WalkerError):
            self._idle.put_nowait(worker)  # for the other walks
            raise worker
        return worker

    def _give_up(self, worker: Any) -> None:
        """A worker that does not answer is ended, so that it cannot walk on, and another takes its place."""
        with contextlib.suppress(self._ray.exceptions.RayError):
            self._ray.kill(worker)
        self._start_worker()

    def _start_worker(self) -> None:
        task = asyncio.get_running_loop().create_task(self._worker_made())
        self._starting.add(task)
        task.add_done_callback(self._starting.discard)

    async def _worker_made(self) -> None:
        """Put a new worker with the idle ones as soon as a machine has room for it; until then the others do the work."""
        options = {
            "num_cpus": 1,
            "memory": self._memory,
            "max_restarts": 0,
            "max_task_retries": 0,
            "max_concurrency": 1,
        }
        made = self._ray.remote(WalkWorker).options(scheduling_strategy="SPREAD", **options)
        for _ in range(STARTS):
            worker = made.remote(self._settings, self._keys, self._environment, self._memory)
            try:
                there = await worker.ready.remote()
            except self._ray.exceptions.RayError as error:
                reason = str(error).strip().splitlines()[-1][:200]
                await asyncio.sleep(1)
                continue
            self._idle.put_nowait(worker if there == version("gemwalker") else _other_version(there, self._where))
            return
        self._idle.put_nowait(
            WalkerError(
                f"workers die as they start ({reason})", where=self._where, advice="Install Walker on each machine"
            )
        )


def _other_version(there: str, where: str) -> WalkerError:
    here = version("gemwalker")
    return UsageError(
        f"a worker has Walker {there}, this machine {here}", where=where, advice="Install the same version on all"
    )


def _from_anywhere(assignment: Assignment) -> Assignment:
    """The same where another folder is the current one: the picture's path is whole."""
    picture = assignment.picture
    return assignment if picture is None else msgspec.structs.replace(assignment, picture=picture.absolute())
