"""Where the limits of a crawl by many workers lie: a simulation of its events, for 1 to 10,000 workers and 10^6 to 10^10 addresses.

    python bench/fleet_simulation.py            the table, from the service times below
    python bench/fleet_simulation.py --check    measures 1, 2, 4 and 8 workers on this machine, and compares with the forecast

A slot of a worker leases a page, waits for its turn at the host, fetches, and commits behind the job's lock. Servers of a queue are
taken first come, first served. Hosts are drawn by Zipf's law; a slot that gets a host of
which its worker has enough draws again.

The check takes what one worker needs from a run of one: processor time, and waiting, which on a machine with other work on it
is mostly that for a core. Its verdict is worth something only where the others' share, which is printed, is small.
"""

from __future__ import annotations

import argparse
import bisect
import heapq
import itertools
import multiprocessing
import os
import random
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
from figures import print_figure
from fleet import page_at, read_at

from tests.fixtures.postgres_server import PostgresServer, serve_postgres
from walker.crawl.job.shared.process_use import use_of
from walker.crawl.job.shared.shared_job import SharedJob

PAGES, WARM = 40_000, 0.4
"""Pages of one simulation at least, and the part of them that is not counted."""
CHECKED, SECONDS, FETCH, KNOWN_LINKS = (1, 2, 4, 8), 6.0, 0.010, 5
WITHIN = 0.15


@dataclass(frozen=True)
class Step:
    """A part of a page's way: seconds of processor time, and seconds of waiting for nothing that is shared."""

    cpu: float
    wait: float = 0.0

    @property
    def seconds(self) -> float:
        return self.cpu + self.wait


@dataclass(frozen=True)
class Fleet:
    """What is simulated. Times in seconds; measured where a comment says so."""

    workers: int
    slots: int = 4
    lease: Step = Step(0.0009, 0.0003)  # bench/fleet.py: a pop at 10^6 addresses 1.2 ms
    turn: Step = Step(0.0006, 0.0002)  # begin_fetch and end_fetch
    commit: Step = Step(0.0015)  # bench/fleet.py: a commit with 30 known links
    fetch: float = 0.6  # over HTTP; 2.5 where a browser draws it
    cores: int = 16  # of the server of Postgres
    locks: int = 1  # jobs over which the hosts are split
    hosts: int = 100_000
    skew: float = 1.0  # of Zipf's law; 0: all alike
    per_host: int = 4
    delay: float = 0.25  # between two fetches from one host
    passes: float = (
        0.0  # seconds until a host's next turn from which its pages are passed over (shared_frontier.py); 0: never
    )


class Queue:
    """Servers that are taken first come, first served."""

    def __init__(self, servers: int) -> None:
        self._free = [0.0] * servers

    def until(self, now: float, seconds: float) -> float:
        """When what begins to wait now, and takes so long, is over."""
        end = max(now, heapq.heappop(self._free)) + seconds
        heapq.heappush(self._free, end)
        return end


class Host:
    """One host: as many fetches at once as allowed, each a delay after the one before."""

    def __init__(self, fleet: Fleet) -> None:
        self._slots, self._delay, self._next = Queue(fleet.per_host), fleet.delay, 0.0

    def is_due(self, moment: float) -> bool:
        return self._next <= moment

    def until(self, now: float, seconds: float) -> float:
        begins = max(now, self._next)
        self._next = begins + self._delay
        return self._slots.until(begins, seconds)


class Simulation:
    """The state of one fleet, and what each stage of a page does to it."""

    def __init__(self, fleet: Fleet, seed: int) -> None:
        self.fleet, self.chance = fleet, random.Random(seed)
        self.cores, self.locks = Queue(fleet.cores), [Queue(1) for _ in range(fleet.locks)]
        self.weights = list(itertools.accumulate(1 / (rank + 1) ** fleet.skew for rank in range(fleet.hosts)))
        self.hosts: dict[int, Host] = {}
        self.held: list[dict[int, int]] = [{} for _ in range(fleet.workers)]

    def lease(self, now: float, worker: int) -> tuple[float, int]:
        """When a worker has leased a page and asked for its turn, and the page's host."""
        fleet, held = self.fleet, self.held[worker]
        host = self._drawn(held)
        for _ in range(20 if fleet.passes else 0):
            if host not in self.hosts or self.hosts[host].is_due(now + fleet.passes):
                break
            host = self._drawn(held)
        held[host] = held.get(host, 0) + 1
        ends = self.cores.until(now, fleet.lease.cpu + fleet.turn.cpu)
        return ends + fleet.lease.wait + fleet.turn.wait, host

    def fetch(self, now: float, host: int) -> float:
        """When a page is there."""
        took = self.chance.expovariate(1 / self.fleet.fetch) if self.fleet.delay else self.fleet.fetch
        return self.hosts.setdefault(host, Host(self.fleet)).until(now, took)

    def commit(self, now: float, host: int) -> float:
        """When it is stored: the lock is held while the commit waits for a core and works on it."""
        lock = self.locks[host % self.fleet.locks]
        begins = lock.until(now, 0.0)
        ends = self.cores.until(begins, self.fleet.commit.cpu) + self.fleet.commit.wait
        lock.until(begins, ends - begins)
        return ends

    def _drawn(self, held: dict[int, int]) -> int:
        host = 0
        for _ in range(8):
            host = bisect.bisect(self.weights, self.chance.random() * self.weights[-1])
            if held.get(host, 0) < self.fleet.per_host:
                break
        return host


