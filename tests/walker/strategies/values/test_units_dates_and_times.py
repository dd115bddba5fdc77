"""Units, dates, times of day and numbers, each read by itself."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from walker.strategies.values.units import _SCALES, converted, unit_at, unit_named_in, unit_of_sign
from walker.strategies.values.value_kinds import Clock, Days, Measure, Unclear
from walker.strategies.values.written_dates import dates_in, days_in_words, days_of, month_named
from walker.strategies.values.written_numbers import amount_of, han_numbers_in, in_digits, numbers_in
from walker.strategies.values.written_times import as_durations, in_hours, times_in

FIXED = [(unit, other) for scale in _SCALES for unit in scale for other in scale]


@given(st.sampled_from(FIXED), st.decimals(0, 10**6, places=3))
def test_a_conversion_there_and_back_changes_nothing(pair: tuple[str, str], amount: Decimal) -> None:
    unit, other = pair
    there = converted(amount, unit, other)
    assert there is not None
    back = converted(there, other, unit)
    assert back is not None
    assert abs(back - amount) <= amount * Decimal("1e-20")


@pytest.mark.parametrize(("one", "other"), [("kg", "km"), ("day", "month"), ("EUR", "USD"), ("", "km"), ("KB", "B")])
def test_what_measures_different_things_or_has_no_fixed_ratio_is_not_converted(one: str, other: str) -> None:
    assert converted(Decimal(1), one, other) is None


@pytest.mark.parametrize(
    ("text", "unit", "rest"),
    [
        ("5 km to go", "km", " to go"),
        ("5km", "km", ""),
        ("5 metres", "m", ""),
        ("5 minutes", "min", ""),
        ("5-day", "day", ""),
        ("5公里路", "km", "路"),
        ("5 kr.", "kr", ""),
        ("5 kronor each", "kr", " each"),
        ("5 SEK", "SEK", ""),
        ("5 Sek.", "s", "."),
        ("5 zł", "PLN", ""),
        ("5₹", "INR", ""),
        ("5kbit/s a node", "kbit/s", " a node"),
        ("5 km/h", "km/h", ""),
        ("5mAh", "mAh", ""),
        ("5 W", "W", ""),
        ("5V", "V", ""),
        ("5GHz", "GHz", ""),
        ("5 litres", "l", ""),
    ],
)
def test_the_unit_is_the_longest_word_behind_the_number(text: str, unit: str, rest: str) -> None:
    found = unit_at(text, 1)
    assert found is not None
    assert (found.name, text[found.end :]) == (unit, rest)


@pytest.mark.parametrize(
    "text", ["5", "5 boats", "5 marvels", "5 m2x", "5 hats", "5 krabbor", "5 tries", "5 w", "5 l/min", "5 v. 2"]
)
def test_the_beginning_of_another_word_is_no_unit(text: str) -> None:
    assert unit_at(text, 1) is None


def test_a_sign_alone_is_a_unit_only_as_a_whole() -> None:
    assert (unit_of_sign("€"), unit_of_sign("US$"), unit_of_sign("km/x"), unit_of_sign("")) == ("EUR", "USD", "", "")


def test_the_first_unit_of_time_that_is_named_is_asked_for() -> None:
    assert unit_named_in("How many minutes longer, if an hour has 60?") == "min"
    assert unit_named_in("Wie viele Jahre liegen dazwischen?") == "year"
    assert unit_named_in("相差多少天？") == "day"
    assert unit_named_in("How deep is it?") == ""


def test_a_month_and_a_year_are_their_first_to_their_last_day() -> None:
    leap, year = days_of(2024, 2, 0, "Feb 2024"), days_of(1999, 0, 0, "1999")
    assert leap is not None
    assert year is not None
    assert (leap.last, year.first, year.last) == (dt.date(2024, 2, 29), dt.date(1999, 1, 1), dt.date(1999, 12, 31))
    assert days_of(2023, 2, 29, "29 Feb 2023") is None


@pytest.mark.parametrize(
    ("name", "month"),
    [("März", 3), ("août", 8), ("enero", 1), ("Sept", 9), ("May", 5), ("Maybe", 0), ("Marching", 0), ("boats", 0)],
)
def test_months_are_known_by_name_in_four_languages(name: str, month: int) -> None:
    assert month_named(name) == month


def test_dates_are_found_in_order_with_their_places_and_once() -> None:
    text = "Launched 3 May 1997, sold on 2001-02-03 and lost in 令和3年."
    found = dates_in(text)
    assert [text[one.start : one.end] for one in found] == ["3 May 1997", "2001-02-03", "令和3年"]
    assert all(isinstance(one.value, Days) for one in found)
    assert all(one.end <= other.start for one, other in pairwise(found))


def test_a_day_without_a_year_or_with_two_readings_is_unclear() -> None:
    assert [type(one.value) for one in dates_in("on 5 May and 03/04/2021")] == [Unclear, Unclear]
    (clear,) = dates_in("25/04/2021")
    assert isinstance(clear.value, Days)


@given(st.dates(dt.date(1600, 1, 1), dt.date(2199, 12, 31)))
def test_a_written_date_is_read_again(day: dt.date) -> None:
    for written in (f"{day:%d %B %Y}", f"{day:%B %d, %Y}", f"{day.isoformat()}"):
        (found,) = dates_in(f"on {written}.")
        assert isinstance(found.value, Days)
        assert found.value.first == found.value.last == day


@given(st.integers(0, 23), st.integers(0, 59))
def test_every_time_of_day_is_read_in_five_ways(hour: int, minute: int) -> None:
    half = "a.m." if hour < 12 else "p.m."
    ways = (
        f"{hour}:{minute:02d}",
        f"{hour}.{minute:02d} Uhr",
        f"{hour}h{minute:02d}",
        f"{hour}点{minute}分",
        f"{hour % 12 or 12}:{minute:02d} {half}",
    )
    for written in ways:
        (found,) = times_in(written)
        assert isinstance(found.value, Clock), written
        assert found.value.minutes == 60 * hour + minute, written


@pytest.mark.parametrize("text", ["13:75", "25:00", "13 pm", "12:3", "1,20:30", "no time"])
def test_what_is_no_time_is_none(text: str) -> None:
    assert times_in(text) == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Mercredi de 15h30 à 17h | 8 à 10 ans", ["Mercredi de 15h30 à 17h"]),
        ("Open Tuesday from 7pm to 9 pm.", ["Tuesday from 7pm to 9 pm"]),
        ("jeden Dienstag ab 20:00 Uhr im Saal", ["Dienstag ab 20:00 Uhr"]),
        ("los lunes de 18:00 a 20:00", ["lunes de 18:00 a 20:00"]),
        ("Tuesday in the hall, Friday at the lake", ["Tuesday", "Friday"]),
    ],
)
def test_what_is_said_together_of_when_is_one(text: str, told: list[str]) -> None:
    assert [text[start:end] for start, end in days_in_words(text)] == told


def test_the_evening_begins_at_five() -> None:
    (eight,), (two,) = times_in("晚上8点"), times_in("晚上2点")
    assert isinstance(eight.value, Clock)
    assert eight.value.minutes == 20 * 60
    assert isinstance(two.value, Unclear), "at night, or no time"


def test_times_beside_hours_are_durations_and_plain_times_are_not() -> None:
    def clock(minutes: int, written: str) -> Clock:
        return Clock(minutes=minutes, written=written)

    hours = Measure(amount=Decimal(2), unit="h", written="2 h", label="h", digits="2")
    made = as_durations([clock(90, "1:30"), hours])
    assert [value.amount for value in made if isinstance(value, Measure)] == [90, 2]
    assert as_durations([clock(90, "1:30"), clock(60, "1:00")]) == []
    assert len(as_durations([clock(90, "1h30"), clock(135, "2h15")])) == 2
    assert as_durations([hours, hours]) == []
    assert as_durations([clock(90, "1:30"), Measure(amount=Decimal(2), unit="km", written="2 km")]) == []


@given(st.integers(0, 5000))
def test_minutes_as_people_tell_them_add_up(minutes: int) -> None:
    pieces = in_hours(Decimal(minutes)).split()
    told = dict(zip(pieces[1::2], map(int, pieces[::2]), strict=True))
    assert 60 * told.get("h", 0) + told.get("min", 0) == minutes
    assert told.get("min", 0) < 60


def test_digits_that_belong_to_a_word_are_no_numbers() -> None:
    assert [number.amount for number in numbers_in("x86, ABZ'18, the 21st, 7 boats", "en")] == [Decimal(7)]


@pytest.mark.parametrize(
    ("body", "language", "amount"),
    [
        ("1.5", "de", "1.5"),
        ("1,5", "de", "1.5"),
        ("1.500", "de", "1500"),
        ("1.500", "en", None),
        ("1,500", "en", "1500"),
        ("1,500", "fr", None),
        ("0,500", "en", "0.500"),
        ("1.234.567", "en", "1234567"),
        ("1,23,456", "en", "123456"),
        ("1,23,45", "en", None),
    ],
)
def test_points_and_commas_are_read_by_language(body: str, language: str, amount: str | None) -> None:
    assert amount_of(body, language) == (None if amount is None else Decimal(amount))


def test_chinese_numerals_are_numbers_where_something_is_counted() -> None:
    assert [number.amount for number in han_numbers_in("三个人在第五层，共二十人")] == [3, 20]
    assert han_numbers_in("一般") == ()


@pytest.mark.parametrize(
    ("text", "language", "told"),
    [
        ("twenty-two boats", "en", "22 boats"),
        ("one page", "en", "1 page"),
        ("two crews, one boat", "en", "2 crews, 1 boat"),
        ("which one", "en", "which one"),
        ("the one that sails", "en", "the one that sails"),
        ("one of them", "en", "one of them"),
        ("eine Seite und drei Karten", "de", "eine Seite und 3 Karten"),
        ("une page, deux cartes", "fr", "une page, 2 cartes"),
    ],
)
def test_number_words_become_digits_and_pronouns_and_articles_do_not(text: str, language: str, told: str) -> None:
    assert in_digits(text, language) == told
