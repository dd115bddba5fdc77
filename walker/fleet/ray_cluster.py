"""A Ray cluster as Walker uses it: entered, asked for workers, and left. The only module that imports Ray."""

from __future__ import annotations

import asyncio
import contextlib
import sys
import warnings
from collections.abc import Callable, Mapping
from importlib.metadata import version
from typing import Any, Protocol

from walker.errors import MissingExtra, UsageError, WalkerError

RESTARTS, RETRIES = 8, 2
"""Of a process that others ask, when it dies; and of a request that it dies under. A picture that no memory suffices for ends it each
time, so that its walk goes on without it after three."""
PLACE_SECONDS = 120.0
"""For which a machine is asked for room for such a process."""
STARTS = 5
"""Of a worker that dies before it is ready, one after the other."""
WORKER_MEMORY = 1_500_000_000
"""Bytes that a worker with a browser asks its machine for."""

_AWAY = (ConnectionError, RuntimeError, ImportError, OSError)
"""What Ray raises where it reaches no cluster."""


class WorkerLost(WalkerError):
    """A worker died under its work."""


class Ready(Protocol):
    """What every class of workers has."""

    async def ready(self) -> str:
        """The version of Walker there, once the process runs."""


class RayCluster:
    """`ray` for the cluster that this machine belongs to (a new one here, if it belongs to none), `ray://HOST:PORT` for another."""

    def __init__(self, where: str) -> None:
        """Raises `MissingExtra`."""
        try:
            import ray  # noqa: PLC0415 - an extra
        except ModuleNotFoundError:
            raise MissingExtra(
                "work on a cluster needs Ray", where="--on", advice="Install it with: pip install 'gemwalker[fleet]'"
            ) from None
        self._ray: Any = ray
        self.where = where
        self._printed = contextlib.redirect_stdout(sys.stderr)
        """Ray tells of nodes that are lost on stdout, where a command's answer belongs, whatever it is told of logs."""

    async def enter(self) -> None:
        """Connect. Raises `WalkerError` where no cluster answers."""
        warnings.filterwarnings("ignore", category=UserWarning, module=r"ray\.util\.client")  # said below, in one line
        address = self.where if self.where.startswith("ray://") else None
        try:
            await asyncio.to_thread(self._ray.init, address=address, log_to_driver=False, logging_level="error")
        except Exception as error:
            if (
                isinstance(error, _AWAY) or type(error) is Exception
            ):  # of no class of its own: a node that does not start in time
                raise _no_cluster(self.where, error) from None
            raise
        self._printed.__enter__()

    async def leave(self) -> None:
        """Disconnect, which ends all workers that were made here. Only after `enter`."""
        self._printed.__exit__(None, None, None)
        await asyncio.to_thread(self._ray.shutdown)

    async def worker(self, kind: type[Ready], *arguments: Any, memory: int) -> Any:
        """A new worker of this class, which asks its machine for one CPU and so many bytes, once a machine has room for it and it
        runs. Raises `UsageError` where it is another version of Walker, and `WalkerError` where workers die as they start."""
        options = {
            "num_cpus": 1,
            "memory": memory,
            "max_restarts": 0,
            "max_task_retries": 0,
            "max_concurrency": 1,
        }
        made = self._ray.remote(kind).options(scheduling_strategy="SPREAD", **options)
        reason = ""
        for _ in range(STARTS):
            worker = made.remote(*arguments)
            try:
                there = await worker.ready.remote()
            except self._ray.exceptions.RayError as error:
                reason = reason_of(error)
                await asyncio.sleep(1)
                continue
            if there != version("gemwalker"):
                raise _other_version(there, self.where)
            return worker
        raise WalkerError(
            f"workers die as they start ({reason})",
            where=self.where,
            advice="Install Walker on each machine; `ray status` shows how they are",
        )

    def resources_of(self, node: str) -> Mapping[str, float]:
        """What a machine has, by Ray's names; nothing of one that is gone."""
        found: Mapping[str, float] = next((one["Resources"] for one in self._ray.nodes() if one["NodeID"] == node), {})
        return found

    async def beside(self, kind: type[Ready], *arguments: Any, node: str, memory: int, gpu: float) -> Any | None:
        """A process of this class on a machine, which others there ask: many at a time, and again where it was started anew. It asks
        for no CPU, since whoever asks it waits meanwhile. None where the machine has no room for it."""
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy  # noqa: PLC0415 - an extra

        made = (
            self._ray.remote(kind)
            .options(
                num_cpus=0,
                num_gpus=gpu,
                memory=memory,
                max_restarts=RESTARTS,
                max_task_retries=RETRIES,
                max_concurrency=1000,
                scheduling_strategy=NodeAffinitySchedulingStrategy(node, soft=False),
            )
            .remote(*arguments)
        )
        try:
            async with asyncio.timeout(PLACE_SECONDS):
                there = await made.ready.remote()
        except (TimeoutError, self._ray.exceptions.RayError):
            self.end(made)
            return None
        if there != version("gemwalker"):
            raise _other_version(there, self.where)
        return made

    async def call(self, worker: Any, method: str, *arguments: Any) -> Any:
        """What a method of a worker gives. A worker that does not answer is ended, so that it cannot work on; raises `WorkerLost`
        then."""
        try:
            return await getattr(worker, method).remote(*arguments)
        except self._ray.exceptions.RayError as error:
            self.end(worker)
            raise WorkerLost(reason_of(error), where=self.where) from None

    def end(self, worker: Any) -> None:
        """End a worker, whatever it is doing."""
        with contextlib.suppress(self._ray.exceptions.RayError):
            self._ray.kill(worker)


def node_here() -> str:
    """Ray's name of the machine, or part of one, on which this worker runs."""
    import ray  # noqa: PLC0415 - an extra

    return str(ray.get_runtime_context().get_node_id())


def asker(other: Any) -> Callable[..., Any]:
    """Calls a method of another process by its name and waits, in any thread. What it calls raises `WorkerLost` where that process is
    gone for good, or fails."""
    import ray  # noqa: PLC0415 - an extra

    def ask(method: str, *given: Any) -> Any:
        try:
            return ray.get(getattr(other, method).remote(*given))
        except ray.exceptions.RayError as error:
            raise WorkerLost(reason_of(error)) from None

    return ask


def reason_of(error: Exception) -> str:
    """Why a worker died, in one line."""
    return (str(error).strip().splitlines() or [type(error).__name__])[-1][:200]


def _no_cluster(where: str, error: Exception) -> WalkerError:
    first = (str(error).splitlines() or [""])[0]
    return WalkerError(
        f"no Ray cluster answers ({type(error).__name__}: {first})",
        where=where,
        advice="Check address, RAY_AUTH_MODE and RAY_AUTH_TOKEN; Ray and Python must be the versions that run there; where a"
        " machine is too busy to start one, try again",
    )


def _other_version(there: str, where: str) -> WalkerError:
    here = version("gemwalker")
    return UsageError(
        f"a worker has Walker {there}, this machine {here}", where=where, advice="Install the same version on all"
    )
