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
from collections.abc import Callable
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from figures import print_figure
from fleet import page_at, read_at

from tests.fixtures.postgres_server import PostgresServer, serve_postgres
from walker.crawl.job.shared.postgres_schema import PARTS
from walker.crawl.job.shared.shared_job import SharedJob
from walker.crawl.job_records import Lease

WHOLE, PARTED = "one table", f"{len(PARTS)} parts"
JOBS = {WHOLE: "whole", PARTED: "parted"}
ROUNDS, TIMED, WORKERS, SECONDS = 4, 100, 8, 3.0
ONE_TABLE = """
SET search_path = "walker_{job}";
CREATE TABLE undivided (LIKE pages INCLUDING ALL);
DROP TABLE pages;
ALTER TABLE undivided RENAME TO pages;
"""
"""Everything else of the job, its statements and functions included, stays as it is."""
WANTED = {"pop": "<= 2", "push, each of 20": "<= 1", "pops a second of 8 workers": ">= 2000"}


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
    tell(f"push, each of 5,000, {job}", (time.perf_counter() - began) * 1000 / addresses, "ms", "<= 1")
    return made


def round_of(job: SharedJob, addresses: int, number: int) -> dict[str, list[float]]:
    """Milliseconds of pops, pushes and commits with 30 known links."""
    found: dict[str, list[float]] = {"pop": [], "push, each of 20": [], "commit with 30 known links": []}

    def clocked(name: str, times: int, work: Callable[[], object]) -> object:
        began = time.perf_counter()
        done = work()
        found[name].append((time.perf_counter() - began) * 1000 / times)
        return done

    for one in range(TIMED):
        lease = clocked("pop", 1, lambda: job.lease(now=time.time()))
        assert isinstance(lease, Lease)
        new = addresses + (number * TIMED + one) * 20
        clocked("push, each of 20", 20, partial(job.offer, [page_at(new + other) for other in range(20)]))
        known = [page_at(random.randrange(addresses)) for _ in range(30)]
        clocked("commit with 30 known links", 1, partial(job.commit, lease, read_at(lease.url), links=known))
    return found


def pop_for(url: str, folder: str) -> float:
    """Pages a second that a worker takes."""
    job = SharedJob(Path(folder), url, order="breadth-first")
    began, count = time.perf_counter(), 0
    while time.perf_counter() - began < SECONDS:
        assert job.lease(now=time.time()) is not None
        count += 1
    rate = count / (time.perf_counter() - began)
    job.close()
    return rate


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


def tell(name: str, value: float, unit: str, want: str = "told") -> None:
    """Print a figure beside what is wanted."""
    sign, _, bound = want.partition(" ")
    is_ok = {"<=": value <= float(bound or 0), ">=": value >= float(bound or 0)}.get(sign, True)
    print_figure(name, round(value, 3), unit, want, is_ok)


def compare(server: PostgresServer, folder: Path, addresses: int) -> None:
    """Fill both, and print the figures of each."""
    jobs = {kind: fill(server, folder, job, addresses) for kind, job in JOBS.items()}
    server.ask("ANALYZE")
    found: dict[str, dict[str, list[float]]] = {kind: {} for kind in jobs}
    for number in range(ROUNDS):
        for kind in list(jobs)[:: -1 if number % 2 else 1]:
            for name, times in round_of(jobs[kind], addresses, number).items():
                found[kind].setdefault(name, []).extend(times)
    for number in range(2):
        for kind, job in list(JOBS.items())[:: -1 if number % 2 else 1]:
            places = [(f"{server.url}?job={job}", str(folder / f"{job}-{number}-{one}")) for one in range(WORKERS)]
            with multiprocessing.get_context("spawn").Pool(WORKERS) as pool:
                found[kind].setdefault("pops a second of 8 workers", []).append(sum(pool.starmap(pop_for, places)))
    for kind, job in JOBS.items():
        jobs[kind].close()
        found[kind]["vacuum of all addresses"] = [vacuum_seconds(server, job)]
    for name in found[WHOLE]:
        unit = "per s" if "second" in name else "s" if "vacuum" in name else "ms"
        for kind in JOBS:
            tell(f"{name}, {kind}", statistics.median(found[kind][name]), unit, WANTED.get(name, "told"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--addresses", type=int, default=1_000_000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, serve_postgres(durable=True) as server:
        compare(server, Path(folder), given.addresses)


if __name__ == "__main__":
    main()
