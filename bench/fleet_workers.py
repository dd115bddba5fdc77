"""Prints what two workers on one job cost against one: pages for each second of processor time, without that of starting; and how long
it takes from the command of a worker until it has fetched its first page.

python bench/fleet_workers.py [--pages 600] [--rounds 2]
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from figures import print_figure

from tests.fixtures.postgres_server import PostgresServer, serve_postgres
from tests.sites.serving import Answer, Asked, LoopbackSite, serving

LINKS, WORDS = 10, 300


class LinkedSite(LoopbackSite):
    """Pages with different texts; each links to ten others."""

    def __init__(self, pages: int) -> None:
        super().__init__()
        self.pages = pages

    def answer(self, asked: Asked) -> Answer | None:
        if asked.path == "/robots.txt":
            return None
        number = int(asked.path.strip("/") or 0)
        links = "".join(
            f"<li><a href='/{(LINKS * number + one) % self.pages}'>page {one}</a></li>" for one in range(1, LINKS + 1)
        )
        text = " ".join(f"word{(number * 7919 + place * place) % 9973}" for place in range(WORDS))
        return Answer(f"<title>Page {number}</title><h1>Page {number}</h1><p>{text}</p><ul>{links}</ul>".encode())


def seconds_of(process: subprocess.Popen[bytes]) -> float:
    """Processor seconds that a process took until its end."""
    _, status, use = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, process.args
    return use.ru_utime + use.ru_stime


def begin(folder: Path, *arguments: str) -> subprocess.Popen[bytes]:
    """The program, in a folder."""
    return subprocess.Popen(
        [sys.executable, "-m", "walker", *arguments, "-q"],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def crawl_with(
    server: PostgresServer, folder: Path, home: str, pages: int, *, workers: int, name: str
) -> tuple[float, float]:
    """Pages for each processor second of so many workers, without what it takes to start one and find nothing to do; and the seconds
    in which those after the first joined, 0 where there are none."""
    (folder / "site.yaml").write_text(
        f"start: [{home}]\ndriver: http\nconcurrency: 4\npolite: {{per_host: 16, delay: 0}}\ncut_after: 0\nkeep: [text]\n"
    )
    address = f"{server.url}?job={name}"
    first = begin(folder, "crawl", "site.yaml", "--job", address)
    while not server.ask("SELECT 1 FROM pg_namespace WHERE nspname = %s", f"walker_{name}"):
        pass
    while server.ask(f'SELECT COUNT(*) FROM "walker_{name}".contents') == [(0,)]:
        assert first.poll() is None
    joined = time.time()
    others = [begin(folder, "worker", address) for _ in range(workers - 1)]
    used = [seconds_of(one) for one in (first, *others)]
    done = server.ask(f'SELECT COUNT(*) FROM "walker_{name}".contents')[0][0]
    shares = server.ask(f'SELECT states[3] FROM "walker_{name}".tallies ORDER BY worker')
    idle = seconds_of(begin(folder, "worker", address))
    print(
        f"{workers} workers: {done} of {pages} pages, {[share for (share,) in shares]} each, {used} s, {idle:.2f} s of them to start"
    )
    ((begun,),) = server.ask(
        f'SELECT MAX(begun) FROM (SELECT MIN(fetched_at) AS begun FROM "walker_{name}".contents'
        f' JOIN "walker_{name}".pages ON id = page WHERE worker > 1 GROUP BY worker) AS firsts'
    )
    return float(done) / (sum(used) - workers * idle), begun - joined if others else 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=600)
    parser.add_argument("--rounds", type=int, default=2)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place, serve_postgres() as server, serving(LinkedSite(given.pages)) as site:
        found: dict[int, list[float]] = {1: [], 2: []}
        joins = list[float]()
        for number in range(given.rounds):
            for workers, rates in found.items():
                folder = Path(place) / f"{number}-{workers}"
                folder.mkdir()
                name = f"r{number}w{workers}"
                rate, join = crawl_with(server, folder, site.home, given.pages, workers=workers, name=name)
                rates.append(rate)
                joins += [join] if workers > 1 else []
        ratio = statistics.median(found[2]) / statistics.median(found[1])
        print_figure("pages for a CPU second, two workers against one", round(ratio, 3), "", ">= 0.95", ratio >= 0.95)
        print_figure(
            "a worker joins, until its first page is there", round(max(joins), 2), "s", "<= 3", max(joins) <= 3
        )


if __name__ == "__main__":
    main()
