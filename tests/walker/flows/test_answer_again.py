"""An answer is found again under its label, in its column, or between its words; else it is gone, never guessed."""

from __future__ import annotations

import pytest

from perception.document.reading import observe
from perception.observation import Observation
from perception.snapshot import Snapshot
from walker.flows.answer_again import extract_again, passage_of
from walker.flows.script import Answer, Listed

TABLE = (
    "<table><tr><th>Mug</th><th>Price</th><th>Size</th></tr>{}<tr><td>Red</td><td>9 EUR</td><td>1 l</td></tr></table>"
)

SIZE = "<dt>Size</dt><dd>2 l</dd>"
MOVED = (
    "<table><tr><th>Mug</th><th>Stock</th><th>Price</th></tr><tr><td>Red</td><td>4</td><td>9 EUR</td></tr>"
    "<tr><td>Blue</td><td>7</td><td>14 EUR</td></tr></table>"
)


def observed(body: str) -> Observation:
    html = f'<html lang="en"><title>Mugs</title><body><main><h1>Mugs</h1>{body}</main></body></html>'
    return observe(Snapshot(url="http://a.example/", final_url="http://a.example/", status=200, html=html))


@pytest.mark.parametrize(
    ("before", "quote", "now", "value"),
    [
        # a row, also where a column came before its own, and another row before it
        (
            TABLE.format("<tr><td>Blue</td><td>12 EUR</td><td>2 l</td></tr>"),
            "Blue | 12 EUR | 2 l",
            MOVED,
            "14 EUR",
        ),
        ("<dl><dt>Price</dt><dd>12 EUR</dd></dl>", "12 EUR", f"<dl>{SIZE}<dt>Price</dt><dd>14 EUR</dd></dl>", "14 EUR"),
        ("<p>Price</p><p>12 EUR</p>", "12 EUR", "<p>Price</p><p>14 EUR</p>", "14 EUR"),
        ("<p>Price: 12 EUR</p>", "Price: 12 EUR", "<p>Size: 2 l</p><p>Price: 14 EUR</p>", "14 EUR"),
        (
            "<p>Our blue mug costs 12 EUR with delivery to all of the country.</p>",
            "blue mug costs 12 EUR",
            "<p>New: our blue mug costs only 14 EUR with delivery to all of the country.</p>",
            "only 14 EUR",
        ),
    ],
)
def test_the_value_is_read_anew(before: str, quote: str, now: str, value: str) -> None:
    passage = passage_of(observed(before), 1, quote, "12 EUR")
    assert passage is not None
    answer = Answer(value="12 EUR", passages=(passage,))
    same = extract_again(answer, {1: observed(f"<p>News of the day.</p>{before}")})
    assert (same.state, same.value) == ("same", "12 EUR")
    changed = extract_again(answer, {1: observed(now)})
    assert (changed.state, changed.value, changed.was) == ("changed", value, "12 EUR")
    gone = extract_again(answer, {1: observed("<p>We have closed our shop, and thank you for all the years.</p>")})
    assert (gone.state, gone.value) == ("gone", "")
    assert "no longer on the page of step 1" in gone.notes[0]


def test_a_quote_that_is_not_in_the_text_has_no_passage() -> None:
    assert passage_of(observed("<p>Nothing of that kind.</p>"), 1, "12 EUR", "12 EUR") is None


def test_names_that_move_to_the_next_page_are_no_change_and_others_are() -> None:
    def listed(*names: str) -> Observation:
        return observed(
            "<h2>All mugs</h2><ul>" + "".join(f'<li><a href="/{name}">{name}</a></li>' for name in names) + "</ul>"
        )

    lists = (
        Listed(step=1, names=("Ash", "Birch", "Cedar"), under="All mugs"),
        Listed(step=2, names=("Elm", "Fir"), under="All mugs"),
    )
    answer = Answer(value="4", lists=lists)
    assert extract_again(answer, {1: listed("Ash", "Birch"), 2: listed("Cedar", "Elm", "Fir")}).state == "same"
    now = extract_again(answer, {1: listed("Ash", "Beech", "Birch"), 2: listed("Cedar", "Fir")})
    assert (now.state, now.new, now.gone) == ("changed", ("Beech",), ("Elm",))
    assert now.value == "5 (Ash; Beech; Birch; Cedar; Fir)"
    some = Answer(value="Ash; Birch", lists=(Listed(step=1, names=("Ash", "Birch"), under="All mugs", some=True),))
    assert extract_again(some, {1: listed("Ash", "Beech", "Birch")}).state == "same"
