"""What runs in a worker's process: one browser, one walk at a time."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Callable, Mapping
from importlib.metadata import version
from typing import Any

import msgspec

from traces.store.mirror import mirror_at
from walker.assembly import WalkResources
from walker.batch.places import ENDS_A_BATCH, Told, Walk, WalkTask
from walker.batch.questions import Assignment
from walker.errors import UsageError, WalkerError
from walker.fleet.begun_walk import walk_on
from walker.fleet.borrowed_models import Ask, BorrowedModels
from walker.fleet.key_names import KeyNames, with_keys
from walker.fleet.memory_guard import MemoryGuard, memory_used, most_for
from walker.fleet.ray_cluster import asker, node_here
from walker.fleet.walk_spans import Spans
from walker.run_setup import trace_errors
from walker.seams.outcome import Outcome
from walker.seams.protocols import TraceSink
from walker.settings import Settings
from walker.vision.model_source import OwnModels

Environment = Callable[[], Mapping[str, str]]
"""The environment variables of the process in which it is called; a function that other processes can import."""


class EndOfBatch(msgspec.Struct, frozen=True, kw_only=True):
    """An error that ends the batch, as a value: exceptions with arguments of their own do not survive pickling."""

    kind: str
    """Name of its class."""
    what: str
    where: str
    advice: str


class WalkWorker:
    """An actor. The browser starts with the first walk, and again when its processes have grown beyond the memory limit; far beyond it
    they are ended while they walk."""

    def __init__(
        self,
        settings: Settings,
        keys: KeyNames,
        environment: Environment,
        most_memory: int,
        store: str = "",
        endpoint: str = "",
    ) -> None:
        """`most_memory` is in bytes, of this process and all below it; `store` is the address of the runs, "" for the folder of the
        settings; `endpoint` that of a collector of spans, "" for none."""
        self._settings, self._keys, self._environment, self._store = settings, keys, environment, store
        self._most_memory = most_memory
        self._spans = Spans(endpoint, "walker.fleet")
        self._ask: Ask | None = None
        self._borrowed: BorrowedModels | None = None
        self._resources: WalkResources | None = None

    async def ready(self) -> str:
        """The version of Walker here, once the process runs. From then on it keeps within its memory, or ends."""
        MemoryGuard(most_for(self._most_memory))
        return version("gemwalker")

    async def machine(self) -> str:
        """Where it runs, by Ray's name."""
        return node_here()

    async def use_models(self, models: Any) -> None:
        """Take models of another process of the machine from the next browser on; of the first, if there was none yet."""
        self._ask = asker(models)

    async def do(self, task: WalkTask[Told], trace: str = "") -> Told | EndOfBatch:
        """Do a task; a walk that a dead worker has begun is gone on with. `trace` is the span that this is a part of."""
        about: dict[str, str | int] = {"host.name": socket.gethostname(), "process.pid": os.getpid()}
        with self._spans.span("walk in a worker", trace, about) as own:
            try:
                if self._resources is None:
                    self._resources = self._resources_here()
                if self._borrowed is not None:
                    self._borrowed.trace = own
                told = await task.told(self._resources, self._walk_below(own))
            except (*ENDS_A_BATCH, UsageError) as error:
                return end_of(error)
        await asyncio.to_thread(self._spans.flush)
        if memory_used() > self._most_memory:
            await self._resources.__aexit__(None, None, None)
            self._resources = None
        return told

    def _walk_below(self, trace: str) -> Walk:
        """A walk whose steps are spans below this one, told when it has ended."""

        async def walk(resources: WalkResources, assignment: Assignment, progress: TraceSink) -> Outcome:
            outcome = await walk_on(resources, assignment, progress)
            await asyncio.to_thread(self._spans.add_run, outcome.trace, trace)
            return outcome

        return walk if trace else walk_on

    def _resources_here(self) -> WalkResources:
        settings = self._settings_here()
        if self._ask is None:
            return WalkResources(settings)
        self._borrowed = BorrowedModels(self._ask, OwnModels(settings))
        return WalkResources(settings, models=self._borrowed)

    def _settings_here(self) -> Settings:
        """With the keys of this machine, and its mirror of the store. Raises `UsageError` and `TraceUnwritable`."""
        settings = with_keys(self._settings, self._keys, self._environment())
        if not self._store:
            return settings
        with trace_errors():
            return msgspec.structs.replace(settings, runs_folder=mirror_at(self._store).marked().folder)


def end_of(error: WalkerError) -> EndOfBatch:
    """The error as a value."""
    return EndOfBatch(kind=type(error).__name__, what=error.what, where=error.where, advice=error.advice)


def raised_here(end: EndOfBatch) -> WalkerError:
    """The error again."""
    kinds = {kind.__name__: kind for kind in (*ENDS_A_BATCH, UsageError)}
    return kinds.get(end.kind, WalkerError)(end.what, where=end.where, advice=end.advice)
