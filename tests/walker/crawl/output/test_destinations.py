"""What holds of every destination of records: the contract, and what each of them has of its own."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fixtures.loaded_program import run_loaded
from tests.fixtures.postgres_server import PASSWORD, QUOTED_PASSWORD, PostgresServer
from tests.fixtures.s3_server import S3Server
from tests.fixtures.written_records import DuckDbTables, Place, PostgresTables, S3Objects
from tests.sites.serving import Answer, LoopbackSite, serving
from tests.walker.crawl.output.conftest import KINDS
from walker.crawl.output.earlier_output import has_earlier
from walker.crawl.output.records import check_destination, write_records
from walker.crawl.output.s3_objects import write_s3_parts
from walker.crawl.output.spool import Spool, as_json
from walker.crawl.script.destination import S3Parts, destination_of
from walker.errors import OutputUnwritable

COLUMN_KINDS = tuple(kind for kind in KINDS if kind not in ("jsonl", "csv"))
NEW_KINDS = tuple(kind for kind in KINDS if kind in ("duckdb", "postgres") or kind.startswith("s3"))
ROWS: list[dict[str, Any]] = [
    {"name": "Ann", "age": 30, "tags": ["a", "b"]},
    {"name": 'Bö, "the" 2nd\nline', "age": 1.5, "url": "https://example.org/?a=1&b=2"},
    {"name": None, "tags": {"z": 1, "a": None}, "ok": True},
    {},
]
CELLS = [
    ("Ann", 30.0, '["a","b"]', None, None),
    ('Bö, "the" 2nd\nline', 1.5, None, "https://example.org/?a=1&b=2", None),
    (None, None, '{"a":null,"z":1}', None, True),
    (None,) * 5,
]
every_kind = pytest.mark.parametrize("place", KINDS, indirect=True)
with_columns = pytest.mark.parametrize("place", COLUMN_KINDS, indirect=True)
new_kinds = pytest.mark.parametrize("place", NEW_KINDS, indirect=True)


def write(place: Place, rows: Any, name: str = "a", **more: Any) -> int:
    return write_records(destination_of(place.address(name)), rows, **more)


@with_columns
def test_columns_are_the_union_of_all_fields(place: Place) -> None:
    assert write(place, iter(ROWS)) == 4
    assert place.read("a") == (["name", "age", "tags", "url", "ok"], CELLS)


@with_columns
def test_no_records_have_the_columns_that_are_named(place: Place) -> None:
    assert write(place, [], columns=["price", "name"]) == 0
    assert place.read("a") == (["price", "name"], [])


@every_kind
def test_writing_again_replaces_what_was_there(place: Place) -> None:
    many = [{"n": number, "text": "x" * number} for number in range(200)]
    for rows in (many, many, many[:50], many[3:], [], many):
        write(place, rows)
        _, found = place.read("a")
        assert [int(cells[0]) for cells in found] == [row["n"] for row in rows]


@every_kind
def test_what_is_there_is_of_an_earlier_crawl(place: Place) -> None:
    to = destination_of(place.address("a"))
    assert not has_earlier(to, "job")
    write(place, ROWS)
    assert has_earlier(to, "job")
    assert not has_earlier(destination_of(place.address("b")), "job")


@with_columns
def test_other_fields_and_types_of_a_later_crawl_are_taken(place: Place) -> None:
    write(place, [{"name": "a", "size": 1, "gone": 5}])
    write(place, [{"name": ["b"], "size": 1.5, "new": True}, {"size": 2}])
    columns, rows = place.read("a")
    named = [dict(zip(columns, row, strict=True)) for row in rows]
    assert [row.pop("gone", None) for row in named] == [None, None]
    assert named == [{"name": '["b"]', "size": 1.5, "new": True}, {"name": None, "size": 2.0, "new": None}]


@every_kind
def test_a_failure_leaves_what_was_there(place: Place) -> None:
    write(place, ROWS)
    before = place.read("a")

    def broken() -> Iterator[dict[str, Any]]:
        yield {"a": 1}
        raise RuntimeError("the store is gone")

    with pytest.raises(RuntimeError):
        write(place, broken())
    assert place.read("a") == before


@pytest.mark.parametrize("place", [kind for kind in COLUMN_KINDS if kind != "s3 parts"], indirect=True)
def test_two_names_are_two_destinations(place: Place) -> None:
    write(place, ROWS, "a")
    write(place, [{"b": 1}], "b")
    assert place.read("a")[1] == CELLS
    assert place.read("b") == (["b"], [(1,)])


@with_columns
def test_odd_names_of_fields_are_columns(place: Place) -> None:
    row = {"": 1, "row": 2, "Row": 3, 'a"b': 4, "=x": 5, "a,b": 6, "ctid": 7, "ä" * 60: 8, "ä" * 61: 9, "a\0b": 10}
    write(place, [row])
    columns, rows = place.read("a")
    assert rows == [tuple(range(1, 11))]
    assert len(set(columns)) == 10


@pytest.mark.parametrize("place", ["sqlite", "duckdb", "postgres"], indirect=True)
def test_more_fields_than_a_table_has_columns(place: Place) -> None:
    row = {f"f{number}": number for number in range(3_000)}
    write(place, [row])
    columns, [(text,)] = place.read("a")
    assert columns == ["record"]
    assert json.loads(text) == row


@new_kinds
def test_large_texts_and_many_rows(place: Place) -> None:
    rows = [{"n": number, "html": "<p>ünï</p>" * (2_000_000 if number == 7 else 10)} for number in range(20_000)]
    write(place, rows)
    _, found = place.read("a")
    assert [number for number, _ in found] == list(range(20_000))
    assert found[7][1] == rows[7]["html"]


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=5,
)
NAMES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=4)


@pytest.mark.parametrize("place", ["duckdb", "postgres"], indirect=True)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.dictionaries(NAMES, VALUES, max_size=4), max_size=5))
def test_tables_hold_what_the_lines_hold(place: Place, tmp_path: Path, rows: list[dict[str, Any]]) -> None:
    write_records(tmp_path / "a.jsonl", rows)
    lines = (tmp_path / "a.jsonl").read_text(encoding="utf-8").split("\n")[:-1]
    plain = [
        json.loads(line.replace("\\u0000", "\ufffd") if isinstance(place, PostgresTables) else line) for line in lines
    ]
    if isinstance(place, PostgresTables):
        place.server.ask(f'DROP TABLE IF EXISTS "{place.table("a")}"')
    write(place, rows)
    names = list(dict.fromkeys(name for row in plain for name in row))
    _, found = place.read("a")
    assert len(found) == len(plain)
    for cells, row in zip(found, plain, strict=True):
        for name, cell in zip(names, cells, strict=True):
            value = row.get(name)
            assert cell == value or (isinstance(cell, str) and same_json(cell, as_json(value)))


def same_json(one: str, other: str) -> bool:
    """Whether two JSON texts say the same; 1e16 may be written out."""
    return bool(json.loads(one, parse_int=float) == json.loads(other, parse_int=float))


@every_kind
def test_a_killed_process_leaves_one_whole_writing(place: Place) -> None:
    if not place.address("a").startswith(("s3:", "postgresql:")):
        Path(place.address("a").partition("#")[0]).parent.mkdir(exist_ok=True)
    chance = random.Random(place.address("x")[-20:])
    for _ in range(4):
        with run_loaded("tests.walker.crawl.output.written_for_ever", place.address("a")) as process:
            assert process.stdout
            told = [int(process.stdout.readline()) for _ in range(2)]
            time.sleep(chance.random() * 0.2)
            process.kill()
            told += [int(line) for line in process.stdout]
        if isinstance(place, S3Objects) and place.address("a").endswith("/") and not place.manifest("a")["complete"]:
            continue
        _, rows = place.read("a")
        versions = {int(row[1]) for row in rows}
        assert len(versions) == 1
        (version,) = versions
        assert max(told) <= version <= max(told) + 1, "what was told to be there is there"
        assert [int(row[0]) for row in rows] == list(range(500 + version % 3 * 200))
    write(place, ({"n": number} for number in range(700)))
    assert [int(row[0]) for row in place.read("a")[1]] == list(range(700))


# Parts


def write_parts(place: S3Objects, rows: list[dict[str, Any]], folder: Path, size: int = 10) -> None:
    to = destination_of(place.address("a"))
    assert isinstance(to, S3Parts)
    write_s3_parts(Spool.fill(folder / "spool", rows, ("n", "more")), to, size)


def numbers(first: int, end: int) -> list[dict[str, Any]]:
    return [{"n": number} for number in range(first, end)]


@pytest.mark.parametrize("place", ["s3 parts"], indirect=True)
def test_parts_have_names_by_their_place_and_the_same_columns(place: S3Objects, tmp_path: Path) -> None:
    for rows, parts in ((numbers(0, 25), 3), (numbers(0, 41), 5), (numbers(0, 10), 1), ([], 1), (numbers(5, 38), 4)):
        write_parts(place, rows, tmp_path)
        manifest = place.manifest("a")
        assert [part["name"] for part in manifest["parts"]] == [f"part-{one:06}.parquet" for one in range(1, parts + 1)]
        assert place.read("a") == (["n", "more"], [(row["n"], None) for row in rows])


@pytest.mark.parametrize("place", ["s3 parts"], indirect=True)
def test_parts_that_are_there_are_not_sent_again(place: S3Objects, tmp_path: Path) -> None:
    write_parts(place, numbers(0, 25), tmp_path)
    before = {part["name"]: part["sha256"] for part in place.manifest("a")["parts"]}
    kept = f"{place.key('a')}/part-000001.parquet"
    seen = place.server.modified(place.bucket, kept)
    time.sleep(1.1)  # the server tells whole seconds
    write_parts(place, numbers(0, 30), tmp_path)
    after = {part["name"]: part["sha256"] for part in place.manifest("a")["parts"]}
    assert [name for name in after if after[name] != before[name]] == ["part-000003.parquet"]
    assert place.server.modified(place.bucket, kept) == seen


@pytest.mark.parametrize("place", ["s3 parts"], indirect=True)
@pytest.mark.parametrize(("after", "rows"), [(0, 55), (2, 55), (1, 15)])
def test_killed_between_two_parts_no_manifest_vouches_and_the_next_writing_mends(
    place: S3Objects, tmp_path: Path, after: int, rows: int
) -> None:
    write_parts(place, numbers(0, 35), tmp_path)
    given = [place.address("a"), str(tmp_path / "other"), str(after), str(rows)]
    with run_loaded("tests.walker.crawl.output.killed_between_parts", *given) as process:
        assert process.wait() == -signal.SIGKILL
    assert place.manifest("a")["complete"] is False
    write_parts(place, numbers(100, 100 + rows), tmp_path)
    assert [row[0] for row in place.read("a")[1]] == list(range(100, 100 + rows))


# What cannot be written


@pytest.mark.parametrize("place", ["postgres"], indirect=True)
def test_a_table_that_no_crawl_made_is_left_alone(place: PostgresTables) -> None:
    place.server.ask(f'CREATE TABLE "{place.table("a")}" (id int, name text)')
    place.server.ask(f"INSERT INTO \"{place.table('a')}\" VALUES (1, 'Ann')")
    to = destination_of(place.address("a"))
    with pytest.raises(OutputUnwritable, match=r"the table is there, and no crawl has made it\. Name another table"):
        check_destination(to)
    with pytest.raises(OutputUnwritable, match="no crawl has made it"):
        write_records(to, ROWS)
    assert place.server.ask(f'SELECT * FROM "{place.table("a")}"') == [(1, "Ann")]


@pytest.mark.parametrize("place", ["postgres"], indirect=True)
def test_a_table_keeps_its_index_its_view_and_its_readers(place: PostgresTables) -> None:
    write(place, ROWS)
    table = place.table("a")
    place.server.ask(f'CREATE INDEX "{table}_by_name" ON "{table}" (name)')
    place.server.ask(f'CREATE VIEW "{table}_names" AS SELECT name FROM "{table}" WHERE name IS NOT NULL')
    write(place, [*ROWS, {"name": "Cy", "more": 1}])
    assert len(place.server.ask(f'SELECT * FROM "{table}_names"')) == 3
    assert place.server.ask("SELECT 1 FROM pg_indexes WHERE indexname = %s", f"{table}_by_name") == [(1,)]


def test_checking_makes_no_table(postgres: PostgresServer) -> None:
    check_destination(destination_of(f"{postgres.url}?table=looked_at"))
    assert postgres.columns_of("looked_at") == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("walker:", "nobody:"), 'password authentication failed for user "nobody"'),
        ((QUOTED_PASSWORD, "hunter2-zebra"), "password authentication failed"),
        (("/postgres", "/no-such"), 'database "no-such" does not exist'),
        (("?table=books", "?table=none.books"), 'schema "none" does not exist'),
        (("?table=books", "?relation=books"), 'invalid URI query parameter: "relation"'),
        (("@127.0.0.1", "@127.0.0.2"), "Connection refused"),
    ],
)
def test_what_is_wrong_with_an_address_is_one_line_without_its_password(
    postgres: PostgresServer, change: tuple[str, str], said: str
) -> None:
    address = f"{postgres.url}?table=books".replace(*change)
    with pytest.raises(OutputUnwritable, match=said) as caught:
        check_destination(destination_of(address))
    line = str(caught.value)
    assert "\n" not in line
    assert not any(secret in line for secret in (PASSWORD, QUOTED_PASSWORD, "hunter2", "sesame"))
    assert caught.value.__cause__ is None, "a traceback would show the address"


@pytest.mark.parametrize("place", ["duckdb"], indirect=True)
def test_other_tables_of_a_duckdb_file_are_left_alone(place: DuckDbTables) -> None:
    write(place, ROWS)
    base = place.opened()
    base.execute("CREATE TABLE mine AS SELECT 1 AS one")
    base.execute("CREATE VIEW seen AS SELECT name FROM a")
    base.close()
    write(place, ROWS[:1])
    for name in ("mine", "MINE", "seen"):
        with pytest.raises(OutputUnwritable, match="no crawl has made it"):
            check_destination(destination_of(place.address(name)))
        with pytest.raises(OutputUnwritable, match="no crawl has made it"):
            write(place, ROWS, name)
    base = place.opened()
    assert base.execute("SELECT * FROM mine").fetchall() == [(1,)]
    assert base.execute("SELECT * FROM seen").fetchall() == [("Ann",)]
    base.close()


@pytest.mark.parametrize("place", ["duckdb"], indirect=True)
def test_a_file_that_is_no_database_and_one_that_is_open(place: DuckDbTables) -> None:
    write(place, ROWS)
    held = "import duckdb, sys; base = duckdb.connect(sys.argv[1]); print(1, flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", held, str(place.path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout
        holder.stdout.readline()
        with pytest.raises(OutputUnwritable, match=r"#a: it cannot be written .*lock.* Close the programs"):
            check_destination(destination_of(place.address("a")))
    place.path.write_bytes(b"no database" * 5_000)
    with pytest.raises(OutputUnwritable, match="it cannot be written"):
        write(place, ROWS)


def test_what_is_wrong_with_a_bucket_is_one_line(s3: S3Server, monkeypatch: pytest.MonkeyPatch) -> None:
    for address in ("s3://no-such-bucket/a.parquet", "s3://no-such-bucket/a.parquet/"):
        to = destination_of(address)
        expected = f"{address}: there is no bucket no-such-bucket. Make it, or name another"
        for act in (check_destination, lambda one: write_records(one, ROWS)):
            with pytest.raises(OutputUnwritable) as caught:
                act(to)
            assert str(caught.value) == expected
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    with pytest.raises(OutputUnwritable, match=r"http://127\.0\.0\.1:9 does not answer\. Check AWS_ENDPOINT_URL"):
        check_destination(destination_of("s3://books/a.parquet"))


def test_refused_credentials(s3: S3Server) -> None:
    bucket = s3.make_bucket("refused")
    to = destination_of(f"s3://{bucket}/a.parquet")
    for act in (check_destination, lambda one: write_records(one, ROWS)):
        with s3.knowing_no_key(), pytest.raises(OutputUnwritable) as caught:
            act(to)
        line = str(caught.value)
        assert "it cannot be used (InvalidAccessKeyId: " in line
        assert line.endswith("Check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION")
        assert "open-sesame" not in line
    assert write_records(to, ROWS) == len(ROWS)


def test_without_credentials(s3: S3Server, monkeypatch: pytest.MonkeyPatch) -> None:
    s3.make_bucket("books")
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    # Where a machine of a cloud would be asked.
    with serving(LoopbackSite(lambda _: Answer(status=503))) as metadata:
        monkeypatch.setenv("AWS_METADATA_ENDPOINT", metadata.home.rstrip("/"))
        for address in ("s3://books-of-nobody/a.parquet", "s3://books-of-nobody/a.parquet/"):
            metadata.asked.clear()
            with pytest.raises(
                OutputUnwritable, match=r"there are no credentials\. Set AWS_ACCESS_KEY_ID and AWS_SECRET"
            ):
                check_destination(destination_of(address))
            # The library itself would wait for most of a minute.
            assert 1 <= len(metadata.asked) <= 3


@pytest.mark.parametrize("place", ["s3 parts"], indirect=True)
def test_a_manifest_that_no_crawl_made_is_left_alone(place: S3Objects, tmp_path: Path) -> None:
    place.server.write(place.bucket, f"{place.key('a')}/_manifest.json", b'{"name": "an app"}')
    with pytest.raises(
        OutputUnwritable, match=r"_manifest\.json is there, and no crawl has made it\. Name another prefix"
    ):
        write(place, ROWS)


@pytest.mark.parametrize("place", ["s3 object"], indirect=True)
def test_a_large_object_comes_in_chunks_and_leaves_none_behind(place: S3Objects) -> None:
    chance = random.Random(1)
    rows = [{"n": number, "noise": chance.randbytes(1 << 19).hex()} for number in range(24)]
    write(place, rows)
    assert len(place.server.read(place.bucket, place.key("a"))) > 11 << 20
    assert [row[0] for row in place.read("a")[1]] == list(range(24))
    assert place.server.unfinished_uploads(place.bucket) == 0
