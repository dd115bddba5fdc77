"""Numbers of spreadsheets as they are shown by their formats: "#,##0.00", "0.0%", "d mmm yyyy".

Where a format depends on the reader's country, as the short date does, the form of ISO 8601 is taken.
"""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Decimal, localcontext
from functools import lru_cache

import msgspec

from walker.office.sheets.date_format import DATE_LETTERS, MOST_SERIAL, shown_date

DATE, DATE_TIME = "yyyy\\-mm\\-dd", "yyyy\\-mm\\-dd hh:mm"
BUILT_IN = {
    1: "0",
    2: "0.00",
    3: "#,##0",
    4: "#,##0.00",
    9: "0%",
    10: "0.00%",
    11: "0.00E+00",
    12: "# ?/?",
    13: "# ??/??",
    14: DATE,
    15: "d\\-mmm\\-yy",
    16: "d\\-mmm",
    17: "mmm\\-yy",
    18: "h:mm AM/PM",
    19: "h:mm:ss AM/PM",
    20: "h:mm",
    21: "h:mm:ss",
    22: DATE_TIME,
    37: "#,##0;(#,##0)",
    38: "#,##0;(#,##0)",
    39: "#,##0.00;(#,##0.00)",
    40: "#,##0.00;(#,##0.00)",
    45: "mm:ss",
    46: "[h]:mm:ss",
    47: "mm:ss.0",
    48: "##0.0E+0",
    49: "@",
    **dict.fromkeys((*range(27, 32), 36, *range(50, 55), 57, 58), DATE),
    **dict.fromkeys((5, 6, 41, 42), "#,##0"),
    **dict.fromkeys((7, 8, 43, 44), "#,##0.00"),
}
"""Formats that files name by number only (ECMA-376, part 1, 18.8.30); those that depend on the country in ISO form."""
MOST_DECIMALS = 30
FORMAT_CHARS = 255
_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|_(?P<space>.)|\*(?P<fill>.)|\[(?P<bracket>[^\]]*)\]'
    r"|(?P<meridiem>AM/PM|A/P)|(?P<exponent>[Ee][+-])|(?P<general>General)"
    r"|(?P<digits>[0#?][0#?,]*(?:\.[0#?]*)?|\.[0#?]+)|(?P<letters>y+|m+|d+|h+|s+(?:\.0+)?|e+|g+|b+)|(?P<other>.)",
    re.IGNORECASE | re.DOTALL,
)
_CONDITION = re.compile(r"(<=|>=|<>|<|>|=)\s*(-?\d+(?:\.\d+)?)")
_CURRENCY = re.compile(r"\$([^-]*)(?:-.*)?", re.DOTALL)
_ELAPSED = re.compile(r"h+|m+|s+", re.IGNORECASE)
_COMPARE = {
    "<": lambda left, right: left < right,
    "<=": lambda left, right: left <= right,
    ">": lambda left, right: left > right,
    ">=": lambda left, right: left >= right,
    "=": lambda left, right: left == right,
    "<>": lambda left, right: left != right,
}


class Token(msgspec.Struct, frozen=True):
    """A piece of a format: literal text, digits, an exponent, a part of a date, `@`, `%`, `/` or "general"."""

    kind: str
    text: str = ""


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """One of the parts of a format that semicolons separate."""

    tokens: tuple[Token, ...]
    condition: tuple[str, float] | None = None
    is_date: bool = False
    """Whether it shows a date or a time."""
    is_general: bool = False
    """Whether it shows a number as it is."""

    @classmethod
    def of(cls, tokens: list[Token], condition: tuple[str, float] | None) -> Part:
        """The part of these tokens."""
        kinds = {token.kind for token in tokens}
        return cls(
            tokens=tuple(tokens),
            condition=condition,
            is_date=not kinds.isdisjoint(("letters", "elapsed", "meridiem")),
            is_general=kinds <= {"general", "@"},
        )

    def has(self, kind: str) -> bool:
        """Whether a token of a kind is in it."""
        return any(token.kind == kind for token in self.tokens)


