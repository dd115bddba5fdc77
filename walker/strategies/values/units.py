"""Units by the words and signs that six languages have for them, and how many of one make another."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from memory.words import lazy_re

_MONEY: dict[str, str] = {
    "EUR": "€ eur euros? 欧元 ユーロ",
    "USD": r"us\$ usd us-dollars? 美元 米ドル",
    "$": r"\$ dollars? dollar dólar(?:es)?",
    "AUD": "aud",
    "CAD": "cad",
    "GBP": "£ gbp pounds? pfund 英镑",
    "CHF": "chf fr\\. franken",
    "CNY": "cny rmb yuan 元 人民币",
    "JPY": "jpy yen 円 日元",
    "¥": "¥",
    # Of Sweden, Norway, Denmark or Iceland, as "$" is of many. A "Sek." in German is a second.
    "kr": "kr kr\\. kronor kroner kronur krona krone",
    "SEK": "(?-i:SEK)",
    "NOK": "nok",
    "DKK": "dkk",
    "ISK": "isk",
    "PLN": "zł pln złotych",
    "CZK": "kč czk korun",
    "INR": "₹ inr rupees? rs rs\\.",
    "BRL": r"r\$ brl reais",
    "RUB": "₽ rub руб\\. рублей",
    "TRY": "₺ tl lira",
    "KRW": "₩ krw 원",
}
MONEY = frozenset(_MONEY)
"""Units of money."""
_WORDS: dict[str, str] = {
    # time
    "ms": "ms milliseconds? millisekunden? millisecondes? milisegundos? 毫秒 ミリ秒",
    "s": "s secs? seconds? sekunden? sek secondes? segundos? 秒钟? 秒鐘? 秒間?",
    "min": "min mins minutes? minuten? minutos? 分钟 分鐘 分間",
    "分": "分(?!之)",
    "h": "h hrs? hours? stunden? std heures? horas? 小时 小時 个小时 個小時 時間 钟头",
    "day": "days? tage? tagen jours? días? dias? 天 日間 日间",
    "week": "weeks? wochen? semaines? semanas? 周 週 星期 个星期 週間",
    "month": "months? monate? monaten mois mes meses 个月 個月 か月 ヶ月 ヵ月 カ月 月间",
    "year": "years? jahre? jahren ans? années? années años? 年间 年間 周年",
    **_MONEY,
    # share
    "%": "% percent per\\ cent prozent pour\\ cent por\\ ciento パーセント",
    # length, area, weight, temperature
    "mm": "mm millimet(?:er|re)s? millimètres? milímetros? 毫米 ミリ",
    "cm": "cm centimet(?:er|re)s? zentimeter centimètres? centímetros? 厘米 センチ",
    "m": "m met(?:er|re)s? metern mètres? metros? 米 公尺 メートル",
    "km": "km kilomet(?:er|re)s? kilometern kilomètres? kilómetros? 公里 千米 キロメートル キロ",
    "ft": "ft feet foot fuß pieds? pies",
    "inch": "inch(?:es)? zoll pulgadas? pouces? 英寸 インチ",
    "mile": "miles? meilen? milles? millas? 英里 マイル",
    "m²": "m² m2 sqm qm square\\ met(?:er|re)s quadratmeter mètres\\ carrés metros\\ cuadrados 平方米 平米",
    "ha": "ha hectares? hektar hectáreas? 公顷",
    "mg": "mg milligrams? milligramm 毫克",
    "g": "g grams? gramm grammes? gramos? 克 グラム",
    "kg": "kg kilograms? kilos? kilogramm kilogrammes? kilogramos? 公斤 千克",
    "t": "t tons? tonnes? tonnen? toneladas? 吨 トン",
    "lb": "lbs? pound-weight libras?",
    "°C": "°\\ ?c degrees\\ celsius grad\\ celsius 摄氏度 ℃",
    "°F": "°\\ ?f degrees\\ fahrenheit ℉",
    "l": "(?-i:[lL](?!/)) lit(?:er|re)s? litern litros?",
    "ml": "ml millilit(?:er|re)s?",
    # speed, frequency, electricity, pictures
    "km/h": "km/h kmh kph",
    "mph": "mph",
    "m/s": "m/s",
    "Hz": "hz hertz",
    "kHz": "khz",
    "MHz": "mhz",
    "GHz": "ghz",
    "rpm": "rpm",
    "fps": "fps",
    "W": "(?-i:W) watts?",
    "kW": "kw kilowatts?",
    "kWh": "kwh",
    "V": "(?-i:V) volts?",
    "mA": "(?-i:mA)",
    "mAh": "mah",
    "dB": "db decibels?",
    "dBm": "dbm",
    "px": "px pixels? píxeles",
    # data
    "bit/s": "bit/s bits/s bps bits\\ per\\ second",
    "kbit/s": "kbit/s kbits/s kbps kb/s",
    "Mbit/s": "mbit/s mbits/s mbps",
    "Gbit/s": "gbit/s gbits/s gbps",
    "MB/s": "mb/s",
    "GB/s": "gb/s",
    "bit": "bits?",
    "B": "bytes? octets? 字节 バイト",
    "KB": "kb kilobytes? ko",
    "MB": "mb megabytes? mo",
    "GB": "gb gigabytes? go",
    "TB": "tb terabytes?",
    "KiB": "kib kibibytes?",
    "MiB": "mib mebibytes?",
    "GiB": "gib gibibytes?",
    "TiB": "tib tebibytes?",
}
_SCALES: tuple[dict[str, Decimal], ...] = (
    {
        "ms": Decimal("0.001"),
        "s": Decimal(1),
        "min": Decimal(60),
        "h": Decimal(3600),
        "day": Decimal(86400),
        "week": Decimal(604800),
    },
    {"month": Decimal(1), "year": Decimal(12)},
    {"mm": Decimal("0.001"), "cm": Decimal("0.01"), "m": Decimal(1), "km": Decimal(1000)},
    {"inch": Decimal(1), "ft": Decimal(12), "mile": Decimal(63360)},
    {"m²": Decimal(1), "ha": Decimal(10000)},
    {"mg": Decimal("0.001"), "g": Decimal(1), "kg": Decimal(1000), "t": Decimal(1000000)},
    {
        "B": Decimal(1),
        "KiB": Decimal(1024),
        "MiB": Decimal(1024**2),
        "GiB": Decimal(1024**3),
        "TiB": Decimal(1024**4),
    },
)
"""Units of one dimension, in units of the one that is 1. A month is no number of days, and a KB is 1,000 bytes or 1,024: these are
not converted."""
_PREFIXES = "BKMGT"
_BYTES = frozenset(("B", *(prefix + rest for prefix in _PREFIXES[1:] for rest in ("B", "iB"))))

MONEY_BEFORE = lazy_re.compile(
    r"(US\$|R\$|[€$£¥₹₽₺₩]|(?<![^\W_])(?:EUR|CHF|USD|GBP|AUD|CAD|SEK|NOK|DKK|ISK|PLN|CZK|INR|BRL|[Kk]r\.?|Rs\.?))\s?$"
)
"""Signs of money that stand before the number."""
MONEY_WRITTEN = lazy_re.compile(
    r"[€$£¥₹₽₺₩]|(?<![^\W\d_])(?:EUR|USD|GBP|CHF|AUD|CAD|SEK|NOK|DKK|ISK|PLN|CZK|INR|BRL|kr|zł|Kč)(?![^\W_])"
)
"""A sign of money anywhere in a text."""
_ASIAN = lazy_re.compile(r"[\u3040-\u9fff]")


class Unit(NamedTuple):
    """A unit at a place of a text."""

    name: str
    label: str
    end: int


def _words() -> tuple[tuple[str, str], ...]:
    """Each word for a unit as an expression, longer ones first, and the unit."""
    made = []
    for name, words in _WORDS.items():
        for word in re.split(r"(?<!\\) ", words):
            # A word ends where letters end; Chinese and Japanese write no spaces.
            ends = "" if _ASIAN.search(word) or word[-1] in "%€£¥$²₹₽₺₩" else r"(?![^\W\d_]|\d)"
            made.append((word, ends, name))
    made.sort(key=lambda one: -len(one[0]))
    return tuple((f"({word}){ends}", name) for word, ends, name in made)


_EXPRESSIONS, _NAMES = zip(*_words(), strict=True)
_UNIT = lazy_re.compile(rf"[ \u00a0-]?(?:{'|'.join(_EXPRESSIONS)})", re.IGNORECASE)
"""One group for each word, the first that fits in the order of `_NAMES`."""


def unit_at(text: str, place: int) -> Unit | None:
    """The unit that a number ending at this place has behind it."""
    found = _UNIT.match(text, place)
    if found is None or found.lastindex is None:
        return None
    return Unit(_NAMES[found.lastindex - 1], found[found.lastindex], found.end())


def unit_of_sign(sign: str) -> str:
    """The unit of a word or sign that stands alone, "" if it is none."""
    found = unit_at(sign, 0)
    return found.name if found is not None and found.end == len(sign) else ""


_TIME = ("year", "month", "week", "day", "h", "min", "s")
_SIZES = ("mm", "cm", "m", "km", "ft", "inch", "mile", "m²", "ha", "mg", "g", "kg", "t")


def unit_named_in(text: str) -> str:
    """The first unit of time that a question names ("how many minutes"), "" for none."""
    return time_named_in(text)[0]


def time_named_in(text: str) -> tuple[str, str]:
    """The first unit of time that a question names, and the word by which it does, "" and "" for none."""
    return _named_in(text, _TIME)


def size_named_in(text: str) -> str:
    """The first unit of length, area or weight that a question names by a word ("how many centimetres"), "" for none."""
    return _named_in(text, _SIZES)[0]


def _named_in(text: str, names: Sequence[str]) -> tuple[str, str]:
    """The first of these units and its word; of two that begin there the longer one."""
    best: tuple[int, int, str, str] | None = None
    for name in names:
        for word in re.split(r"(?<!\\) ", _WORDS[name]):
            if len(word) < 2 and not _ASIAN.search(word):
                continue
            edge = "" if _ASIAN.search(word) else r"\b"
            found = re.search(rf"{edge}(?:{word}){edge}", text, re.IGNORECASE)
            if found is not None and (best is None or (found.start(), -len(found[0])) < best[:2]):
                best = found.start(), -len(found[0]), name, found[0]
    return best[2:] if best is not None else ("", "")


def bytes_between(amount: Decimal, unit: str) -> tuple[Decimal, Decimal] | None:
    """The fewest and the most bytes that an amount of data may be: a KB is 1,000 or 1,024 of them. None for what is no data.

    >>> bytes_between(Decimal(2), "KB")
    (Decimal('2000'), Decimal('2048'))
    """
    if unit not in _BYTES:
        return None
    power = _PREFIXES.index(unit[0])
    most = amount * 1024**power
    return (most if unit.endswith("iB") else amount * 1000**power, most)


def converted(amount: Decimal, unit: str, to: str) -> Decimal | None:
    """The amount in another unit, None where the two measure different things or have no fixed ratio."""
    if unit == to:
        return amount
    for scale in _SCALES:
        if unit in scale and to in scale:
            return amount * scale[unit] / scale[to]
    return None
