"""A network that breaks after the server has done what it was asked, and before the worker hears of it."""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.fixtures.postgres_server import PostgresServer
from tests.fixtures.tcp_proxy import TcpProxy, proxy_to
from tests.walker.crawl.job.stored_pages import names, read
from walker.crawl.job.shared.shared_job import SharedJob
from walker.crawl.job_records import CrawlItem, Order

HOST = "http://site.test"


@pytest.fixture
def proxy(postgres: PostgresServer) -> Iterator[TcpProxy]:
    with proxy_to(postgres.port) as opened:
        yield opened


def joined(postgres: PostgresServer, proxy: TcpProxy, folder: Path, order: Order = "depth-first") -> SharedJob:
    """A worker that has taken page 0 a moment ago; nothing but its next call is on the wire."""
    address = f"{postgres.url.replace(str(postgres.port), str(proxy.port))}?job={uuid.uuid4().hex}"
    worker = SharedJob(folder, address, order=order)
    worker._heart.stop()
    worker.offer(names(*map(str, range(4))))
    assert worker.lease(now=time.time()) is not None
    return worker


@pytest.mark.parametrize(
    ("order", "most", "passes"),
    [
        ("depth-first", 0, 0),
        *(("breadth-first", 9, one) for one in (0, 7, 8, 9, 10, 11)),
        *(("level-by-level", 9, one) for one in (0, 7, 8, 9, 10, 11)),
    ],
)
def test_a_page_that_was_leased_to_a_worker_which_never_heard_of_it_is_leased_again(
    postgres: PostgresServer, proxy: TcpProxy, tmp_path: Path, order: Order, most: int, passes: int
) -> None:
    with closing(joined(postgres, proxy, tmp_path, order)) as worker:
        proxy.passes = passes
        leases = [worker.lease(now=time.time(), most=most) for _ in range(5)]
        assert proxy.passes < 0, "an answer was lost"
        taken = [lease.url for lease in leases if lease is not None]
        assert len(taken) == len(set(taken)) == 3, "the others than the first, each once"
        assert (worker.waiting, worker.in_flight) == (0, 4)


@pytest.mark.parametrize("passes", [0, 7, 8, 9, 10, 11])
def test_a_commit_whose_answer_is_lost_is_stored_once(
    postgres: PostgresServer, proxy: TcpProxy, tmp_path: Path, passes: int
) -> None:
    with closing(joined(postgres, proxy, tmp_path)) as worker:
        lease = worker.lease(now=time.time())
        assert lease is not None
        proxy.passes = passes
        worker.commit(
            lease, read(lease.key), links=names("0", "7"), items=[CrawlItem(identity="only", fields={"n": 1})]
        )
        assert proxy.passes < 0, "an answer was lost"
        assert worker.lease(now=time.time()) is not None
        assert (worker.done, worker.items, worker.waiting, worker.in_flight) == (1, 1, 2, 2)
        stored = worker._base.execute("SELECT (SELECT COUNT(*) FROM contents), (SELECT COUNT(*) FROM items)").fetchone()
        assert stored == (1, 1)


def test_a_fetch_whose_beginning_or_end_is_told_again_counts_once(
    postgres: PostgresServer, proxy: TcpProxy, tmp_path: Path
) -> None:
    with closing(joined(postgres, proxy, tmp_path)) as worker:
        under_way = "SELECT COUNT(*) FROM fetches"
        for turn in (1, 2):
            proxy.passes = 0
            assert worker.begin_fetch(HOST, 2, 0.0, turn=turn) == 0
            assert worker._base.execute(under_way).fetchone() == (turn,)
        assert worker.begin_fetch(HOST, 2, 0.0, turn=3) > 0, "all places of the host are taken"
        proxy.passes = 0
        worker.end_fetch(HOST, turn=1)
        assert worker._base.execute(under_way).fetchone() == (1,), "the other is under way still"
