"""What runs in a worker's process: one browser, one walk at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.metadata import version

import msgspec

from traces.store.mirror import mirror_at
from walker.assembly import WalkResources
from walker.batch.places import ENDS_A_BATCH, Told, WalkTask
from walker.errors import UsageError, WalkerError
from walker.fleet.begun_walk import walk_on
from walker.fleet.key_names import KeyNames, with_keys
from walker.fleet.memory_guard import MemoryGuard, memory_used, most_for
from walker.run_setup import trace_errors
from walker.settings import Settings

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
        self, settings: Settings, keys: KeyNames, environment: Environment, most_memory: int, store: str = ""
    ) -> None:
        """`most_memory` is in bytes, of this process and all below it; `store` is the address of the runs, "" for the folder of the
        settings."""
        self._settings, self._keys, self._environment, self._store = settings, keys, environment, store
        self._most_memory = most_memory
        self._resources: WalkResources | None = None

    async def ready(self) -> str:
        """The version of Walker here, once the process runs. From then on it keeps within its memory, or ends."""
        MemoryGuard(most_for(self._most_memory))
        return version("gemwalker")

    async def do(self, task: WalkTask[Told]) -> Told | EndOfBatch:
        """Do a task; a walk that a dead worker has begun is gone on with."""
        try:
            if self._resources is None:
                self._resources = WalkResources(self._settings_here())
            told = await task.told(self._resources, walk_on)
        except (*ENDS_A_BATCH, UsageError) as error:
            return end_of(error)
        if memory_used() > self._most_memory:
            await self._resources.__aexit__(None, None, None)
            self._resources = None
        return told

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
