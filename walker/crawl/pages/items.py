"""Extracts items from a page by the rules of a script."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from lxml import etree

from memory.url_key import BadUrl, key_of
from perception.document.dom import Element
from perception.snapshot import Snapshot
from walker.crawl.job_records import CrawlItem
from walker.crawl.pages.field_values import value_of
from walker.crawl.script.selectors import compiled
from walker.crawl.script.spec import FieldRule, ItemRule

_JSON = msgspec.json.Encoder(order="deterministic")
_AUTOMATIC = {
    "name": FieldRule(select="h1, h2, h3, h4, h5, h6, a, b, strong, td, th, dt"),
    "text": FieldRule(),
    "url": FieldRule(select="a[href]", type="url"),
}


def read_items(root: Element, rules: Iterable[ItemRule], base: str, snapshot: Snapshot) -> tuple[CrawlItem, ...]:
    """Every record that matches a rule and has its required fields, each identity once, by rule and in document order."""
    found: dict[str, CrawlItem] = {}
    for rule in rules:
        records = [root] if not rule.each else _elements(compiled(rule.each)(root))
        for record in records:
            fields = _fields(record, rule, base, snapshot)
            if fields is not None:
                identity = identity_of(fields, rule, snapshot.final_url)
                found.setdefault(identity, CrawlItem(identity=identity, fields=fields))
    return tuple(found.values())


def identity_of(fields: dict[str, Any], rule: ItemRule, page_url: str) -> str:
    """The identity of an item: its key fields, else its URL (that of the page, for one item per page), else all fields."""
    if rule.key:
        return _JSON.encode([fields.get(name) for name in rule.key]).decode()
    address = next(
        (fields[name] for name, field in _rules(rule).items() if field.type == "url" and fields.get(name)), None
    )
    if not rule.each:
        address = page_url
    return identity_at(address, fields)


def identity_at(address: Any, fields: dict[str, Any]) -> str:
    """The identity of an item by its own URL, else by all fields."""
    if not address or not isinstance(address, str):
        return _JSON.encode(fields).decode()
    try:
        page = key_of(address)
    except BadUrl:
        return address
    fragment = address.partition("#")[2]
    return f"{page}#{fragment}" if fragment and "#" not in page else page


def _fields(record: Element, rule: ItemRule, base: str, snapshot: Snapshot) -> dict[str, Any] | None:
    """Values by name; None if a required one or all of them are missing."""
    fields: dict[str, Any] = {}
    for name, field in _rules(rule).items():
        found = _found(record, field)
        value = value_of(found, field.type, field.attr, base, snapshot.fetched_at)
        if field.required and (value is None or value in ("", [])):
            return None
        fields[name] = value
    return fields if any(value not in (None, "", [], False) for value in fields.values()) else None


def _rules(rule: ItemRule) -> dict[str, FieldRule]:
    return dict(rule.fields) or _AUTOMATIC


def _found(record: Element, field: FieldRule) -> list[Any]:
    if not field.select:
        return [record]
    found = compiled(field.select)(record)
    return found if isinstance(found, list) else [found]


def _elements(found: Any) -> list[Element]:
    return [each for each in found if etree.iselement(each)] if isinstance(found, list) else []
