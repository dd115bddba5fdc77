"""Pages of a site as a job stores them."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path

from tests.fixtures.postgres_server import PostgresServer
from walker.crawl.job.stored_job import StoredJob
from walker.crawl.job_records import Lease, NewPage, ReadPage

HOME = "http://site.test"
Opener = Callable[..., StoredJob]


def address_of(server: PostgresServer, folder: Path) -> str:
    """The job of a folder."""
    return f"{server.url}?job={blake2b(str(folder).encode(), digest_size=8).hexdigest()}"


def new(name: str, *, branch: str = "", score: float = 0.0, origin: str = HOME) -> NewPage:
    return NewPage(url=f"{origin}/{name}", key=f"{origin}/{name}", origin=origin, branch=branch, score=score)


def read(name: str) -> ReadPage:
    return ReadPage(final_url=f"{HOME}/{name}", final_key=f"{HOME}/{name}", final_origin=HOME, size=10)


def names(*letters: str) -> list[NewPage]:
    return [new(letter) for letter in letters]


def take(store: StoredJob) -> Lease:
    lease = store.lease(now=0)
    assert lease is not None
    return lease


def last(lease: Lease) -> str:
    return lease.url.rsplit("/", 1)[1]
