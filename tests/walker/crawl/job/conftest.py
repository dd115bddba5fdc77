"""The job of a crawl, in its file and in Postgres."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.fixtures.postgres_server import PostgresServer
from tests.walker.crawl.job.stored_pages import Opener, address_of
from walker.crawl.job.job_store import JobStore
from walker.crawl.job.shared.shared_job import SharedJob
from walker.crawl.job.stored_job import StoredJob


@pytest.fixture(params=["file", "postgres"])
def opened(request: pytest.FixtureRequest) -> Iterator[Opener]:
    """Opens jobs of both kinds, and closes what a test leaves open."""
    stores: list[StoredJob] = []
    server: PostgresServer | None = request.getfixturevalue("postgres") if request.param == "postgres" else None

    def open_store(folder: Path, **options: Any) -> StoredJob:
        stores.append(
            JobStore(folder, **options) if server is None else SharedJob(folder, address_of(server, folder), **options)
        )
        return stores[-1]

    yield open_store
    for store in stores:
        store.close()
