"""Whether a page says a quote, and what stands around it."""

from __future__ import annotations

import pytest

from perception.document.reading import observe
from perception.observation import Observation
from perception.snapshot import Snapshot
from tests.fixtures.paper import HOME, page
from walker.strategies.model.quotes import PageText, around, stands_on

BOATS = page(
    "Boats",
    "<p>The station has two boats. The Mantis [flagship] was launched in 1997 — she is “fast”.</p>"
    '<p>She carries <a href="/crew.html">a crew</a> of six.</p><h2>Charges</h2>'
    "<table><tr><th>Boat</th><th>Charge</th></tr><tr><td>Mantis</td><td>980 €</td></tr></table>"
    "<ol><li>Sound the horn, then cast off.</li>"
    '<li>Steer by <a href="/lamp.html">the lamp</a>, due 3. May 1998</li></ol>'
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
        "- Sound the horn, then cast off.",
        "- Sound the horn, then cast off.\n- Steer [12] by the lamp",
        "* Sound the horn, then cast off.",
        "1. Sound the horn, then cast off.",
        "2) Steer by the lamp, due 3. May 1998",
        "Steer [4] by the lamp [5], due 3. May 1998",
        "**Sound the horn**, then __cast off__.",
        "‹Horn› Sound the horn, then cast off.",
        "Sound the horn， then cast off．",
        "| **Mantis** | 980 € |",
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
        "12. May 1998",
        "- Sound the bell",
        "1. Sound the horn, then cast off.\n2. Sound the bell",
    ],
)
def test_what_the_page_does_not_say_is_no_quote(boats: Observation, quote: str) -> None:
    assert not stands_on(boats, quote)


@pytest.mark.parametrize(
    ("quote", "written"),
    [
        ("- Sound the **horn**, then cast off.", "Sound the horn, then cast off."),
        ("1. Steer by the lamp [12], due 3. May 1998", "Steer by the lamp, due 3. May 1998"),
        ("| Mantis | 980 € |", "Mantis | 980 €"),
        ("a = b[10]", "a = b[10]"),
    ],
)
def test_a_quote_is_kept_as_the_page_has_it(quote: str, written: str) -> None:
    site = BOATS.replace("print(2)", "a = b[10]")
    assert PageText(observe(Snapshot(url=HOME, final_url=HOME, status=200, html=site))).as_written(quote) == written


def test_what_is_no_quote_has_a_nearest_passage(boats: Observation) -> None:
    said = PageText(boats)
    assert (
        said.nearest("The station has three boats")
        == "The station has two boats. The Mantis [flagship] was launched in "
        "1997 — she is “fast”."
    )
    assert said.nearest("Nothing of this sort anywhere") == ""


def test_a_quote_keeps_the_heading_above_and_the_sentence_before(boats: Observation) -> None:
    assert around(boats, "The Mantis [flagship] was launched in 1997") == ("Boats", "The station has two boats.")
    heading, before = around(boats, "| Mantis | 980 € |")
    assert heading.endswith("Charges")
    assert before.split() == ["Boat", "|", "Charge"]
    assert around(boats, "nowhere to be seen") == ("", "")
