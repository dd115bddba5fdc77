"""A model that takes minutes over a request: the time of a walk, or a person, ends it all the same, with what was found until then."""

from __future__ import annotations

import asyncio
import importlib
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.sites.endpoint_in_a_thread import served
from tests.sites.pages_on_loopback import serve
from tests.walker.cli.program import walker_here
from tests.walker.cli.test_ask_with_a_vision_model import PAGES as CURVES
from tests.walker.cli.test_ask_with_a_vision_model import QUESTION as CURVE
from tests.walker.mcp.serving import called, connected
from tests.walker.serving import service_here
from traces.events import WalkEnded
from traces.reading.reader import read_run
from walker import ask
from walker.jobs.server_limits import ServerLimits
from walker.settings import ModelSettings, Settings
from walker.testing.chat_server import Asked, Endpoint, Reply

QUESTION = "How long is the research vessel Mantis?"
QUOTE = "The research vessel Mantis was launched in 1997 and is 18.4 metres long."
PAGES: dict[str, str | bytes] = {
    "/": (
        "<html lang=en><title>Station</title><h1>Marine station</h1><p>The station has stood on the shore since 1931, and it has three"
        " boats, a library and a small museum that is open to visitors in summer.</p><a href='/boats'>Boats</a>"
        "<a href='/people'>People</a>"
    ),
    "/boats": f"<html lang=en><title>Boats</title><h1>Boats</h1><p>{QUOTE} It has room for twelve people and a laboratory.</p>"
    "<dl><dt>Length</dt><dd>18.4 m</dd><dt>Crew</dt><dd>3</dd></dl>",
    "/people": "<html lang=en><title>People</title><h1>People</h1><p>Twelve people work here the whole year round.</p>",
}
SECONDS = "4"
ENOUGH = 40.0
"""Seconds after which the model has held the walk up, on a machine that does much besides."""
Slow = Callable[[Asked], Reply | None]


def silent(asked: Asked) -> Reply:
    """Never a word."""
    return Reply(hang=True)


def trickling(asked: Asked) -> Reply:
    """Two pieces of a reply, and then no more."""
    return Reply(text='{"relevance": 40, "findings": [', hang_after=2)


def whole_only(asked: Asked) -> Reply:
    """No streams, and never a word otherwise."""
    return Reply(raw=b'{"choices": []}') if asked.body.get("stream") else Reply(hang=True)


def slow_at(schema: str, slow: Callable[[Asked], Reply]) -> Callable[[Asked], Reply]:
    """Answers all but the requests of one kind at once."""

    def script(asked: Asked) -> Reply:
        if asked.schema_name == schema:
            return slow(asked)
        found = [{"answer": "18.4 metres", "quote": QUOTE, "confidence": 90}] if QUOTE in asked.prompt else []
        said: dict[str, Any] = {
            "critic_find": {"relevance": 40 if found else 10, "findings": found, "list": 0},
            "critic_judge": {"sufficient": False, "answer": "As long as a whale.", "confidence": 20},
            "explorer": {"action": "follow", "number": 1},
        }
        return Reply(text=json.dumps(said[asked.schema_name]))

    return script


@pytest.fixture(scope="module", autouse=True)
def warm(tmp_path_factory: pytest.TempPathFactory) -> None:
    """The browser runs and the client of models is loaded, so that the seconds are the model's."""
    importlib.import_module("openai")
    with serve(PAGES) as root:
        walker_here("look", root, folder=tmp_path_factory.mktemp("warm"))


def left(endpoint: Endpoint) -> int:
    """How many requests the client has dropped, once the server has noticed."""
    end = time.monotonic() + 10
    while not endpoint.cancelled and time.monotonic() < end:
        time.sleep(0.05)
    return endpoint.cancelled


@pytest.fixture
def station() -> Iterator[str]:
    with serve(PAGES) as root:
        yield root


def asked_slowly(root: str, folder: Path, script: Callable[[Asked], Reply], *flags: str) -> dict[str, Any]:
    """The outcome of a question that ends by its time."""
    with served(Endpoint(script)) as endpoint:
        model = ("--model", "test-model", "--base-url", endpoint.base_url, "--analysis", "rules")
        began = time.monotonic()
        ended = walker_here(
            "ask", root, QUESTION, *model, *flags, "--max-seconds", SECONDS, "--json", "-q", folder=folder
        )
        assert time.monotonic() - began < ENOUGH
        assert left(endpoint) >= 1, "the call was cut off, so that it costs nothing further"
    assert ended.code == 3, ended.err
    told: dict[str, Any] = json.loads(ended.out)
    assert (told["stop_reason"], told["partial"], told["answered"]) == ("budget", True, False)
    return told


@pytest.mark.parametrize("slow", [silent, trickling, whole_only])
@pytest.mark.parametrize(
    ("schema", "flags"),
    [("step", ()), ("critic_find", ("--one-by-one",)), ("explorer", ("--order", "side-by-side"))],
    ids=["one call", "critic", "explorer"],
)
def test_the_time_of_a_walk_ends_it_in_the_middle_of_a_call(
    station: str, tmp_path: Path, schema: str, flags: tuple[str, ...], slow: Callable[[Asked], Reply]
) -> None:
    told = asked_slowly(station, tmp_path, slow_at(schema, slow), *flags)
    assert told["usage"]["prompt_tokens"] > 100, "what it cost until then is counted"
    assert isinstance(read_run(tmp_path / told["trace"]).events[-1], WalkEnded)
    for more in ((), ("--deep",)):
        replayed = walker_here("replay", told["trace"], *more, "--json", folder=tmp_path)
        assert replayed.code == 0, replayed.err


