"""What is asked of each of two things to choose between, and of two places or times."""

from __future__ import annotations

import pytest

from walker.strategies.wording.choice_questions import (
    choice_question,
    european_choice,
    place_question,
    same_question,
)
from walker.strategies.wording.shared_verbs import how_many_pair


@pytest.mark.parametrize(
    ("noun", "thing", "asked"),
    [
        ("took longer", "the refit", "How long did the refit take?"),
        ("is older", "Reef", "How old is Reef?"),
        ("club is older", "Reef", "When is Reef founded or built?"),
        ("player is older", "Ana", "How old is Ana?"),
        ("version is newer", "2.4", "Which version is 2.4?"),
        ("lighthouse is taller", "Holm", "How tall is Holm?"),
        ("happened earlier", "the gala", "When was the gala?"),
        ("came first", "the flood", "When was the flood?"),
        ("has more pages", "the poster", "How many pages does the poster have?"),
        ("attracts more visitors", "the reef", "How many visitors: the reef attracts?"),
        ("costs more", "the ferry", "How much: the ferry costs?"),
        ("of the two talks was longer", "that on tides", "How long was the talk on tides?"),
        ("smells of tar", "the boat", "the boat smells of tar?"),
    ],
)
def test_each_of_two_things_is_asked_for_what_they_are_compared_by(noun: str, thing: str, asked: str) -> None:
    assert choice_question(noun, "", thing) == asked


@pytest.mark.parametrize(
    ("noun", "tail", "thing", "asked"),
    [
        ("was held first", "and in which year was it held", "the gala", "In which year was the gala held?"),
        ("of the two was held first", "and at what time", "the race", "At what time was the race?"),
        ("talk was held first", "and who held it", "the one on tides", "Who held the one on tides?"),
        ("lighthouse is taller", "and so on", "Skerry", "How tall is Skerry?"),
    ],
)
def test_what_is_wanted_besides_is_asked_instead(noun: str, tail: str, thing: str, asked: str) -> None:
    assert choice_question(noun, tail, thing) == asked


@pytest.mark.parametrize(
    ("noun", "at", "thing", "asked"),
    [
        ("do the shows begin earlier", "in", "winter", "When do the shows begin in winter?"),
        ("are there more ferries", "on", "Sunday", "How many ferries are there on Sunday?"),
        ("does it rain more", "in", "May", "How much does it rain in May?"),
        ("is the ticket cheaper", "in", "in May", "How much does the ticket cost in May?"),
        ("is the pool warmer", "", "June", "How warm is the pool June?"),
    ],
)
def test_places_and_times_keep_their_preposition(noun: str, at: str, thing: str, asked: str) -> None:
    assert place_question(noun, at, thing) == asked


@pytest.mark.parametrize(
    ("language", "noun", "thing", "asked"),
    [
        ("de", "hat mehr Betten", "das Haus", "Wie viele Betten hat das Haus?"),
        ("de", "klingt besser", "die Orgel", "die Orgel: klingt besser?"),
        ("fr", "est plus haut", "du phare", "Combien mesure le phare ?"),
        ("fr", "coûte plus cher", "le billet", "Combien coûte le billet ?"),
        ("es", "es más alto", "el faro", "¿Cuánto mide el faro?"),
        ("es", "es más barato", "el billete", "¿Cuánto cuesta el billete?"),
    ],
)
def test_german_french_and_spanish_choose_by_an_adjective(language: str, noun: str, thing: str, asked: str) -> None:
    assert european_choice(language, noun, thing) == asked


def test_what_two_things_may_share_is_asked_of_each() -> None:
    assert same_question(" captain", "Mantis") == "What is the captain of Mantis?"


@pytest.mark.parametrize(
    ("noun", "second", "asked"),
    [
        ("more columns does A have", "B", "How many columns does B have?"),
        ("more visitors came in May", "in June", "How many visitors came in June?"),
        ("more boats sail", "in winter", "How many boats sail in winter?"),
        ("more seats does the hall have", "the church has", "How many seats does the church have?"),
        ("fewer boats are there at Kiel", "there are at Holm", "How many at Holm?"),
    ],
)
def test_the_second_number_is_asked_for_as_the_first(noun: str, second: str, asked: str) -> None:
    first = f"How many {noun.partition(' ')[2]}?"
    assert how_many_pair(noun, second) == (first, asked)
