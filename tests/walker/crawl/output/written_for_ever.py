"""Writes records to an address again and again, and tells each version that is there; a process of its own, which is killed."""

from __future__ import annotations

import sys

from walker.crawl.output.records import write_records
from walker.crawl.script.destination import destination_of

if __name__ == "__main__":
    to = destination_of(sys.argv[1])
    for version in range(1, 10**9):
        rows = 500 + version % 3 * 200
        write_records(to, ({"n": n, "version": version, "text": "x" * 300} for n in range(rows)))
        print(version, flush=True)  # noqa: T201 - to who kills it
