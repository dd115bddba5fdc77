"""Prints what it costs and gains that the addresses of a job in Postgres lie in parts by host: the same job with its parts and in one
table, in one server and in turn.

    python bench/fleet_parts.py                        1,000,000 addresses each
    python bench/fleet_parts.py --addresses 100000
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
import psutil
from fleet import WORKERS, figure, page_at, pop_for, read_at

from tests.fixtures.postgres_server import PostgresServer, serve_postgres
from walker.crawl.job.shared.postgres_schema import PARTS
from walker.crawl.job.shared.shared_job import SharedJob
from walker.crawl.job_records import Lease

WHOLE, PARTED = "one table", f"{len(PARTS)} parts"
JOBS = {WHOLE: "whole", PARTED: "parted"}
ROUNDS, TIMED = 4, 100
ONE_TABLE = """
SET search_path = "walker_{job}";
CREATE TABLE undivided (LIKE pages INCLUDING ALL);
DROP TABLE pages;
ALTER TABLE undivided RENAME TO pages;
"""
"""Everything else of the job, its statements and functions included, stays as it is."""
WANTED = {"pop": "<= 2", "push, each of 20": "<= 1", "commit with 30 known links": "told"}


def fill(server: PostgresServer, folder: Path, job: str, addresses: int) -> SharedJob:
    """A job with so many waiting addresses of 200 hosts."""
    made = SharedJob(folder / job, f"{server.url}?job={job}", order="breadth-first")
    if job == JOBS[WHOLE]:
        made.close()
        server.ask(ONE_TABLE.format(job=job))
        made = SharedJob(folder / job, f"{server.url}?job={job}", order="breadth-first")
    began = time.perf_counter()
    for begin in range(0, addresses, 5000):
        made.offer([page_at(number) for number in range(begin, min(addresses, begin + 5000))])
    figure(f"push, each of 5,000, {job}", (time.perf_counter() - began) * 1000 / addresses, "ms", "<= 1")
    return made


def cpu_of(server: PostgresServer) -> float:
    """Processor seconds of the server, of this process and of those that it has waited for."""
    whole = psutil.Process(server.process.pid)
    spent = 0.0
    for one in (whole, *whole.children(recursive=True)):
        with suppress(psutil.NoSuchProcess):
            times = one.cpu_times()
            spent += times.user + times.system
    reaped, own = whole.cpu_times(), psutil.Process().cpu_times()
    spent += reaped.children_user + reaped.children_system
    return spent + own.user + own.system + own.children_user + own.children_system


class Costs:
    """Milliseconds by the clock, and of processors, of work that is done many times."""

    def __init__(self, server: PostgresServer) -> None:
        self._server = server
        self.clock: dict[str, list[float]] = {}
        self.cpu: dict[str, list[float]] = {}

    def take(self, name: str, works: Sequence[Callable[[], object]], each: int = 1) -> list[object]:
        """Do all of it; `each` does so many at once. What came of it."""
        before, done = cpu_of(self._server), []
        for work in works:
            began = time.perf_counter()
            done.append(work())
            self.clock.setdefault(name, []).append((time.perf_counter() - began) * 1000 / each)
        self.cpu.setdefault(name, []).append((cpu_of(self._server) - before) * 1000 / each / len(works))
        return done


def take_round(costs: Costs, job: SharedJob, addresses: int, number: int) -> None:
    """Pops, pushes in lists of 20, and commits with 30 known links."""
    leases = costs.take("pop", [lambda: job.lease(now=time.time())] * TIMED)
    first = addresses + number * TIMED * 20
    lists = [[page_at(first + one * 20 + other) for other in range(20)] for one in range(TIMED)]
    costs.take("push, each of 20", [partial(job.offer, pages) for pages in lists], each=20)
    commits = []
    for lease in leases:
        assert isinstance(lease, Lease)
        known = [page_at(random.randrange(addresses)) for _ in range(30)]
        commits.append(partial(job.commit, lease, read_at(lease.url), links=known))
    costs.take("commit with 30 known links", commits)


def pop_with_many(server: PostgresServer, folder: Path, job: str) -> tuple[float, float]:
    """Pops a second of all workers together, and processor milliseconds of a pop with what it takes to join."""
    places = [(f"{server.url}?job={job}", str(folder / f"{one}")) for one in range(WORKERS)]
    before = cpu_of(server)
    with multiprocessing.get_context("spawn").Pool(WORKERS) as pool:
        found = pool.starmap(pop_for, places)
        pool.close()
        pool.join()
    pops = sum(count for count, _ in found)
    return sum(count / seconds for count, seconds in found), (cpu_of(server) - before) * 1000 / pops


def vacuum_seconds(server: PostgresServer, job: str) -> float:
    """To vacuum all addresses by three processes, as many as the server keeps for it, where there are parts."""
    tables = list(PARTS) if job == JOBS[PARTED] else ["pages"]

    def work() -> None:
        while tables:
            server.ask(f'VACUUM "walker_{job}".{tables.pop()}')

    began = time.perf_counter()
    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return time.perf_counter() - began


def compare(server: PostgresServer, folder: Path, addresses: int) -> None:
    """Fill both, and print the figures of each."""
    jobs = {kind: fill(server, folder, job, addresses) for kind, job in JOBS.items()}
    server.ask("ANALYZE")
    costs = {kind: Costs(server) for kind in jobs}
    rates: dict[str, tuple[float, float]] = {}
    for number in range(ROUNDS):
        for kind in list(jobs)[:: -1 if number % 2 else 1]:
            take_round(costs[kind], jobs[kind], addresses, number)
    for kind, job in JOBS.items():
        rates[kind] = pop_with_many(server, folder / f"{job}-workers", job)
    for name, want in WANTED.items():
        for kind, cost in costs.items():
            figure(f"{name}, {kind}", statistics.median(cost.clock[name]), "ms", want)
            figure(f"{name}, {kind}", statistics.mean(cost.cpu[name]), "CPU ms", want)
    for kind, job in JOBS.items():
        figure(f"pops of {WORKERS} workers, {kind}", rates[kind][0], "per s", ">= 2000")
        figure(f"a pop of {WORKERS} workers, {kind}", rates[kind][1], "CPU ms with joining", "told")
        jobs[kind].close()
        figure(f"vacuum of all addresses, {kind}", vacuum_seconds(server, job), "s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--addresses", type=int, default=1_000_000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, serve_postgres(durable=True) as server:
        compare(server, Path(folder), given.addresses)


if __name__ == "__main__":
    main()
