"""Values as six languages write them."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from walker.strategies.values.units import converted
from walker.strategies.values.value_kinds import Clock, Days, Measure, Unclear, Version
from walker.strategies.values.written_numbers import han_amount
from walker.strategies.values.written_values import found_values, is_same, only_value, values_in


@pytest.mark.parametrize(
    ("language", "text", "amount", "unit"),
    [
        ("en", "1,234.5", "1234.5", ""),
        ("en", "1,234 seats", "1234", ""),
        ("en", "12,34,567 rupees", "1234567", "INR"),
        ("en", "12,500.50 kr", "12500.50", "kr"),
        ("en", "Rs. 500", "500", "INR"),
        ("sv", "12 500,50 kr", "12500.50", "kr"),
        ("en", "SEK 1200", "1200", "SEK"),
        ("en", "R$ 12.50", "12.50", "BRL"),
        ("en", "$3.5 million", "3500000", "$"),
        ("en", "two million people", "2000000", ""),
        ("en", "Cards are dealt to seven piles", "7", ""),
        ("en", "minus five", "-5", ""),
        ("en", "-5 °C", "-5", "°C"),
        ("en", "0.125", "0.125", ""),
        ("en", "1 h 25 min", "85", "min"),
        ("en", "2 hours and 30 minutes", "150", "min"),
        ("en", "JobAcctGatherFrequency=300", "300", ""),
        ("en", "256 KiB", "256", "KiB"),
        ("en", "one page", "1", ""),
        ("de", "1.234,5", "1234.5", ""),
        ("de", "1.234 Mitglieder", "1234", ""),
        ("de", "3,5 Mio. €", "3500000", "EUR"),
        ("de", "zweiundvierzig Kategorien", "42", ""),
        ("de", "2 Billionen", "2000000000000", ""),
        ("de", "12'345.60 CHF", "12345.60", "CHF"),
        ("fr", "1 234 km", "1234", "km"),
        ("fr", "1\u202f234,5 €", "1234.5", "EUR"),
        ("fr", "vingt et un ans", "21", "year"),
        ("fr", "3 milliards", "3000000000", ""),
        ("es", "treinta y dos años", "32", "year"),
        ("es", "mil quinientos", "1500", ""),
        ("es", "45 por ciento", "45", "%"),
        ("zh", "三千二百人", "3200", ""),
        ("zh", "三千二", "3200", ""),
        ("zh", "3.2万", "32000", ""),
        ("zh", "3万2千", "32000", ""),
        ("zh", "两个", "2", ""),
        ("zh", "百分之三十", "30", "%"),
        ("zh", "总共有 4023 人注册", "4023", ""),
        ("ja", "3億2千万円", "320000000", "JPY"),
        ("ja", "3時間20分", "200", "min"),
        ("ja", "四十二人", "42", ""),
    ],
)
def test_numbers_are_read_with_their_units(language: str, text: str, amount: str, unit: str) -> None:
    value = only_value(text, language)
    assert isinstance(value, Measure)
    assert (value.amount, value.unit) == (Decimal(amount), unit)


@pytest.mark.parametrize(
    ("language", "text", "first", "last"),
    [
        ("en", "19 October, 2024", "2024-10-19", "2024-10-19"),
        ("en", "Aug 7 2004", "2004-08-07", "2004-08-07"),
        ("en", "February 2024", "2024-02-01", "2024-02-29"),
        ("en", "2002/1/26", "2002-01-26", "2002-01-26"),
        ("en", "25/12/2021", "2021-12-25", "2021-12-25"),
        ("de", "am 3. März 2021", "2021-03-03", "2021-03-03"),
        ("de", "1.2.2020", "2020-02-01", "2020-02-01"),
        ("fr", "le 1er janvier 1999", "1999-01-01", "1999-01-01"),
        ("es", "12 de mayo de 2020", "2020-05-12", "2020-05-12"),
        ("zh", "2021年3月", "2021-03-01", "2021-03-31"),
        ("zh", "二〇二一年三月四日", "2021-03-04", "2021-03-04"),
        ("ja", "令和3年3月4日", "2021-03-04", "2021-03-04"),
    ],
)
def test_dates_are_read_in_six_languages(language: str, text: str, first: str, last: str) -> None:
    value = only_value(text, language)
    assert isinstance(value, Days)
    assert (value.first.isoformat(), value.last.isoformat()) == (first, last)


@pytest.mark.parametrize(
    ("language", "text", "minutes"),
    [
        ("en", "3 pm", 900),
        ("en", "14:25", 865),
        ("de", "14.30 Uhr", 870),
        ("fr", "14h30", 870),
        ("zh", "14点30分", 870),
    ],
)
def test_times_of_day_are_read(language: str, text: str, minutes: int) -> None:
    value = only_value(text, language)
    assert isinstance(value, Clock)
    assert value.minutes == minutes


def test_versions_are_no_decimals() -> None:
    value = only_value("Shorewall 4.4.10")
    assert isinstance(value, Version)
    assert value.numbers == (4, 4, 10)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "03/04/2021"),
        ("en", "1.234"),
        ("de", "1,234"),
        ("fr", "2 billions"),
        ("en", "Mar 17"),
        ("de", "am 5. Mai"),
        ("zh", "12月5日"),
        ("en", "1991-1995"),
        ("en", "10 to 20 metres"),
        ("en", "13:00 - 14:25"),
        ("zh", "三四十"),
        ("en", "no number"),
        ("en", "x86, ABZ'18, the 21st"),
        ("zh", "第三届一般"),
        ("en", ""),
    ],
)
def test_what_is_unclear_has_no_value(language: str, text: str) -> None:
    assert only_value(text, language) is None


def test_the_same_value_twice_is_one() -> None:
    assert isinstance(only_value("16 pages, that is 16"), Measure)
    assert any(isinstance(value, Unclear) for value in values_in("1.234"))


@given(st.integers(0, 10**9))
def test_every_grouping_reads_as_the_same_number(number: int) -> None:
    for language, mark in (("en", ","), ("zh", ","), ("de", "."), ("es", "."), ("fr", "\u00a0"), ("de", "'")):
        written = f"{number:,}".replace(",", mark)
        value = only_value(f"{written},5 km" if mark == "." else f"{written} km", language)
        assert isinstance(value, Measure)
        assert value.amount == (number + Decimal("0.5") if mark == "." else number)


@given(st.dates(dt.date(1500, 1, 1), dt.date(2199, 12, 31)))
def test_dates_survive_three_notations(day: dt.date) -> None:
    for written in (day.isoformat(), f"{day.year}年{day.month}月{day.day}日", f"{day.day}.{day.month}.{day.year}"):
        value = only_value(written)
        assert isinstance(value, Days)
        assert value.first == value.last == day


def han(number: int) -> str:
    """A number below ten thousand in Chinese numerals."""
    signs, zero = "零一二三四五六七八九", False
    told = ""
    for place, unit in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = number // place % 10
        if digit:
            told += ("零" if zero and told else "") + signs[digit] + unit
            zero = False
        else:
            zero = True
    return told or "零"


@given(st.integers(0, 9999), st.integers(0, 9999))
def test_chinese_numerals_are_read(low: int, high: int) -> None:
    assert han_amount(han(low)) == low
    if high and low >= 1000:
        assert han_amount(f"{han(high)}万{han(low)}") == high * 10**4 + low


@given(st.text(max_size=60))
def test_any_text_is_read_without_an_error(text: str) -> None:
    for language in ("en", "de", "fr", "zh"):
        for value in values_in(text, language):
            assert is_same(value, value)


def test_units_without_a_fixed_ratio_are_not_converted() -> None:
    assert converted(Decimal(2), "h", "min") == 120
    assert converted(Decimal(1), "month", "day") is None
    assert converted(Decimal(1), "MB", "KB") is None


@pytest.mark.parametrize("language", ["en", "zh", "fr"])
def test_thousands_after_a_space_belong_to_the_number_before_in_every_language(language: str) -> None:
    assert [one.value.written for one in found_values("at least 150 000 ETH", language)] == ["150 000"]
