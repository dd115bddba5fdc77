"""A calendar that never ends: each month leads to the next. The trap of the demo site."""

from __future__ import annotations

import calendar
import re
from html import escape
from importlib import resources
from string import Template

MONTH = re.compile(r"(\d{4})-(\d{2})")
FIRST_YEAR, LAST_YEAR = 1, 9998

ENTRIES = {
    (2027, 1): {21: "Public lecture: Why the tide is late, 18:30"},
    (2027, 3): {9: "Winter workshop begins", 11: "Winter workshop ends", 31: "Applications close"},
    (2027, 5): {22: "Open day, 10:00–16:00"},
    (2027, 7): {5: "Summer school begins", 16: "Summer school ends"},
    (2027, 9): {6: "Turning Tides begins", 9: "Turning Tides ends"},
}

PAGE = Template((resources.files("walker.demo") / "calendar.html").read_text(encoding="utf-8"))


def calendar_page(month: str) -> str | None:
    """The page of a month given as "2026-11"; None where that is no month."""
    match = MONTH.fullmatch(month)
    if match is None:
        return None
    year, number = int(match[1]), int(match[2])
    if not (FIRST_YEAR < year < LAST_YEAR and 1 <= number <= 12):
        return None
    entries = ENTRIES.get((year, number), {})
    weeks = "\n".join(_week(days, entries) for days in calendar.Calendar().monthdayscalendar(year, number))
    return PAGE.substitute(
        title=f"{calendar.month_name[number]} {year}",
        weeks=weeks,
        previous=_shift(year, number, -1),
        following=_shift(year, number, 1),
    )


def _week(days: list[int], entries: dict[int, str]) -> str:
    cells = (f"<td>{day or ''}{'<br>' + escape(entries[day]) if day in entries else ''}</td>" for day in days)
    return f"        <tr>{''.join(cells)}</tr>"


def _shift(year: int, month: int, by: int) -> str:
    months = year * 12 + month - 1 + by
    return f"{months // 12:04d}-{months % 12 + 1:02d}"
