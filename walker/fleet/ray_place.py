"""Walks as tasks of a Ray cluster: a few workers with a browser each, and a walk that is lost with its worker is done again."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Any

import msgspec

from traces.store.mirror import MARK, address_of
from walker.batch.places import Told, WalkTask
from walker.errors import WalkerError
from walker.fleet.key_names import without_keys
from walker.fleet.model_sharing import WHERE_THERE_IS_A_GPU, LentModels, ModelSharing
from walker.fleet.ray_cluster import WORKER_MEMORY, RayCluster, WorkerLost
from walker.fleet.walk_spans import Spans, endpoint_of
from walker.fleet.walk_worker import EndOfBatch, Environment, WalkWorker, raised_here
from walker.seams.outcome import Outcome
from walker.settings import Settings

TRIES = 4
"""Of one task: the first, and as many more as workers were lost under it."""
READY_SECONDS = 300.0
"""How long a task waits for a worker while none is there; a cluster that grows by itself needs minutes for a machine."""


class RayPlace:
    """Walks in at most `jobs` workers of a Ray cluster. A worker is started when a task finds none that is free, and then kept; so
    there are never more tasks under way than workers, and what waits, waits in the command."""

    def __init__(
        self,
        where: str,
        settings: Settings,
        environment: Environment,
        *,
        jobs: int,
        memory: int = WORKER_MEMORY,
        sharing: ModelSharing = WHERE_THERE_IS_A_GPU,
    ) -> None:
        """`environment` is called here and in each worker; `memory` is in bytes: a browser that has grown beyond is started again
        after the walk; `sharing` says whether walks of a machine share OCR and other models. Raises `UsageError` for settings that
        cannot leave this machine, and `MissingExtra`."""
        self._cluster = RayCluster(where)
        settings = msgspec.structs.replace(settings, runs_folder=settings.runs_folder.absolute())
        self._settings, self._keys = without_keys(settings, environment())
        self._environment = environment
        self._endpoint = endpoint_of(environment())
        self._spans = Spans(self._endpoint, "walker.fleet", is_needed=True)
        self._models = LentModels(self._cluster, sharing, settings, self._endpoint)
        self.jobs, self._memory = jobs, memory
        self._idle: asyncio.Queue[Any] = asyncio.Queue()
        """Workers that are ready and have no walk; or the error because of which there are none."""
        self._starting: set[asyncio.Task[None]] = set()
        self._workers = self._ready = 0
        """Those that live or start, and those of them that have started."""

    async def __aenter__(self) -> RayPlace:
        await self._cluster.enter()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for task in self._starting:
            task.cancel()
        await asyncio.gather(*self._starting, return_exceptions=True)
        await self._models.send_spans()
        self._models.cancel()
        await asyncio.to_thread(self._spans.close)
        await self._cluster.leave()

    async def do(self, task: WalkTask[Told]) -> Told:
        """Do it in the next worker that is free."""
        with self._spans.span("walk of a batch", about={"walker.task": type(task).__name__}) as trace:
            return await self._done(task, trace)

    async def _done(self, task: WalkTask[Told], trace: str) -> Told:
        for number in range(1, TRIES + 1):
            with self._spans.span("wait for a worker", trace):
                worker = await self._free_worker()
            try:
                with self._spans.span("try in a worker", trace, {"walker.try": number}) as own:
                    told = await self._cluster.call(worker, "do", task, own)
            except WorkerLost:
                self._workers -= 1
                self._ready -= 1
                continue
            self._idle.put_nowait(worker)
            if isinstance(told, EndOfBatch):
                raise raised_here(told)
            return told  # type: ignore[no-any-return]
        return task.lost(f"its worker died {TRIES} times. Look at the machines: `ray status` and Ray's logs")

    def so_far(self, walk: str) -> Outcome | None:  # noqa: ARG002 - of the protocol
        """None: its worker has recorded it, and the next run goes on from there."""
        return None

    async def _free_worker(self) -> Any:
        if self._idle.empty() and self._workers < self.jobs:
            self._workers += 1
            starting = asyncio.get_running_loop().create_task(self._start_worker())
            self._starting.add(starting)
            starting.add_done_callback(self._starting.discard)
        worker = await self._next_idle()
        if isinstance(worker, WalkerError):
            self._idle.put_nowait(worker)  # for the other walks
            raise worker
        return worker

    async def _next_idle(self) -> Any:
        while True:
            try:
                async with asyncio.timeout(READY_SECONDS):
                    return await self._idle.get()
            except TimeoutError:
                if self._ready > 0:  # there are some, and they walk
                    continue
                raise WalkerError(
                    f"no worker could be placed in {READY_SECONDS:.0f} s",
                    where=self._cluster.where,
                    advice=f"A worker needs one CPU and {self._memory / 1e9:.1f} GB on one machine; `ray status` shows what is free",
                ) from None

    async def _start_worker(self) -> None:
        """Put a new worker with the idle ones as soon as a machine has room for it; until then the others do the work."""
        runs = self._settings.runs_folder
        store = address_of(runs) if (runs / MARK).is_file() else ""
        given = (self._settings, self._keys, self._environment, self._memory, store, self._endpoint)
        try:
            worker = await self._cluster.worker(WalkWorker, *given, memory=self._memory)
            await self._models.lend_to(worker)
            self._ready += 1
        except WalkerError as error:
            worker = error
        self._idle.put_nowait(worker)