@lru_cache(maxsize=4096)
def shown_number(value: float, code: str, *, from_1904: bool = False) -> str:
    """A number as a format shows it. `from_1904`: its dates are counted from 1904, as on old Macs."""
    parts = _parts(code[:FORMAT_CHARS])
    part, is_bare = _part_for(value, parts)
    if part is None:
        return general(value)
    if part.is_date:
        serial = value + (1462 if from_1904 else 0)
        return (
            shown_date(serial, [(token.kind, token.text) for token in part.tokens])
            if 0 <= serial < MOST_SERIAL
            else general(value)
        )
    text = _number(abs(value), part)
    is_negative = value < 0 and not is_bare and any(letter in "123456789" for letter in text)
    return f"-{text}" if is_negative else text


def general(value: float) -> str:
    """A number without a format: up to 15 digits, without an exponent where it is not very large or small."""
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    written = f"{value:.15g}"
    if "e" in written and abs(value) < 1e21 and abs(value) > 1e-10:
        with localcontext() as context:
            context.prec = 40
            written = f"{Decimal(written):f}"
    return written.upper()


@lru_cache(maxsize=1024)
def _parts(code: str) -> tuple[Part, ...]:
    """The parts of a format; never none."""
    found: list[Part] = []
    tokens: list[Token] = []
    condition: tuple[str, float] | None = None
    for match in _TOKEN.finditer(code):
        if match["other"] == ";":
            found.append(Part.of(tokens, condition))
            tokens, condition = [], None
            continue
        if match["bracket"] is not None and (told := _CONDITION.fullmatch(match["bracket"])):
            condition = (told[1], float(told[2]))
            continue
        tokens += _tokens_of(match)
    return (*found, Part.of(tokens, condition))


def _tokens_of(match: re.Match[str]) -> list[Token]:
    kind, text = match.lastgroup or "", match[match.lastgroup or 0]
    if kind == "bracket":
        if money := _CURRENCY.fullmatch(text):
            return [Token("literal", money[1])]
        # Colours, and calendars.
        return [Token("elapsed", text.lower())] if _ELAPSED.fullmatch(text) else []
    if kind in ("quoted", "escaped"):
        return [Token("literal", text)]
    if kind == "space":
        return [Token("literal", " ")]
    if kind == "fill":
        return []
    if kind == "letters":
        return [Token("letters", text)] if text[0].lower() in DATE_LETTERS else []
    if kind == "other":
        return [Token(text if text in "@%/" else "literal", text)]
    return [Token(kind, text)]


def _part_for(value: float, parts: tuple[Part, ...]) -> tuple[Part | None, bool]:
    """The part that shows a value, and whether the minus of a negative one is left to it."""
    for part in parts[:2]:
        if part.condition is not None and _COMPARE[part.condition[0]](value, part.condition[1]):
            return _unless_general(part), False
    numeric = [part for part in parts[:3] if part.condition is None]
    if any(part.condition is not None for part in parts):
        return (_unless_general(numeric[-1]), False) if numeric else (None, False)
    if value < 0 and len(numeric) > 1:
        return _unless_general(numeric[1]), True
    if value == 0 and len(numeric) > 2:
        return _unless_general(numeric[2]), True
    return _unless_general(numeric[0]), False


def _unless_general(part: Part) -> Part | None:
    return None if part.is_general else part


