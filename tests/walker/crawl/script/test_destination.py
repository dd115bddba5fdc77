from __future__ import annotations

from pathlib import Path

import pytest

from walker.crawl.script.destination import (
    BadDestination,
    Destination,
    DuckDbTable,
    PostgresTable,
    S3Object,
    S3Parts,
    destination_of,
    secrets_in,
    without_secrets,
)
from walker.crawl.script.secret_text import secrets_of
from walker.crawl.script.spec import CrawlSpec, Output
from walker.crawl.script.spec_loader import amended, spec_of_root, spec_schema
from walker.crawl.script.spec_problems import BadScript

HOME = "https://example.org/"


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("out/rows.csv", Path("out/rows.csv")),
        ("a#b.csv", Path("a#b.csv")),
        ("rows.duckdb", DuckDbTable(path=Path("rows.duckdb"), table="records")),
        ("out/rows.duckdb#my books", DuckDbTable(path=Path("out/rows.duckdb"), table="my books")),
        ("s3://books/a/rows.parquet", S3Object(bucket="books", key="a/rows.parquet")),
        ("S3://books//rows.csv", S3Object(bucket="books", key="rows.csv")),
        ("s3://books/a/rows.parquet/", S3Parts(bucket="books", prefix="a/rows.parquet")),
        ("postgresql:///shop", PostgresTable(url="postgresql:///shop", table=("records",))),
        (
            "postgres://me@h:5,i:6/shop?sslmode=require&table=my.books&application_name=a%20b",
            PostgresTable(
                url="postgres://me@h:5,i:6/shop?sslmode=require&application_name=a%20b", table=("my", "books")
            ),
        ),
        ("postgresql://h/d?table=B%C3%BCcher%20%231", PostgresTable(url="postgresql://h/d", table=("Bücher #1",))),
    ],
)
def test_a_text_names_a_destination(text: str, meant: Destination) -> None:
    found = destination_of(text)
    assert found == meant
    assert destination_of(found) == found
    assert destination_of(str(found)) == found


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            "mysql://u:sesame@h/d",
            "mysql:// is not known; expected a file, FILE.duckdb#TABLE, s3://BUCKET/KEY or postgresql",
        ),
        ("https://h/a.csv", "https:// is not known"),
        ("rows.duckdb#", "no table is named behind #"),
        ("s3://books", "a bucket and a key are needed"),
        ("s3:///a.csv", "a bucket and a key are needed"),
        ("s3://books//", "a bucket and a key are needed"),
        ("postgresql://u:sesame@h/d?table=", "table is no name"),
        ("postgresql://u:sesame@h/d?table=a.b.c", "table is no name"),
        ("postgresql://u:sesame@h/d?table=" + "ü" * 32, "each of at most 63 bytes"),
        ("postgresql://u:${PASSWORD}@h/d", r"\$\{...\} is allowed in the text of a step only; libpq reads PGPASSWORD"),
        (Path("s3://books/a.csv"), "an address s3://... is a text, not a path"),
        (7, "not a path or an address"),
    ],
)
def test_what_names_none_is_refused_without_its_password(given: object, said: str) -> None:
    with pytest.raises(BadDestination, match=said) as caught:
        destination_of(given)
    assert "sesame" not in str(caught.value)
    with pytest.raises(BadScript, match=r"output\.items\[0\]: ") as told:
        spec_of_root(HOME, output={"items": [given]})
    assert "sesame" not in str(told.value)
    assert told.value.__cause__ is None


def test_no_text_of_a_destination_holds_its_password() -> None:
    to = destination_of(
        "postgresql://me:open%20se%2Fsame@h/d?password=sesame2&sslmode=require&sslpassword=sesame3&table=t"
    )
    secrets = ("open%20se%2Fsame", "open se/same", "sesame2", "sesame3")
    assert secrets_in(to) == secrets
    spec = CrawlSpec(start=(HOME,), output=Output(items=(to,)))
    assert secrets_of(spec, {}) == secrets
    shown = "postgresql://me:***@h/d?password=***&sslmode=require&sslpassword=***&table=t"
    assert str(to) == shown
    for text in (str(to), repr(to), repr(spec), spec.model_dump_json(), f"{spec.output}"):
        assert not any(secret in text for secret in secrets)
    assert without_secrets("failed for open se/same, sesame2", to) == "failed for ***, ***"


def test_other_options_leave_the_address_as_it_was() -> None:
    address = "postgresql://me:sesame@h/d?table=t"
    spec = spec_of_root(HOME, output={"items": [address]})
    (kept,) = amended(spec, {"scope": {"pages": 3}}).output.items
    assert kept == destination_of(address)
    (kept,) = amended(spec, {"output": {"pages": ("pages.csv",)}}).output.items
    assert kept == destination_of(address)
    (put,) = amended(spec, {"output": {"items": ("b.csv",)}}).output.items
    assert put == Path("b.csv")


@pytest.mark.parametrize(
    ("output", "said"),
    [
        (
            {"items": "s3://books/rows.xls"},
            r"'s3://books/rows\.xls' has no known file extension; .* \.parquet \.sqlite$",
        ),
        (
            {"items": "s3://books/rows.sqlite/"},
            r"has no known file extension; expected one of \.jsonl \.csv \.parquet$",
        ),
        ({"items": ["a.duckdb", "a.duckdb#RECORDS"]}, r"items\[1\]: 'a\.duckdb#RECORDS' is named twice"),
        (
            {"items": "a.duckdb#one", "pages": "./a.duckdb#one"},
            r"pages\[0\]: .* is named twice; expected a table or obj",
        ),
        ({"items": "s3://b/a.csv", "pages": "s3://b/a.csv"}, "is named twice"),
        ({"warc": "s3://books/a.warc"}, r"output\.warc: an address; expected a path; records alone can go elsewhere"),
        ({"markdown": "s3://books/site/"}, r"output\.markdown: an address"),
        ({"files": "postgresql://u:sesame@h/d"}, r"output\.files: an address"),
        ({"items": "here.py/a.duckdb"}, "here.py' is a file; expected a folder"),
    ],
)
def test_problems_that_need_nobody_else_are_told_with_the_script(
    output: dict[str, object], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "here.py").touch()
    with pytest.raises(BadScript, match=said) as caught:
        spec_of_root(HOME, output=output)
    assert len(caught.value.lines) == 1
    assert "sesame" not in caught.value.lines[0]


def test_editors_are_told_that_a_destination_is_a_text() -> None:
    items = spec_schema()["$defs"]["Output"]["properties"]["items"]
    assert {"type": "string"} in items["anyOf"]
