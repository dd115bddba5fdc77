"""Names of entries, pages of quotes, findings that differ."""

from __future__ import annotations

import pytest

from memory.findings import Finding
from perception.observation import Block, Observation, Record
from walker.strategies.answers.conflicts import conflicts_of
from walker.strategies.answers.entry_names import entry_name
from walker.strategies.answers.file_pages import page_of_quote


@pytest.mark.parametrize(
    ("name", "kind", "short"),
    [
        ("3. Boats", "list", "Boats"),
        ("2.1 Crew", "list", "Crew"),
        ("open(path, mode)", "definitions", "open"),
        ("queue — A synchronized queue", "list", "queue"),
        ("第三章 船", "list", "船"),
    ],
)
def test_a_name_is_without_number_arguments_and_explanation(name: str, kind: str, short: str) -> None:
    assert entry_name(Record(name=name, text=name), kind) == short


def finding(text: str, url: str, score: float = 0.9) -> Finding:
    return Finding(text=text, quote=text, url=url, step=1, score=score)


def test_findings_of_two_pages_that_say_different_values_conflict() -> None:
    assert conflicts_of([finding("6 boats", "a"), finding("8 boats", "b")]) == ((0, 1),)
    assert conflicts_of([finding("6 boats", "a"), finding("6", "b")]) == ()
    assert conflicts_of([finding("6 boats", "a"), finding("8 boats", "b", 0.2)]) == ()


def test_the_page_of_a_quote_is_that_of_its_anchor() -> None:
    blocks = tuple(
        Block(id=number, kind="paragraph", text=text, anchor=f"page={number}")
        for number, text in enumerate(("First page about boats.", "Second page about crews."), start=1)
    )
    observation = Observation(url="http://reef.example/a.pdf", status=200, blocks=blocks)
    assert page_of_quote(observation, "page about crews") == 2
    assert page_of_quote(observation, "nothing like it") == 0
    assert page_of_quote(Observation(url="http://reef.example/", status=200), "page") == 0