def _number(value: float, part: Part) -> str:
    """A value that is not negative."""
    percents = sum(token.kind == "%" for token in part.tokens)
    number = Decimal(repr(value)) * 100**percents
    if part.has("/") and sum(token.kind == "digits" for token in part.tokens) >= 2:
        return _fraction(number, part)
    places = [place for place, token in enumerate(part.tokens) if token.kind == "digits"]
    exponent = next((place for place, token in enumerate(part.tokens) if token.kind == "exponent"), -1)
    if len(places) > 1 and exponent < 0:
        return _grouped(number, part, places)
    texts: list[str] = []
    for place, token in enumerate(part.tokens):
        if token.kind == "digits" and place == places[0]:
            texts.append(_scientific(number, part, exponent) if exponent > place else _digits(number, token.text))
        elif token.kind in ("exponent", "digits"):
            # They are shown with the first digits.
            continue
        elif token.kind in ("general", "@"):
            texts.append(general(float(number)))
        else:
            texts.append(token.text)
    return " ".join("".join(texts).split(" ")).strip()


def _grouped(number: Decimal, part: Part, places: list[int]) -> str:
    """A number whose digits other text divides, such as that of a telephone ("000-0000")."""
    left = str(int(number.to_integral_value(rounding=ROUND_HALF_UP)))
    groups: dict[int, str] = {}
    for place in reversed(places):
        form = part.tokens[place].text
        own = left if place == places[0] else left[max(0, len(left) - len(form)) :]
        left = left[: len(left) - len(own)]
        groups[place] = own.rjust(form.count("0"), "0")
    return "".join(groups.get(place, token.text) for place, token in enumerate(part.tokens)).strip()


def _digits(number: Decimal, form: str) -> str:
    """A number by a form such as "#,##0.00"."""
    whole_form, _, decimals = form.partition(".")
    bare = whole_form.rstrip(",")
    number = number / 1000 ** (len(whole_form) - len(bare))
    most = min(len(decimals.replace(",", "")), MOST_DECIMALS)
    with localcontext() as context:
        context.prec = 400
        rounded = number.quantize(Decimal(1).scaleb(-most), rounding=ROUND_HALF_UP)
    whole, _, after = f"{rounded:f}".partition(".")
    least = sum(letter == "0" for letter in bare)
    whole = "" if whole == "0" and least == 0 else whole.zfill(least)
    if "," in bare:
        head = len(whole) % 3
        groups = ([whole[:head]] if head else []) + [whole[at : at + 3] for at in range(head, len(whole), 3)]
        whole = ",".join(groups)
    kept = sum(letter == "0" for letter in decimals)
    while len(after) > kept and after.endswith("0"):
        after = after[:-1]
    point = "." if after or (form.endswith(".") and decimals == "" and "." in form) else ""
    return f"{whole}{point}{after}"


def _scientific(number: Decimal, part: Part, exponent: int) -> str:
    forms = [token.text for token in part.tokens if token.kind == "digits"]
    mantissa, places = forms[0], len(forms[1]) if len(forms) > 1 else 1
    power = number.adjusted() if number else 0
    step = max(1, len(mantissa.partition(".")[0]))
    power -= power % step
    sign = part.tokens[exponent].text[1]
    written = _digits(number.scaleb(-power), mantissa)
    shown = "-" if power < 0 else ("+" if sign == "+" else "")
    return f"{written}E{shown}{abs(power):0{places}}"


def _fraction(number: Decimal, part: Part) -> str:
    """A number as a fraction with a denominator of as many digits as the form gives it."""
    forms = [token.text for token in part.tokens if token.kind == "digits"]
    literal = next(
        (token.text for token in reversed(part.tokens) if token.kind == "literal" and token.text.isdecimal()), ""
    )
    most = 10 ** min(4, len(forms[-1])) - 1
    whole = int(number) if len(forms) > 2 else 0
    rest = number - whole
    bottoms = [int(literal)] if literal and int(literal) else range(1, most + 1)
    bottom = min(bottoms, key=lambda one: (abs(rest - Decimal(round(rest * one)) / one), one))
    top = round(rest * bottom)
    if top == bottom and len(forms) > 2:
        whole, top = whole + 1, 0
    shown = f"{top}/{bottom}" if top else ""
    return " ".join(one for one in (str(whole) if whole or not top else "", shown) if one)
