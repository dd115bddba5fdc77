"""Crawls whose records go to tables and object stores: killed, repeated, refused, and with passwords."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fixtures.postgres_server import PASSWORD, QUOTED_PASSWORD, PostgresServer
from tests.fixtures.s3_server import S3Server
from tests.fixtures.written_records import DuckDbTables, Place
from tests.sites.crawl_site import ITEMS, CrawlSite, serve_crawl_site
from tests.walker.cli.program import walker, walker_here
from tests.walker.crawl.killing import Crawls, write_script
from walker.crawl.output.records import write_records
from walker.crawl.script.destination import destination_of

NEW_KINDS = ("duckdb", "postgres", "s3 object", "s3 parts")
SCRIPT = """
start: {home}
driver: http
scope: {{pages: 12}}
pages:
  - match: /item/*
    items: [{{fields: {{title: title}}}}]
"""


@pytest.fixture(scope="module")
def site() -> Iterator[CrawlSite]:
    with serve_crawl_site() as server:
        yield server


@pytest.mark.parametrize("place", NEW_KINDS, indirect=True)
def test_a_crawl_that_is_killed_again_and_again_has_each_record_once(place: Place, tmp_path: Path) -> None:
    chance = random.Random(5)
    with serve_crawl_site(delay=0.01) as slow, Crawls() as crawls:
        script, job = write_script(tmp_path / "script.py", slow.home, "http", "plain"), tmp_path / "job"
        crawls.more = ("-o", place.address("a"))
        for _ in range(3):
            assert crawls.run_killed(script, job, slow, chance.randint(5, 40))
        for _ in range(2):  # the second finds all done, and writes again
            assert crawls.run(script, job) == 0
            columns, rows = place.read("a")
            assert columns == ["title", "url", "page_url"]
            assert len(rows) == len({row[1] for row in rows}) == ITEMS
            lines = (job / "items.jsonl").read_text(encoding="utf-8").splitlines()
            assert [row[1] for row in rows] == [json.loads(line)["url"] for line in lines]
        left = [path.name for path in job.iterdir()]
    assert sorted(left) == ["items.jsonl", "job.sqlite", "lock", "pages.jsonl", "trace"]


def test_a_password_is_in_nothing_that_is_printed_or_written(
    postgres: PostgresServer, site: CrawlSite, tmp_path: Path
) -> None:
    address = f"{postgres.url}?table=secret_books"
    options = ("--driver", "http", "--max-pages", "5", "--out-pages", address)
    (tmp_path / "site.yaml").write_text(f"start: {site.home}\noutput: {{pages: '{address}'}}\n")
    wrong = address.replace(QUOTED_PASSWORD, "hunter2-zebra")
    done = [
        walker("crawl", site.home, *options, "--job", "one", "-v", folder=tmp_path),  # with what a C library may print
        walker_here("crawl", site.home, *options, "--job", "one", "--json", folder=tmp_path),
        walker_here("crawl", "site.yaml", "--max-pages", "3", "--driver", "http", "--job", "two", folder=tmp_path),
        walker_here("crawl", "site.yaml", "--check", folder=tmp_path),
    ]
    assert [one.code for one in done] == [0, 0, 0, 0], done
    refused = walker_here("crawl", site.home, *options[:-1], wrong, "--job", "three", folder=tmp_path)
    assert refused.code == 1
    assert refused.line.startswith("walker: postgresql://walker:***@127.0.0.1:")
    assert not (tmp_path / "three").exists(), "nothing was begun"
    assert json.loads(done[1].out)["files"][-1] == address.replace(QUOTED_PASSWORD, "***")
    assert "***" in done[0].err
    texts = [text.encode() for one in (*done, refused) for text in (one.out, one.err)]
    written = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file() and path.name != "site.yaml"]
    assert len(written) > 8
    for secret in (PASSWORD, QUOTED_PASSWORD, "hunter2-zebra"):
        assert not any(secret.encode() in data for data in (*texts, *written))
    assert postgres.ask("SELECT count(*) FROM secret_books") == [(3,)]


def test_libpq_finds_the_password_by_itself(postgres: PostgresServer, site: CrawlSite, tmp_path: Path) -> None:
    bare = postgres.url.replace(f":{QUOTED_PASSWORD}", "")
    (tmp_path / "site.yaml").write_text(f"start: {site.home}\noutput: {{pages: '{bare}?table=bare'}}\n")
    fine = walker_here("crawl", "site.yaml", "--check", folder=tmp_path, PGPASSWORD=PASSWORD)
    assert (fine.code, fine.line) == (0, "site.yaml: the script is fine")
    without = walker_here("crawl", "site.yaml", "--check", folder=tmp_path, PGPASSFILE=str(tmp_path / "none"))
    assert without.code == 1
    assert "no password supplied" in without.line
    assert "Check the address, and PGPASSWORD or ~/.pgpass" in without.line


@pytest.mark.parametrize(
    ("package", "address", "said"),
    [
        (
            "duckdb",
            "a.duckdb",
            "a.duckdb#records: DuckDB needs duckdb. Install it with: pip install 'gemwalker[duckdb]'",
        ),
        ("obstore", "s3://b/a.csv", "s3://b/a.csv: S3 needs obstore. Install it with: pip install 'gemwalker[s3]'"),
        (
            "psycopg",
            "postgresql://h/d",
            "postgresql://h/d?table=records: Postgres needs psycopg. Install it with: pip install 'gemwalker[postgres]'",
        ),
    ],
)
def test_a_missing_extra_is_named_with_what_installs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package: str, address: str, said: str
) -> None:
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / f"{package}.py").write_text(f"raise ImportError('no {package} here', name='{package}')\n")
    monkeypatch.syspath_prepend(broken)
    for name in [name for name in sys.modules if name.partition(".")[0] == package]:
        monkeypatch.delitem(sys.modules, name)
    done = walker_here("crawl", "https://example.org/", "-o", address, "--check", folder=tmp_path)
    assert (done.code, done.line) == (1, f"walker: {said}")


def test_a_script_writes_to_a_bucket_and_its_check_says_what_is_wrong(
    s3: S3Server, site: CrawlSite, tmp_path: Path
) -> None:
    (tmp_path / "site.yaml").write_text(
        SCRIPT.format(home=site.home)
        + "output: {items: 's3://items-of-a-script/rows.csv', pages: pages.duckdb, chunks: 'pages.duckdb#passages'}\n"
    )
    missing = walker_here("crawl", "site.yaml", "--check", folder=tmp_path)
    assert missing.code == 1
    assert (
        missing.line
        == "walker: s3://items-of-a-script/rows.csv: there is no bucket items-of-a-script. Make it, or name another"
    )
    s3.make_bucket("items-of-a-script")
    assert walker_here("crawl", "site.yaml", "--check", folder=tmp_path).line == "site.yaml: the script is fine"
    done = walker_here("crawl", "site.yaml", "--json", folder=tmp_path)
    assert done.code == 0, done.err
    assert json.loads(done.out)["files"][-3:] == [
        "s3://items-of-a-script/rows.csv",
        "pages.duckdb#records",
        "pages.duckdb#passages",
    ]
    head, *lines = s3.read("items-of-a-script", "rows.csv").decode().splitlines()
    assert head == "title,page_url"
    assert len(lines) == json.loads(done.out)["items"] > 0
    columns, pages = DuckDbTables(tmp_path / "pages.duckdb").read("records")
    assert columns[:2] == ["url", "state"]
    assert len(pages) == 12
    columns, passages = DuckDbTables(tmp_path / "pages.duckdb").read("passages")
    assert columns == ["url", "title", "headings", "number", "text"]
    assert len(passages) >= 12


def test_what_a_killed_process_left_of_a_writing_is_removed(postgres: PostgresServer, tmp_path: Path) -> None:
    scratch = tmp_path / "sending"
    scratch.mkdir()
    (scratch / "records").write_text("of a killed process")
    to = destination_of(f"{postgres.url}?table=left")
    assert write_records(to, ({"n": n, "there": scratch.is_dir()} for n in range(3)), scratch=scratch) == 3
    assert postgres.ask('SELECT * FROM "left" ORDER BY row') == [(1, 0, True), (2, 1, True), (3, 2, True)]
    assert not scratch.exists()
