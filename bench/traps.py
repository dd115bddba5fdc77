"""Prints what each trap of tests/sites/traps costs before it is cut, in both orders, and how many real pages are lost; and the same
of long lists, a long book, and the documentation of Python and SQLite, of which nothing may be cut.

The crawl is tests/walker/crawl/simulated_crawl.py: the rule alone, without an engine and a network.
usage: python bench/traps.py [--only calendar,mirror]
"""

from __future__ import annotations

import argparse
import sys
import urllib.parse
from collections.abc import Callable
from pathlib import Path
from typing import Literal

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))
from figures import print_figure

from tests.sites.traps import TRAPS, Shape, serve_traps
from tests.walker.crawl.simulated_crawl import SimulatedCrawl

Order = Literal["depth-first", "breadth-first"]
ORDERS: tuple[Order, ...] = ("depth-first", "breadth-first")
MOST = 6000
WASTE = 500
"""Requests that a trap may cost."""
DOCS = {"Python": Path("/usr/share/doc/python3.11/html"), "SQLite": Path("/usr/share/doc/sqlite3")}


def main() -> None:
    """Each trap alone, all of them, and what must not be cut."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default=",".join(TRAPS))
    names = [name for name in parser.parse_args().only.split(",") if name]
    for order in ORDERS:
        for name in names:
            wasted, lost = crawl_traps((name,), order)
            print_figure(f"{name}, {order}: requests wasted", wasted, "requests", f"<= {WASTE}", wasted <= WASTE)
            print_figure(f"{name}, {order}: real pages lost", lost, "of 120", "0", lost == 0)
        wasted, lost = crawl_traps(tuple(names), order)
        print_figure(
            f"all traps, {order}: requests wasted", wasted, "requests", f"<= {WASTE * len(names)}", wasted < MOST
        )
        print_figure(f"all traps, {order}: real pages lost", lost, "of 120", "0", lost == 0)
        shape = Shape(categories=1, pages=200, per_page=2, chapters=300, next_first=order == "depth-first")
        wasted, lost = crawl_traps(("calendar", "repeats_last"), order, shape)
        print_figure(f"200 list pages and 300 chapters, {order}: real pages lost", lost, "of 905", "0", lost == 0)
        for name, folder in DOCS.items():
            if folder.is_dir():
                crawl = SimulatedCrawl("http://docs.example/index.html", order, fetch=reader_of(folder))
                crawl.run()
                figure = f"documentation of {name}, {order}: branches cut"
                print_figure(
                    figure,
                    len(crawl.cuts),
                    f"of {len(crawl.branches)}, {len(crawl.fetched())} pages",
                    "0",
                    not crawl.cuts,
                )


def crawl_traps(names: tuple[str, ...], order: Order, shape: Shape | None = None) -> tuple[int, int]:
    """Requests for anything but real pages, and real pages that were not fetched."""
    with serve_traps(shape or Shape(), names) as site:
        crawl = SimulatedCrawl(site.address + "/", order, fetch=site.fetch, most=MOST)
        crawl.run()
        lost = {site.address + path for path in site.truth().pages} - set(crawl.fetched())
        return site.counts().total() - site.counts()["real"], len(lost)


def reader_of(folder: Path) -> Callable[[str], tuple[int, str, bytes]]:
    """Pages of a folder as if a server sent them."""

    def fetch(url: str) -> tuple[int, str, bytes]:
        path = folder / urllib.parse.unquote(url.split("/", 3)[3].partition("?")[0])
        if path.suffix != ".html" or not path.is_file():
            return 404, url, b"<h1>Not found</h1>"
        return 200, url, path.read_bytes()

    return fetch


if __name__ == "__main__":
    main()
