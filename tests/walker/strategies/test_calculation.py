"""What is computed from texts that each state one value, and what is not."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from walker.prompts import shipped_prompt
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
        ("difference", ("2.06 m", "197 cm"), "by how much taller", "en", "9 cm (206 - 197)"),
        ("difference", ("197 centímetros", "2,06 metros"), "y cuánto", "es", "9 centímetros (206 - 197)"),
        ("difference", ("3 km", "500 m"), "how much longer", "en", "2.5 km (3 - 0.5)"),
        ("difference", ("0xd6", "0xcc"), "by how much", "en", "10 (214 - 204)"),
        ("difference", ("1995", "1998"), "How many years later", "en", "3 (1998 - 1995)"),
        ("difference", ("16 pages", "4 pages"), "By how many pages", "en", "12 (16 - 4)"),
        ("difference", ("300", "10 seconds"), "how many seconds above", "en", "290 seconds (300 - 10)"),
        ("difference", ("2.10", "2.9"), "how many minor versions", "en", "1 (10 - 9)"),
        ("difference", ("13:10", "14:25"), "how many minutes passed", "en", "75 minutes (14:25 - 13:10)"),
        ("difference", ("9:00", "14:30"), "how many hours", "en", "5.5 hours (14:30 - 9:00)"),
        ("difference", ("1 h 25 min", "55 minutes"), "How many minutes longer", "en", "30 minutes (85 - 55)"),
        ("difference", ("三千二百人", "2910"), "多多少人", "zh", "290 (3200 - 2910)"),
        ("difference", ("18h45", "18h"), "", "fr", "45 min (18 h 45 min - 18 h)"),
        ("difference", ("6:30 pm", "18h"), "De combien de minutes", "fr", "30 minutes (6:30 pm - 18h)"),
        ("difference", ("9:30 am", "2 h"), "how many minutes", "en", ""),
        ("difference", ("6:45 pm", "9 a.m."), "", "en", "9 h 45 min (6:45 pm - 9 a.m.)"),
        ("difference", ("6.45 pm", "18:00"), "how many minutes", "en", "45 minutes (6.45 pm - 18:00)"),
        ("difference", ("下午6点", "上午9点30分"), "", "zh", "8 h 30 min (下午6点 - 上午9点30分)"),
        ("difference", ("午後6時30分", "午前9時"), "何時間", "ja", "9.5 時間 (午後6時30分 - 午前9時)"),
        ("difference", ("6 de la tarde", "10:30"), "", "es", "7 h 30 min (6 de la tarde - 10:30)"),
        ("difference", ("18 Uhr 30", "9 Uhr"), "wie viele Stunden", "de", "9.5 Stunden (18 Uhr 30 - 9 Uhr)"),
        ("difference", ("24:00", "18:00"), "", "de", "6 h (24:00 - 18:00)"),
        ("difference", ("1h30", "45 min"), "", "fr", "45 min (1 h 30 min - 45 min)"),
        ("sum", ("1h30", "2h15"), "", "fr", "225 min (90 + 135)"),
        ("difference", ("4 ans", "2 ans"), "", "fr", "2 ans (4 - 2)"),
        ("difference", ("1,97 m", "1,73 m"), "Um wie viele Zentimeter", "de", "24 cm (197 - 173)"),
        ("difference", ("3 km", "800 m"), "how many metres", "en", "2200 m (3000 - 800)"),
        ("difference", ("40 horas", "32 horas"), "¿Cuántos días más", "es", "0.3333 días (1.6667 - 1.3333)"),
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
        ("sum", ("6 pm", "2 hours"), ""),
        ("difference", ("晚上2点", "18:00"), ""),
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


def test_sizes_of_files_are_compared_where_a_kilobyte_of_either_kind_says_the_same() -> None:
    names = ("report", "slides")
    assert told("more", "891Kb", "1.1Mb", names=names) == "slides (891Kb / 1.1Mb)"
    assert told("less", "2 MiB", "3 MB", names=names) == "report (2 MiB / 3 MB)"
    assert told("is_more", "1 GB", "900 MB", names=()).startswith("yes")
    assert told("more", "1000 KB", "1 MB", names=names) == "", "which is larger depends on what a kilobyte is"
    assert told("difference", "1.1 MB", "891 KB", names=()) == "", "so does by how much"
    assert told("more", "891 KB", "18 m", names=names) == ""


@pytest.mark.parametrize(
    ("operation", "values", "question", "language", "text"),
    [
        ("more", ("24 m", "18 m"), "Which is longer, and by how much?", "en", "A (24 m / 18 m; 24 - 18 = 6 m)"),
        ("more", ("18 m", "24 m"), "Welche ist länger, und um wie viel?", "de", "B (18 m / 24 m; 24 - 18 = 6 m)"),
        ("more", ("三千人", "2910人"), "哪个更多，多多少人？", "zh", "A (三千 / 2910; 3000 - 2910 = 90)"),
        ("less", ("20 km", "30 km"), "どちらがどれだけ短いですか", "ja", "A (20 km / 30 km; 30 - 20 = 10 km)"),
        ("more", ("4 €", "6 €"), "¿Cuál cuesta más, y cuánto?", "es", "B (4 € / 6 €; 6 - 4 = 2 €)"),
        (
            "later", ("18h", "18h45"), "Lequel ferme plus tard, et de combien de minutes ?", "fr",
            "B (18h / 18h45; 1125 - 1080 = 45 minutes)",
        ),
        (
            "earlier", ("6:45 pm", "5 pm"), "Which closes earlier, and by how much?", "en",
            "B (6:45 pm / 5 pm; 6:45 pm - 5 pm = 1 h 45 min)",
        ),
        (
            "earlier", ("2 May 2021", "12 May 2021"), "Which came first, and how many days before?", "en",
            "A (2 May 2021 / 12 May 2021; 12 May 2021 - 2 May 2021 = 10)",
        ),
        ("is_more", ("48", "40"), "Are there more than 40, and how many more?", "en", "yes: 48 > 40; 48 - 40 = 8"),
    ],
)  # fmt: skip
def test_a_comparison_says_by_how_much_where_the_question_asks(
    operation: CalculationName, values: tuple[str, ...], question: str, language: str, text: str
) -> None:
    assert told(operation, *values, question=question, language=language, names=("A", "B")) == text


def test_of_three_the_difference_is_to_the_next() -> None:
    asked = "Which is the longest, and by how much?"
    said = told("more", "18 m", "24 m", "9 m", names=("Mantis", "Otter", "Heron"), question=asked)
    assert said == "Otter (18 m / 24 m / 9 m; 24 - 18 = 6 m)"


def test_an_answer_with_another_difference_does_not_agree() -> None:
    asked = Calculation(
        operation="more", values=("24 m", "18 m"), names=("Otter 2", "Mantis"), question="Which is longer, by how much?"
    )
    made = calculate(asked)
    assert made is not None
    assert agrees(made, "Otter 2")
    assert agrees(made, "Otter 2, by 6 m (24 m against 18 m)")
    assert agrees(made, "Otter 2, by 600 cm")
    assert not agrees(made, "Otter 2, by 5 m")
    assert not agrees(made, "Mantis, by 6 m")


def test_minutes_agree_with_hours() -> None:
    made = calculate(Calculation(operation="difference", values=("9 am", "6 pm")))
    assert made is not None
    assert agrees(made, "nine hours")
    assert agrees(made, "540 minutes")
    assert not agrees(made, "8 hours")


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


@pytest.mark.parametrize("prompt", ["step", "critic_judge"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_prompts_say_that_times_of_day_are_computed_with(prompt: str, language: str) -> None:
    line = next(one for one in shipped_prompt(f"{prompt}.{language}").splitlines() if one.startswith("- calculation"))
    assert ("times of day" if language == "en" else "时刻") in line
