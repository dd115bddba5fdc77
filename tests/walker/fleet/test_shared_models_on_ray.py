"""Walks on a Ray cluster of one machine that share one process with OCR, and tell a collector of it. `make fleet` runs them."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import psutil
import pytest

from tests.fixtures.ray_cluster import is_gone, wait_until, workers
from tests.sites.collector import Collector
from tests.sites.held import HeldSite, serve_held
from tests.sites.serving import Answer, serving
from walker.batch.asking_task import Answered, AskTask
from walker.batch.questions import Assignment
from walker.fleet.model_sharing import ModelSharing
from walker.fleet.ray_place import RayPlace
from walker.fleet.walk_spans import ENDPOINT
from walker.settings import Limits, Settings

pytestmark = [pytest.mark.fleet, pytest.mark.filterwarnings("default")]

NAMES = {"Skerry": 31, "Holm": 42, "Sands": 53, "Point": 64}
HELD = "/Point.png"


def sign_of(name: str, metres: int) -> bytes:
    """A picture of a sign; its text stands nowhere else."""
    picture = np.full((120, 900, 3), 255, dtype=np.uint8)
    text = f"The {name} lighthouse is {metres} metres high."
    cv2.putText(picture, text, (20, 70), cv2.FONT_HERSHEY_SIMPLEX, 1.0, (20, 20, 20), 2, cv2.LINE_AA)
    done, data = cv2.imencode(".png", picture)
    assert done
    return data.tobytes()


def environment_with(endpoint: str) -> Mapping[str, str]:
    return {**os.environ, ENDPOINT: endpoint}


@pytest.fixture
def site() -> Iterator[HeldSite]:
    pages: dict[str, str | Answer] = {
        f"/{name}.html": f"<html lang=en><title>{name} lighthouse</title><h1>{name} lighthouse</h1>"
        f"<p>The sign tells how high it is.</p><img src=/{name}.png width=900 height=120>"
        for name in NAMES
    }
    pages |= {f"/{name}.png": Answer(sign_of(name, metres), 200, "image/png") for name, metres in NAMES.items()}
    with serve_held(pages, HELD) as held:
        yield held


@pytest.fixture
def machine() -> Iterator[str]:
    """One machine with room for two workers and, by what it says, one GPU."""
    import ray  # noqa: PLC0415 - an extra
    from ray.cluster_utils import Cluster  # noqa: PLC0415 - an extra

    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 2, "num_gpus": 1, "include_dashboard": False})
    os.environ["RAY_ADDRESS"] = cluster.address
    yield cluster.address
    del os.environ["RAY_ADDRESS"]
    ray.shutdown()
    cluster.shutdown()


def task(site: HeldSite, name: str) -> AskTask:
    question = f"According to the picture, how high is the {name} lighthouse?"
    return AskTask(Assignment(id=name, question=question, roots=(f"{site.home}{name}.html",)))


def models_here() -> list[psutil.Process]:
    return workers("ray::NodeModels")


async def free_gpu() -> float:
    import ray  # noqa: PLC0415 - an extra

    return float((await asyncio.to_thread(ray.available_resources)).get("GPU", 0.0))


async def test_two_workers_share_one_process_with_a_part_of_the_gpu_and_a_walk_survives_its_end(
    machine: str, site: HeldSite, tmp_path: Path
) -> None:
    del machine
    settings = Settings(runs_folder=tmp_path / "runs", limits=Limits(pages=2, seconds=200), scout_pages=0)
    with serving(Collector()) as collector:
        endpoint = collector.home.rstrip("/")
        place = RayPlace("ray", settings, partial(environment_with, endpoint), jobs=2, sharing=ModelSharing(gpu=0.25))
        async with place:
            told = await asyncio.gather(*(place.do(task(site, name)) for name in ("Skerry", "Holm", "Sands")))
            (models,) = models_here()
            await asyncio.to_thread(wait_until, lambda: names_in(collector).count("read a picture") >= 3)
            assert await free_gpu() == pytest.approx(0.75)
            last = asyncio.ensure_future(place.do(task(site, "Point")))
            assert await asyncio.to_thread(site.holds.wait, 120)
            models.kill()
            assert await asyncio.to_thread(is_gone, models)
            site.let_go()
            told.append(await last)
            await asyncio.to_thread(wait_until, lambda: bool(models_here()))
            (again,) = models_here()
            assert again.pid != models.pid, "it was started anew, and read the last picture"
    assert [one.state for one in told] == ["answered"] * 4, told
    for one, metres in zip(told, NAMES.values(), strict=True):
        assert isinstance(one, Answered)
        assert str(metres) in one.prediction.answer
    check_traces(collector, len(NAMES))


def names_in(collector: Collector) -> list[str]:
    """Of all spans so far."""
    resources = [one for request in tuple(collector.requests) for one in request.resource_spans]
    return [span.name for resource in resources for scope in resource.scope_spans for span in scope.spans]


def check_traces(collector: Collector, walks: int) -> None:
    """One trace a walk: of command, worker and models, with the steps of the walk below the worker's span."""
    spans = {}
    for request in collector.requests:
        for resource in request.resource_spans:
            who = {one.key: one.value.string_value for one in resource.resource.attributes}["service.instance.id"]
            for scope in resource.scope_spans:
                for span in scope.spans:
                    spans[span.span_id] = (span, who)
    assert not collector.refused
    roots = [span for span, _ in spans.values() if not span.parent_span_id]
    assert [span.name for span in roots] == ["walk of a batch"] * walks
    for root in roots:
        own = [(span, who) for span, who in spans.values() if span.trace_id == root.trace_id]
        assert all(span.parent_span_id in spans for span, _ in own if span is not root), "each hangs on another"
        names = [span.name for span, _ in own]
        for name in (
            "wait for a worker",
            "try in a worker",
            "walk in a worker",
            "invoke_agent walker",
            "read a picture",
        ):
            assert name in names, names
        by_name = {span.name: (span, who) for span, who in own}
        agent, worker = by_name["invoke_agent walker"][0], by_name["walk in a worker"][0]
        assert agent.parent_span_id == worker.span_id
        assert any(span.parent_span_id == agent.span_id for span, _ in own), "steps of the walk"
        read = by_name["read a picture"]
        assert read[0].parent_span_id == worker.span_id
        assert len({by_name["walk of a batch"][1], by_name["walk in a worker"][1], read[1]}) == 3, "three processes"
