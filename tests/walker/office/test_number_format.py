from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from walker.office.sheets.number_format import BUILT_IN, shown_number


@pytest.mark.parametrize(
    ("value", "code", "shown"),
    [
        (12500.5, '#,##0.00 "kr"', "12,500.50 kr"),
        (0.25, "0.0%", "25.0%"),
        (0.0195, "0%", "2%"),
        (2.5, "0", "3"),
        (-5, "#,##0;[Red](#,##0)", "(5)"),
        (-5, "0.0", "-5.0"),
        (-0.001, "0.0", "0.0"),
        (0, '0;-0;"-"', "-"),
        (1234567, '#,##0,"k"', "1,235k"),
        (1.25, "# ?/?", "1 1/4"),
        (123456, "0.00E+00", "1.23E+05"),
        (1234.5, "[$€-407] #,##0.00", "€ 1,234.50"),
        (1234.5, "#,##0.00\\ [$€-1]", "1,234.50 €"),
        (1, '_-* #,##0.00 "€"_-;-* #,##0.00_-', "1.00 €"),
        (5, '[>=10]"many";"few"', "few"),
        (15, '[>=10]"many";"few"', "many"),
        (7, "000", "007"),
        (5551234, "000-0000", "555-1234"),
        (3, "General", "3"),
        (0.1 + 0.2, "General", "0.3"),
        (1e20, "General", "100000000000000000000"),
        (45730, "d mmm yyyy", "14 Mar 2025"),
        (45730.75, "yyyy-mm-dd hh:mm:ss", "2025-03-14 18:00:00"),
        (45730, "[$-409]mmmm d, yyyy;@", "March 14, 2025"),
        (45730, "dddd", "Friday"),
        (45730, BUILT_IN[14], "2025-03-14"),
        (1.5, "[h]:mm", "36:00"),
        (0.5, "h:mm AM/PM", "12:00 PM"),
        (0.7499999999, "hh:mm", "18:00"),
        (61, "yyyy-mm-dd", "1900-03-01"),
        (1, "yyyy-mm-dd", "1900-01-01"),
        (-1, "yyyy-mm-dd", "-1"),
    ],
)
def test_a_number_is_as_its_format_shows_it(value: float, code: str, shown: str) -> None:
    assert shown_number(value, code) == shown


def test_dates_of_old_macs_count_from_1904() -> None:
    assert shown_number(44268, "yyyy-mm-dd", from_1904=True) == "2025-03-14"


@given(
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(alphabet='#0?.,%/E+-;@[]"\\ydmhsAPM *_$€G<>=9', max_size=20),
)
def test_no_format_fails(value: float, code: str) -> None:
    assert isinstance(shown_number(value, code), str)
