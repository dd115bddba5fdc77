"""Sends many small jobs to a service, of all kinds, on the bundled site, kills it once in between, and looks whether its memory stays
flat and its processes end. With --schemathesis PROGRAM that program then tries its OpenAPI (pip install schemathesis, in another
environment: it brings much).

usage: python bench/service_soak.py [--jobs 2000] [--at-once 4] [--schemathesis schemathesis]
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
import psutil

sys.path.insert(0, str(Path(__file__).parents[1]))
from figures import print_figure

from walker.demo.server import serve_institute

FLUME = "What is the greatest depth of water in the tidal flume?"
SCHEMA = {"type": "object", "properties": {"length": {"type": "string"}, "width": {"type": "string"}}}
EARLY = 200
"""Job from which memory is compared: before that, models are loaded and caches filled."""
SAMPLES = 40
"""Jobs before a mark whose memory is averaged: a browser has more pages open at one time than at another."""
ENDED = ("done", "failed", "cancelled")


class Service:
    """A process of `walker serve`, which can be killed and started again."""

    def __init__(self, data: Path, root: str, at_once: int) -> None:
        self._arguments = [
            *("serve", "--port", "0", "--data", str(data), "--allow", urlsplit(root).netloc, "--no-pictures"),
            *("--at-once", str(at_once), "--queue", "100000", "--keep-gigabytes", "5"),
        ]
        self.url = ""
        self._process: subprocess.Popen[str]

    def start(self) -> None:
        command = [sys.executable, "-m", "walker", *self._arguments]
        self._process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        assert self._process.stderr is not None
        line = self._process.stderr.readline()
        if "serving at" not in line:
            raise SystemExit(line)
        self.url = line.split()[-1]

    def stop(self, number: int) -> int:
        """End it by a signal; how many of its processes are there 15 s later."""
        below = psutil.Process(self._process.pid).children(recursive=True)
        os.kill(self._process.pid, number)
        self._process.wait(30)
        _, left = psutil.wait_procs(below, timeout=15)
        return len([one for one in left if one.is_running() and one.status() != psutil.STATUS_ZOMBIE])

    def end(self) -> None:
        """Kill it, if it is there still."""
        if self._process.poll() is None:
            self.stop(signal.SIGKILL)


async def soak(service: Service, root: str, jobs: int) -> None:
    """Send jobs, two for each that can run, and weigh the service after each."""
    weights: list[tuple[float, float]] = []
    results: dict[str, int] = {}
    orphans, is_killed = 0, False
    service.start()
    names: list[str] = []
    waiting: set[str] = set()
    started = time.monotonic()
    while len(weights) < jobs:
        async with httpx2.AsyncClient(base_url=service.url, timeout=60) as client:
            while len(weights) < jobs:
                while len(waiting) < 8 and len(names) < jobs:
                    path, body = _request(root, len(names))
                    answer = await client.post(path, json=body, headers={"Idempotency-Key": f"soak {len(names)}"})
                    assert answer.status_code == 202, answer.text
                    names.append(answer.json()["id"])
                    waiting.add(names[-1])
                await asyncio.sleep(0.1)
                weight = await _weight(client)
                for name in sorted(waiting):
                    job = (await client.get(f"/v1/jobs/{name}")).json()
                    if job["state"] in ENDED:
                        waiting.discard(name)
                        results[job["state"]] = results.get(job["state"], 0) + 1
                        weights.append(weight)
                        if len(weights) % 100 == 0:
                            told = f"{len(weights)} jobs, {time.monotonic() - started:.0f} s, MB {weight}, {results}"
                            print(told, file=sys.stderr, flush=True)
                if not is_killed and len(weights) >= min(EARLY, jobs) // 4:
                    is_killed, orphans = True, service.stop(signal.SIGKILL)
                    break
        if len(weights) < jobs:
            service.start()
    listed = await _listed(service.url)
    orphans += service.stop(signal.SIGTERM)
    _print(jobs, weights, results, {"orphans": orphans, "listed": listed})


def _request(root: str, number: int) -> tuple[str, dict[str, Any]]:
    flume = root.replace("index.html", "lab/tidal-flume.html")
    match number % 3:
        case 0:
            return "/v1/asks", {"root": root, "question": FLUME, "max_pages": 4}
        case 1:
            return "/v1/extracts", {"url": flume, "schema": SCHEMA}
        case _:
            return "/v1/crawls", {"start": [root], "max_pages": 3}


async def _weight(client: httpx2.AsyncClient) -> tuple[float, float]:
    """Megabytes of the service, and of its browsers."""
    answer = await client.get("/metrics")
    assert answer.status_code == 200, answer.text
    text = answer.text
    found = {name: float(value) for name, value in re.findall(r"^(\w+) ([\d.e+]+)$", text, re.MULTILINE)}
    return found["walker_memory_bytes"] / 1e6, found["walker_browser_memory_bytes"] / 1e6


async def _listed(url: str) -> int:
    async with httpx2.AsyncClient(base_url=url, timeout=60) as client:
        found, after = 0, ""
        while True:
            page = (await client.get("/v1/jobs", params={"limit": 200, "after": after})).json()
            found += len(page["jobs"])
            if page["next"] is None:
                return found
            after = page["next"]


def _print(jobs: int, weights: list[tuple[float, float]], results: dict[str, int], ended: dict[str, int]) -> None:
    early = min(EARLY, jobs // 2)
    before, after = (
        [statistics.median(one[part] for one in weights[place - min(SAMPLES, early) : place]) for part in (0, 1)]
        for place in (early, jobs)
    )
    growth = sum(after) / sum(before) - 1
    print_figure("service: jobs done", results.get("done", 0), f"of {jobs}", "all", results == {"done": jobs})
    print_figure(
        "service: jobs listed after a kill", ended["listed"], f"of {jobs}", "each once", ended["listed"] == jobs
    )
    for name, place in (("service", 0), ("browsers", 1)):
        told = f"{before[place]:.0f} -> {after[place]:.0f}"
        print_figure(f"service: memory of the {name}, job {early} and {jobs}", told, "MB", "told", ok=True)
    print_figure("service: growth of memory", round(growth * 100, 1), "%", "<= 10", growth <= 0.1)
    print_figure("service: processes left behind", ended["orphans"], "", "0", ended["orphans"] == 0)


def explore(program: str, data: Path, root: str) -> None:
    """Have schemathesis try the OpenAPI, on a job that has ended and on what it invents."""
    service = Service(data / "data", root, 1)
    service.start()
    job = asyncio.run(_one_job(service.url, root))
    # DELETE ends a job, whose result is kept: that it can be read afterwards is what it is for.
    told = "[checks]\nuse_after_free.enabled = false\n"
    told += f'[parameters]\njob = "{job["id"]}"\nrun = "{job["run"]}"\nnumber = 1\n'
    (data / "schemathesis.toml").write_text(told, encoding="utf-8")
    command = [program, "run", f"{service.url}/openapi.json", "--exclude-path-regex", "events", "--no-color"]
    ended = subprocess.run([*command, "--max-examples", "20", "--request-timeout", "10"], cwd=data, check=False)
    service.end()
    print_figure("service: schemathesis", ended.returncode, "exit code", "0", ended.returncode == 0)


async def _one_job(url: str, root: str) -> dict[str, Any]:
    """A question that has ended."""
    path, body = _request(root, 0)
    async with httpx2.AsyncClient(base_url=url, timeout=60) as client:
        job: dict[str, Any] = (await client.post(path, json=body)).json()
        while job["state"] not in ENDED:
            await asyncio.sleep(0.2)
            job = (await client.get(job["links"]["self"])).json()
    return job


def main() -> None:
    """Soak, then the OpenAPI where that is asked for."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--jobs", type=int, default=2000)
    parser.add_argument("--at-once", type=int, default=4)
    parser.add_argument("--schemathesis", default="")
    given = parser.parse_args()
    with serve_institute() as root, tempfile.TemporaryDirectory() as folder:
        service = Service(Path(folder) / "soak", root, given.at_once)
        try:
            asyncio.run(soak(service, root, given.jobs))
        finally:
            service.end()
        if given.schemathesis:
            (Path(folder) / "explored").mkdir()
            explore(given.schemathesis, Path(folder) / "explored", root)


if __name__ == "__main__":
    main()
