"""Prints what it costs to read a page for a crawl, on pages of about 100 KB of the Python documentation."""

from __future__ import annotations

import statistics
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from figures import best_seconds, print_figure

from perception.document.dom import parse_page
from perception.snapshot import Snapshot
from walker.crawl.pages.page_reading import read_crawl_page
from walker.crawl.script.spec import CrawlSpec

PAGES = Path("/usr/share/doc/python3.11/html")
SIZE = (90_000, 110_000)
ROUNDS = 15


def main() -> None:
    """Median over pages of the best of several rounds, in processor time."""
    paths = [path for path in sorted(PAGES.rglob("*.html")) if SIZE[0] <= path.stat().st_size <= SIZE[1]][:16]
    if not paths:
        sys.stderr.write("skipped: the pages are not there (apt-get install python3-doc)\n")
        return
    plain = CrawlSpec(start=("http://docs.example/",))
    markdown = CrawlSpec(start=("http://docs.example/",), keep=("markdown",))
    reading, parsing, writing = [], [], []
    for path in paths:
        html = path.read_text(encoding="utf-8", errors="replace")
        url = f"http://docs.example/library/{path.name}"
        snapshot = Snapshot(url=url, final_url=url, status=200, html=html)
        reading.append(best_seconds(lambda snapshot=snapshot: read_crawl_page(snapshot, plain, ()), ROUNDS))  # type: ignore[misc]
        parsing.append(best_seconds(lambda html=html: parse_page(html), ROUNDS))  # type: ignore[misc]
        writing.append(best_seconds(lambda snapshot=snapshot: read_crawl_page(snapshot, markdown, ()), 2))  # type: ignore[misc]
    took = round(1000 * statistics.median(reading), 2)
    print_figure("reading a 100 KB page, median", took, "ms", "<= 6", took <= 6)
    parsed = round(1000 * statistics.median(parsing), 2)
    print_figure("of it parsing, median", parsed, "ms", "no more than that", parsed <= took)
    took = round(1000 * statistics.median(writing), 1)
    print_figure("reading with Markdown, median", took, "ms", "<= 150", took <= 150)


if __name__ == "__main__":
    main()
