"""Every command of README, CONTRIBUTING and docs/ runs as it stands there, against servers of this machine; those that do not are
named in `not_run.py` with the reason. It takes minutes, so that `make commands` runs it, not `make test`."""

from __future__ import annotations

import contextlib
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.walker.cli.documented.command_lines import Documented, documented
from tests.walker.cli.documented.doc_world import DocWorld, doc_world, interrupted_copy
from tests.walker.cli.documented.not_run import NOT_RUN
from tests.walker.cli.program import started
from walker.models.discovery import local_servers

COMMANDS = documented()
RUN = [one for one in COMMANDS if not any(re.search(pattern, one.text) for pattern in NOT_RUN)]
STAYS = re.compile(r"^(?:\w+=\S+ )?walker (?:serve|mcp|view|fleet status|watch .*--(?:every|cron))\b")
"""Commands that go on until they are stopped."""
UNSURE = re.compile(r"^walker (?:ask|extract|search|look|calibrate|eval|shrink|watch|diff)\b")
"""Commands whose exit code 3 says that something was not found, or 10 that something changed: both are what they are for."""

pytestmark = pytest.mark.documents


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DocWorld]:
    with doc_world(tmp_path_factory.mktemp("documents")) as made:
        first = made.run("ask", made.home, "How long is a backup kept?", "-q")
        assert first.code == 0, first
        made.run("export", "runs", "--to", "warc", "-o", "site.warc.gz")
        yield made


@pytest.fixture(autouse=True)
def _usual_port(world: DocWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    """The model's server stands where `--model auto` looks."""
    port = int(world.environment["WALKER_BASE_URL"].split(":")[2].partition("/")[0])
    monkeypatch.setattr(local_servers, "USUAL_PORTS", {port: "vLLM"})


@pytest.mark.parametrize("one", RUN, ids=[one.where for one in RUN])
def test_it_runs(one: Documented, world: DocWorld) -> None:
    if one.text.startswith("curl "):
        run_of_the_service(one, world)
    elif one.text.startswith("eval "):
        assert "_walker_completion" in completion(world)
    elif STAYS.match(one.text):
        stays_until_it_is_stopped(one, world)
    else:
        runs_to_its_end(one, world)


def runs_to_its_end(one: Documented, world: DocWorld) -> None:
    words = world.local(one.text)[1:]
    if "--resume" in words and not words[-1].startswith("s3://"):
        words[-1] = str(interrupted_copy(world.folder / words[-1]))
    if words[0] == "crawl" and "--again" not in words:
        # All sites of the documents are one here, and a job refuses other options than those it was begun with.
        shutil.rmtree(world.folder / "crawls", ignore_errors=True)
    ended = world.run(*words)
    allowed = (0, 3, 10) if UNSURE.match(one.text) else (0,)
    assert ended.code in allowed, f"{' '.join(words)}\n{ended.out[-1500:]}\n{ended.err[-1500:]}"
    assert "Traceback" not in ended.err


def stays_until_it_is_stopped(one: Documented, world: DocWorld) -> None:
    words = world.local(one.text)
    set_before = dict(word.split("=", 1) for word in words if re.match(r"[A-Z_]+=", word))
    words = [word for word in words if not re.match(r"[A-Z_]+=", word)][1:]
    if words[0] in ("serve", "view") and "--port" not in words:
        words += ["--port", "0"]
    with started(*words, folder=world.folder, **world.environment, **set_before) as process:
        time.sleep(4)
        is_up = process.poll() is None
        if is_up:
            process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    assert is_up or process.returncode == 0, f"{' '.join(words)}\n{out}\n{err}"
    assert process.returncode in (0, 130), f"{' '.join(words)}\n{out}\n{err}"
    assert "Traceback" not in err


def run_of_the_service(one: Documented, world: DocWorld) -> None:
    """The calls of the service's section, of a service that runs, on a job of its own."""
    with running_service(world) as address:
        job = asked_of(address, world)
        text = one.text.replace("http://127.0.0.1:8700", address).replace("ask-0123456789ab", job)
        text = text.replace("https://www.sqlite.org/", world.home)
        ended = subprocess.run(
            ["bash", "-c", f"{text} --fail --max-time 60"], capture_output=True, text=True, check=False
        )
    assert ended.returncode == 0, ended.stderr
    assert '"id"' in ended.stdout or "event:" in ended.stdout


@contextlib.contextmanager
def running_service(world: DocWorld) -> Iterator[str]:
    words = ("serve", "--port", "0", "--allow", world.home.split("/")[2])
    with started(*words, folder=world.folder, **world.environment) as process:
        assert process.stderr is not None
        line = process.stderr.readline()
        assert "serving at" in line
        try:
            yield line.split()[-1]
        finally:
            process.send_signal(signal.SIGINT)
            process.communicate()


def asked_of(address: str, world: DocWorld) -> str:
    body = f'{{"root": "{world.home}", "question": "How long is a backup kept?"}}'
    told = subprocess.run(
        ["curl", "-s", f"{address}/v1/asks", "-H", "Content-Type: application/json", "-d", body],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return re.search(r'"id":"([^"]+)"', told.stdout)[1]  # type: ignore[index]


def completion(world: DocWorld) -> str:
    """What the line for ~/.bashrc evaluates."""
    folder = Path(sys.executable).parent
    assert (folder / "walker").exists()
    script = 'eval "$(_WALKER_COMPLETE=bash_source walker)"; declare -F'
    environment = {"PATH": f"{folder}:/usr/bin:/bin", "HOME": str(world.folder), "PYTHONPATH": ":".join(sys.path)}
    return subprocess.run(["bash", "-c", script], env=environment, capture_output=True, text=True, check=True).stdout


def test_the_table_of_those_that_are_not_run_is_true() -> None:
    unused = [pattern for pattern in NOT_RUN if not any(re.search(pattern, one.text) for one in COMMANDS)]
    assert unused == [], "no document has such a command any more: take it from the table"
    assert len(RUN) > 120
    assert shutil.which("curl"), "the documents call the service with it"


def test_who_is_said_to_run_the_others_is_there() -> None:
    named = re.findall(r"\b(?:tests|bench)/[\w/]+(?:\.py)?", " ".join(NOT_RUN.values()))
    assert len(named) > 5
    root = Path(__file__).parents[4]
    assert [one for one in named if not (root / one).exists()] == []
