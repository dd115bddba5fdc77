"""Field values of items: parses page text as a number, a date, a URL."""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from typing import Any

from lxml import etree

from perception.document.addresses import absolute_url
from perception.document.dom import Element
from perception.document.visible import visible_text
from walker.crawl.script.spec import FieldType

DATE_CHARS = 80
"""Characters; a longer text is not searched for a date, which takes long."""

_NUMBER = re.compile(r"[-+\u2212]?\s?(?:\d[\d\s.,'’٬\u00a0\u202f]*\d|\d|[.,]\d+)(?:[eE][-+]?\d+)?")
_GROUPED = re.compile(r"\d{1,3}(?:[ \u00a0\u202f'’٬]\d{3})+(?:[.,]\d+)?(?!\d)|\d[\d.,]*|[.,]\d+")
_THOUSANDS_IN_DOTS = re.compile(r"€|EUR|\bkr\b|R\$|₺|Rp|₫|zł", re.IGNORECASE)
_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?")
_NO = re.compile(
    r"^\W*(?:no|not?\b.*|false|0|off|none|nein|non|nicht\b.*|aus|否|无|不是|✗|✘|✖|×"
    r"|out of stock|sold out|unavailable|ausverkauft|épuisé|agotado|缺货|售罄)\W*$",
    re.IGNORECASE,
)
_UNREAD = frozenset(("script", "style", "template", "noscript"))
_PARTS = frozenset(
    ("br", "p", "div", "li", "td", "th", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "dt", "dd", "section")
)


def value_of(found: list[Any], kind: FieldType, attr: str, base: str, written_at: float = 0.0) -> Any:
    """The value of a selector's matches: elements, or texts for attributes. None without a match (False for a boolean, [] for a
    list). `written_at` is the time of the fetch, seconds since the epoch, for "two days ago"."""
    if kind == "list":
        return [text for each in found if (text := _text(each, attr))]
    if kind == "boolean":
        return bool(found) and _is_yes(found[0], attr)
    for each in found:
        if kind == "html":
            return _html(each)
        if kind == "url":
            value: Any = absolute_url(base, _address(each, attr)) or None
        elif kind == "date":
            value = date_of(_date_text(each, attr), written_at)
        elif kind in ("number", "integer"):
            value = number_of(_text(each, attr))
            value = (int(value) if value is not None and value.is_integer() else None) if kind == "integer" else value
        else:
            value = _text(each, attr) or None
        if value is not None:
            return value
    return None


def number_of(text: str) -> float | None:
    """The first number of a text, with any thousands separator.

    >>> number_of("$1,234.50"), number_of("1.234,50 €"), number_of("1 234"), number_of("0.125"), number_of("1.234 €")
    (1234.5, 1234.5, 1234.0, 0.125, 1234.0)
    """
    plain = unicodedata.normalize("NFKC", text)
    match = _NUMBER.search(plain)
    if match is None:
        return None
    digits = _GROUPED.search(match[0])
    if digits is None:
        return None
    written = re.sub(r"[^\d.,]", "", digits[0]).rstrip(".,")
    written = _with_point(written, dots_group=_THOUSANDS_IN_DOTS.search(plain) is not None)
    sign = "-" if match[0][0] in "-\u2212" else ""
    exponent = re.search(r"[eE][-+]?\d+$", match[0])
    return float(f"{sign}{written or '0'}{exponent[0] if exponent else ''}")


def _with_point(written: str, *, dots_group: bool) -> str:
    dot, comma = written.rfind("."), written.rfind(",")
    if dot >= 0 and comma >= 0:
        decimal, group = (".", ",") if dot > comma else (",", ".")
        return written.replace(group, "").replace(decimal, ".")
    mark = "." if dot >= 0 else ","
    head, *rest = written.split(mark)
    if not rest:
        return written
    grouped = all(len(part) == 3 for part in rest) and 0 < len(head) <= 3 and not head.startswith("0")
    if len(rest) > 1 or (grouped and (mark == "," or dots_group)):
        return head + "".join(rest) if grouped else head + "." + "".join(rest)
    return f"{head}.{rest[0]}"


def date_of(text: str, written_at: float = 0.0) -> str | None:
    """A date in any language as ISO 8601, with the time if the text has one."""
    text = " ".join(text.split())
    if iso := _ISO_DATE.search(text):
        try:
            return _iso(dt.datetime.fromisoformat(iso[0]), with_time=len(iso[0]) > 10)
        except ValueError:
            return None
    if not text or len(text) > DATE_CHARS or not (re.search(r"\d", text) or written_at):
        return None
    settings: dict[str, Any] = {"PREFER_DAY_OF_MONTH": "first", "RETURN_AS_TIMEZONE_AWARE": False}
    if written_at:
        settings["RELATIVE_BASE"] = dt.datetime.fromtimestamp(written_at, dt.UTC).replace(tzinfo=None)
    import dateparser  # noqa: PLC0415 - takes 0.1 s, and few scripts have dates

    parsed = dateparser.parse(text, settings=settings)
    return _iso(parsed, with_time=":" in text) if parsed is not None else None


def _iso(moment: dt.datetime, *, with_time: bool) -> str:
    return moment.isoformat() if with_time else moment.date().isoformat()


def _text(found: Any, attr: str) -> str:
    if not etree.iselement(found):
        return visible_text(str(found))
    if attr:
        return visible_text(found.get(attr) or "")
    if found.tag in ("script", "style"):
        return ""
    return visible_text("".join(_readable(found)))


def _readable(element: Element) -> list[str]:
    """Visible text; line breaks and block boundaries separate words."""
    parts: list[str] = []
    walk = etree.iterwalk(element, events=("start", "end"))
    for event, each in walk:
        if event == "start":
            if each.tag in _UNREAD or "data-walker-hidden" in each.attrib:
                walk.skip_subtree()
            else:
                parts.append(each.text or "")
        elif each is not element:
            parts += (" " if each.tag in _PARTS else "", each.tail or "")
    return parts


def _address(found: Any, attr: str) -> str:
    if not etree.iselement(found) or attr:
        return str(found) if not etree.iselement(found) else found.get(attr) or ""
    for name in ("href", "src", "data-src", "content"):
        if value := found.get(name):
            return str(value)
    inner = found.find(".//a[@href]")
    if inner is not None:
        return str(inner.get("href"))
    image = found.find(".//img[@src]")
    return str(image.get("src")) if image is not None else _text(found, "")


def _date_text(found: Any, attr: str) -> str:
    if etree.iselement(found) and not attr:
        time = found if found.tag == "time" else found.find(".//time[@datetime]")
        if time is not None and time.get("datetime"):
            return str(time.get("datetime"))
        if found.tag == "meta":
            return found.get("content") or ""
    return _text(found, attr)


def _is_yes(found: Any, attr: str) -> bool:
    if etree.iselement(found) and attr:
        return attr in found.attrib and not _NO.match(found.get(attr) or "yes")
    text = _text(found, attr)
    return not _NO.match(text) if text else True


def _html(found: Any) -> str:
    return (
        etree.tostring(found, method="html", encoding="unicode", with_tail=False).strip()
        if etree.iselement(found)
        else str(found)
    )
