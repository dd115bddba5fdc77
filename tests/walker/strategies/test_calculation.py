"""What is computed from texts that each state one value, and what is not."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from walker.seams.calculations import CalculationName
from walker.strategies.answers.calculation import Calculation, Computed, agrees, calculate


def told(
    operation: CalculationName, *values: str, question: str = "", language: str = "en", names: tuple[str, ...] = ()
) -> str:
    made = calculate(Calculation(operation=operation, values=values, names=names, question=question, language=language))
    return made.text if made is not None else ""


@pytest.mark.parametrize(
    ("operation", "values", "question", "language", "text"),
    [
        ("difference", ("1995", "1998"), "How many years later", "en", "3 (1998 - 1995)"),
        ("difference", ("16 pages", "4 pages"), "By how many pages", "en", "12 (16 - 4)"),
        ("difference", ("300", "10 seconds"), "how many seconds above", "en", "290 seconds (300 - 10)"),
        ("difference", ("2.10", "2.9"), "how many minor versions", "en", "1 (10 - 9)"),
        ("difference", ("13:10", "14:25"), "how many minutes passed", "en", "75 min (14:25 - 13:10)"),
        ("difference", ("9:00", "14:30"), "how many hours", "en", "5.5 h (14:30 - 9:00)"),
        ("difference", ("1 h 25 min", "55 minutes"), "How many minutes longer", "en", "30 min (85 - 55)"),
        ("difference", ("三千二百人", "2910"), "多多少人", "zh", "290 (3200 - 2910)"),
        ("difference", ("4 ans", "2 ans"), "", "fr", "2 ans (4 - 2)"),
        ("years_between", ("1993", "2000-05-29"), "", "en", "7 (2000-05-29 - 1993)"),
        ("days_between", ("3. März 2021", "12. März 2021"), "", "de", "9 (12. März 2021 - 3. März 2021)"),
        ("days_between", ("2021年2月27日", "2021年3月1日"), "", "zh", "2 (2021年3月1日 - 2021年2月27日)"),
        ("months_between", ("mayo de 2020", "julio de 2021"), "", "es", "14 (julio de 2021 - mayo de 2020)"),
        ("sum", ("3,5 Mio. €", "1,5 Mio. €"), "", "de", "5000000 € (3500000 + 1500000)"),
        ("average", ("10", "20", "31"), "", "en", "20.3333 ((10 + 20 + 31) / 3)"),
        ("ratio", ("10 km", "500 m"), "", "en", "20 (10 / 0.5)"),
        ("is_more", ("18 m", "2000 cm"), "", "en", "no: 18 m ≤ 2000 cm"),
        ("is_at_least", ("三千人", "3000"), "", "zh", "是: 三千 ≥ 3000"),
        ("is_less", ("1985", "1990"), "Was it founded before 1990?", "en", "yes: 1985 < 1990"),
        ("is_at_most", ("4,5 Stunden", "300 Minuten"), "", "de", "ja: 4,5 Stunden ≤ 300 Minuten"),
        ("is_equal", ("256 KiB", "262144 octets"), "", "fr", "oui: 256 KiB = 262144 octets"),
        ("is_more", ("20 km", "30 km"), "", "ja", "いいえ: 20 km ≤ 30 km"),
    ],
)
def test_what_is_clear_is_computed(
    operation: CalculationName, values: tuple[str, ...], question: str, language: str, text: str
) -> None:
    assert told(operation, *values, question=question, language=language) == text


@pytest.mark.parametrize(
    ("operation", "values", "question"),
    [
        ("difference", ("$5", "3 EUR"), ""),
        ("difference", ("300", "10 seconds"), "how much"),
        ("difference", ("18 m", "24 kg"), ""),
        ("difference", ("1 MB", "500 KB"), ""),
        ("difference", ("2 months", "30 days"), ""),
        ("difference", ("16 to 20 pages", "4 pages"), ""),
        ("difference", ("a lot", "4"), ""),
        ("difference", ("4",), ""),
        ("difference", ("03/04/2021", "05/06/2021"), "how many days"),
        ("difference", ("4.4.10", "4.4.20"), "how many versions"),
        ("years_between", ("1993-10-01", "2000-05-29"), ""),
        ("days_between", ("May 2021", "2021-06-01"), ""),
        ("sum", ("10:00", "11:00"), ""),
        ("ratio", ("3", "0"), ""),
        ("ratio", ("20 °C", "10 °C"), ""),
        ("is_more", ("2021", "2021-05-01"), ""),
        ("is_more", ("18 m", "2021-05-01"), ""),
        ("more", ("18 m", "24 m"), ""),
    ],
)
def test_what_is_unclear_is_not_computed(operation: CalculationName, values: tuple[str, ...], question: str) -> None:
    assert told(operation, *values, question=question) == ""


def test_one_of_several_named_things_is_chosen() -> None:
    names = ("Mantis", "Otter", "Heron")
    assert told("more", "18 m", "2400 cm", "9 m", names=names) == "Otter (18 m / 2400 cm / 9 m)"
    assert told("less", "18 m", "2400 cm", "9 m", names=names) == "Heron (18 m / 2400 cm / 9 m)"
    assert told("later", "4.4.10", "4.4.9", names=names[:2]) == "Mantis (4.4.10 / 4.4.9)"
    assert told("more", "3.9", "3.10", names=names[:2], question="Which version is newer") == "Otter (3.9 / 3.10)"
    assert told("earlier", "May 2021", "June 2021", names=names[:2]) == "Mantis (May 2021 / June 2021)"
    assert told("earlier", "2021", "May 2021", names=names[:2]) == ""
    assert told("more", "18 m", "18 m", names=names[:2]) == ""


def test_an_answer_in_other_words_agrees() -> None:
    assert agrees(Computed(answer="3", inputs="", amount=Decimal(3)), "three years")
    assert agrees(Computed(answer="2.3333", inputs="", amount=Decimal("2.3333")), "about 2.3 times")
    assert not agrees(Computed(answer="3", inputs="", amount=Decimal(3)), "4 years")
    assert agrees(Computed(answer="Otter", inputs="", others=("Mantis",)), "The Otter, longer than the Mantis")
    assert not agrees(Computed(answer="Otter", inputs="", others=("Mantis",)), "Mantis")
    assert agrees(Computed(answer="yes: 4 > 3", inputs="", others=("no",)), "Yes, it is")
    assert not agrees(Computed(answer="是: 4 > 3", inputs="", others=("否",)), "否")


amounts = st.decimals(-(10**6), 10**6, places=2)


@given(amounts, amounts)
def test_difference_and_sum_do_not_depend_on_the_order(one: Decimal, other: Decimal) -> None:
    for operation in ("difference", "sum"):
        forth = calculate(Calculation(operation=operation, values=(f"{one} km", f"{other} km")))
        back = calculate(Calculation(operation=operation, values=(f"{other} km", f"{one} km")))
        assert forth is not None
        assert back is not None
        assert forth.amount == back.amount == (one + other if operation == "sum" else abs(one - other))


@given(amounts, amounts)
def test_of_a_check_and_its_opposite_one_holds(one: Decimal, other: Decimal) -> None:
    values = (f"{one} m", f"{other} m")
    more, most = (calculate(Calculation(operation=check, values=values)) for check in ("is_more", "is_at_most"))
    assert more is not None
    assert most is not None
    assert (more.answer.startswith("yes"), most.answer.startswith("yes")) == (one > other, one <= other)


@given(st.dates(), st.integers(0, 3000))
def test_days_between_dates_are_counted(day: dt.date, more: int) -> None:
    first = min(day, dt.date(2190, 1, 1)).replace(year=max(1500, min(day.year, 2180)), day=min(day.day, 28))
    later = first + dt.timedelta(days=more)
    made = calculate(Calculation(operation="days_between", values=(later.isoformat(), first.isoformat())))
    assert made is not None
    assert made.amount == more
