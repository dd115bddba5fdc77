"""The service over HTTP: jobs with real pages, their events, and what becomes of them when it is stopped."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
import pytest

from tests.sites.serving import Answer, Asked, LoopbackSite, serving
from tests.walker.serving.service_here import FLUME, ended, events, options, sent, served
from walker.demo.server import serve_institute
from walker.errors import UsageError

SECRET = "a-long-enough-secret"
pytestmark = pytest.mark.usefixtures("kept_chromium")
MUG = {"type": "object", "title": "flume", "properties": {"length": {"type": "string"}}, "required": ["length"]}


@pytest.fixture(scope="module")
def institute() -> Iterator[str]:
    with serve_institute() as root:
        yield root


async def test_a_question_becomes_a_job_with_events_a_run_and_a_picture(institute: str, tmp_path: Path) -> None:
    async with served(options(institute, tmp_path)) as client:
        begun = await sent(client, "ask", {"root": institute, "question": FLUME, "max_pages": 8})
        assert begun["state"] in ("queued", "running")
        told = await events(client, begun["id"])
        job = await ended(client, begun["id"])
        assert (job["state"], job["result"]["answer"]) == ("done", "1.8 m")
        assert [number for number, _, _ in told] == list(range(1, len(told) + 1))
        kinds = [kind for _, kind, _ in told]
        assert (kinds[0], kinds[1], kinds[-2], kinds[-1]) == ("job.started", "run.start", "run.end", "job.ended")
        assert (await events(client, begun["id"], after=told[4][0])) == told[5:]

        run = (await client.get(job["links"]["run"])).json()
        assert run["answer"] == "1.8 m"
        steps = (await client.get(f"{job['links']['run']}/steps")).json()["steps"]
        page = await client.get(f"{job['links']['run']}/pages/{steps[-1]['number']}")
        assert "Greatest depth of water" in page.text
        assert page.headers["content-security-policy"].startswith("default-src 'none'; sandbox")
        packed = zipfile.ZipFile(io.BytesIO((await client.get(job["links"]["zip"])).content))
        assert "run.json" in packed.namelist()
        assert (await client.get(f"{job['links']['run']}/pages/99")).status_code == 404
        assert job["run"] in (await client.get("/view/api/runs")).text
        listed = (await client.get("/v1/jobs", params={"state": "done"})).json()
        assert [one["id"] for one in listed["jobs"]] == [job["id"]]
        figures = (await client.get("/metrics")).text
        assert 'walker_jobs_total{kind="ask",result="done"} 1.0' in figures


async def test_what_is_sent_twice_under_a_key_is_one_job(institute: str, tmp_path: Path) -> None:
    body = {"root": institute, "question": FLUME, "max_pages": 8}
    async with served(options(institute, tmp_path)) as client:
        jobs = await asyncio.gather(*(sent(client, "ask", body, **{"Idempotency-Key": "one"}) for _ in range(3)))
        assert len({job["id"] for job in jobs}) == 1
        other = await client.post("/v1/asks", json=body | {"max_pages": 9}, headers={"Idempotency-Key": "one"})
        assert other.status_code == 409
        await ended(client, jobs[0]["id"])
        assert (await sent(client, "ask", body, **{"Idempotency-Key": "one"}))["state"] == "done"
        assert len((await client.get("/v1/jobs")).json()["jobs"]) == 1


async def test_a_paused_walk_goes_on_from_its_recording_and_tells_nothing_twice(institute: str, tmp_path: Path) -> None:
    async with served(options(institute, tmp_path)) as client:
        job = (await sent(client, "ask", {"root": institute, "question": FLUME, "max_pages": 8}))["id"]
        before = await events(client, job, most=4)  # the first page is open
        paused = (await client.post(f"/v1/jobs/{job}/pause")).json()
        assert paused["state"] == "paused"
        assert (await client.post(f"/v1/jobs/{job}/pause")).json() == paused
    async with served(options(institute, tmp_path)) as client:
        assert (await client.get(f"/v1/jobs/{job}")).json()["state"] == "paused", "a restart starts nothing paused"
        assert (await client.post(f"/v1/jobs/{job}/resume")).json()["state"] in ("queued", "running")
        later = await ended(client, job)
        assert later["result"]["answer"] == "1.8 m"
        told = await events(client, job)
        assert told[: len(before)] == before
        kinds = [kind for _, kind, _ in told]
        assert kinds.count("run.start") == kinds.count("run.end") == 1
        assert kinds.count("job.started") == 2
        assert "job.restarted" not in kinds
        assert len({data["url"] for _, kind, data in told if kind == "page.open"}) == kinds.count("page.open")
    assert len(list((tmp_path / "runs").glob("2*"))) == 1, "one run"


async def test_what_waits_is_cancelled_before_it_begins_and_a_full_queue_says_when_to_come_again(
    institute: str, tmp_path: Path
) -> None:
    limits = options(institute, tmp_path).limits
    given = options(institute, tmp_path, most_waiting=1, limits=type(limits)(at_once=1))
    async with served(given) as client:
        first, second = [(await sent(client, "crawl", {"start": [institute], "max_pages": 40}))["id"]], []
        await events(client, first[0], most=3)
        second.append((await sent(client, "crawl", {"start": [institute], "max_pages": 2}))["id"])
        refused = await client.post("/v1/crawls", json={"start": [institute]})
        assert refused.status_code == 429
        assert int(refused.headers["retry-after"]) > 0
        assert (await client.get("/readyz")).status_code == 503
        assert (await client.delete(f"/v1/jobs/{second[0]}")).json()["state"] == "cancelled"
        assert [kind for _, kind, _ in await events(client, second[0])] == ["job.ended"]
        stopped = (await client.delete(f"/v1/jobs/{first[0]}")).json()
        assert (await client.delete(f"/v1/jobs/{first[0]}")).json() == stopped
        assert stopped["state"] == "cancelled"
        fetched = (await client.get(stopped["links"]["pages"])).text.splitlines()
        assert 0 < len(fetched) < 40, "what it has fetched can be read"


async def test_a_crawl_in_the_words_of_scripts_and_a_schema(institute: str, tmp_path: Path) -> None:
    body = {
        "start": [institute],
        "scope": {"include": ["/people/**"], "pages": 6},
        "pages": [{"match": "/people/*", "items": [{"each": "main", "fields": {"name": {"select": "h1"}}}]}],
        "driver": "http",
    }
    flume = institute.replace("index.html", "lab/tidal-flume.html")
    async with served(options(institute, tmp_path)) as client:
        crawled = await ended(client, (await sent(client, "crawl", body))["id"])
        assert crawled["state"] == "done", crawled
        lines = (await client.get(crawled["links"]["items"])).text.splitlines()
        assert len(lines) == crawled["result"]["items"] > 0
        filled = await ended(client, (await sent(client, "extract", {"url": flume, "schema": MUG}))["id"])
        assert filled["result"]["data"] == {"length": "42 m"}


async def test_a_webhook_is_signed_tried_again_and_told_once(institute: str, tmp_path: Path) -> None:
    got: list[Asked] = []
    taken = asyncio.Event()
    loop = asyncio.get_running_loop()

    def receive(asked: Asked) -> Answer:
        got.append(asked)
        if len(got) == 2:
            loop.call_soon_threadsafe(taken.set)
        return Answer(status=503 if len(got) == 1 else 204)

    with serving(LoopbackSite(receive)) as site:
        given = options(institute, tmp_path, webhook_secret=SECRET)
        given = msgspec.structs.replace(given, allowed=(*given.allowed, urlsplit(site.home).netloc))
        body = {"start": [institute], "max_pages": 1, "driver": "http", "webhook": f"{site.home}hook"}
        async with served(given) as client:
            job = (await ended(client, (await sent(client, "crawl", body))["id"]))["id"]
            await asyncio.wait_for(taken.wait(), 30)
            await asyncio.sleep(0.2)  # it notes that it was taken
        assert (tmp_path / "jobs" / f"{job}.told").read_text() == "taken\n"
        async with served(given):
            pass
    assert [one.headers["webhook-id"] for one in got] == [job, job]
    signed = f"{job}.{got[-1].headers['webhook-timestamp']}.".encode() + got[-1].body
    expected = base64.b64encode(hmac.new(SECRET.encode(), signed, hashlib.sha256).digest()).decode()
    assert got[-1].headers["webhook-signature"] == f"v1,{expected}"
    assert json.loads(got[-1].body)["state"] == "done"


async def test_only_one_service_works_in_a_folder(institute: str, tmp_path: Path) -> None:
    async with served(options(institute, tmp_path)):
        with pytest.raises(UsageError, match="another service"):
            async with served(options(institute, tmp_path)):
                pass
