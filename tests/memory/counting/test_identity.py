"""Which names are one thing. Losing an item is worse than keeping a double."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.counting.identity import address_of, are_two_entries, bare_name, is_truncation, may_be_one_name, plain_name
from memory.findings import Item

ONE_THING = [
    ("Prof. Li Na", "Li Na"),
    ("Prof. Dr. Max Planck", "Max Planck"),
    ("Associate Professor Li Na", "Li Na"),
    ("Dr. Jane Doe, Ph.D.", "Jane Doe"),
    ("Li Na*", "Li Na"),
    ("李娜教授", "李娜"),
    ("李 娜", "李娜"),
    ("李明副教授", "李明"),
    ("李明（副教授）", "李明"),
    ("王小云院士", "王小云"),
    ("José Pérez", "Jose Perez"),
    ("ＳＱＬｉｔｅ", "SQLite"),
    ("Deep Learning: A Survey", "deep learning – a survey"),
    ("“Hello World”", "Hello World"),
    ("data base systems", "database systems"),
    ("GPT-4", "gpt 4"),
    ("R & D", "R&D"),
    ("rank()", "rank"),
    ("lag(expr)", "lag(expr, offset)"),
    ("ACME®", "Acme"),
]
TWO_THINGS = [
    ("Lecture 1", "Lecture 2"),
    ("Lecture 1", "Lecture 11"),
    ("Part 1 2", "Part 12"),
    ("Version 3.1", "Version 31"),
    ("Version 2", "Version 2.0"),
    ("SQLITE_LIMIT_COLUMN", "SQLITE_LIMIT_COMPOUND"),
    ("SHA256", "SHA512"),
    ("Wang Wei", "Wang Wen"),
    ("Wang Wei", "Wei Wang"),
    ("Li Na", "Lina"),
    ("R. Smith", "Robert Smith"),
    ("Smith(2020)", "Smith(2021)"),
    ("C", "C++"),
    ("C", "C#"),
    ("exit", "_exit"),
    ("init", "__init__"),
    ("to_string", "tostring"),
    ("--help", "help"),
    ("!=", "=="),
    ("≥ 5", "≤ 5"),
    ("が", "か"),
    ("कि", "की"),
    ("Й", "И"),
    ("Doctor Who", "Who"),
    ("Algebra (I)", "Algebra (II)"),
    ("李娜", "李娜 2"),
    ("从文本到图像", "从图像到文本"),
    ("Machine Learning", "Machine Leaning"),
]


@pytest.mark.parametrize(("first", "second"), ONE_THING)
def test_one_thing(first: str, second: str) -> None:
    assert bare_name(first) == bare_name(second)


@pytest.mark.parametrize(("first", "second"), TWO_THINGS)
def test_two_things(first: str, second: str) -> None:
    assert bare_name(first) != bare_name(second)
    assert plain_name(first) != plain_name(second)


@given(st.text(max_size=30), st.text(max_size=30))
def test_the_same_name_is_always_a_near_duplicate(first: str, second: str) -> None:
    assert bare_name(first) == bare_name(f" {first}  ")
    if plain_name(first) == plain_name(second):
        assert bare_name(first) == bare_name(second)


@given(st.text(alphabet="ab C1.2-_ Édr李娜", max_size=12))
def test_numbers_in_a_name_are_never_lost(name: str) -> None:
    def digits(text: str) -> str:
        return "".join(character for character in text if character.isdigit())

    assert digits(bare_name(name)) == digits(name)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("http://h/people/12", "http://h/people/57", True),
        ("http://h/person?id=1", "http://h/person?id=2", True),
        ("http://h/papers/12", "http://h/en/papers/12", False),
        ("http://h/api#a", "http://h/api#b", False),
        ("http://h/people/12", "http://h/people/12", False),
        ("", "http://h/people/12", False),
    ],
)
def test_neighbouring_pages(first: str, second: str, expected: bool) -> None:
    assert are_two_entries(first, second) is are_two_entries(second, first) is expected


def test_an_address_keeps_the_fragment_and_drops_what_does_not_tell() -> None:
    def address(key: str) -> str:
        return address_of(Item(name="x", page_url="http://h/", step=1, key=key))

    assert address("HTTP://h/") == "HTTP://h/"
    assert address("http://H/a?utm_source=x#part") == "http://h/a#part"
    assert address("http://h/#/route") == "http://h/#/route"
    assert address("doi:10.1/x") == "doi:10.1/x"
    assert address("http://h:99999/") == "http://h:99999/"
    assert address("") == ""


def test_a_beginning_must_say_that_it_is_one() -> None:
    assert is_truncation("Agents that walk the we...", "Agents that walk the web")
    assert is_truncation("Agents that walk the web", "Agents that walk the we …")
    assert not is_truncation("Agents that walk the we", "Agents that walk the web")
    assert not is_truncation("Agents…", "Agents that walk the web")


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("Robots that read", "Colloquium: Robots that read", True),
        ("Prof. Li Na", "Li Na", True),
        ("", "Li Na", True),
        ("Lecture 1", "Lecture 11", False),
        ("SQLITE_ABORT", "SQLITE_ABORT_ROLLBACK", False),
        ("Lock", "Lock files", False),
        ("Li Na", "Wang Wei", False),
    ],
)
def test_names_under_one_address(first: str, second: str, expected: bool) -> None:
    assert may_be_one_name(first, second) is may_be_one_name(second, first) is expected
