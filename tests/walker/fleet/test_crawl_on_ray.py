"""A crawl with its workers on a Ray cluster of two nodes, of which one is killed in the middle. `make fleet` runs it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.fixtures.postgres_server import PASSWORD, PostgresServer, serve_postgres
from tests.fixtures.ray_cluster import TwoNodes, is_gone, serve_two_nodes, wait_until, workers
from tests.sites.crawl_site import PAGES, CrawlSite, serve_crawl_site

pytestmark = [pytest.mark.fleet, pytest.mark.filterwarnings("default")]

SECRET = "hunter-two"
"""Of the script. Like the password of the database it is in the environment of the command and of the machines, and nowhere else."""


@pytest.fixture(scope="module")
def postgres() -> Iterator[PostgresServer]:
    with serve_postgres() as server:
        yield server


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[TwoNodes]:
    monkeypatch.setenv("CRAWLS_PASSWORD", PASSWORD)
    monkeypatch.setenv("SITE_KEY", SECRET)
    with serve_two_nodes() as opened:
        yield opened


def pages_of(postgres: PostgresServer, job: str) -> dict[int, int]:
    """Pages that each worker has been given; the command is worker 1."""
    if postgres.ask("SELECT to_regclass(%s)", f"walker_{job}.pages") == [(None,)]:
        return {}
    return dict(postgres.ask(f"SELECT worker, COUNT(*) FROM walker_{job}.pages WHERE worker > 1 GROUP BY worker"))


def begun(folder: Path, site: CrawlSite, address: str) -> tuple[str, ...]:
    (folder / "site.yaml").write_text(
        f"start: [{site.home}]\ndriver: http\nconcurrency: 2\nkeep: [text]\nheaders: {{X-Key: '${{SITE_KEY}}'}}\n"
    )
    return ("crawl", "site.yaml", "--job", address, "--workers", "2", "--on", "ray", "--json")


def words_of(process: psutil.Process) -> str:
    return " ".join(process.cmdline())


def test_a_node_that_is_killed_takes_no_page_with_it_and_its_worker_is_replaced(
    cluster: TwoNodes, postgres: PostgresServer, tmp_path: Path
) -> None:
    with serve_crawl_site(delay=1.0) as site:
        command = begun(tmp_path, site, f"{postgres.url}?job=site")
        with cluster.command(*command, folder=tmp_path) as process:
            wait_until(lambda: len(pages_of(postgres, "site")) == 2)
            one, other = workers("CrawlWorker.help")
            assert one.parent() != other.parent(), "spread over the nodes"
            cluster.kill_node_of(one)
            assert is_gone(one)
            site.delay = 0.02
            out, err = process.communicate(timeout=200)
    assert process.returncode == 0, err + out
    report = json.loads(out)
    assert (report["stop_reason"], report["waiting"]) == ("complete", 0)
    pages = [json.loads(line) for line in (tmp_path / "crawls" / "site" / "pages.jsonl").read_text().splitlines()]
    assert len({page["final_url"] for page in pages if page["state"] == "done"}) >= PAGES
    wait_until(lambda: not workers("CrawlWorker"))
    assert SECRET not in str(postgres.ask("SELECT value FROM walker_site.job"))


def test_a_command_that_is_killed_takes_its_workers_with_it_and_goes_on_when_it_is_given_again(
    cluster: TwoNodes, postgres: PostgresServer, tmp_path: Path
) -> None:
    with serve_crawl_site(delay=1.0) as site:
        command = begun(tmp_path, site, f"{postgres.url}?job=again")
        with cluster.command(*command, folder=tmp_path):
            wait_until(lambda: bool(pages_of(postgres, "again")))
        wait_until(lambda: not workers("CrawlWorker"))
        site.delay = 0.02
        with cluster.command(*command, folder=tmp_path) as process:
            out, err = process.communicate(timeout=200)
        asked = site.times_asked()
    assert process.returncode == 0, err + out
    assert json.loads(out)["stop_reason"] == "complete"
    again = sum(times - 1 for path, times in asked.items() if "/item/" in path and path != "/item/3")
    assert again <= 6, "what the killed workers had in flight"


def test_a_password_that_is_in_no_variable_is_refused_and_one_that_workers_lack_is_named(
    cluster: TwoNodes, postgres: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve_crawl_site(delay=0.5) as site:
        command = begun(tmp_path, site, f"{postgres.url}?job=keys")
        monkeypatch.delenv("CRAWLS_PASSWORD")
        with cluster.command(*command, folder=tmp_path) as process:
            out, err = process.communicate(timeout=100)
        assert (process.returncode, "is in no environment variable" in err) == (2, True), err
        assert PASSWORD not in err + out
        assert not site.asked
        with cluster.command(*command, folder=tmp_path, HERE_ONLY=PASSWORD) as process:
            out, err = process.communicate(timeout=200)
        assert (process.returncode, "HERE_ONLY is not set on a worker" in err) == (2, True), err
        assert PASSWORD not in err + out
