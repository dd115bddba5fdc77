"""Times of day as six languages write them."""

from __future__ import annotations

import re
from decimal import Decimal

from memory.words import lazy_re
from walker.strategies.values.value_kinds import Clock, Found, Measure, Unclear, Value

_TIME = lazy_re.compile(
    r"(?:(?P<before>上午|早上|早晨|凌晨|午前|下午|午后|午後|晚上|傍晚|夜里|夜晚|夜)\s*)?"
    r"(?<![\d:.,])(?P<hour>[01]?\d|2[0-4])(?:"
    r":(?P<minute>[0-5]\d)(?::[0-5]\d)?(?!\d)(?: ?(?P<half>[ap])\.? ?m\b\.?)?(?: ?(?:Uhr|h\b))?"
    r"| ?(?P<half2>[ap])\.? ?m\b\.?"
    r"|\.(?P<minute2>[0-5]\d) ?(?:Uhr\b|(?P<half3>[ap])\.? ?m\b\.?)| Uhr\b(?: (?P<minute3>[0-5]\d)\b)?"
    r"| ?h(?:eures? )? ?(?P<minute4>[0-5]\d)(?!\d| ?m)"
    r"|(?=(?: h(?:eures?)?)? (?:de la (?:mañana|tarde|noche)|du (?:matin|soir)|de l['’]après-midi)\b)(?: h(?:eures?)?)?"
    r"|[点點時时](?!间|間)(?:(?P<minute5>[0-5]?\d)分)?)"
    r"(?: (?P<after>de la mañana|de la tarde|de la noche|du matin|du soir|de l['’]après-midi|morgens|vormittags|nachmittags|abends))?",
    re.IGNORECASE,
)
_LATE = lazy_re.compile(r"下午|午后|午後|傍晚|tarde|soir|après|nachmittags", re.IGNORECASE)
_EVENING = lazy_re.compile(r"晚上|夜|noche|abends", re.IGNORECASE)
"""Words of a part of the day that begins after noon, and of one that may end after midnight."""
EVENING_FROM = 5
_AS_DURATION = lazy_re.compile(r"\d{1,2}(?::| ?h(?:eures? )? ?)\d\d", re.IGNORECASE)
_IN_HOURS = lazy_re.compile(r"\d{1,2} ?h(?:eures? )? ?\d\d", re.IGNORECASE)
_HOUR_ALONE = lazy_re.compile(r"(?:1[3-9]|2[0-4]) ?h(?:eures?)?", re.IGNORECASE)
"""After noon: "2 h" beside a time is more often how long something takes."""
_HOURS, _MINUTES = frozenset(("h", "min", "s")), Decimal(60)


def times_in(text: str) -> list[Found]:
    """The times of day in a text, with their places; `Unclear` for 晚上2点, which may be night or no time at all."""
    found = []
    for match in _TIME.finditer(text):
        parts = match.groupdict()
        hour = int(parts["hour"])
        minute = int(next((parts[name] for name in parts if name.startswith("minute") and parts[name]), 0))
        half = next((parts[name] for name in ("half", "half2", "half3") if parts[name]), "").lower()
        if half and not 1 <= hour <= 12:
            continue
        if half:
            hour = hour % 12 + (12 if half == "p" else 0)
        told = f"{parts['before'] or ''}{parts['after'] or ''}"
        late = _on_the_clock(hour, told)
        value: Value = (
            Unclear(written=match[0]) if late is None else Clock(minutes=60 * late + minute, written=match[0])
        )
        found.append(Found(start=match.start(), end=match.end(), value=value))
    return found


def _on_the_clock(hour: int, told: str) -> int | None:
    """The hour 0..24 that is meant in this part of the day; None where it cannot be said."""
    if hour >= 12 or not told:
        return hour
    if _LATE.search(told):
        return hour + 12
    if _EVENING.search(told):
        return hour + 12 if hour >= EVENING_FROM else None
    return hour


def as_durations(values: list[Value]) -> list[Value]:
    """Hours and minutes that are written like a time, as minutes: "18h45" beside "18 h", "1:30" beside "45 min", "1h30" and "2h15";
    [] where a value is neither that nor a duration, or where all are plain times or plain durations."""
    if not any(isinstance(value, Clock) for value in values):
        return []
    form = _IN_HOURS if all(isinstance(value, Clock) for value in values) else _AS_DURATION
    made: list[Value] = []
    for value in values:
        if isinstance(value, Clock) and form.fullmatch(value.written.strip()):
            made.append(Measure(amount=Decimal(value.minutes), unit="min", written=value.written, label="min"))
        elif isinstance(value, Measure) and value.unit in _HOURS:
            made.append(value)
        else:
            return []
    return made


def as_clocks(values: list[Value]) -> list[Value]:
    """Times of day of which some are written as hours alone, as "18h" beside "6:30 pm"; the values as they are where none is a time,
    or where one is no hour of a day."""
    if not any(isinstance(value, Clock) for value in values):
        return values
    made: list[Value] = []
    for value in values:
        if isinstance(value, Measure) and value.unit == "h" and _HOUR_ALONE.fullmatch(value.written.strip()):
            made.append(Clock(minutes=int(value.amount * _MINUTES), written=value.written))
        else:
            made.append(value)
    return made if all(isinstance(value, Clock) for value in made) else values


def in_hours(minutes: Decimal) -> str:
    """Minutes as people tell them.

    >>> in_hours(Decimal(105)), in_hours(Decimal(540)), in_hours(Decimal(45))
    ('1 h 45 min', '9 h', '45 min')
    """
    hours, left = divmod(minutes, _MINUTES)
    told = [f"{hours:f} h"] * bool(hours) + [f"{left.normalize() if left else left:f} min"] * bool(left or not hours)
    return " ".join(told)
