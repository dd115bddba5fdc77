from __future__ import annotations

import pytest

from evaluation.grading.short_answers import normal, score_exact, score_number
from evaluation.grading.wording import choice_of, digits_for_words, written_out


@pytest.mark.parametrize(
    ("text", "full"),
    [
        ("It isn't, and they weren’t", "It is not, and they were not"),
        ("I can't; we won't; you shan't", "I cannot; we will not; you shall not"),
        ("dont, cant, wont", "do not, cannot, will not"),
        ("they're we've he'll I'd I'm", "they are we have he will I would I am"),
        ("It's here; what's more, its height", "It is here; what is more, it is height"),
        ("Fredrik Lundh's project", "Fredrik Lundh project"),
        ("I went to the plant", "I went to the plant"),
        ("the 1990's", "the 1990's"),
        ("the 'reef' and 'd'", "the 'reef' and 'd'"),
    ],
)
def test_contractions_are_written_out_by_rule(text: str, full: str) -> None:
    assert written_out(text) == full


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("seven", "7"),
        ("twenty-one seals", "21 seals"),
        ("thirty five", "35"),
        ("two hundred and five", "205"),
        ("hundred and fifty thousand", "150000"),
        ("two million three hundred thousand and one", "2300001"),
        ("3.5 million", "3500000"),
        ("3 thousand", "3000"),
        ("five and six", "5 and 6"),
        ("one two", "1 2"),
        ("zero", "0"),
        ("seventeen, seventy", "17, 70"),
        ("bone, tent, weight, sixteenth", "bone, tent, weight, sixteenth"),
    ],
)
def test_number_words_become_digits(text: str, digits: str) -> None:
    assert digits_for_words(text) == digits


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        ("(B) Paris", ("b", "Paris")),
        ("[c] Paris", ("c", "Paris")),
        ("B) Paris", ("b", "Paris")),
        ("(B)", ("b", "")),
        ("B.", ("b", "")),
        ("B", ("b", "")),
        ("B. Franklin", ("", "B. Franklin")),
        ("Paris", ("", "Paris")),
        ("(Z) Paris", ("", "(Z) Paris")),
    ],
)
def test_a_choice_is_a_letter_and_its_text(text: str, choice: tuple[str, str]) -> None:
    assert choice_of(text) == choice


@pytest.mark.parametrize(
    ("answer", "accepted", "right"),
    [
        ("(B) Paris", "Paris", True),
        ("(B) Paris", "B", True),
        ("B", "(B) Paris", True),
        ("(B)", "(b) Paris", True),
        ("(A)", "A", True),
        ("(A)", "(B)", False),
        ("(C) Paris", "(B)", False),
        ("(B) London", "(B) Paris", False),
        ("A", "the", False),
        ("Twenty-one seals", "21 seals", True),
        ("They aren't the same.", "they are not same", True),
        ("2,500,000 people", "2.5 million people", True),
    ],
)
def test_exact_match_reads_choices_numbers_and_contractions(answer: str, accepted: str, right: bool) -> None:
    assert score_exact(answer, ["something else", accepted]) is right


def test_a_number_may_be_said_in_words_but_digits_win() -> None:
    assert score_number("There are twelve.", ["12"])
    assert not score_number("One list: 12 of them", ["1"])


def test_normalising_twice_changes_nothing() -> None:
    for text in ("(B) The Isn't", "(A)", "two hundred and five", "Lundh's", "3.5 million"):
        assert normal(normal(text)) == normal(text)
