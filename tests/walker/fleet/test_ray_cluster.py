"""Batches on a Ray cluster of several nodes on this machine, of which something is killed in the middle. `make fleet` runs them."""

from __future__ import annotations

import contextlib
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.fixtures.ray_cluster import TwoNodes, is_gone, serve_two_nodes, wait_until, workers
from tests.sites.held import HeldSite, serve_held

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
def cluster() -> Iterator[TwoNodes]:
    with serve_two_nodes() as opened:
        yield opened


@contextlib.contextmanager
def batch(cluster: TwoNodes, site: HeldSite, folder: Path) -> Iterator[subprocess.Popen[str]]:
    lines = [
        json.dumps({"id": name, "root": f"{site.home}{name}", "question": f"How high is the {name} lighthouse?"})
        for name in NAMES
    ]
    (folder / "qa.jsonl").write_text("\n".join(lines), encoding="utf-8")
    options = ("--jobs", "2", "--max-pages", "3", "--no-scout", "--on", "ray")
    with cluster.command("ask", "--batch", "qa.jsonl", "--out", "answers.jsonl", *options, folder=folder) as process:
        yield process


def answers(folder: Path) -> list[dict[str, Any]]:
    path = folder / "answers.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


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
    cluster: TwoNodes, site: HeldSite, tmp_path: Path, lost: str
) -> None:
    with batch(cluster, site, tmp_path) as process:
        wait_until(lambda: site.holds.is_set() and len(answers(tmp_path)) == 3)
        (worker,) = workers("WalkWorker.do")
        if lost == "worker":
            worker.kill()
        else:
            cluster.kill_node_of(worker)
        assert is_gone(worker)
        site.let_go()
        out, err = process.communicate(timeout=150)
    assert process.returncode == 0, err + out
    check_all_answered_once(site, tmp_path)


def test_a_batch_whose_driver_is_killed_goes_on_with_the_same_command(
    cluster: TwoNodes, site: HeldSite, tmp_path: Path
) -> None:
    with batch(cluster, site, tmp_path):
        wait_until(lambda: site.holds.is_set() and len(answers(tmp_path)) == 3)
    before = answers(tmp_path)
    wait_until(lambda: not workers("WalkWorker"))
    site.let_go()
    with batch(cluster, site, tmp_path) as process:
        out, err = process.communicate(timeout=150)
    assert process.returncode == 0, err + out
    assert answers(tmp_path)[:3] == before
    check_all_answered_once(site, tmp_path)
