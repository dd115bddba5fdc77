"""Addresses in Postgres lie in parts by host, those of earlier jobs too."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path

import pytest

from tests.fixtures.postgres_server import PostgresServer
from walker.crawl.job.shared import postgres_base
from walker.crawl.job.shared.postgres_schema import PARTS, crawl_tables, migrations
from walker.crawl.job.shared.shared_job import SharedJob
from walker.crawl.job_records import CrawlItem, NewPage, ReadPage

EARLIER = Path(__file__).with_name("earlier_tables") / "crawl_tables_4.sql"
"""The tables of one crawl as they were before there were parts, by the fourth of the numbered files."""


def page_at(host: int, number: int) -> NewPage:
    origin = f"http://host-{host}.example"
    return NewPage(url=f"{origin}/{number}", key=f"{origin}/{number}", origin=origin)


def read_at(url: str) -> ReadPage:
    return ReadPage(final_url=url, final_key=url, final_origin=url.rpartition("/")[0], size=10)


def pages_of(server: PostgresServer, job: str, where: str = "TRUE") -> list[tuple[str, str, int]]:
    """(part, address, state) of each."""
    return [
        (str(part).rpartition(".")[2].strip('"'), str(url), int(state))
        for part, url, state in server.ask(
            f'SELECT tableoid::regclass::text, url, state FROM "walker_{job}".pages WHERE {where} ORDER BY url'
        )
    ]


def test_the_pages_of_a_host_lie_in_one_part_and_those_of_many_in_all(postgres: PostgresServer, tmp_path: Path) -> None:
    job = SharedJob(tmp_path, f"{postgres.url}?job=parts")
    job.offer([page_at(host, number) for host in range(200) for number in range(2)])
    job.offer([page_at(7, number) for number in range(4)])
    found = pages_of(postgres, "parts")
    job.close()
    assert len(found) == 402, "known ones are known in their part"
    by_host: dict[str, set[str]] = {}
    for part, url, _ in found:
        by_host.setdefault(url.split("/")[2], set()).add(part)
    assert {len(parts) for parts in by_host.values()} == {1}
    assert {part for part, _, _ in found} == set(PARTS)


@pytest.fixture
def earlier_job(postgres: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a job that an earlier version made, which has crawled it twice: pages waiting, stored, postponed and in flight."""
    with monkeypatch.context() as earlier:
        whole = EARLIER.read_text(encoding="utf-8")
        earlier.setattr(postgres_base, "crawl_tables", lambda: whole)
        earlier.setattr(postgres_base, "migrations", lambda: migrations()[:4])
        earlier.setattr(postgres_base.PostgresBase, "crawl_schema", whole)
        earlier.setattr(postgres_base.PostgresBase, "crawl_parts", ())
        name = tmp_path.name[-30:]
        job = SharedJob(tmp_path / "earlier", f"{postgres.url}?job={name}", order="breadth-first")
        job.offer([page_at(0, 0)])
        lease = job.lease(now=time.time())
        assert lease is not None
        job.commit(lease, read_at(lease.url), items=[CrawlItem(identity="first", fields={"n": 0})])
        job.repeat()
        job.offer([page_at(host, number) for host in range(20) for number in range(5)])
        for number in range(3):
            lease = job.lease(now=time.time())
            assert lease is not None
            if number == 0:
                job.commit(lease, read_at(lease.url), items=[CrawlItem(identity="one", fields={"n": 1})])
            elif number == 1:
                job.rest(lease, time.time() + 3600, "later")
        job._heart.stop()
        job._base.close()
    return name


def test_a_job_of_an_earlier_version_is_moved_into_parts_and_goes_on(
    postgres: PostgresServer, earlier_job: str, tmp_path: Path
) -> None:
    before = pages_of(postgres, earlier_job)
    assert {part for part, _, _ in before} == {"pages"}
    assert Counter(state for _, _, state in before) == {0: 97, 1: 1, 2: 1, 6: 1}
    job = SharedJob(tmp_path / "now", f"{postgres.url}?job={earlier_job}", order="breadth-first")
    after = pages_of(postgres, earlier_job)
    assert [one[1:] for one in after] == [one[1:] for one in before]
    assert {part for part, _, _ in after} <= set(PARTS)
    assert len({part for part, _, _ in after}) > 2
    assert postgres.ask(f'SELECT version FROM "walker_{earlier_job}".format') == [(len(migrations()),)]
    assert job.offer([page_at(host, 0) for host in range(20)]) == 0, "they are known"
    postgres.ask(f"UPDATE \"walker_{earlier_job}\".workers SET beat_at = '-infinity' WHERE id <> {job.worker}")
    done = 1
    while (lease := job.lease(now=time.time())) is not None:
        assert job.commit(lease, read_at(lease.url)).accepted
        done += 1
    assert done == 99, "that of the killed worker too, and not the one that was postponed"
    assert (job.done, job.items) == (99, 1)
    job.close()


def test_a_moved_job_may_be_crawled_again(postgres: PostgresServer, earlier_job: str, tmp_path: Path) -> None:
    postgres.ask(f"UPDATE \"walker_{earlier_job}\".workers SET beat_at = '-infinity'")
    job = SharedJob(tmp_path / "now", f"{postgres.url}?job={earlier_job}", order="breadth-first")
    for _ in range(3):
        job.repeat()
        job.offer([page_at(0, 0), page_at(1, 1)])
        lease = job.lease(now=time.time())
        assert lease is not None
        job.commit(lease, read_at(lease.url))
        assert {part for part, _, _ in pages_of(postgres, earlier_job)} <= set(PARTS)
    job.close()


def test_the_tables_have_no_semicolon_within_a_statement() -> None:
    """A repetition runs them one by one."""
    assert all(part.strip().startswith(("CREATE", "--")) for part in crawl_tables().split(";") if part.strip())


def test_a_redirect_to_a_page_of_another_host_finds_it(postgres: PostgresServer, tmp_path: Path) -> None:
    job = SharedJob(tmp_path, f"{postgres.url}?job=redirects", order="breadth-first")
    job.offer([page_at(1, 1), page_at(2, 2)])
    lease = job.lease(now=time.time())
    assert lease is not None
    assert job.commit(lease, read_at(page_at(2, 2).url)).accepted
    assert [(url, state) for _, url, state in pages_of(postgres, "redirects")] == [
        ("http://host-1.example/1", 2),
        ("http://host-2.example/2", 5),
    ]
    job.close()
