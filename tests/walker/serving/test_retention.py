"""What is removed by age and by size, and what never is."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from walker.jobs.kept_jobs import JobProgress, JobRecord, Jobs
from walker.serving.retention import DAY, GIGABYTE, Retention, remove_old

MEGABYTE = 1 << 20


async def jobs_of(data: Path, sizes: Mapping[str, int]) -> tuple[Jobs, dict[str, JobRecord]]:
    """Jobs that have ended, one after the other, each with a run of a size; `held` runs on."""
    held = asyncio.Event()

    async def work(_name: str, given: Mapping[str, Any], progress: JobProgress) -> dict[str, Any]:
        run = data / "runs" / given["name"]
        run.mkdir(parents=True)
        (run / "log").write_bytes(b"x" * sizes[given["name"]])
        progress.began(run.name)
        if given["name"] == "held":
            await held.wait()
        return {}

    jobs = Jobs(data / "jobs", {"ask": work}, at_once=9, events=True)
    records = {}
    for name in sizes:
        running = jobs.start("ask", {"name": name})
        records[name] = await running.task if name != "held" else running.record
        await asyncio.sleep(0.002)
    return jobs, records


async def test_old_jobs_go_with_their_runs_but_no_pinned_and_no_running_ones(tmp_path: Path) -> None:
    jobs, records = await jobs_of(tmp_path, {"old": 10, "pinned": 10, "held": 10})
    jobs.pin(records["pinned"].id, is_pinned=True)
    later = records["old"].ended + 3 * DAY
    assert remove_old(jobs, tmp_path, Retention(days=4), later) == []
    assert remove_old(jobs, tmp_path, Retention(days=2), later) == [records["old"].id]
    assert sorted(path.name for path in (tmp_path / "runs").iterdir()) == ["held", "pinned"]
    assert sorted(jobs.names()) == sorted(records[name].id for name in ("pinned", "held"))
    await jobs.close()


async def test_the_size_is_what_the_files_take_of_the_disk(tmp_path: Path) -> None:
    """A recorded run has a hundred files of a few bytes."""
    jobs, records = await jobs_of(tmp_path, {"one": 10, "two": 10})
    for name in ("one", "two"):
        for number in range(100):
            (tmp_path / "runs" / name / f"{number}").write_bytes(b"x")
    taken = 512 * sum(path.stat().st_blocks for path in (tmp_path / "runs" / "one").iterdir())
    removed = remove_old(jobs, tmp_path, Retention(gigabytes=1.5 * taken / GIGABYTE), records["two"].ended)
    assert removed == [records["one"].id]


async def test_beyond_a_size_the_oldest_go_first(tmp_path: Path) -> None:
    jobs, records = await jobs_of(tmp_path, {"one": MEGABYTE, "two": MEGABYTE, "three": MEGABYTE})
    removed = remove_old(jobs, tmp_path, Retention(gigabytes=2.1 * MEGABYTE / GIGABYTE), records["three"].ended)
    assert removed == [records["one"].id]
    assert sorted(path.name for path in (tmp_path / "runs").iterdir()) == ["three", "two"]
