"""URL templates: the pattern of a URL, with the parts that vary between pages of one kind replaced by placeholders.

>>> template_of("https://example.org/item/17-red-lamp?ref=home&size=3")
'example.org/item/{n}-{w}?ref&size'
>>> template_of("https://example.org/calendar/2026/11")
'example.org/calendar/{date}'
>>> template_of("https://example.org/s/9f3ab2c144e1/help/help/help/")
'example.org/s/{id}/help+/'
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal
from urllib.parse import unquote

from memory.url_key import is_route

AddressKind = Literal["number", "word", "date", "page", "token", "deep"]
"""How the URLs of one template differ: by a number or a name; a date; a page number; an unguessable token; or only by length."""

DEEP = 9
"""Path depth from which a URL is suspicious: of 2,000 pages of documentation none has more than 7 folders."""
LONG_NUMBER = 7
"""Digits from which a number is an id rather than a count."""

_DATE = re.compile(
    r"(?:19|20)\d\d(?:[-_.](?:0?[1-9]|1[0-2])(?:[-_.](?:[0-2]?\d|3[01]))?|(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01]))"
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_MONTH_OR_DAY = re.compile(r"[0-3]?\d")
_UUID = re.compile(r"\{?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\}?", re.IGNORECASE)
_HEX = re.compile(r"(?=.*\d)(?=.*[a-f])[0-9a-f]{8,}", re.IGNORECASE)
_MIXED = re.compile(r"(?=(?:[^\d]*\d){2})(?=.*[A-Za-z])[A-Za-z0-9~-]{16,}")
_EXTENSION = re.compile(r"\.[A-Za-z][A-Za-z0-9]{1,4}$")
_WORDS = re.compile(r"[^\W\d_]+")
_DIGITS = re.compile(r"\d+")
_AMPERSANDS = re.compile(r"^(?:amp;)+")
_PAGE_NAMES = frozenset(
    "page p pg paged pageno page_no pagenum pagenumber page_number seite offset start skip from after before since until cursor"
    " begin index limitstart first hop step n max_id continue token".split()
)
_PAGE_NAME = re.compile(r"^page|page$|offset$|^start|cursor$")
_DATE_NAMES = frozenset("date day month year week ym ymd cal calendar".split())
_DATE_LETTERS = frozenset("ymdw")


@lru_cache(maxsize=1 << 16)
def template_of(url: str) -> str:
    """Host, path with placeholders for names, numbers, dates and tokens, and sorted query parameter names. Total: any text has
    one."""
    address, _, fragment = url.partition("#")
    address, _, query = address.partition("?")
    host, _, path = address.partition("://")[2].partition("/")
    segments = _folded([_segment(segment) for segment in _without_dates(path.split("/"))])
    last = len(segments) - 1 if segments[-1] or len(segments) == 1 else len(segments) - 2
    if not query and not set("{+") & set(segments[last]):
        segments[last] = _name_slot(segments[last])
    route = f"#{template_of('x://' + fragment).replace('//', '/')}" if is_route(fragment) else ""
    return f"{host.lower()}/{'/'.join(segments)}{_query(query)}{route}"


@lru_cache(maxsize=1 << 14)
def family_of(template: str) -> str:
    """The common part of templates that differ in their query and in the words of deeper folders: the first folder, and the
    kinds of placeholders below it.

    >>> family_of("example.org/maze/bor/cel/{w}")
    'example.org/maze/{w}'
    """
    host, _, path = template.partition("?")[0].partition("#")[0].partition("/")
    first, *rest = path.split("/")
    kinds = [
        slot if (slot := "".join(re.findall(r"\{(?:n|id|date)\}", segment))) else "{w}" for segment in rest if segment
    ]
    return "/".join((host, first, *dict.fromkeys(kinds)))


def kind_of(template: str) -> AddressKind:
    """How URLs of a template differ; of several kinds the most suspicious."""
    path, _, query = template.partition("?")
    names = {name.partition("=")[0] for name in query.split("&")}
    if "{id}" in template:
        return "token"
    if "+" in path or path.count("/") >= DEEP:
        return "deep"
    if "{date}" in template or names & _DATE_NAMES or len(names & _DATE_LETTERS) > 1:
        return "date"
    if names & _PAGE_NAMES or any(_PAGE_NAME.search(name) for name in names):
        return "page"
    return "number" if "{n}" in path or any(name.endswith("id") for name in names) else "word"


def _without_dates(segments: list[str]) -> list[str]:
    """Replace dates across segments: `2026/11/05` is one date, and so is `11/2026`."""
    found: list[str] = []
    inside = 0
    for segment in segments:
        if inside and inside < 3 and _MONTH_OR_DAY.fullmatch(segment):
            inside += 1
            found[-1] = "{date}"
            continue
        inside = 1 if _YEAR.fullmatch(segment) else 0
        if inside and found and _MONTH_OR_DAY.fullmatch(found[-1]):
            found[-1] = "{date}"
            continue
        found.append(segment)
    return found


def _segment(written: str) -> str:
    """One path segment, with placeholders for numbers, dates, tokens and titles; a plain word is kept."""
    text = unquote(written).partition(";")[0] if "%" in written or ";" in written else written
    if not text or text.startswith("{"):
        return text
    extension = _extension(text)
    name = text[: len(text) - len(extension)]
    slot = _slot(name)
    if not slot:
        words = _WORDS.findall(name)
        numbered = _DIGITS.search(name) is not None
        if len(words) >= 3 or (numbered and len(words) == 2):
            lead = "{n}-" if name[0].isdigit() else ""
            tail = "-{n}" if name[-1].isdigit() else ""
            slot = f"{lead}{{w}}{tail}"
        else:
            slot = _DIGITS.sub("{n}", name.lower())
    return slot + extension


def _name_slot(segment: str) -> str:
    """Placeholder for the last segment: a word is the name of a page, but before a query that of a script."""
    return "{w}" + _extension(segment) if segment else segment


def _extension(text: str) -> str:
    match = _EXTENSION.search(text)
    return match[0].lower() if match and match.start() else ""


def _slot(name: str) -> str:
    if name.isdecimal():
        return "{date}" if _DATE.fullmatch(name) else "{n}" if len(name) < LONG_NUMBER else "{id}"
    if _DATE.fullmatch(name):
        return "{date}"
    if _UUID.fullmatch(name) or _HEX.fullmatch(name) or (_MIXED.fullmatch(name) and "-" not in name):
        return "{id}"
    return ""


def _folded(segments: list[str]) -> list[str]:
    """Collapse repeated segments, or repeated groups of two or three, to one with a plus."""
    folded = list(segments)
    for period in (1, 2, 3):
        place = 0
        while place + 2 * period <= len(folded):
            run = folded[place : place + period]
            if folded[place + period : place + 2 * period] == run and any(run) and "{n}" not in run:
                run[-1] = run[-1].rstrip("+")
                folded[place : place + 2 * period] = [*run[:-1], run[-1] + "+"]
                continue_at = place
                while folded[continue_at + period : continue_at + 2 * period] == run:
                    del folded[continue_at + period : continue_at + 2 * period]
            place += 1
    return folded


def _query(query: str) -> str:
    if not query:
        return ""
    names = set()
    for pair in query.split("&"):
        name, _, value = pair.partition("=")
        name = _DIGITS.sub("{n}", _AMPERSANDS.sub("", unquote(name)).lower())
        slot = _slot(unquote(value)) if len(value) > 5 else ""
        if name:
            names.add(f"{name}={slot}" if slot in ("{id}", "{date}") else name)
    return "?" + "&".join(sorted(names)) if names else ""
