"""Prints what a job in Postgres costs: a pop and a push at a million addresses, pops of eight workers together, joining; and that
killed workers, a server that is killed, a network that breaks and a disk that is full lose nothing.

    python bench/fleet.py                       1,000,000 addresses, 20 kills
    python bench/fleet.py --addresses 100000 --kills 200
    python bench/fleet.py --addresses 0 --kills 200      kills only
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from figures import print_figure

from tests.fixtures.postgres_server import PostgresServer, serve_postgres
from tests.fixtures.tcp_proxy import TcpProxy, proxy_to
from walker.crawl.job.shared.fleet_status import FleetView
from walker.crawl.job.shared.shared_job import SharedJob
from walker.crawl.job_records import CrawlItem, NewPage, ReadPage

HOSTS, WORKERS, SECONDS, TIMED = 200, 8, 5.0, 300
SIZE, QUOTA = 600, 500
"""Pages and items of the job whose workers are killed."""
DROPS, FULL_EVERY = 0.3, 7
"""How often the network breaks where a worker may be killed; one worker in so many has a full disk."""


def figure(name: str, value: float, unit: str, want: str = "told") -> None:
    """Print a figure; `want` is "<= 1", ">= 1", "0" or nothing."""
    sign, _, bound = want.partition(" ")
    limit = float(bound or 0)
    is_ok = {"<=": value <= limit, ">=": value >= limit, "0": value == 0}.get(sign, True)
    print_figure(name, round(value, 3), unit, want, is_ok)


def page_at(number: int) -> NewPage:
    """A made address."""
    origin = f"http://host-{number % HOSTS}.example"
    return NewPage(url=f"{origin}/pages/{number}.html", key=f"{origin}/pages/{number}.html", origin=origin)


def read_at(url: str) -> ReadPage:
    """A page that was read."""
    origin = "/".join(url.split("/")[:3])
    return ReadPage(final_url=url, final_key=url, final_origin=origin, size=1000)


def time_frontier(server: PostgresServer, folder: Path, addresses: int) -> None:
    """Fill a job, then pop, push and commit, and pop with many workers."""
    job = SharedJob(folder / "one", f"{server.url}?job=large", order="breadth-first")
    started = time.perf_counter()
    for begin in range(0, addresses, 5000):
        job.offer([page_at(number) for number in range(begin, min(addresses, begin + 5000))])
    figure("a push in lists of 5,000", (time.perf_counter() - started) * 1000 / addresses, "ms", want="<= 1")
    server.ask("ANALYZE")
    pops, pushes, commits = [], [], []
    for number in range(TIMED):
        started = time.perf_counter()
        lease = job.lease(now=time.time())
        pops.append(time.perf_counter() - started)
        assert lease is not None
        started = time.perf_counter()
        job.offer([page_at(addresses + 20 * number + one) for one in range(20)])
        pushes.append((time.perf_counter() - started) / 20)
        started = time.perf_counter()
        job.commit(lease, read_at(lease.url), links=[page_at(random.randrange(addresses)) for _ in range(30)])
        commits.append(time.perf_counter() - started)
    figure(f"a pop at {addresses} addresses", statistics.median(pops) * 1000, "ms", want="<= 2")
    figure(f"a push at {addresses} addresses, in lists of 20", statistics.median(pushes) * 1000, "ms", want="<= 1")
    figure("a commit of a page with 30 known links", statistics.median(commits) * 1000, "ms")
    with multiprocessing.get_context("spawn").Pool(WORKERS) as pool:
        found = pool.starmap(
            pop_for, [(f"{server.url}?job=large", str(folder / f"pop-{one}")) for one in range(WORKERS)]
        )
    figure(f"pops of {WORKERS} workers", sum(count / seconds for count, seconds in found), "per s", want=">= 2000")
    view = FleetView(f"{server.url}?job=large")
    looks = sorted(view.status().asked_seconds for _ in range(9))
    figure(f"a look at the fleet at {addresses} addresses", looks[4] * 1000, "ms", want="<= 500")
    view.close()
    started = time.perf_counter()
    SharedJob(folder / "late", f"{server.url}?job=large").close()
    figure("a worker joins and leaves", time.perf_counter() - started, "s", want="<= 3")
    job.close()


def pop_for(address: str, folder: str) -> tuple[int, float]:
    """Pages of a job that a worker takes, and its seconds."""
    job = SharedJob(Path(folder), address, order="breadth-first")
    started, count = time.perf_counter(), 0
    while time.perf_counter() - started < SECONDS:
        assert job.lease(now=time.time()) is not None
        count += 1
    seconds = time.perf_counter() - started
    job.close()
    return count, seconds


WORKER = """
import sys, time
from pathlib import Path
sys.path.insert(0, "bench")
from fleet import QUOTA, work
work(sys.argv[1], Path(sys.argv[2]))
"""


def work(address: str, folder: Path) -> None:
    """Crawl a tree of made pages, an item on each, until there is nothing left."""
    job = SharedJob(folder, address, quota=QUOTA)
    print("ready", flush=True)
    while True:
        lease = job.lease(now=time.time())
        if lease is None:
            if job.is_full or (job.in_flight == 0 and job.waiting == 0):
                break
            time.sleep(0.02)
            continue
        number = int(lease.url.rsplit("/", 1)[1].removesuffix(".html"))
        time.sleep(0.003)
        print(f"fetched {number}", flush=True)
        links = [page_at(one) for one in (2 * number + 1, 2 * number + 2) if one < SIZE]
        items = [CrawlItem(identity=str(number), fields={"n": number})]
        if job.commit(lease, read_at(lease.url), links=links, items=items).accepted:
            print(f"kept {number}", flush=True)
    job.close()


@contextmanager
def small_disk(folder: Path) -> Iterator[Path | None]:
    """A file system of 64 KB, None where none may be mounted."""
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)], check=False, capture_output=True
    )
    if mounted.returncode:
        yield None
        return
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=False)


def kill_workers(server: PostgresServer, folder: Path, kills: int) -> None:
    """Kill workers at random moments with a network that breaks and one disk that is full; then see that all is there, once."""
    with proxy_to(server.port) as proxy, small_disk(folder / "disk") as disk:
        if disk is not None:
            with suppress(OSError), (disk / "filler").open("wb", buffering=0) as filler:
                while filler.write(b"x" * 4096):
                    pass
        _kill_workers(server, folder, kills, (proxy, disk))
        figure("connections broken by the network", proxy.broken, "")
        figure("a worker in so many had a full disk", FULL_EVERY if disk is not None else 0, "")


def _kill_workers(server: PostgresServer, folder: Path, kills: int, faults: tuple[TcpProxy, Path | None]) -> None:
    proxy, disk = faults
    reached = server.url.replace(f":{server.port}/", f":{proxy.port}/")
    done = lost = doubled = inexact = runs = begun = 0
    extra: list[int] = []
    chance = random.Random(1)
    while done < kills:
        runs += 1
        address = f"{server.url}?job=kill-{runs}"
        job = SharedJob(folder / f"kill-{runs}", address, quota=QUOTA)
        job.offer([page_at(0)])
        workers: list[subprocess.Popen[str]] = []
        logs: list[Path] = []
        log_of: dict[int, Path] = {}
        is_over = False
        while not is_over:
            while len(workers) < 3:
                begun += 1
                place = disk if disk is not None and begun % FULL_EVERY == 0 else folder
                logs.append(place / f"worker-{begun}.log")
                workers.append(begin_worker(f"{reached}?job=kill-{runs}", folder / f"worker-{begun}", logs[-1]))
                log_of[workers[-1].pid] = logs[-1]
            time.sleep(chance.uniform(0.4, 1.2))
            if chance.random() < DROPS:
                proxy.drop()
            ended = [one for one in workers if one.poll() is not None]
            is_over = bool(ended) and job_is_over(job)
            # On a busy machine most would be killed before they have joined, which tells nothing.
            at_work = [one for one in workers if log_of[one.pid].parent == disk or log_of[one.pid].stat().st_size]
            if not is_over and at_work and done < kills:
                victim = chance.choice(at_work)
                victim.kill()
                victim.wait()
                done += 1
                if done % 10 == 0:
                    server.kill_and_start()
            workers = [one for one in workers if one.poll() is None]
        _ = [one.wait() for one in workers]
        lines = [line.split() for log in logs for line in log.read_text().splitlines() if " " in line]
        stored = {page["url"].rsplit("/", 1)[1].removesuffix(".html") for page in job.contents.pages()}
        items = [item["n"] for item in job.contents.items()]
        lost += len({number for what, number in lines if what == "kept"} - stored)
        doubled += len(items) - len(set(items))
        inexact += len(items) != QUOTA
        extra.append(sum(what == "fetched" for what, _ in lines) - len(stored))
        job.close()
    figure("workers killed", done, "")
    figure("the server killed", done // 10, "times")
    figure("pages kept and then lost", lost, "", want="0")
    figure("items twice", doubled, "", want="0")
    figure("jobs whose quota was not exact", inexact, f"of {runs}", want="0")
    figure("fetches more than pages, for each kill", sum(extra) / max(1, done), "", want="<= 3")


def begin_worker(address: str, folder: Path, log: Path) -> subprocess.Popen[str]:
    """A worker that says what it does in a file."""
    with log.open("w") as told:
        return subprocess.Popen(
            [sys.executable, "-c", WORKER, address, str(folder)], stdout=told, stderr=subprocess.DEVNULL, text=True
        )


def job_is_over(job: SharedJob) -> bool:
    """Whether the quota is met."""
    job.lease(frozenset(range(1, HOSTS + 1)), now=0)
    return job.is_full


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--addresses", type=int, default=1_000_000)
    parser.add_argument("--kills", type=int, default=20)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, serve_postgres(durable=True) as server:
        if given.addresses:
            time_frontier(server, Path(folder), given.addresses)
        kill_workers(server, Path(folder), given.kills)


if __name__ == "__main__":
    main()
