"""Where the words of a question are met."""

from __future__ import annotations

from tests.fixtures.paper import observed, page
from walker.strategies.answers.evidence import PageWords, page_fit
from walker.strategies.answers.passages import split_passages
from walker.strategies.question.question import read_question
from walker.strategies.question.question_terms import content_words, specific_words


def weigh(question: str, body: str, title: str = "Reef") -> list[tuple[str, float, float, float]]:
    observation = observed(page(title, body))
    words = PageWords(split_passages(observation), observation.title)
    found = words.weigh(content_words(question), specific_words(question), 10)
    return [(one.passage.text, one.own, one.near + one.above, one.named) for one in found]


def test_the_passage_with_most_of_the_words_comes_first() -> None:
    body = "<p>The Mantis was launched in 1997.</p><p>Lunch is served daily.</p>"
    assert weigh("When was the Mantis launched?", body)[0][0] == "The Mantis was launched in 1997."


def test_a_heading_above_counts_but_less_than_the_passage() -> None:
    body = "<h2>Mantis</h2><p>The crew has six sailors.</p><h2>Boats</h2><p>The Mantis has a crew of nine.</p>"
    found = {text: (own, around) for text, own, around, _ in weigh("What crew does the Mantis have?", body)}
    assert found["The crew has six sailors."][1] > 0
    assert found["The Mantis has a crew of nine."][0] > found["The crew has six sailors."][0]


def test_a_compound_is_met_loosely() -> None:
    text, own, _, _ = weigh("Wie hoch ist der Beitrag?", "<p>Der Monatsbeitrag liegt bei 50 Euro.</p>")[0]
    assert text.startswith("Der Monatsbeitrag")
    assert 0 < own < 1


def test_a_comparative_is_met_by_its_word() -> None:
    body = "<p>The basin is 26 metres long.</p><p>The basin is 3 metres deep.</p>"
    assert weigh("the basin is longer", body)[0][0] == "The basin is 26 metres long."


def test_a_version_is_met_with_a_v_before_it() -> None:
    body = "<p>Release v2.20.0 is out.</p><p>Release v2.2.0 is out.</p>"
    assert weigh("When was release 2.20.0 announced?", body)[0][0] == "Release v2.20.0 is out."


def test_names_that_are_missing_are_told() -> None:
    body = "<p>The cost of a ticket in Nancy is 12 euros.</p>"
    missing = weigh("What did a ticket in Toulouse cost?", body)[0][3]
    assert missing < 1
    assert weigh("What did a ticket in Nancy cost?", body)[0][3] == 1


def test_no_words_weigh_nothing() -> None:
    observation = observed(page("Reef", "<p>Text.</p>"))
    assert PageWords(split_passages(observation), "Reef").weigh((), frozenset(), 10) == []


def test_the_page_that_is_named_fits() -> None:
    part = read_question("How long is the boat on the 'Boats' page?").parts[0]
    assert page_fit(part, observed(page("Boats", "<p>x</p>"))) > 0.9
    assert page_fit(part, observed(page("People", "<p>x</p>"))) < 0.5
    assert page_fit(read_question("How long is it?").parts[0], observed(page("Boats", ""))) == 0.5
