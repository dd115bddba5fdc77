"""Numbers, dates and times that a question sets as bounds."""

from __future__ import annotations

import pytest

from walker.strategies.entries.asked_bounds import Bound, bounds_of, lies_within
from walker.strategies.values.value_kinds import Unclear
from walker.strategies.values.written_values import found_values


def within(question: str, language: str, *texts: str) -> list[str]:
    """The texts whose first value lies within the first bound of a question that is more than a number."""
    bounds = [bound for bound in bounds_of(question, language) if not bound.is_exact]
    assert bounds, question
    return [text for text in texts if lies_within(found_values(text, language)[0].value, bounds[0])]


KILOS = ("650 kg", "700 kg", "0.8 t", "750 kg")


@pytest.mark.parametrize(
    ("question", "language", "kept"),
    [
        ("Which boats weigh more than 700 kg?", "en", ("0.8 t", "750 kg")),
        ("Which boats weigh at least 700 kg?", "en", ("700 kg", "0.8 t", "750 kg")),
        ("Which boats weigh 700 kg or more?", "en", ("700 kg", "0.8 t", "750 kg")),
        ("Which boats weigh under seven hundred kg?", "en", ("650 kg",)),
        ("Which boats weigh between 660 and 760 kg?", "en", ("700 kg", "750 kg")),
        ("Welche Boote wiegen mehr als 700 kg?", "de", ("0.8 t", "750 kg")),
        ("Welche Boote wiegen höchstens 700 kg?", "de", ("650 kg", "700 kg")),
        ("Quels bateaux pèsent plus de 700 kg ?", "fr", ("0.8 t", "750 kg")),
        ("Quels bateaux pèsent au moins 700 kg ?", "fr", ("700 kg", "0.8 t", "750 kg")),
        ("¿Qué barcos pesan menos de 700 kg?", "es", ("650 kg",)),
        ("¿Qué barcos pesan 700 kg o más?", "es", ("700 kg", "0.8 t", "750 kg")),
        ("哪些船的重量超过 700 公斤？", "zh", ("0.8 t", "750 kg")),
        ("哪些船的重量至少要有 700 公斤？", "zh", ("700 kg", "0.8 t", "750 kg")),
        ("Which boats weigh about 690 kg?", "en", ("650 kg", "700 kg", "750 kg")),
    ],
)
def test_a_bound_of_a_number_with_its_unit(question: str, language: str, kept: tuple[str, ...]) -> None:
    assert within(question, language, *KILOS) == list(kept)


YEARS = ("1999", "2009", "2010-05-01", "2015", "14 March 2021")


@pytest.mark.parametrize(
    ("question", "language", "kept"),
    [
        ("Which prizes has the club won since 2009?", "en", ("2009", "2010-05-01", "2015", "14 March 2021")),
        ("Which prizes did it win before 2010?", "en", ("1999", "2009")),
        ("Which prizes did it win after 2015?", "en", ("14 March 2021",)),
        ("Which prizes did it win between 2009 and 2015?", "en", ("2009", "2010-05-01", "2015")),
        ("Which prizes did it win in the 1990s?", "en", ("1999",)),
        ("Which prizes did it win in the nineties?", "en", ("1999",)),
        ("Welche Preise gewann er seit 2010?", "de", ("2010-05-01", "2015", "14 March 2021")),
        ("Quels prix avant 2010 ?", "fr", ("1999", "2009")),
        ("¿Qué premios ganó después de 2010?", "es", ("2015", "14 March 2021")),
        ("2010 年以后得了哪些奖？", "zh", ("2010-05-01", "2015", "14 March 2021")),
        ("¿Qué premios del siglo XX hay?", "es", ("1999",)),
    ],
)
def test_a_bound_of_years(question: str, language: str, kept: tuple[str, ...]) -> None:
    assert within(question, language, *YEARS) == list(kept)


def test_chinese_numerals_and_signs_behind_the_number() -> None:
    assert within("哪三个停车场有五十个以上的充电桩？", "zh", "40", "82", "50") == ["82", "50"]
    assert within("哪两位总字符数不到三十万？", "zh", "280,173", "347,989") == ["280,173"]


def test_a_bound_of_the_time_of_day() -> None:
    assert within("Which talks begin after 17:00?", "en", "16:30", "17:00", "17:45") == ["17:45"]
    assert within("Which talks begin after five o'clock?", "en", "4:30", "5:15") == ["5:15"]
    assert within("Which talks begin before noon?", "en", "11:30", "12:00") == ["11:30"]
    assert within("哪些地方开到九点一刻或更晚？", "zh", "9:00", "9:15", "10:00") == ["9:15", "10:00"]
    assert within("Which talks are in the afternoon?", "en", "9:30", "13:00", "18:30") == ["13:00"]


def test_a_number_without_such_words_is_exact_and_has_its_noun() -> None:
    (bound,) = bounds_of("Which rooms have 22 machines?", "en")
    assert (bound.is_exact, bound.noun) == (True, "machines")


def test_what_can_be_read_in_two_ways_is_not_compared() -> None:
    (bound,) = bounds_of("Which boats weigh more than 700 kg?", "en")
    assert isinstance(bound, Bound)
    assert lies_within(Unclear(written="1.234"), bound) is None
    assert lies_within(found_values("14 March 2021", "en")[0].value, bound) is None
