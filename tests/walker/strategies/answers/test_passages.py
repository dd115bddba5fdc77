"""How a page is divided into passages."""

from __future__ import annotations

from tests.fixtures.paper import observed, page
from walker.strategies.answers.passages import Passage, split_passages, split_sentences

TABLE = (
    "<h2>Fees</h2><table><tr><th>Ticket</th><th>Price</th></tr><tr><td>Adult</td><td>12 €</td></tr>"
    "<tr><td>Child</td><td>5 €</td></tr></table>"
)


def passages(body: str) -> tuple[Passage, ...]:
    return split_passages(observed(page("Museum", body)))


def test_sentences_end_at_full_stops_but_not_at_abbreviations() -> None:
    assert split_sentences("Dr. Ruiz came in 1997. She stayed.") == ["Dr. Ruiz came in 1997.", "She stayed."]
    assert split_sentences("投票结束。共有 99 人参加。") == ["投票结束。", "共有 99 人参加。"]


def test_a_cell_knows_its_row_and_its_column() -> None:
    cell = next(one for one in passages(TABLE) if one.text == "12 €")
    assert cell.is_value
    assert cell.near == "Adult Price"
    assert "Fees" in cell.above
    assert "Adult" in cell.quote


def test_the_last_row_of_a_long_table_is_a_passage() -> None:
    rows = "".join(f"<tr><td>Parcel {number}</td></tr>" for number in range(4_500))
    assert any(one.text == "Parcel 4499" for one in passages(f"<table>{rows}</table>"))


def test_a_definition_knows_its_term() -> None:
    found = passages("<dl><dt>timeout</dt><dd>30 seconds</dd><dt>retries</dt><dd>4</dd></dl>")
    value = next(one for one in found if one.text == "30 seconds")
    assert value.is_value
    assert value.near.strip() == "timeout"


def test_code_is_read_as_pairs_of_lines() -> None:
    found = [one.text for one in passages("<pre>listen 80\nserver_name reef\nroot /srv</pre>")]
    assert "listen 80 server_name reef" in found
    assert "server_name reef root /srv" in found


def test_each_passage_knows_its_number() -> None:
    code = "<p>It is open. Come in.</p><pre>first line\nsecond line</pre><dl><dt>Fee</dt><dd>5 €</dd></dl>"
    found = passages(code + TABLE)
    assert [one.place for one in found] == list(range(len(found)))
    assert sum(one.is_value for one in found) >= 3


def test_a_term_and_the_name_of_a_row_know_what_is_said_of_them() -> None:
    found = passages("<dl><dt>KeyError</dt><dd>Raised when a key is not found.</dd><dt>Note</dt></dl>" + TABLE)
    by_text = {one.text: one for one in found if one.is_value}
    assert by_text["KeyError"].near == "Raised when a key is not found."
    assert by_text["Child"].near == "5 €"
    assert "Child" in by_text["Child"].quote
    assert "Note" not in by_text, "nothing is said of it"


def test_of_two_terms_with_one_definition_both_have_it() -> None:
    found = passages("<dl><dt>EnvironmentError</dt><dt>IOError</dt><dd>Aliases of OSError.</dd></dl>")
    assert [one.near for one in found if one.text in ("EnvironmentError", "IOError")] == ["Aliases of OSError."] * 2
