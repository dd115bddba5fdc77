"""A job that is stopped tells its caller what was found so far; one that goes on after a pause ends as it would have."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sites.held import HeldSite, serve_held
from tests.walker.cli.test_stopped_question import PAGES, QUESTION, SO_FAR
from tests.walker.serving.service_here import ended, events, options, sent, served

pytestmark = pytest.mark.usefixtures("kept_chromium")


@pytest.fixture
def site() -> Iterator[HeldSite]:
    with serve_held(PAGES, "/?page=2") as held:
        yield held


async def test_a_paused_and_a_cancelled_job_tell_what_they_had_found(site: HeldSite, tmp_path: Path) -> None:
    async with served(options(site.home, tmp_path)) as client:
        job = (await sent(client, "ask", {"root": site.home, "question": QUESTION, "max_pages": 8}))["id"]
        assert await asyncio.to_thread(site.holds.wait, 120)
        paused = (await client.post(f"/v1/jobs/{job}/pause")).json()
        assert (paused["state"], paused["result"]["nearest"]) == ("paused", SO_FAR)
        told = paused["result"]
        assert (told["partial"], told["answered"], told["answer"], told["stop_reason"]) == (True, False, "", "stopped")
        assert [one["url"] for one in told["citations"]] == [site.home]
        stopped = (await client.delete(f"/v1/jobs/{job}")).json()
        assert (stopped["state"], stopped["result"]) == ("cancelled", told)
        kinds = [kind for _, kind, _ in await events(client, job)]
        assert kinds[-4:] == ["run.stopped", "error", "job.paused", "job.ended"]


async def test_a_paused_job_that_goes_on_loses_no_event(site: HeldSite, tmp_path: Path) -> None:
    async with served(options(site.home, tmp_path)) as client:
        job = (await sent(client, "ask", {"root": site.home, "question": QUESTION, "max_pages": 8}))["id"]
        assert await asyncio.to_thread(site.holds.wait, 120)
        await client.post(f"/v1/jobs/{job}/pause")
        site.let_go()
        running = (await client.post(f"/v1/jobs/{job}/resume")).json()
        assert running["result"] is None
        last = await ended(client, job)
        assert last["result"]["answer"].startswith("5 (RV Mantis")
        assert (last["result"]["answered"], last["result"]["partial"]) == (True, False)
        opened = [data["url"] for _, kind, data in await events(client, job) if kind == "page.open"]
        assert opened == [site.home, f"{site.home}?page=2"]


async def test_a_job_that_went_on_and_was_stopped_names_its_run(site: HeldSite, tmp_path: Path) -> None:
    async with served(options(site.home, tmp_path)) as client:
        job = (await sent(client, "ask", {"root": site.home, "question": QUESTION, "max_pages": 8}))["id"]
        assert await asyncio.to_thread(site.holds.wait, 120)
        run = (await client.post(f"/v1/jobs/{job}/pause")).json()["result"]["run"]
        site.holds.clear()
        await client.post(f"/v1/jobs/{job}/resume")
        assert await asyncio.to_thread(site.holds.wait, 120)
        stopped = (await client.delete(f"/v1/jobs/{job}")).json()
    assert run
    assert (stopped["result"]["run"], stopped["result"]["nearest"]) == (run, SO_FAR)
