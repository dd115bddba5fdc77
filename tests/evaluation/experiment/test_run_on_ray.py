"""An experiment on a Ray cluster of two nodes, of which something is killed in the middle: the same samples as without one. `make
fleet` runs it."""

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
from tests.walker.cli.program import walker_here

pytestmark = [pytest.mark.fleet, pytest.mark.filterwarnings("default")]

NAMES = {"Skerry": 31, "Holm": 42}
HELD = "/Holm.html"
OPTIONS = ("--variant", "baseline", "--variant", "all", "--jobs", "2", "--max-pages", "3", "--ocr", "none")


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


def asked_about(name: str) -> str:
    return f"How high is the {name} lighthouse?"


def experiment(site: HeldSite, folder: Path, out: str) -> tuple[str, ...]:
    lines = [
        json.dumps({"id": name, "question": asked_about(name), "answer": f"{metres} m", "root": name, "site": "bay"})
        for name, metres in NAMES.items()
    ]
    (folder / "qa.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return ("eval", "run", "qa.jsonl", "--site", f"bay={site.home}", "--out", out, *OPTIONS)


@contextlib.contextmanager
def running(cluster: TwoNodes, site: HeldSite, folder: Path) -> Iterator[subprocess.Popen[str]]:
    with cluster.command(*experiment(site, folder, "far"), "--on", "ray", folder=folder) as process:
        yield process


def samples(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def told(sample: dict[str, Any]) -> dict[str, Any]:
    """What a sample says, without how long it took and where it is recorded."""
    return {name: value for name, value in sample.items() if name not in ("usage", "trace")}


def check_equal_to_a_run_without_a_cluster(site: HeldSite, folder: Path) -> None:
    """Of a folder with the results in `far`."""
    far = samples(folder / "far" / "samples.jsonl")
    near = walker_here(*experiment(site, folder, "near"), "--on", "local", folder=folder)
    assert near.code == 0, near.err
    here = samples(folder / "near" / "samples.jsonl")
    in_order = sorted(map(json.dumps, map(told, far)))
    assert in_order == sorted(map(json.dumps, map(told, here)))
    assert len(in_order) == 2 * len(NAMES)
    assert all((folder / "far" / sample["trace"] / "run.json").is_file() for sample in far)
    assert {path.name for path in (folder / "far").iterdir()} == {path.name for path in (folder / "near").iterdir()}
    graded = walker_here("eval", "grade", "far", "--json", folder=folder)
    assert graded.code == 0, graded.err


def test_a_node_that_is_killed_in_the_middle_takes_no_sample_with_it(
    cluster: TwoNodes, site: HeldSite, tmp_path: Path
) -> None:
    with running(cluster, site, tmp_path) as process:
        wait_until(lambda: site.holds.is_set() and len(samples(tmp_path / "far" / "samples.jsonl")) == 2)
        walking = workers("WalkWorker.do")
        cluster.kill_node_of(walking[0])
        assert is_gone(walking[0])
        site.let_go()
        out, err = process.communicate(timeout=200)
    assert process.returncode == 0, err + out
    assert len(list((tmp_path / "far" / "runs").glob("2*"))) == 2 * len(NAMES), (
        "a walk that was lost went on in its run"
    )
    check_equal_to_a_run_without_a_cluster(site, tmp_path)


def test_a_run_that_is_killed_goes_on_with_the_same_command(cluster: TwoNodes, site: HeldSite, tmp_path: Path) -> None:
    with running(cluster, site, tmp_path):
        wait_until(lambda: site.holds.is_set() and len(samples(tmp_path / "far" / "samples.jsonl")) == 2)
    before = samples(tmp_path / "far" / "samples.jsonl")
    wait_until(lambda: not workers("WalkWorker"))
    site.let_go()
    with running(cluster, site, tmp_path) as process:
        out, err = process.communicate(timeout=200)
    assert process.returncode == 0, err + out
    assert samples(tmp_path / "far" / "samples.jsonl")[:2] == before
    check_equal_to_a_run_without_a_cluster(site, tmp_path)
