"""Automatic item detection: the repeated records that a page is about, without rules."""

from __future__ import annotations

import math
from collections.abc import Iterable

import msgspec

from perception.document.dom import Element
from perception.document.reading import observe_parsed
from perception.observation import Record, RecordSet
from perception.snapshot import Snapshot
from walker.crawl.job_records import CrawlItem
from walker.crawl.pages.items import identity_at

FEWEST = 3
"""Least records of a set that may be the main content."""
TEXT_CHARS = 120
"""Characters per record above which more text does not raise the score."""
_JSON = msgspec.json.Encoder(order="deterministic")


def find_items(root: Element, snapshot: Snapshot) -> tuple[CrawlItem, ...]:
    """Records of the page's main record set: name, text and URL, and its columns by name. () if there is no clear main set. The
    tree is not changed."""
    observation = observe_parsed(root, snapshot)
    best = max(observation.record_sets, key=weight_of, default=None)
    if best is None or weight_of(best) <= 0:
        return ()
    found: dict[str, CrawlItem] = {}
    labels: dict[str, list[str]] = {}
    for link in observation.links:
        labels.setdefault(link.url, []).append(link.label)
    for record in best.records:
        fields = _fields(record, best)
        identity = _identity(record, fields, labels.get(record.url, []))
        found.setdefault(identity, CrawlItem(identity=identity, fields=fields))
    return tuple(found.values())


def weight_of(records: RecordSet) -> float:
    """Score of a record set as the main content: by distinct names, text, links to different pages, and position. 0 for navigation
    and repetitions."""
    count = len(records.records)
    if count < FEWEST or records.region != "main" or records.nested:
        return 0.0
    names = len({record.name for record in records.records}) / count
    if names < 0.5:
        return 0.0
    text = sum(min(len(record.text), TEXT_CHARS) for record in records.records) / (TEXT_CHARS * count)
    linked = len({record.url for record in records.records if record.url}) / count
    richer = sum(len(record.text) > len(record.name) + 2 for record in records.records) / count
    kind = {"repeated": 1.0, "table": 1.0, "list": 0.8, "definitions": 0.7}[records.kind]
    # Sections under one heading are articles of a page, not listed items.
    kind *= 0.3 if records.kind == "repeated" and not linked else 1.0
    return kind * names * math.sqrt(count) * (0.2 + text + linked + 0.5 * richer)


def _fields(record: Record, records: RecordSet) -> dict[str, str]:
    fields = {"name": record.name, "text": record.text}
    if record.url:
        fields["url"] = record.url
    if records.kind == "table":
        for field in record.fields:
            if field.name and field.name not in fields:
                fields[field.name] = field.value
    return fields


def _identity(record: Record, fields: dict[str, str], labels: Iterable[str]) -> str:
    """Its URL if that is its own. A link labelled other than the record's name (such as a quotation's "about the author") may be
    shared by many records, so the name is added."""
    place = identity_at(record.url, fields)
    if not record.url or any(_says(label, record.name) for label in labels):
        return place
    return _JSON.encode([place, record.name]).decode()


def _says(label: str, name: str) -> bool:
    """Whether a link's label is the record's name; a link around an image counts too."""
    label, name = label.casefold().rstrip(" .…"), name.casefold()
    return label in name or name in label
