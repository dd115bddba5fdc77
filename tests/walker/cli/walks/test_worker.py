"""`walker crawl --job postgresql://...` with `walker worker` beside it: real processes, a real server, a site that measures."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fixtures.postgres_server import PostgresServer, serve_postgres
from tests.sites.crawl_site import PAGES, serve_crawl_site
from tests.walker.cli.program import started, walker_here

SECRET = "hunter-two"


@pytest.fixture(scope="module")
def postgres() -> Iterator[PostgresServer]:
    """A Postgres server."""
    with serve_postgres() as server:
        yield server


def test_a_killed_worker_is_made_up_for_and_the_host_never_gets_more_than_its_due(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    address = f"{postgres.url}?job=site"
    script = tmp_path / "site.yaml"
    with serve_crawl_site(delay=0.5) as site:  # until the worker, a program of its own, is there
        script.write_text(
            f"start: [{site.home}]\ndriver: http\nconcurrency: 4\npolite: {{per_host: 3}}\nkeep: [text]\n"
            f"headers: {{X-Key: '${{SITE_KEY}}'}}\n"
        )
        with started("crawl", "site.yaml", "--job", address, "--json", folder=tmp_path, SITE_KEY=SECRET) as first:
            site.wait_for(4)
            with started("worker", address, "-q", folder=tmp_path, SITE_KEY=SECRET) as second:
                while postgres.ask("SELECT COUNT(*) FROM walker_site.pages WHERE worker = 2") == [(0,)]:
                    assert first.poll() is None, "the crawl was over before the worker had a page"
                    time.sleep(0.02)
                site.delay = 0.08
                second.kill()
            told, errors = first.communicate(timeout=60)
        assert first.returncode == 0, errors
        asked = site.times_asked()
        most = site.most_at_a_time
    report = json.loads(told)
    assert (report["stop_reason"], report["waiting"]) == ("complete", 0)
    pages = [json.loads(line) for line in (tmp_path / "crawls" / "site" / "pages.jsonl").read_text().splitlines()]
    assert len({page["final_url"] for page in pages if page["state"] == "done"}) >= PAGES
    assert most <= 3
    again = sum(times - 1 for path, times in asked.items() if "/item/" in path and path != "/item/3")
    assert again <= 4, "what the killed worker had in flight"
    late = walker_here("worker", address, "--json", folder=tmp_path, SITE_KEY=SECRET)
    assert late.code == 0, late.err
    assert json.loads(late.out)["pages"] == report["pages"]
    assert json.loads(late.out)["files"] == [], "outputs are the command's"
    stored = postgres.ask("SELECT value FROM walker_site.job")
    assert stored
    assert SECRET not in str(stored)


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ("keep: [screenshot]", "a job of many workers keeps no files (screenshot)"),
        ("headers: {Authorization: 'Bearer abcdef123'}", "a secret stands in the script"),
    ],
)
def test_what_workers_cannot_share_is_refused(postgres: PostgresServer, tmp_path: Path, script: str, told: str) -> None:
    (tmp_path / "site.yaml").write_text(f"start: [http://127.0.0.1:9/]\n{script}\n")
    ended = walker_here("crawl", "site.yaml", "--job", f"{postgres.url}?job=refused", folder=tmp_path)
    assert (ended.code, told in ended.line) == (2, True), ended.err


def test_a_worker_without_a_job_is_told_what_to_do(postgres: PostgresServer, tmp_path: Path) -> None:
    where = f"postgresql://127.0.0.1:{postgres.port}/postgres?job=none"
    ended = walker_here("worker", f"{postgres.url}?job=none", folder=tmp_path)
    assert (ended.code, ended.line) == (
        1,
        f"walker: {where}: there is no such job yet. Begin it: walker crawl SCRIPT --job ADDRESS",
    )
    ended = walker_here("worker", "crawls/news", folder=tmp_path)
    assert (ended.code, "a worker needs a job in Postgres" in ended.line) == (2, True)
