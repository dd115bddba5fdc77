"""What runs in the process of a worker that helps with a crawl."""

from __future__ import annotations

import os
import socket
from importlib.metadata import version
from pathlib import Path

import msgspec

from walker.crawl.crawling import CrawlSettings, crawl
from walker.crawl.fleet.shared_script import script_of
from walker.crawl.job.shared.postgres_base import with_password
from walker.errors import WalkerError
from walker.fleet.key_names import value_of
from walker.fleet.walk_worker import EndOfBatch, Environment, end_of


class CrawlOrder(msgspec.Struct, frozen=True, kw_only=True):
    """Which crawl to help with. It travels, so it holds no secret."""

    address: str
    """Of the job, without a password."""
    password: str = ""
    """Name of the environment variable that holds it; "" where the server asks for none, or its client library finds one there."""
    folder: str
    """Full path of the folder in which each worker has one of its own."""


class CrawlWorker:
    """An actor: one worker of a shared crawl."""

    def __init__(self, environment: Environment) -> None:
        self._environment = environment

    async def ready(self) -> str:
        """The version of Walker here, once the process runs."""
        return version("gemwalker")

    async def help(self, order: CrawlOrder) -> EndOfBatch | None:
        """Crawl until there is nothing left to do; the error that no other worker would fare better with, None without one."""
        variables = self._environment()
        try:
            address = with_password(order.address, value_of(order.password, variables))
            settings = CrawlSettings(
                folder=Path(order.folder, f"worker-{socket.gethostname()}-{os.getpid()}"),
                address=address,
                is_helper=True,
                environment=dict(variables),
                chromium=variables.get("WALKER_CHROMIUM", ""),
            )
            await crawl(script_of(address), settings)
        except WalkerError as error:
            return end_of(error)
        return None
