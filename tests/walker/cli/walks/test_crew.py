"""`walker crawl --workers N`: further workers that begin and end with the command, as processes of this machine."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.fixtures.command_of import command_of
from tests.fixtures.loaded_program import LoadedProgram
from tests.fixtures.postgres_server import PASSWORD, QUOTED_PASSWORD, PostgresServer, serve_postgres
from tests.sites.crawl_site import PAGES, serve_crawl_site
from tests.walker.cli.program import started, walker_here


@pytest.fixture(scope="module")
def postgres() -> Iterator[PostgresServer]:
    """A Postgres server."""
    with serve_postgres() as server:
        yield server


def helpers_of(process: LoadedProgram) -> list[psutil.Process]:
    """The workers that a command has started."""
    return [one for one in psutil.Process(process.pid).children() if "worker" in command_of(one)]


def test_a_worker_that_is_killed_is_replaced_and_all_end_with_the_crawl(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    address = f"{postgres.url}?job=crew"
    with serve_crawl_site(delay=1.0) as site:
        (tmp_path / "site.yaml").write_text(f"start: [{site.home}]\ndriver: http\nconcurrency: 2\nkeep: [text]\n")
        command = ("crawl", "site.yaml", "--job", address, "--workers", "1")
        with started(*command, folder=tmp_path) as process:
            try:
                site.wait_for(1)
                while postgres.ask("SELECT COUNT(*) FROM walker_crew.pages WHERE worker = 2") == [(0,)]:
                    assert process.poll() is None, "the crawl was over before the first worker had a page"
                    time.sleep(0.05)
                (first,) = helpers_of(process)
                said = " ".join(command_of(first))
                assert PASSWORD not in said
                assert QUOTED_PASSWORD not in said
                first.kill()
                while postgres.ask("SELECT COUNT(*) FROM walker_crew.pages WHERE worker = 3") == [(0,)]:
                    assert process.poll() is None, "the crawl was over before the second worker had a page"
                    time.sleep(0.05)
                (second,) = helpers_of(process)
                site.delay = 0.02
                _, errors = process.communicate(timeout=120)
            finally:
                process.kill()
    assert process.returncode == 0, errors
    assert "a worker was lost (signal 9); another takes its place" in errors
    assert not second.is_running()
    pages = [json.loads(line) for line in (tmp_path / "crawls" / "crew" / "pages.jsonl").read_text().splitlines()]
    assert len({page["final_url"] for page in pages if page["state"] == "done"}) >= PAGES


@pytest.fixture
def unused(tmp_path: Path) -> Path:
    (tmp_path / "site.yaml").write_text("start: [http://127.0.0.1:9/]\n")
    return tmp_path


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--workers", "2"), "--workers and --on need a job in Postgres"),
        (("--on", "ray"), "--workers and --on need a job in Postgres"),
        (("--job", "postgresql://h/d?job=n", "--on", "moon"), "--on moon: write local, ray or ray://HOST:PORT"),
        (("--job", "postgresql://h/d?job=n", "--on", "ray", "--library", "l"), "--library is of one process"),
        (("--job", "postgresql://h/d?job=n&sslpassword=x", "--workers", "2"), "the passphrase of a key stays"),
    ],
)
def test_what_cannot_be_is_said_before_anything_begins(unused: Path, options: tuple[str, ...], told: str) -> None:
    ended = walker_here("crawl", "site.yaml", *options, folder=unused)
    assert (ended.code, told in ended.err) == (2, True), ended.err
    assert not (unused / "crawls").exists()
