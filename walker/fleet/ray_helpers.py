"""Further workers of a shared crawl on the machines of a Ray cluster."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType

from walker.crawl.fleet.crew import HelperLost
from walker.crawl.job.shared.postgres_base import split_password
from walker.fleet.crawl_worker import CrawlOrder, CrawlWorker
from walker.fleet.key_names import name_of
from walker.fleet.ray_cluster import RayCluster, WorkerLost
from walker.fleet.walk_worker import EndOfBatch, Environment, raised_here


class RayHelpers:
    """Each is an actor, spread over the machines. A worker that no machine has room for waits until one has, and the others go on."""

    def __init__(self, where: str, address: str, environment: Environment, *, folder: Path, memory: int) -> None:
        """`environment` is called here and in each worker; `memory` is in bytes, of each. Raises `UsageError` for a password that
        workers could not find, and `MissingExtra`."""
        self._cluster = RayCluster(where)
        address, password = split_password(address)
        self._order = CrawlOrder(
            address=address, password=name_of(password, environment()), folder=str(folder.absolute())
        )
        self._environment, self._memory = environment, memory

    async def __aenter__(self) -> RayHelpers:
        await self._cluster.enter()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._cluster.leave()

    async def help(self) -> None:
        """Place one, and wait for its end."""
        worker = await self._cluster.worker(CrawlWorker, self._environment, memory=self._memory)
        try:
            told = await self._cluster.call(worker, "help", self._order)
        except WorkerLost as lost:
            raise HelperLost(lost.what, where=lost.where) from None
        finally:
            self._cluster.end(worker)
        if isinstance(told, EndOfBatch):
            raise raised_here(told)
