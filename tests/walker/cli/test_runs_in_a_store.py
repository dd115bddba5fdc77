"""Runs in an S3 store, by the commands of a person; the server is a real one on this machine."""

from __future__ import annotations

import json
import shutil
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fixtures.s3_server import S3Server
from tests.sites.pages_on_loopback import serve
from tests.walker.cli.program import Ended, walker_here
from traces.reading.reader import read_run
from traces.store.mirror import MARK, mirror_at

RECORDINGS = Path(__file__).parents[2] / "recordings"
PAGES = {
    "/": "<html lang=en><title>Lights</title><h1>Lights</h1><p>All our lights.</p><a href=/skerry.html>Skerry lighthouse</a>",
    "/skerry.html": (
        "<html lang=en><title>Skerry lighthouse</title><h1>Skerry lighthouse</h1>"
        "<p>The Skerry lighthouse is 31 metres high. It stands on a rock in the bay.</p>"
        "<table><tr><th>Height</th><td>31 m</td></tr><tr><th>Keeper</th><td>nobody</td></tr></table>"
    ),
}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where mirrors are kept."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "data" / "walker" / "stores"


@pytest.fixture
def store(s3: S3Server, home: Path) -> str:
    """The address of a prefix with nothing below it."""
    del home
    return f"s3://{s3.make_bucket(f'b{uuid.uuid4().hex[:8]}')}/walks"


@pytest.fixture
def kept(store: str, tmp_path: Path, home: Path) -> str:
    """The same with two runs, of which nothing is here."""
    for name in ("single", "count"):
        shutil.copytree(RECORDINGS / name, tmp_path / "runs" / name)
    done = run("runs", "copy", "runs", store, folder=tmp_path)
    assert done.out.splitlines() == [f"{store}/count", f"{store}/single"]
    shutil.rmtree(tmp_path / "runs")
    shutil.rmtree(home, ignore_errors=True)
    return store


def run(*arguments: str, folder: Path, code: int = 0) -> Ended:
    done = walker_here(*arguments, folder=folder)
    assert done.code == code, done.err + done.out
    return done


def blobs_in(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("blobs/*/*") if path.is_file()]


def test_runs_of_a_store_are_listed_without_their_blobs(kept: str, tmp_path: Path, home: Path) -> None:
    told = run("runs", "list", kept, folder=tmp_path)
    assert f"{kept}/single" in told.out
    assert f"{kept}/count" in told.out
    listed = json.loads(run("runs", "list", kept, "--json", folder=tmp_path).out)
    assert sorted(one["path"] for one in listed["runs"]) == [f"{kept}/count", f"{kept}/single"]
    assert blobs_in(home) == []


def test_a_run_of_a_store_is_read_by_every_command(kept: str, tmp_path: Path, home: Path) -> None:
    single = f"{kept}/single"
    assert "equal" in run("replay", single, "-q", folder=tmp_path).out
    assert blobs_in(home), "what a command needs is fetched"
    assert run("why", single, folder=tmp_path).out
    assert "equal" in run("diff", single, single, folder=tmp_path).out
    assert "first difference" in run("diff", single, f"{kept}/count", folder=tmp_path).out
    run("view", single, "--export", "page.html", folder=tmp_path)
    assert (tmp_path / "page.html").stat().st_size > 100_000
    run("export", single, "--to", "csv", "-o", "steps.csv", folder=tmp_path)
    assert (tmp_path / "steps.csv").read_text().count("\n") > 1
    assert single in run("scan", single, folder=tmp_path).out
    run("runs", "pack", single, "-o", "single.zip", folder=tmp_path)
    run("verify", "single.zip", folder=tmp_path)
    run("runs", "copy", single, "back", folder=tmp_path)
    run("verify", "back/single", folder=tmp_path)


def test_verify_says_what_lies_in_the_store_and_not_what_is_here(kept: str, tmp_path: Path, s3: S3Server) -> None:
    told = run("verify", kept, folder=tmp_path)
    assert f"{kept}/single" in told.out
    assert "2 runs, 0 not equal" in told.out
    run("replay", f"{kept}/single", "--deep", "-q", folder=tmp_path)
    bucket = kept.split("/")[2]
    blob = next(key for key in s3.keys(bucket) if "/single/blobs/" in key)
    s3.write(bucket, blob, b"junk")
    told = run("verify", f"{kept}/single", "--json", folder=tmp_path, code=1)
    (result,) = json.loads(told.out)["runs"]
    assert result["problems"], "though a good copy of it is here"


