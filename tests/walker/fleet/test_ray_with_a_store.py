"""A batch on a Ray cluster whose machines share no disk: its runs lie in an S3 store. `make fleet` runs it."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fixtures.ray_cluster import TwoNodes, is_gone, serve_two_nodes, wait_until, workers
from tests.fixtures.s3_server import S3Server
from tests.sites.held import HeldSite, serve_held
from tests.walker.cli.program import walker_here
from traces.store.mirror import place_at, read_log

pytestmark = [pytest.mark.fleet, pytest.mark.filterwarnings("default")]

NAMES = {"Skerry": 31, "Holm": 42, "Point": 64}
HELD = "/Point.html"


@pytest.fixture
def site() -> Iterator[HeldSite]:
    pages = {
        f"/{name}.html": f"<html lang=en><title>{name} lighthouse</title><p>The {name} lighthouse is {metres} metres high.</p>"
        f"<table><tr><th>Height</th><td>{metres} m</td></tr></table>"
        for name, metres in NAMES.items()
    }
    starts = {f"/{name}": f"<title>Lights</title><p>All.</p><a href=/{name}.html>{name} height</a>" for name in NAMES}
    with serve_held(pages | starts, HELD) as held:
        yield held


@pytest.fixture
def cluster(s3: S3Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TwoNodes]:
    """Its machines have the keys of the store in their environment."""
    del s3
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "here"))
    with serve_two_nodes((tmp_path / "one", tmp_path / "two")) as opened:
        yield opened


def begun_in(store: str, page: str) -> bool:
    """Whether the store has as much of a walk as that it has opened this page."""
    place = place_at(store)
    logs = [read_log(place, run)[0] for run in place.folders() if not run.startswith(".")]
    return any(b'"k":"page.open"' in log and page.encode() in log for log in logs)


def test_a_walk_whose_machine_is_lost_goes_on_from_the_store_on_another(
    cluster: TwoNodes, site: HeldSite, s3: S3Server, tmp_path: Path
) -> None:
    bucket = s3.make_bucket(f"b{uuid.uuid4().hex[:8]}")
    store = f"s3://{bucket}/walks"
    lines = [
        json.dumps({"id": name, "root": f"{site.home}{name}", "question": f"How high is the {name} lighthouse?"})
        for name in NAMES
    ]
    (tmp_path / "qa.jsonl").write_text("\n".join(lines), encoding="utf-8")
    out, options = tmp_path / "answers.jsonl", ("--jobs", "2", "--max-pages", "3", "--no-scout", "--on", "ray")
    command = ("ask", "--batch", "qa.jsonl", "--out", out.name, "--runs", store, *options)
    with cluster.command(*command, folder=tmp_path) as process:
        wait_until(lambda: site.holds.is_set() and out.exists() and len(out.read_text().splitlines()) == 2)
        wait_until(lambda: begun_in(store, f"{site.home}Point"))
        (worker,) = workers("WalkWorker.do")
        cluster.kill_node_of(worker)
        assert is_gone(worker)
        site.let_go()
        told, errors = process.communicate(timeout=150)
    assert process.returncode == 0, errors + told
    answers = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert sorted((one["id"], one["answer"].split()[0]) for one in answers) == sorted(
        (name, str(metres)) for name, metres in NAMES.items()
    )
    assert [site.asked.count(f"/{name}") for name in NAMES] == [1] * len(NAMES), "the first pages come from the store"
    assert all(one["trace"].startswith(f"{store}/") for one in answers)
    assert len({one["trace"] for one in answers}) == len(NAMES)
    assert not [key for key in s3.keys(bucket) if "/.begun/" in key]
    verified = walker_here("verify", store, folder=tmp_path)
    assert f"{len(NAMES)} runs, 0 not equal" in verified.out, verified.err
