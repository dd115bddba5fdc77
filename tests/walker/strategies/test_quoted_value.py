"""Of a model's answer nothing is told as found that no quote says."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.findings import SHOWN_SCORE, Citation, ComputedFinding, Finding
from walker.strategies.model.quotes import quoted_instead, quoted_value

LENGTH = Finding(
    text="18.4 metres", quote="The Mantis is 18.4 metres long.", url="https://a.example/", step=1, score=0.4
)
NAMES = Finding(
    text="three boats", quote="Mantis, Squid and Orca lie in the harbour.", url="https://a.example/", step=1, score=0.7
)
SHOWN = Finding(text="a ship", quote="a ship", url="https://a.example/", step=1, score=SHOWN_SCORE)


@pytest.mark.parametrize(
    ("answer", "cited", "found", "told"),
    [
        ("18.4 metres", [LENGTH], [], "18.4 metres"),
        ("18.4 Metres", [], [LENGTH], "18.4 Metres"),
        ("It is as long as a whale.", [LENGTH], [], "18.4 metres"),
        ("It is as long as a whale.", [], [LENGTH, NAMES], NAMES.quote),
        ("Mantis; Squid; Kraken", [NAMES], [], "Mantis; Squid"),
        ("Kraken; Leviathan", [], [], ""),
        ("A fortnight", [], [], ""),
        ("", [], [LENGTH], "18.4 metres"),
        ("a ship", [], [SHOWN], ""),
    ],
)
def test_only_what_stands_on_a_page_is_told(answer: str, cited: list[Finding], found: list[Finding], told: str) -> None:
    assert quoted_value(answer, cited, found) == told
    assert quoted_instead(answer, cited, found) == (msgspec.UNSET if told == answer else told)


def test_what_code_computed_is_told_though_it_stands_nowhere() -> None:
    computed = ComputedFinding(
        text="30", quote="1960 ... 1990", url="https://a.example/", step=2, score=0.5, code="b - a", inputs=("a: 1960", "b: 1990"),
        sources=(Citation(url="https://a.example/", quote="1960"),),
    )  # fmt: skip
    assert quoted_value("30", [computed]) == "30"
    assert quoted_value("Some thirty years, as everybody knows.", [computed]) == "30"


@given(st.text(max_size=60), st.text(min_size=1, max_size=60), st.text(max_size=30))
def test_whatever_a_model_says_what_is_told_stands_in_a_quote(answer: str, quote: str, text: str) -> None:
    finding = Finding(text=text, quote=quote, url="https://a.example/", step=1, score=0.5)
    told = quoted_value(answer, [finding])

    def bare(words: str) -> str:
        return "".join(sign for sign in words.casefold() if sign.isalnum())

    assert all(bare(part) in bare(quote) for part in told.split("; "))
