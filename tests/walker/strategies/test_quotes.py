"""Whether a page says a quote, and what stands around it."""

from __future__ import annotations

import pytest

from perception.document.reading import observe
from perception.observation import Observation
from perception.snapshot import Snapshot
from tests.fixtures.paper import HOME, page
from walker.strategies.model.quotes import around, stands_on

BOATS = page(
    "Boats",
    "<p>The station has two boats. The Mantis [flagship] was launched in 1997 — she is “fast”.</p>"
    '<p>She carries <a href="/crew.html">a crew</a> of six.</p><h2>Charges</h2>'
    "<table><tr><th>Boat</th><th>Charge</th></tr><tr><td>Mantis</td><td>980 €</td></tr></table>"
    "<pre>print('boats')\nprint(2)</pre><p data-walker-hidden>She is 99 metres long.</p>",
)


@pytest.fixture(scope="module")
def boats() -> Observation:
    return observe(Snapshot(url=HOME, final_url=HOME, status=200, html=BOATS))


@pytest.mark.parametrize(
    "quote",
    [
        "The station has two boats.",
        "THE  STATION\nhas two boats",
        'launched in 1997 - she is "fast".',
        "She carries a crew [12] of six.",
        "She carries a crew [3 seen] of six.",
        "She carries a crew [3 off-site] of six.",
        "| Mantis | 980 € |",
        "Mantis 980 €",
        "```\nprint('boats')\nprint(2)\n```",
        "The station has two boats. … She carries a crew",
        "The station has two boats ... a crew of six",
        "launched in 1997 — she is “fast”. She carries a crew of six.",
    ],
)
def test_a_quote_may_be_copied_as_the_prompt_shows_it(boats: Observation, quote: str) -> None:
    assert stands_on(boats, quote)


@pytest.mark.parametrize(
    "quote",
    [
        "",
        "…",
        "[12]",
        "The station has three boats.",
        "She is 99 metres long.",
        "The station has two boats … and a third one",
        "The … boats",
        "She carries a crew of 6.",
    ],
)
def test_what_the_page_does_not_say_is_no_quote(boats: Observation, quote: str) -> None:
    assert not stands_on(boats, quote)


def test_a_quote_keeps_the_heading_above_and_the_sentence_before(boats: Observation) -> None:
    assert around(boats, "The Mantis [flagship] was launched in 1997") == ("Boats", "The station has two boats.")
    heading, before = around(boats, "| Mantis | 980 € |")
    assert heading.endswith("Charges")
    assert before.split() == ["Boat", "|", "Charge"]
    assert around(boats, "nowhere to be seen") == ("", "")
