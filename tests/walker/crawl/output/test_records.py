from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fixtures.written_records import read_file as read_back
from walker.crawl.output.csv_file import harmless
from walker.crawl.output.records import write_records
from walker.crawl.output.spool import as_json
from walker.errors import OutputUnwritable, UsageError

ENDINGS = (".jsonl", ".csv", ".parquet", ".sqlite")
ROWS: list[dict[str, Any]] = [
    {"name": "Ann", "age": 30, "tags": ["a", "b"]},
    {"name": 'Bö, "the" 2nd\nline', "age": 1.5, "url": "https://example.org/?a=1&b=2"},
    {"name": None, "tags": {"z": 1, "a": None}, "ok": True},
    {},
]


def test_lines_of_json_hold_the_records_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "new" / "a.jsonl"
    assert write_records(path, ROWS) == 4
    assert [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] == ROWS
    assert "Bö" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("ending", [".parquet", ".sqlite"])
def test_columns_are_the_union_of_all_fields(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"a{ending}"
    write_records(path, iter(ROWS))
    columns, rows = read_back(path)
    assert columns == ["name", "age", "tags", "url", "ok"]
    assert rows == [
        ("Ann", 30.0, '["a","b"]', None, None),
        ('Bö, "the" 2nd\nline', 1.5, None, "https://example.org/?a=1&b=2", None),
        (None, None, '{"a":null,"z":1}', None, True),
        (None,) * 5,
    ]


def test_csv_shows_the_same(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    write_records(path, ROWS)
    assert read_back(path)[1][:3] == [
        ("Ann", "30.0", '["a","b"]', "", ""),
        ('Bö, "the" 2nd\nline', "1.5", "", "https://example.org/?a=1&b=2", ""),
        ("", "", '{"a":null,"z":1}', "", "true"),
    ]


def test_lines_of_json_have_the_named_fields_first(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    write_records(path, [{"a": 1, "page_url": "u", "stock": 3, "to": 4}], columns=("to", "stock", "none"))
    assert path.read_text(encoding="utf-8") == '{"to":4,"stock":3,"a":1,"page_url":"u"}\n'


@pytest.mark.parametrize("ending", ENDINGS)
def test_no_records_are_a_file_all_the_same(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"a{ending}"
    assert write_records(path, []) == 0
    assert path.exists()
    if ending in (".parquet", ".sqlite"):
        assert read_back(path) == ([], [])


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_same_records_are_the_same_bytes(tmp_path: Path, ending: str) -> None:
    first, second = tmp_path / f"a{ending}", tmp_path / f"b{ending}"
    write_records(first, ROWS)
    write_records(second, ROWS)
    assert first.read_bytes() == second.read_bytes()


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"a{ending}"
    write_records(path, ROWS)
    old = path.read_bytes()

    def broken() -> Iterator[dict[str, Any]]:
        yield {"a": 1}
        raise RuntimeError("the store is gone")

    with pytest.raises(RuntimeError):
        write_records(path, broken())
    assert path.read_bytes() == old
    assert [one.name for one in tmp_path.iterdir()] == [path.name]


def test_what_cannot_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputUnwritable, match=r"file/a.csv: .* Free some space, or name another file"):
        write_records(tmp_path / "file" / "a.csv", ROWS)
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(OutputUnwritable, match="Is a directory"):
        write_records(tmp_path / "folder.csv", ROWS)
    with pytest.raises(
        UsageError, match=r"'.xls' is not a known file extension. Use one of .jsonl .csv .parquet .sqlite"
    ):
        write_records(tmp_path / "a.xls", ROWS)


@pytest.mark.parametrize("ending", [".csv", ".sqlite", ".parquet"])
def test_odd_names_of_fields_are_columns(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"a{ending}"
    write_records(path, [{"": 1, "row": 2, "Row": 3, 'a"b': 4, "=x": 5, "a,b": 6}])
    columns, rows = read_back(path)
    assert tuple(map(int, rows[0])) == (1, 2, 3, 4, 5, 6)
    assert len({column.casefold() if ending == ".sqlite" else column for column in columns}) == 6


def test_more_fields_than_sqlite_has_columns(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    row = {f"f{number}": number for number in range(3000)}
    write_records(path, [row])
    [(text,)] = read_back(path)[1]
    assert json.loads(text) == row


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("=1+1", "'=1+1"),
        ("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"),
        ("-2+3", "'-2+3"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "'\t=1"),
        (" =1", "' =1"),
        ("\n=1", "'\n=1"),
        ("＝1+1", "'＝1+1"),
        ("-5", "-5"),
        ("+3.5e-7", "+3.5e-7"),
        ("-1,200.50%", "-1,200.50%"),
        ("a=b", "a=b"),
        ("", ""),
    ],
)
def test_no_text_of_a_site_is_a_formula(text: str, cell: str) -> None:
    assert harmless(text) == cell


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(exclude_characters="\x00"), max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=5,
)
NAMES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=4)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.dictionaries(NAMES, VALUES, max_size=4), max_size=5))
def test_every_format_holds_what_the_lines_hold(tmp_path: Path, rows: list[dict[str, Any]]) -> None:
    write_records(tmp_path / "a.jsonl", rows)
    lines = (tmp_path / "a.jsonl").read_text(encoding="utf-8").split("\n")[:-1]
    plain = [json.loads(line) for line in lines]
    assert len(plain) == len(rows)
    names = list(dict.fromkeys(name for row in plain for name in row))
    for ending in (".parquet", ".sqlite"):
        write_records(tmp_path / f"a{ending}", rows)
        _, found = read_back(tmp_path / f"a{ending}")
        assert len(found) == len(plain) or not names
        for cells, row in zip(found, plain, strict=bool(names)):
            for name, cell in zip(names, cells, strict=True):
                value = row.get(name)
                assert cell == value or (isinstance(cell, str) and cell == as_json(value))
    write_records(tmp_path / "a.csv", rows)
    assert (tmp_path / "a.csv").read_text(encoding="utf-8") is not None
