"""Batches on a Ray cluster of several nodes on this machine, of which something is killed in the middle. `make fleet` runs them."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.sites.held import HeldSite, serve_held
from tests.walker.cli.program import environment

pytestmark = [pytest.mark.fleet, pytest.mark.filterwarnings("default")]

NAMES = {"Skerry": 31, "Holm": 42, "Sands": 53, "Point": 64}
HELD = "/Point.html"


def page_about(name: str, metres: int) -> str:
    facts = f"<tr><th>Height</th><td>{metres} m</td></tr><tr><th>Keeper</th><td>nobody</td></tr>"
    return f"<html lang=en><title>{name} lighthouse</title><p>The {name} lighthouse is {metres} metres high.</p><table>{facts}</table>"


@pytest.fixture
def site() -> Iterator[HeldSite]:
    pages = {f"/{name}.html": page_about(name, metres) for name, metres in NAMES.items()}
    starts = {
        f"/{name}": f"<title>Lights</title><p>Lights.</p><a href=/{name}.html>{name} height</a>" for name in NAMES
    }
    with serve_held(pages | starts, HELD) as held:
        yield held


@pytest.fixture
def cluster() -> Iterator[Any]:
    """A head without room for walks, and two nodes with room for one each."""
    from ray.cluster_utils import Cluster  # noqa: PLC0415 - an extra

    opened = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
    try:
        opened.two = [opened.add_node(num_cpus=1) for _ in range(2)]
        yield opened
    finally:
        opened.shutdown()


@contextlib.contextmanager
def batch(cluster: Any, site: HeldSite, folder: Path) -> Iterator[subprocess.Popen[str]]:
    """The command as a person starts it, in a group of its own."""
    lines = [
        json.dumps({"id": name, "root": f"{site.home}{name}", "question": f"How high is the {name} lighthouse?"})
        for name in NAMES
    ]
    (folder / "qa.jsonl").write_text("\n".join(lines), encoding="utf-8")
    options = ("--jobs", "2", "--max-pages", "3", "--no-scout", "--on", "ray")
    process = subprocess.Popen(
        [sys.executable, "-m", "walker", "ask", "--batch", "qa.jsonl", "--out", "answers.jsonl", *options],
        cwd=folder,
        env=environment(RAY_ADDRESS=cluster.address),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    with process:
        try:
            yield process
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def answers(folder: Path) -> list[dict[str, Any]]:
    path = folder / "answers.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def wait_until(reached: Callable[[], bool], seconds: float = 120) -> None:
    until = time.monotonic() + seconds
    while not reached():
        assert time.monotonic() < until
        time.sleep(0.2)


def the_worker_that_is_held() -> psutil.Process:
    """The actor whose browser waits for the page that is held back: the only one with a walk."""
    (walking,) = [
        process
        for process in psutil.process_iter(["cmdline"])
        if "WalkWorker.do" in " ".join(process.info["cmdline"] or ())
    ]
    return walking


def check_all_answered_once(site: HeldSite, folder: Path) -> None:
    told = answers(folder)
    assert sorted((one["id"], one["answer"].split()[0]) for one in told) == sorted(
        (name, str(metres)) for name, metres in NAMES.items()
    )
    assert [site.asked.count(f"/{name}") for name in NAMES] == [1] * len(NAMES), "the first pages come from the record"
    assert site.asked.count(HELD) == 2
    assert len(list((folder / "runs").glob("2*"))) == len(NAMES), "the walk went on in its run"


@pytest.mark.parametrize("lost", ["worker", "node"])
def test_a_walk_whose_worker_or_node_is_killed_goes_on_elsewhere_and_counts_once(
    cluster: Any, site: HeldSite, tmp_path: Path, lost: str
) -> None:
    with batch(cluster, site, tmp_path) as process:
        wait_until(lambda: site.holds.is_set() and len(answers(tmp_path)) == 3)
        worker = the_worker_that_is_held()
        if lost == "worker":
            worker.kill()
        else:
            raylet = worker.parent()
            assert raylet is not None
            (node,) = [
                one for one in cluster.two if any(p.process.pid == raylet.pid for p in one.all_processes["raylet"])
            ]
            cluster.remove_node(node, allow_graceful=False)
        psutil.wait_procs([worker], timeout=60)
        assert not worker.is_running()
        site.let_go()
        out, err = process.communicate(timeout=150)
    assert process.returncode == 0, err + out
    check_all_answered_once(site, tmp_path)


def test_a_batch_whose_driver_is_killed_goes_on_with_the_same_command(
    cluster: Any, site: HeldSite, tmp_path: Path
) -> None:
    with batch(cluster, site, tmp_path):
        wait_until(lambda: site.holds.is_set() and len(answers(tmp_path)) == 3)
    before = answers(tmp_path)
    wait_until(
        lambda: not [p for p in psutil.process_iter(["cmdline"]) if "WalkWorker" in " ".join(p.info["cmdline"] or ())]
    )
    site.let_go()
    with batch(cluster, site, tmp_path) as process:
        out, err = process.communicate(timeout=150)
    assert process.returncode == 0, err + out
    assert answers(tmp_path)[:3] == before
    check_all_answered_once(site, tmp_path)