def test_a_run_is_removed_from_the_store(kept: str, tmp_path: Path, s3: S3Server) -> None:
    assert f"{kept}/single" in run("runs", "remove", f"{kept}/single", folder=tmp_path).out
    run("runs", "remove", f"{kept}/single", "--yes", folder=tmp_path)
    assert not [key for key in s3.keys(kept.split("/")[2]) if "/single/" in key]
    assert f"{kept}/count" in run("runs", "list", kept, folder=tmp_path).out


@pytest.mark.parametrize("command", ["verify", "why", "replay", "scan"])
def test_what_is_not_there_is_one_line(command: str, store: str, tmp_path: Path) -> None:
    told = run(command, f"{store}/none", "--json", folder=tmp_path, code=2)
    assert told.line.startswith(f"walker: {store}/none: there is no run there. Give s3://BUCKET/PREFIX/RUN")
    assert json.loads(told.out)["stop_reason"] == "failed"


def test_errors_of_a_store_are_one_line(
    store: str, tmp_path: Path, s3: S3Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = run("ask", "http://127.0.0.1:9/", "Who?", "--runs", "s3://no-such-bucket/p", folder=tmp_path, code=1)
    assert told.err.splitlines()[-1] == (
        "walker: s3://no-such-bucket/p: there is no bucket no-such-bucket. Make it, or name another"
    )
    told = run("why", "s3://key:open-sesame@bucket/p", folder=tmp_path, code=2)
    assert "open-sesame" not in told.err
    with s3.knowing_no_key():
        assert "InvalidAccessKeyId" in run("why", f"{store}/x", folder=tmp_path, code=2).line
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
    assert "http://127.0.0.1:1 does not answer" in run("why", f"{store}/x", folder=tmp_path, code=2).line


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    with serve(PAGES) as base:
        yield base


@pytest.mark.usefixtures("kept_chromium")
def test_a_walk_is_kept_in_the_store(store: str, site: str, tmp_path: Path, home: Path, s3: S3Server) -> None:
    question = ("How high is the Skerry lighthouse?", "--runs", store, "--json")
    told = run("ask", site, *question, folder=tmp_path)
    trace = json.loads(told.out)["trace"]
    assert trace.startswith(f"{store}/")
    assert not (tmp_path / "runs").exists()
    shutil.rmtree(home)
    assert "1 run, 0 not equal" in run("verify", store, folder=tmp_path).out
    bucket = store.split("/")[2]
    for key in s3.keys(bucket):
        assert b"open-sesame" not in s3.read(bucket, key)
        assert "redaction-key" not in key
    resumed = run("ask", "--resume", trace, "--json", folder=tmp_path)
    assert json.loads(resumed.out)["answer"] == json.loads(told.out)["answer"]


@pytest.mark.usefixtures("kept_chromium")
def test_an_interrupted_walk_goes_on_from_the_store(store: str, site: str, tmp_path: Path, home: Path) -> None:
    told = run("ask", site, "How high is the Skerry lighthouse?", "--runs", store, "--json", folder=tmp_path)
    name = json.loads(told.out)["trace"].rpartition("/")[2]
    mirror = mirror_at(store)
    log = (mirror.folder / name / "events.jsonl").read_bytes().splitlines(keepends=True)
    mirror.place.remove(f"{name}/seal.json")
    mirror.place.remove(f"{name}/events.jsonl")
    half = b"".join(log[: len(log) // 2])
    mirror.place.put(f"{name}/events/{0:016}.jsonl", half)
    shutil.rmtree(home)
    resumed = run("ask", "--resume", f"{store}/{name}", "--json", folder=tmp_path)
    outcome = json.loads(resumed.out)
    assert (outcome["answer"], outcome["trace"]) == (json.loads(told.out)["answer"], f"{store}/{name}")
    assert resumed.err.count("not whole") == 0
    assert read_run(mirror.folder / name).problems == ()
    assert (mirror.place.get(f"{name}/events.jsonl") or b"").startswith(half)
    assert mirror.place.sizes(f"{name}/events") == {}


@pytest.mark.usefixtures("kept_chromium")
def test_a_run_that_is_only_here_is_told(store: str, site: str, tmp_path: Path, home: Path) -> None:
    told = run("ask", site, "How high is the Skerry lighthouse?", "--runs", store, "--json", folder=tmp_path)
    folder = mirror_at(store).folder / json.loads(told.out)["trace"].rpartition("/")[2]
    (folder / MARK).unlink()
    again = run("ask", site, "How high is the Skerry lighthouse?", "--runs", store, "-q", folder=tmp_path)
    assert again.line == (
        f"walker: the run is not whole in {store}/{folder.name}; all of it is in {folder}."
        f" Send it with: walker runs copy {folder} {store}"
    )
    run("runs", "copy", str(folder), store, folder=tmp_path)
    assert run("verify", f"{store}/{folder.name}", folder=tmp_path).out.startswith("equal")