def simulate(fleet: Fleet, seed: int = 1, *, pages: int = PAGES) -> float:
    """Pages per second that are committed once it runs steadily."""
    state, slots = Simulation(fleet, seed), fleet.workers * fleet.slots
    most = max(pages, 8 * slots)
    # What happens next: (moment, number, stage, worker, host). A stage is computed once its moment has come.
    events = [
        (state.chance.random() * fleet.fetch, number, "lease", number % fleet.workers, -1) for number in range(slots)
    ]
    heapq.heapify(events)
    done, began, now = 0, 0.0, 0.0
    while done < most:
        now, number, stage, worker, host = heapq.heappop(events)
        if stage == "lease":
            then, host = state.lease(now, worker)
            following = "fetch"
        elif stage == "fetch":
            then, following = state.fetch(now, host), "commit"
        elif stage == "commit":
            then, following = state.commit(now, host), "done"
        else:
            state.held[worker][host] -= 1
            done += 1
            began = now if done == int(most * WARM) else began
            then, following = now, "lease"
        heapq.heappush(events, (then, number, following, worker, host))
    return (most - int(most * WARM)) / max(1e-9, now - began)


def print_rates() -> None:
    """Pages per second by number of workers, and what each design limit makes of it."""
    passing: dict[str, Any]
    split: dict[str, Any]
    passing, split = {"passes": 1.0}, {"passes": 1.0, "locks": 8}
    changes: dict[str, dict[str, Any]] = {
        "nobody passed over, HTTP": {},
        "nobody passed over, browser": {"fetch": 2.5},
        "  1,000 hosts": {"hosts": 1000},
        "busy hosts passed over": passing,
        "  and 8 jobs": split,
        "  and 8 servers": split | {"cores": 128},
        "hosts all alike": {"skew": 0.0},
        "  with 8 servers": {"skew": 0.0, "locks": 8, "cores": 128},
    }
    sizes = (1, 10, 100, 1_000, 10_000)
    print(f"{'pages per second':<22}" + "".join(f"{size:>10,}" for size in sizes) + "  workers of 4 slots")
    for name, change in changes.items():
        rates = [simulate(replace(Fleet(workers=size), **change)) for size in sizes]
        print(f"{name:<22}" + "".join(f"{rate:>10,.1f}" for rate in rates), flush=True)


def print_sizes(address_bytes: float, page_bytes: float) -> None:
    """What a job takes at each number of addresses, a third of which are fetched."""
    print(f"{'addresses':<14}{'tables, indexes':>16}{'pages stored':>14}{'at 500/s':>12}{'connections':>13}")
    for power in range(6, 11):
        addresses = 10**power
        size = addresses * address_bytes + addresses / 3 * page_bytes
        days = addresses / 3 / 500 / 86_400
        print(f"10^{power:<11}{_size(size):>16}{addresses / 3:>14,.0f}{days:>10,.1f} d{'2 a worker':>13}")


def _size(size: float) -> str:
    return f"{size / 1e12:.1f} TB" if size >= 1e12 else f"{size / 1e9:.1f} GB"


def crawl_for(url: str, folder: str, begins: float) -> tuple[float, list[float], list[float]]:
    """The processor seconds of a worker, and the seconds of each of its leases and commits."""
    job = SharedJob(Path(folder), url, order="breadth-first")
    chance = random.Random(folder)
    while (left := begins - time.time()) > 0:
        time.sleep(left)
    used, leases, commits = time.process_time(), list[float](), list[float]()
    while time.time() < begins + SECONDS:
        started = time.perf_counter()
        lease = job.lease(now=time.time())
        assert lease is not None
        leased = time.perf_counter()
        time.sleep(FETCH)
        fetched = time.perf_counter()
        job.commit(lease, read_at(lease.url), links=[page_at(chance.randrange(20_000)) for _ in range(KNOWN_LINKS)])
        leases.append(leased - started)
        commits.append(time.perf_counter() - fetched)
    used = time.process_time() - used
    job.close()
    return used, leases, commits


