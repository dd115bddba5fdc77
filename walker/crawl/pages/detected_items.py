"""Items of a page that no rule names: the repeated records that the page is about."""

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
"""Records of a set that can be what a page is about."""
TEXT_CHARS = 120
"""From here on more text does not make a record more of an item."""
_JSON = msgspec.json.Encoder(order="deterministic")


def find_items(root: Element, snapshot: Snapshot) -> tuple[CrawlItem, ...]:
    """Records of the page's main set: name, text and address, and its columns under their names. () where no set stands out. The
    tree is left as it is."""
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
    """How much a set looks like what the page is about: many different names, text, links that lead to different pages, and its
    place. 0 for what stands in navigation, or repeats itself."""
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
    # Sections under one heading are articles of a page, not things that it lists.
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
    """Its address where that is its own. A link that says something else than its name (of a saying, "about its author") may lead
    many records to one page, so that the name counts too."""
    place = identity_at(record.url, fields)
    if not record.url or any(_says(label, record.name) for label in labels):
        return place
    return _JSON.encode([place, record.name]).decode()


def _says(label: str, name: str) -> bool:
    """Whether a link is named as its record is; one around a picture leads to what is pictured."""
    label, name = label.casefold().rstrip(" .…"), name.casefold()
    return label in name or name in label
