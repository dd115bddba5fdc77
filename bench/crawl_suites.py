"""Prints how much of two public suites for crawlers a crawl reaches, without and with `--press`, and every miss as policy or defect.

    python bench/crawl_suites.py FOLDER...        # folders with the sources of Security Crawl Maze or Crawlground

The suites are served on loopback as they are (suite_servers.py); fetch their sources yourself. A policy is something that a crawl of
pages leaves alone on purpose; what no policy covers is a defect.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parent))
from figures import print_figure
from suite_policies import why_left_alone
from suite_servers import NoSuite, served

from walker.crawl.crawling import CrawlSettings, crawl
from walker.crawl.script.spec_loader import CrawlScript, spec_of_root

MOST_PAGES = 1000


def main() -> None:
    """Crawl each suite twice."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--driver", default="playwright", help="auto asks for fewer of the files that count here")
    given = parser.parse_args()
    for folder in given.folders:
        for press in (False, True):
            try:
                measure(folder.resolve(), press=press, driver=given.driver)
            except NoSuite as error:
                print_figure(str(folder.name), None, str(error), "to run", False)


def measure(folder: Path, *, press: bool, driver: str) -> None:
    """Crawl a suite once, and print its score and its misses."""
    with served(folder) as suite, TemporaryDirectory() as job:
        spec = spec_of_root(
            suite.home,
            driver=driver,
            press=press,
            sitemaps="robots",
            scope={"pages": MOST_PAGES},
            polite={"probe": False},
        )
        report = asyncio.run(crawl(CrawlScript(spec=spec), CrawlSettings(folder=Path(job))))
        reached = suite.reached()
    if report.cut:
        print(f"    {report.cut} pages cut: {dict(report.cuts)}")
    missed = [case for case in suite.cases if case not in reached]
    reasons = {case: why_left_alone(suite.name, case, press=press) for case in missed}
    defects = [case for case in missed if not reasons[case]]
    name = f"{suite.name}{', pressed' if press else ''}"
    print_figure(
        f"{name}: reached",
        len(reached),
        f"of {len(suite.cases)}, {report.pages} pages, {report.seconds:.0f} s",
        "",
        True,
    )
    print_figure(
        f"{name}: reached of what is no policy", len(reached), f"of {len(reached) + len(defects)}", "all", not defects
    )
    for case in missed:
        print(f"    {'policy' if reasons[case] else 'DEFECT'}  {re.sub('^/test/', '', case)}  {reasons[case]}")


if __name__ == "__main__":
    main()
