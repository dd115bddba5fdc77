"""Lists that a page writes as text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perception.observation import Block, Observation
from tests.fixtures.paper import observed, page
from walker.strategies.answers.enumerations import enumerations_on


def names_in(body: str) -> list[tuple[str, ...]]:
    return [tuple(one.name for one in found.records) for found in enumerations_on(observed(page("Reef", body)))]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("The boats of the station include Mantis, Heron, Petrel and Skua.", ("Mantis", "Heron", "Petrel", "Skua")),
        ("The order of the tides is: Neap, Spring, Ebb, Flood.", ("Neap", "Spring", "Ebb", "Flood")),
        ("Ana · Bo · Cem · Dora", ("Ana", "Bo", "Cem", "Dora")),
        ("Die Farben sind Rot, Blau und Gelb.", ("Rot", "Blau", "Gelb")),
        ("It is known by many names, such as Skua, Heron and Petrel.", ("Skua", "Heron", "Petrel")),
        ("Ana · Bo · Cem — they answer your questions at the quay.", ("Ana", "Bo", "Cem")),
        (
            "You have to open ports 40102, 40103 and 3282 of the router, or nobody reaches you.",
            ("40102", "40103", "3282"),
        ),
        (
            "Ask the speaker for a title, abstract, short biography and picture.",
            ("a title", "abstract", "short biography", "picture"),
        ),
        (
            "Le bureau comprend le président, la secrétaire et le trésorier.",
            ("le président", "la secrétaire", "le trésorier"),
        ),
        ("Cameras with a battery (C610, C425, D230…) have no stream of their own.", ("C610", "C425", "D230")),
        (
            "Sensors are read by many chips (e.g. AD595, PT100, MAX6675, etc.) of the board.",
            ("AD595", "PT100", "MAX6675"),
        ),
        ("The boats are Mantis (Reef, North), Heron (Bay) and Skua.", ("Mantis (Reef, North)", "Heron (Bay)", "Skua")),
        ("自有地址的网络包括教育网、电信、移动和联通。", ("教育网", "电信", "移动", "联通")),
    ],
)
def test_names_joined_in_a_sentence_are_a_list(text: str, names: tuple[str, ...]) -> None:
    assert names in names_in(f"<p>{text}</p>")


def test_clauses_and_pairs_are_no_list() -> None:
    told = "When the tide comes in, which happens twice each and every day of the year here, the boats lie at the quay, and sleep."
    assert names_in(f"<p>{told}</p>") == []
    assert names_in("<p>The boats are Mantis and Heron.</p>") == []


def test_names_in_brackets_of_a_cell_are_led_in_by_the_row() -> None:
    rows = "<tr><th>Flag</th><th>Effect</th></tr><tr><td>--deny-env</td><td>Block all (only PATH, HOME, LANG)</td></tr>"
    table = f"<table>{rows}<tr><td>--deny-net</td><td>Block the network</td></tr></table>"
    (found,) = enumerations_on(observed(page("Reef", table)))
    assert [one.name for one in found.records] == ["PATH", "HOME", "LANG"]
    assert "--deny-env" in found.caption


def test_a_printed_help_text_lists_what_stands_below_its_headings() -> None:
    text = "USAGE:\n    reefctl [OPTIONS]\n\nSUBCOMMANDS:\n    account    Manage it\n    status     Show it\n    stop\n\nDone."
    assert names_in(f"<pre>{text}</pre>") == [("account", "status", "stop")]


def test_the_words_before_the_names_introduce_the_list() -> None:
    (found,) = enumerations_on(observed(page("Reef", "<h2>Fleet</h2><p>Boats here are Mantis, Heron and Skua.</p>")))
    assert found.caption.startswith("Boats here are")
    assert found.headings[-1] == "Fleet"


@given(st.text(max_size=200))
def test_every_list_has_two_names_or_more_and_each_once(text: str) -> None:
    blocks = (
        Block(id=1, kind="paragraph", text=text),
        Block(id=2, kind="code", text=text),
        Block(id=3, kind="row", text=text),
    )
    for found in enumerations_on(Observation(url="http://reef.example/", status=200, blocks=blocks)):
        names = [one.name for one in found.records]
        assert len(names) == len(set(names))
        assert all(names)


def test_a_cell_of_names_is_a_list_beside_its_row() -> None:
    body = "<table><tr><th>Boat</th><th>Also called</th></tr><tr><td>Mantis</td><td>Manta, Old Lady, Shrimp</td></tr></table>"
    (found,) = enumerations_on(observed(page("Reef", body)))
    assert [one.name for one in found.records] == ["Manta", "Old Lady", "Shrimp"]
    assert "Mantis" in found.caption
