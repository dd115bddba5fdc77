"""Prints what it costs to read a page and to score it, on pages of about 200 KB of the Python documentation."""

from __future__ import annotations

import statistics
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from figures import best_seconds, print_figure
from testbeds import PAGES, serve_or_skip

from perception.document.reading import observe
from perception.snapshot import Snapshot
from perception.understanding import understand

SIZE = (180_000, 220_000)
ROUNDS = 7


def main() -> None:
    """Median over pages of the best of several rounds each."""
    serve_or_skip()
    pages = [path for path in sorted(PAGES["python"].rglob("*.html")) if SIZE[0] <= path.stat().st_size <= SIZE[1]][:12]
    reading, scoring = [], []
    for path in pages:
        url = f"http://127.0.0.1/{path.name}"
        html = path.read_text(encoding="utf-8", errors="replace")
        snapshot = Snapshot(url=url, final_url=url, status=200, html=html)
        observation = observe(snapshot)
        reading.append(best_seconds(lambda snapshot=snapshot: observe(snapshot), ROUNDS))  # type: ignore[misc]
        scoring.append(best_seconds(lambda observation=observation: understand(observation, 0.5), ROUNDS))  # type: ignore[misc]
    milliseconds = round(1000 * statistics.median(reading), 1)
    print_figure("observation of a 200 KB page, median", milliseconds, "ms", "<= 15", milliseconds <= 15)
    milliseconds = round(1000 * statistics.median(scoring), 3)
    print_figure("understanding score, median", milliseconds, "ms", "<= 2", milliseconds <= 2)


if __name__ == "__main__":
    main()
