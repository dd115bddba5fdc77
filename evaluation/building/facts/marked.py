"""Properties that a page marks up for machines (schema.org in JSON-LD or microdata) and shows to people as well."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import Any, Literal

import msgspec

from evaluation.building.facts.dates import dates_in
from evaluation.building.facts.fact import Marked
from evaluation.building.facts.lines import is_answer, quote_of
from evaluation.building.tree import HarvestedPage, MarkedUp
from perception.document.dom import parse_page

Prop = Literal["author", "published", "location", "starts", "price", "founded"]
_PROPS: dict[str, Prop] = {
    "author": "author",
    "datePublished": "published",
    "location": "location",
    "startDate": "starts",
    "price": "price",
    "foundingDate": "founded",
}
_DATES = frozenset({"datePublished", "startDate", "foundingDate"})
BESIDE_CHARS = 12
"""Characters beside a date in its line: the minutes that reading takes."""
_AND = r"(?:[,;&·、，；]|\b(?:and|und|et|y)\b)"
_WRITTEN_BY = re.compile(
    r"\b(?:was|were|is|wurde|a été) (?:written|geschrieben|verfasst|écrit) (?:by|von|par) [A-ZÀ-Þ]"
)
_OUTER = ("mainEntity", "@graph")
"""Where the thing that a page is about lies inside of another."""


def marked_up(html: str) -> tuple[MarkedUp, ...]:
    """The properties of the things that a page describes, each with the name of its thing. Malformed JSON is left out."""
    root = parse_page(html)
    found: list[MarkedUp] = []
    for script in root.iter("script"):
        if "ld+json" in (script.get("type") or ""):
            try:
                found += _of_json(msgspec.json.decode(script.text or ""))
            except msgspec.DecodeError:
                continue
    for thing in root.iter():
        if isinstance(thing.tag, str) and thing.get("itemscope") is not None and not _inside_another(thing):
            found += _of_microdata(thing)
    return tuple(dict.fromkeys(found))


def marked_facts(page: HarvestedPage) -> Iterator[Marked]:
    """The marked properties that have one value and stand on the page, of the thing that the page's title names."""
    heads = [*[passage.text for passage in page.passages if passage.level == 1][:1], page.title]
    about = [one for one in page.marked_up if any(one.thing.casefold() in head.casefold() for head in heads)]
    for name, prop in _PROPS.items():
        values = list(dict.fromkeys(one.value for one in about if one.prop == name))
        if len(values) == 1:
            yield from _shown(page, prop, values[0], is_date=name in _DATES)


def _shown(page: HarvestedPage, prop: Prop, value: str, *, is_date: bool) -> Iterator[Marked]:
    if not is_date:
        quote = quote_of(page, value)
        alone = [line for line in page.lines if value in line and len(line) <= len(value) + 12]
        if quote and is_answer(value) and alone and not (prop == "author" and _is_one_of_several(page, value)):
            yield Marked(page=page.key, value=value, quote=alone[0], prop=prop)
        return
    try:
        meant = date.fromisoformat(value[:10])
    except ValueError:
        return
    written = [
        (line, text) for line in page.lines for text, day in dates_in(line) if day == meant and _is_bare(line, text)
    ]
    if written:
        yield Marked(page=page.key, value=written[0][1], quote=written[0][0], prop=prop)


def _is_one_of_several(page: HarvestedPage, author: str) -> bool:
    """Whether the page names somebody else beside an author, or says that others wrote it: markup may have the first of them only, or
    who put the page there."""
    name = re.escape(author)
    beside = re.compile(rf"{_AND}\s*{name}(?!\w)|(?<!\w){name}\s*{_AND}\s*[^\W\d_a-z]")
    if any(beside.search(line) for line in page.lines if author in line):
        return True
    return any(_WRITTEN_BY.search(line) and author not in line for line in page.lines)


def _is_bare(line: str, written: str) -> bool:
    """Whether a line is a date without a label, which may call it something else (the day of the last change)."""
    return len(line) <= len(written) + BESIDE_CHARS and ":" not in line and "：" not in line


def _of_json(value: Any) -> Iterator[MarkedUp]:
    if isinstance(value, list):
        for one in value:
            yield from _of_json(one)
    if not isinstance(value, dict):
        return
    for outer in _OUTER:
        yield from _of_json(value.get(outer))
    thing = value.get("headline") or value.get("name")
    for name in _PROPS:
        for said in _texts(value.get(name)):
            if isinstance(thing, str) and thing.strip():
                yield MarkedUp(thing=" ".join(thing.split()), prop=name, value=said)


def _texts(value: Any) -> Iterator[str]:
    """The texts of a property: itself, the name of a thing, or those of a list."""
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        yield " ".join(str(value).split())
    elif isinstance(value, dict):
        yield from _texts(value.get("name"))
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one)


def _of_microdata(thing: Any) -> Iterator[MarkedUp]:
    own = [one for one in thing.iter() if isinstance(one.tag, str) and one.get("itemprop") and _holder(one) is thing]
    names = [_said(one) for one in own if one.get("itemprop") in ("headline", "name")]
    for one in own:
        prop = one.get("itemprop")
        if names and names[0] and prop in _PROPS and (said := _said(one)):
            yield MarkedUp(thing=names[0], prop=prop, value=said)


def _said(element: Any) -> str:
    named = element.get("content") or element.get("datetime") or ""
    if not named and element.get("itemscope") is not None:
        inner = next(
            (one for one in element.iter() if isinstance(one.tag, str) and one.get("itemprop") == "name"), None
        )
        return " ".join("".join(inner.itertext()).split()) if inner is not None else ""
    return " ".join((named or "".join(element.itertext())).split())


def _holder(element: Any) -> Any:
    holder = element.getparent()
    while holder is not None and holder.get("itemscope") is None:
        holder = holder.getparent()
    return holder


def _inside_another(thing: Any) -> bool:
    return _holder(thing) is not None
