"""Which terms of a query are looked up."""

from __future__ import annotations

from memory.library.query_terms import (
    POSTINGS_AT_MOST,
    TERMS_AT_MOST,
    beginning_of,
    chosen_terms,
    match_expression,
    terms_of,
)


def test_terms_are_stems_each_once() -> None:
    assert terms_of("Backups and the backup of databases") == ("backup", "databas")
    assert len(terms_of(" ".join(f"w{number}" for number in range(500)))) == TERMS_AT_MOST


def test_common_terms_are_left_out_where_the_rare_ones_are_work_enough() -> None:
    many = {"sqlite": POSTINGS_AT_MOST, "wal": 50, "size": POSTINGS_AT_MOST // 2, "none": 0}
    assert chosen_terms(("sqlite", "wal", "size", "none"), many) == ("wal", "size")
    assert chosen_terms(("sqlite",), {"sqlite": 9 * POSTINGS_AT_MOST}) == ("sqlite",)
    assert chosen_terms(("none",), {"none": 0}) == ()


def test_terms_are_quoted() -> None:
    assert match_expression(("a", 'b"c', "NEAR")) == '"a" OR "b""c" OR "NEAR"'


def test_a_word_that_no_passage_has_is_looked_up_by_its_beginning() -> None:
    assert beginning_of("annoncés") == "annonc*"
    assert match_expression(("annonc*",)) == '"annonc" *'
    assert [beginning_of(term) for term in ("short", "v1.2.3456", "get_folder", "学校历史沿革")] == ["", "", "", ""]