def test_what_nobody_had_time_to_judge_is_told_by_its_quote(station: str, tmp_path: Path) -> None:
    told = asked_slowly(f"{station}/boats", tmp_path, slow_at("critic_judge", silent), "--one-by-one")
    assert told["nearest"] == QUOTE
    assert [one["quote"] for one in told["citations"]] == [QUOTE]


def test_a_picture_that_nobody_has_time_to_look_at_is_left(tmp_path: Path) -> None:
    with serve(CURVES) as root, served(Endpoint(silent, models=("qwen3-vl-8b",))) as endpoint:
        flags = ("--vision-model", "qwen3-vl-8b", "--vision-url", endpoint.base_url, "--max-seconds", SECONDS, "--json")
        began = time.monotonic()
        ended = walker_here("ask", root, CURVE, *flags, "-q", folder=tmp_path)
        assert time.monotonic() - began < ENOUGH
        assert left(endpoint) == 1
    assert ended.code == 3, ended.err
    told = json.loads(ended.out)
    for more in ((), ("--deep",)):
        assert walker_here("replay", told["trace"], *more, folder=tmp_path).code == 0


def test_an_extraction_keeps_what_code_has_filled_in(station: str, tmp_path: Path) -> None:
    schema = {"type": "object", "properties": {"length": {"type": "string"}, "draught": {"type": "string"}}}
    schema |= {"required": ["draught"]}
    (tmp_path / "boat.json").write_text(json.dumps(schema), encoding="utf-8")
    with served(Endpoint(silent)) as endpoint:
        model = ("--model", "test-model", "--base-url", endpoint.base_url, "--max-seconds", SECONDS)
        ended = walker_here(
            "extract", f"{station}/boats", "--schema", "boat.json", *model, "--json", "-q", folder=tmp_path
        )
        assert left(endpoint) == 1
    told = json.loads(ended.out)
    assert (ended.code, told["stop_reason"], told["partial"]) == (3, "budget", True)
    assert "18.4" in told["nearest"]


@pytest.mark.parametrize("workflow", ["direct", "retrieval", "agentic"])
def test_other_workflows_end_too(station: str, tmp_path: Path, workflow: str) -> None:
    told = asked_slowly(station, tmp_path, silent, "--workflow", workflow, "--scout-pages", "3")
    assert told["nearest"] == ""


async def until(endpoint: Endpoint, requests: int) -> None:
    while len(endpoint.asked) < requests:  # noqa: ASYNC110 - it is in another thread
        await asyncio.sleep(0.02)


@pytest.mark.usefixtures("kept_chromium")
async def test_a_program_that_cancels_is_free_at_once(station: str, tmp_path: Path) -> None:
    async with Endpoint(silent) as endpoint:
        settings = Settings(runs_folder=tmp_path, model=slow_model(endpoint))
        asking = asyncio.create_task(ask(station, QUESTION, settings=settings))
        await until(endpoint, 1)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(asking, 10)
        await asyncio.sleep(0.1)
        assert endpoint.cancelled == 1
        outcome = await ask(station, QUESTION, settings=settings, max_seconds=1)
    assert (outcome.stop_reason, outcome.partial) == ("budget", True)


@pytest.mark.usefixtures("kept_chromium")
async def test_a_job_of_agents_and_of_the_service_is_cancelled_in_the_middle_of_a_call(
    station: str, tmp_path: Path
) -> None:
    async with Endpoint(silent) as endpoint:
        settings = Settings(runs_folder=tmp_path / "runs", model=slow_model(endpoint))
        quick = ServerLimits(wait_seconds=0.1)
        async with connected(f"{station}/", tmp_path / "mcp", quick, settings=settings) as client:
            job = (await called(client, "ask", root=station, question=QUESTION))["job"]
            await until(endpoint, 1)
            assert (await called(client, "job", id=job, cancel=True))["state"] == "cancelled"
        given = msgspec.structs.replace(service_here.options(f"{station}/", tmp_path / "service"), settings=settings)
        async with service_here.served(given) as service:
            job = (await service_here.sent(service, "ask", {"root": station, "question": QUESTION}))["id"]
            await until(endpoint, 2)
            stopped = (await service.delete(f"/v1/jobs/{job}")).json()
            assert (stopped["state"], stopped["result"]["stop_reason"]) == ("cancelled", "stopped")
            short = {"root": station, "question": QUESTION, "max_seconds": 1}
            ended = await service_here.ended(service, (await service_here.sent(service, "ask", short))["id"])
        await asyncio.sleep(0.1)
        assert endpoint.cancelled == 3
    assert (ended["state"], ended["result"]["stop_reason"], ended["result"]["partial"]) == ("done", "budget", True)


def slow_model(endpoint: Endpoint) -> ModelSettings:
    return ModelSettings(name="test-model", base_url=endpoint.base_url, analysis="rules")
