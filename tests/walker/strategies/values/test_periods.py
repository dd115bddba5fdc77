"""From when to when, and from how much to how much."""

from __future__ import annotations

import pytest

from walker.strategies.values.periods import periods_in


@pytest.mark.parametrize(
    ("text", "language", "first", "last", "length"),
    [
        ("Saturday, 18th Mar, 13:00 - 14:25", "en", "13:00", "14:25", "85 min"),
        ("von 9:30 bis 16:00", "de", "9:30", "16:00", "390 min"),
        ("23:30 – 00:15", "en", "23:30", "00:15", "45 min"),
        ("Jun 2, 2014 — Jun 6, 2014", "en", "Jun 2, 2014", "Jun 6, 2014", "4 days"),
        ("17-18 September 2019, Kiel", "en", "2019-09-17", "2019-09-18", "1 days"),
        ("du 3 au 7 mai 2018", "fr", "2018-05-03", "2018-05-07", "4 days"),
        ("May 3-7, 2018", "en", "2018-05-03", "2018-05-07", "4 days"),
        ("2019年5月3日至2019年5月7日", "zh", "", "", "4 days"),
        ("Kinder von 7 bis 16 Jahren", "de", "7 Jahren", "16 Jahren", ""),
        ("children from 7 to 16 years", "en", "7 years", "16 years", ""),
    ],
)
def test_a_period_has_two_ends(text: str, language: str, first: str, last: str, length: str) -> None:
    (period,) = periods_in(text, language)
    assert period.length == length
    assert text[period.start : period.end] == period.written
    if first:
        assert (period.first.written, period.last.written) == (first, last)


@pytest.mark.parametrize(
    "text", ["13:00", "16 to 7 years", "10:00, then 12:00", "9 boats - 12 m", "", "version 2 - 3.1.4"]
)
def test_two_values_that_are_no_ends_are_no_period(text: str) -> None:
    assert periods_in(text) == ()
