"""Work that outlasts its call: files, locks, turns."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from walker.errors import RootUnreachable, UsageError
from walker.jobs.kept_jobs import JobProgress, JobRecord, Jobs, RunningJob


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


class Gate:
    """Work that waits until it is let through."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.entered = asyncio.Event()
        self.opened = asyncio.Event()

    async def work(self, name: str, given: Mapping[str, Any], progress: JobProgress) -> dict[str, Any]:
        self.begun.append(name)
        self.entered.set()
        progress.page("http://one.example/")
        await self.opened.wait()
        return {"said": given["word"]}


async def test_a_result_is_there_for_another_server(tmp_path: Path) -> None:
    gate = Gate()
    jobs = Jobs(tmp_path, {"ask": gate.work}, at_once=2)
    running = jobs.start("ask", {"word": "yes"})
    gate.opened.set()
    assert (await running.task).state == "done"
    found = Jobs(tmp_path, {}, at_once=1).find(running.record.id)
    assert isinstance(found, JobRecord)
    assert (found.state, found.result) == ("done", {"said": "yes"})


async def test_what_was_interrupted_goes_on_in_another_server_once(tmp_path: Path) -> None:
    gate = Gate()
    first, second = (Jobs(tmp_path, {"ask": gate.work}, at_once=2) for _ in range(2))
    name = first.start("ask", {"word": "yes"}).record.id
    await gate.entered.wait()
    other = second.find(name)
    assert isinstance(other, JobRecord)
    assert other.state == "running", "another server works on it"
    await first.close()
    cut = second.find(name)
    assert isinstance(cut, JobRecord)
    assert cut.state == "interrupted"
    again = second.go_on(cut)
    gate.opened.set()
    assert (await again.task).result == {"said": "yes"}
    assert gate.begun == [name, name]
    assert names_in(tmp_path) == [f"{name}.json"]


async def test_so_many_run_at_once_and_no_more(tmp_path: Path) -> None:
    gate = Gate()
    jobs = Jobs(tmp_path, {"ask": gate.work}, at_once=2)
    started = [jobs.start("ask", {"word": str(number)}) for number in range(3)]
    await asyncio.sleep(0.1)
    assert len(gate.begun) == 2
    gate.opened.set()
    assert [(await one.task).result["said"] for one in started] == ["0", "1", "2"]


async def test_a_failure_is_kept_in_one_line(tmp_path: Path) -> None:
    async def fail(_name: str, _given: Mapping[str, Any], _progress: JobProgress) -> dict[str, Any]:
        raise RootUnreachable("nobody listens", where="http://one.example/", advice="Check it")

    jobs = Jobs(tmp_path, {"ask": fail}, at_once=1)
    running = jobs.start("ask", {})
    assert (await running.task).error == "http://one.example/: nobody listens. Check it"
    found = jobs.find(running.record.id)
    assert not isinstance(found, RunningJob)
    assert found.state == "failed"


def test_an_id_is_no_path(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("{}")
    jobs = Jobs(tmp_path / "jobs", {}, at_once=1)
    for name in ("../x", "x", "ask-" + "0" * 12, ""):
        with pytest.raises(UsageError):
            jobs.find(name)


SO_FAR = {"answered": False, "nearest": "at least 3", "partial": True}


async def found_until_stopped(name: str, given: Mapping[str, Any], progress: JobProgress) -> dict[str, Any]:
    """Work that has found something when it is stopped, or fails."""
    try:
        await asyncio.sleep(0 if given["fails"] else 60)
    finally:
        progress.so_far = SO_FAR
    raise RootUnreachable("took longer than 60 s, and was ended")


@pytest.mark.parametrize("state", ["paused", "cancelled"])
async def test_work_that_is_stopped_keeps_what_it_had_found(tmp_path: Path, state: str) -> None:
    jobs = Jobs(tmp_path, {"ask": found_until_stopped}, at_once=1)
    name = jobs.start("ask", {"fails": False}).record.id
    for _ in range(10):  # until it has begun
        await asyncio.sleep(0)
    assert jobs.running[name].is_begun
    record = await (jobs.pause(name) if state == "paused" else jobs.cancel(name))
    assert (record.state, record.result) == (state, SO_FAR)
    there = Jobs(tmp_path, {}, at_once=1).record_of(name)
    assert (there.state, there.result) == (state, SO_FAR)
    if state == "paused":  # and cancelled after all, before it goes on
        assert (await jobs.cancel(name)).result == SO_FAR


async def test_work_that_fails_keeps_what_it_had_found(tmp_path: Path) -> None:
    jobs = Jobs(tmp_path, {"ask": found_until_stopped}, at_once=1)
    record = await jobs.start("ask", {"fails": True}).task
    assert (record.state, record.result) == ("failed", SO_FAR)
    assert "took longer" in record.error


def test_a_page_of_hits_is_no_page_of_the_site() -> None:
    progress = JobProgress()
    progress.page("http://reef.example/")
    progress.page("https://library.invalid/search?q=reef")
    assert (progress.pages, progress.last) == (1, "http://reef.example/")
