"""Prints what a crawled page costs beside a bare Playwright loop and the crawlers of others: CPU of the whole process tree, pages
a second, memory.

    python bench/crawl.py                         # all arms, 200 pages of two sites, 3 rounds
    python bench/crawl.py --only walker bare      # arms whose name holds one of the words

The arms take turns, and ratios are of one round: what else the machine does meets them alike.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from crawl_arms import ARMS, Arm, Cost, Failed, Job, make_environments, run_arm
from crawl_sites import generated_site
from figures import print_figure
from testbeds import SITES, serve_or_skip

from walker.browser.launch.find_chromium import find_browser

BROWSER_PEERS = ("scrapy-playwright", "crawlee", "crawl4ai")
LEAST_TOLD = 0.1
"""Seconds of a kind of process that are told."""
Costs = dict[str, list[Cost]]


def measure(site: str, arms: list[Arm], job: Job, rounds: int) -> Costs:
    """Costs by arm, one a round. An arm that fails is told of, and left out from then on."""
    costs: Costs = {arm.name: [] for arm in arms}
    left = list(arms)
    for turn in range(rounds):
        for arm in tuple(left):
            cost = run_arm(arm, job)
            if isinstance(cost, Failed):
                print_figure(f"{site}: {arm.name}", None, cost.why, "to run", False)
                left.remove(arm)
                costs[arm.name] = []
                continue
            costs[arm.name].append(cost)
            spent = f"{cost.pages} pages, {cost.cpu:.1f} s of CPU, {cost.seconds:.1f} s"
            kinds = ", ".join(f"{kind} {seconds:.1f}" for kind, seconds in cost.kinds.items() if seconds >= LEAST_TOLD)
            print(f"{site}, round {turn + 1}: {arm.name}: {spent} ({kinds})", file=sys.stderr, flush=True)
    return {name: found for name, found in costs.items() if found}


def report(site: str, costs: Costs) -> None:
    """Print the table of a site, and the ratios that are wanted."""
    for name, found in costs.items():
        value = {
            "CPU ms a page": round(1000 * _median(found, _cpu), 1),
            "pages a second": round(_median(found, _speed), 2),
            "peak PSS MB": round(_median(found, lambda cost: cost.pss) / 1e6),
            "pages": round(_median(found, lambda cost: cost.pages)),
        }
        print_figure(f"{site}: {name}", value, "", "", True)
    if "bare loop" in costs:
        for name in ("walker, rendered", "walker, selenium"):
            wanted = 0.9 if name == "walker, rendered" else 1.1
            _compare(f"{site}: CPU of {name} / bare loop", _ratio(costs, name, "bare loop", _cpu), most=wanted)
        for name in BROWSER_PEERS:
            _compare(f"{site}: CPU of {name} / bare loop", _ratio(costs, name, "bare loop", _cpu))
    peers = [name for name in BROWSER_PEERS if name in costs]
    if peers:
        fastest = max(peers, key=lambda name: _median(costs[name], _speed))
        speed = _ratio(costs, "walker, rendered", fastest, _speed)
        _compare(f"{site}: pages a second of walker, rendered / {fastest}, the fastest browser peer", speed, least=2.5)
    _compare(f"{site}: CPU of walker, auto / scrapy", _ratio(costs, "walker, auto", "scrapy", _cpu), most=1.5)
    _compare(f"{site}: CPU of walker, http / scrapy", _ratio(costs, "walker, http", "scrapy", _cpu))


def _compare(name: str, ratio: float | None, *, most: float = 0.0, least: float = 0.0) -> None:
    if ratio is None:
        return
    want = f"<= {most:g}" if most else f">= {least:g}" if least else ""
    print_figure(name, round(ratio, 2), "ratio", want, (not most or ratio <= most) and ratio >= least)


def _ratio(costs: Costs, ours: str, theirs: str, of: Callable[[Cost], float]) -> float | None:
    """Median of the ratios of single rounds; None where one of them did not run."""
    if ours not in costs or theirs not in costs:
        return None
    return statistics.median(of(mine) / of(other) for mine, other in zip(costs[ours], costs[theirs], strict=False))


def _median(costs: list[Cost], of: Callable[[Cost], float]) -> float:
    return statistics.median(map(of, costs))


def _cpu(cost: Cost) -> float:
    return cost.cpu / cost.pages


def _speed(cost: Cost) -> float:
    return cost.pages / cost.seconds


def main() -> None:
    """Each site in turn."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--sites", nargs="+", default=["sqlite", "generated"], choices=["sqlite", "generated"])
    parser.add_argument("--only", nargs="+", default=[""], help="arms whose name holds one of these")
    parser.add_argument("--seconds", type=float, default=900, help="how long one arm may take")
    options = parser.parse_args()
    arms = [arm for arm in ARMS if any(word in arm.name for word in options.only)]
    for name, failed in make_environments(arms).items():
        print_figure(name, None, failed.why, "an environment of its own", False)
        arms = [arm for arm in arms if arm.name != name]
    with ExitStack() as stack:
        for site in options.sites:
            if site == "sqlite":
                serve_or_skip()
            root = SITES["sqlite"] if site == "sqlite" else stack.enter_context(generated_site())
            job = Job(root=root, pages=options.pages, chromium=find_browser().path, seconds=options.seconds)
            report(site, measure(site, arms, job, options.rounds))


if __name__ == "__main__":
    main()
