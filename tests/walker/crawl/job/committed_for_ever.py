"""Commits pages that lead to one another to a job, and tells each that is there; a process of its own, which is killed."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.walker.crawl.job.stored_pages import names, read
from walker.crawl.job.job_store import JobStore
from walker.crawl.job.shared.shared_job import SharedJob
from walker.crawl.job_records import CrawlItem

if __name__ == "__main__":
    folder, address = Path(sys.argv[1]), sys.argv[2]
    store = SharedJob(folder, address) if address else JobStore(folder)
    store.offer(names("0"))
    print("ready", flush=True)  # noqa: T201 - to who kills it
    while (lease := store.lease(now=0)) is not None:
        number = int(lease.url.rsplit("/", 1)[1])
        item = CrawlItem(identity=str(number), fields={})
        store.commit(lease, read(str(number)), links=names(str(number + 1)), items=[item])
        print(number, flush=True)  # noqa: T201