def _busy_seconds() -> float:
    """Processor seconds of this machine so far that were not idle."""
    user, nice, system, _, _, irq, soft, *_ = map(int, Path("/proc/stat").read_text().splitlines()[0].split()[1:])
    return (user + nice + system + irq + soft) / os.sysconf("SC_CLK_TCK")


def measure(server: PostgresServer, folder: Path, workers: int) -> tuple[float, Step, Step, float]:
    """Pages per second of so many workers; lease and commit of a page; cores that other programs kept busy meanwhile."""
    url = f"{server.url}?job=check-{workers}"
    job = SharedJob(folder / f"fill-{workers}", url, order="breadth-first")
    for begin in range(0, 20_000, 5_000):
        job.offer([page_at(number) for number in range(begin, begin + 5_000)])
    server.ask("ANALYZE")
    begins = time.time() + 4.0 + workers
    with multiprocessing.get_context("spawn").Pool(workers) as pool:
        given = [(url, str(folder / f"{workers}-{one}"), begins) for one in range(workers)]
        running = pool.starmap_async(crawl_for, given)
        time.sleep(begins - time.time())
        served, busy = use_of(server.process.pid).cpu_seconds, _busy_seconds()
        time.sleep(SECONDS)
        served, busy = use_of(server.process.pid).cpu_seconds - served, _busy_seconds() - busy
        found = running.get()
    job.close()
    used, pages = sum(one[0] for one in found), max(1, sum(len(one[1]) for one in found))
    lease = statistics.fmean(took for _, leases, _ in found for took in leases)
    commit = statistics.fmean(took for _, _, commits in found for took in commits)
    cpu, part = (served + used) / pages, lease / (lease + commit)
    steps = (
        Step(cpu * part, max(0.0, lease - cpu * part)),
        Step(cpu * (1 - part), max(0.0, commit - cpu * (1 - part))),
    )
    return pages / SECONDS, *steps, max(0.0, (busy - served - used) / SECONDS)


def print_bytes(server: PostgresServer, job: str) -> None:
    """What an address, and a page that was read, take of the disk, indexes included."""
    for table, name in (("pages", "an address"), ("contents", "a page without its text")):
        ((size, rows),) = server.ask(
            f'SELECT pg_total_relation_size(to_regclass(%s)), (SELECT COUNT(*) FROM "walker_{job}".{table})',
            f'"walker_{job}".{table}',
        )
        print(f"{name} takes {size / max(1, rows):.0f} bytes of {size / 1e6:.1f} MB")


def check() -> bool:
    """Measure, forecast from what one worker takes, and print both; whether all forecasts are near enough."""
    cores, is_near = os.cpu_count() or 1, True
    with tempfile.TemporaryDirectory() as folder, serve_postgres() as server:
        one: tuple[Step, Step] | None = None
        for workers in CHECKED:
            rate, lease, commit, others = measure(server, Path(folder), workers)
            if one is None:
                print_bytes(server, f"check-{workers}")
            one = one or (lease, commit)
            fleet = Fleet(workers=workers, slots=1, lease=one[0], turn=Step(0), commit=one[1], fetch=FETCH, cores=cores)
            fleet = replace(
                fleet, hosts=10_000, skew=0.0, per_host=1000, delay=0.0
            )  # what others took is in the waits of one worker
            told = simulate(fleet, pages=4_000)
            off = abs(told - rate) / rate
            is_near &= off <= WITHIN
            print(
                f"{workers} workers: measured {rate:.0f} pages/s, forecast {told:.0f}, others took {others:.2f} of {cores} cores"
            )
            for name, step in (("lease", lease), ("commit", commit)):
                print(f"    {name}: {step.cpu * 1000:.2f} ms of a core, {step.wait * 1000:.2f} ms of waiting")
            print_figure(
                f"forecast for {workers} workers is off by",
                round(off * 100, 1),
                "%",
                f"<= {WITHIN * 100:.0f}",
                off <= WITHIN,
            )
    return is_near


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument(
        "--address-bytes", type=float, default=376.0, help="of the tables of pages and its indexes, for an address"
    )
    parser.add_argument("--page-bytes", type=float, default=467.0, help="of what is stored of a page without its text")
    given = parser.parse_args()
    if given.check:
        raise SystemExit(0 if check() else 1)
    print_rates()
    print_sizes(given.address_bytes, given.page_bytes)


if __name__ == "__main__":
    main()
