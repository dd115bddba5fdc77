"""A service within this process, on loopback, and a client of it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
import msgspec

from walker.jobs.http_address import HttpAddress
from walker.serving.served import ServiceOptions
from walker.serving.server import serve
from walker.settings import Settings

ENDED = ("done", "failed", "cancelled")
FLUME = "What is the greatest depth of water in the tidal flume?"


def options(root: str, data: Path, **more: Any) -> ServiceOptions:
    return ServiceOptions(
        settings=Settings(runs_folder=data / "runs"), data=data, allowed=(urlsplit(root).netloc,), **more
    )


@contextlib.asynccontextmanager
async def served(given: ServiceOptions, token: str = "") -> AsyncIterator[httpx2.AsyncClient]:
    """A client of a service that ends with the block."""
    ready: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    server = asyncio.create_task(serve(given, HttpAddress(host="127.0.0.1", port=0, token=token), ready.set_result))
    waiting: set[asyncio.Future[Any]] = {ready, server}
    await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    if server.done():
        server.result()
    address = ready.result()
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    try:
        async with httpx2.AsyncClient(base_url=address, timeout=60, headers=headers) as client:
            yield client
    finally:
        server.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await server


async def sent(client: httpx2.AsyncClient, kind: str, body: Mapping[str, Any], **headers: str) -> dict[str, Any]:
    """The job that a request became."""
    answer = await client.post(f"/v1/{kind}s", json=dict(body), headers=headers)
    assert answer.status_code == 202, answer.text
    job: dict[str, Any] = answer.json()
    assert answer.headers["location"] == job["links"]["self"]
    return job


async def ended(client: httpx2.AsyncClient, job: str) -> dict[str, Any]:
    """A job once it has ended."""
    await events(client, job)
    found: dict[str, Any] = (await client.get(f"/v1/jobs/{job}")).json()
    assert found["state"] in ENDED, found
    return found


async def events(
    client: httpx2.AsyncClient, job: str, after: int = 0, most: int = 10_000
) -> list[tuple[int, str, Any]]:
    """Id, kind and data of the events of a job: all to its end, or so many."""
    found: list[tuple[int, str, Any]] = []
    fields: dict[str, str] = {}
    async with client.stream("GET", f"/v1/jobs/{job}/events", headers={"Last-Event-ID": str(after)}) as answer:
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/event-stream")
        async for line in answer.aiter_lines():
            if line and not line.startswith(":"):
                name, _, value = line.partition(": ")
                fields[name] = value
            elif fields:
                found.append((int(fields["id"]), fields["event"], msgspec.json.decode(fields["data"])["data"]))
                fields = {}
                if len(found) == most:
                    break
    return found
