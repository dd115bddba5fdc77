"""Prints what a host gets from several workers that keep its pace together, seen at the host, while workers are killed, the network
between them and the server breaks, the server is killed, and clocks are five minutes apart; and that each page is stored, once.

python bench/fleet_pace.py [--pages 1500] [--workers 3]
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from figures import print_figure
from fleet_workers import LinkedSite

from tests.fixtures.postgres_server import PostgresServer, serve_postgres
from tests.fixtures.tcp_proxy import TcpProxy, proxy_to
from tests.sites.serving import Answer, Asked, serving

AT_ONCE, DELAY, ANSWER_SECONDS = 3, 0.1, 0.1
"""What the host allows, the second by its robots.txt; and how long it takes for a page."""
WINDOW = 5.0
"""Seconds over which its requests are counted."""
APART = (0, 300, -300)
"""Seconds by which the clocks of workers are wrong, one after the other."""
KILL_SECONDS, DROP_EVERY, RESTART_EVERY = (1.0, 4.0), 3, 8
"""A worker is killed after so long; the network breaks, and the server is killed, at one kill in so many."""
WORKER = """
import sys, time
from walker.cli import main
clock = time.time
time.time = lambda: clock() + {apart}
sys.argv = ["walker", "worker", "{address}", "-q"]
main()
"""


class PacedSite(LinkedSite):
    """Says when each page was asked for, and how many at a time."""

    def __init__(self, pages: int) -> None:
        super().__init__(pages)
        self.starts: list[float] = []
        self.at_a_time = self.most_at_a_time = 0
        self._lock = threading.Lock()

    def answer(self, asked: Asked) -> Answer | None:
        if asked.path == "/robots.txt":
            return Answer(f"User-agent: *\nCrawl-delay: {DELAY}\n", kind="text/plain")
        with self._lock:
            self.starts.append(time.monotonic())
            self.at_a_time += 1
            self.most_at_a_time = max(self.most_at_a_time, self.at_a_time)
        time.sleep(ANSWER_SECONDS)
        with self._lock:
            self.at_a_time -= 1
        return super().answer(asked)

    def most_within(self, seconds: float) -> int:
        """The most requests that came within so many seconds."""
        starts, first, most = sorted(self.starts), 0, 0
        for number, start in enumerate(starts):
            while start - starts[first] >= seconds:
                first += 1
            most = max(most, number + 1 - first)
        return most


def begin_worker(address: str, folder: Path, number: int) -> subprocess.Popen[bytes]:
    """A worker whose clock may be wrong."""
    text = WORKER.format(apart=APART[number % len(APART)], address=address)
    with (folder / f"worker-{number}.txt").open("w") as log:
        return subprocess.Popen([sys.executable, "-c", text], cwd=folder, stdout=log, stderr=log)


def crawl_among_faults(
    server: PostgresServer, proxy: TcpProxy, site: PacedSite, folder: Path, size: int
) -> tuple[int, int, str]:
    """Crawl with so many workers beside the first, until it is over; workers and servers killed, and why the crawl ended."""
    (folder / "site.yaml").write_text(
        f"start: [{site.home}]\ndriver: http\nconcurrency: 4\npolite: {{per_host: {AT_ONCE}}}\ncut_after: 0\nkeep: [text]\n"
    )
    address = f"{server.url.replace(f':{server.port}/', f':{proxy.port}/')}?job=pace"
    command = [sys.executable, "-m", "walker", "crawl", "site.yaml", "--job", address, "--json"]
    chance, killed, restarts, begun = random.Random(1), 0, 0, 0
    workers: list[subprocess.Popen[bytes]] = []
    with (folder / "report.json").open("w") as report:
        first = subprocess.Popen(command, cwd=folder, stdout=report)
    while not site.starts:
        assert first.poll() is None
        time.sleep(0.1)
    while first.poll() is None:
        while len(workers) < size:
            workers.append(begin_worker(address, folder, begun))
            begun += 1
        time.sleep(chance.uniform(*KILL_SECONDS))
        victim = chance.choice(workers)
        if victim.poll() is None:
            victim.kill()
            killed += 1
            if killed % DROP_EVERY == 0:
                proxy.drop()
            if killed % RESTART_EVERY == 0:
                server.kill_and_start()
                restarts += 1
        victim.wait()
        workers.remove(victim)
    for one in workers:
        one.wait()
    await_server(server)
    return killed, restarts, json.loads((folder / "report.json").read_text())["stop_reason"]


def await_server(server: PostgresServer) -> None:
    """Until one that was killed a moment ago answers again."""
    for _ in range(600):
        with suppress(Exception):  # psycopg's, an extra
            server.ask("SELECT 1")
            return
        time.sleep(0.1)


def figure(name: str, value: float, most: float | None = None) -> None:
    """Print a figure with the most that it may be."""
    print_figure(name, value, "", "told" if most is None else f"<= {most:g}", most is None or value <= most)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=1500)
    parser.add_argument("--workers", type=int, default=3)
    given = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        serve_postgres(durable=True) as server,
        proxy_to(server.port) as proxy,
        serving(PacedSite(given.pages)) as site,
    ):
        killed, restarts, stop = crawl_among_faults(server, proxy, site, Path(folder), given.workers)
        stored = server.ask("SELECT COUNT(DISTINCT final_url), COUNT(*) FROM walker_pace.contents")[0]
        faults = f"{killed} workers killed, {restarts} times the server, {proxy.broken} connections broken"
        print(f"{stop}: {stored[0]} of {given.pages} pages, {len(site.starts)} requests; {faults}")
        wanted = given.pages + 1  # the first page has two addresses
        figure("pages lost", wanted - stored[0], 0)
        figure("pages stored twice", stored[1] - stored[0], 0)
        figure("pages asked for again", len(site.starts) - wanted, AT_ONCE * (killed + restarts + proxy.broken))
        figure("most requests at a time", site.most_at_a_time, AT_ONCE)
        # Those that come within the time were allowed within it, or were on their way when it began.
        allowed = int(WINDOW / DELAY) + 1 + AT_ONCE
        figure(f"most requests within {WINDOW:g} s", site.most_within(WINDOW), allowed)


if __name__ == "__main__":
    main()
