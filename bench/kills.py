"""Kills a crawl with all its processes at random points, goes on, and compares with what the site has: what is lost, what is there
twice, and how many pages were fetched again, in each of the modes.

usage: python bench/kills.py [--driver http,playwright] [--mode plain,quota,exhaustive] [--kills 20] [--seed 1]
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).parents[1]))
from figures import print_figure

from tests.sites.crawl_site import COPIES, ITEMS, PAGES, serve_crawl_site
from tests.walker.crawl.killing import CONCURRENCY, MODES, QUOTA, Crawls, write_script

REDIRECTED = "/item/3"
"""Is asked for twice without a kill: by its address, and where another leads."""
DELAY_SECONDS = 0.02
"""Of each answer, so that pages are in flight when the process is killed."""


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """What one crawl came to."""

    asked: int
    again: int
    lost: int
    """Items that are not there, pages that were not kept (not of a quota), or 1 where it did not end well."""
    twice: int
    """Items that are there twice, or that a quota did not ask for."""
    was_killed: bool


def main() -> None:
    """Each driver in each mode."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--driver", default="http")
    parser.add_argument("--mode", default=",".join(MODES))
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    settings = parser.parse_args()
    with Crawls() as crawls:
        for driver in settings.driver.split(","):
            for mode in settings.mode.split(","):
                measure(crawls, driver, mode, settings.kills, random.Random(f"{settings.seed} {driver} {mode}"))


def measure(crawls: Crawls, driver: str, mode: str, kills: int, chance: random.Random) -> None:
    """One crawl that is let be tells where to kill the others."""
    whole = crawled(crawls, driver, mode, 0)
    jobs = [crawled(crawls, driver, mode, chance.randint(1, whole.asked - 1)) for _ in range(kills)]
    name, killed = f"{driver}, {mode}", sum(job.was_killed for job in jobs)
    print_figure(
        f"{name}: crawls killed at a random point", killed, f"of {kills}", f">= {kills - 1}", killed >= kills - 1
    )
    lost = sum(job.lost for job in (whole, *jobs))
    print_figure(f"{name}: items and pages lost", lost, f"in {kills + 1} crawls", "0", lost == 0)
    twice = sum(job.twice for job in (whole, *jobs))
    print_figure(f"{name}: items twice or too many", twice, f"in {kills + 1} crawls", "0", twice == 0)
    again = max(job.again for job in jobs)
    want = f"<= {CONCURRENCY}, the concurrency"
    print_figure(f"{name}: pages fetched again after a kill, at most", again, "pages", want, again <= CONCURRENCY)


def crawled(crawls: Crawls, driver: str, mode: str, kill_at: int) -> Job:
    """Crawl the site to its end, killed once when it was asked so many times; 0 for not at all."""
    with serve_crawl_site(DELAY_SECONDS) as site, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        script, job = write_script(folder / "script.py", site.home, driver, mode), folder / "job"
        was_killed = bool(kill_at) and crawls.run_killed(script, job, site, kill_at)
        code = crawls.run(script, job)
        urls = [row["url"] for row in rows_of(job / "items.jsonl")]
        done = sum(row["state"] == "done" for row in rows_of(job / "pages.jsonl"))
        expected = QUOTA if mode == "quota" else ITEMS
        lost = max(0, expected - len(set(urls))) + int(code != 0)
        if mode != "quota":
            lost += max(0, PAGES + COPIES - done)
        return Job(
            asked=len(site.asked),
            again=sum(
                times - 1
                for path, times in site.times_asked().items()
                if path.startswith(("/item/", "/list/")) and path != REDIRECTED
            ),
            lost=lost,
            twice=max(len(urls) - len(set(urls)), len(urls) - expected),
            was_killed=was_killed,
        )


def rows_of(path: Path) -> list[dict[str, object]]:
    """Records of a file, none where it is not there."""
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


if __name__ == "__main__":
    main()
