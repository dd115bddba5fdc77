"""Which parts of a thing a field may be: by the words of their labels, by concept, or by meaning, in tiers."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import msgspec

from memory.words import lazy_re
from perception.markup.parts import Part, PartSource, Thing
from walker.extraction.concepts import bare_words, concept_of, is_same_label
from walker.extraction.field_meaning import FieldMeaning

Likeness = Callable[[str, Sequence[str]], Sequence[float]]
"""Similarity in meaning, 0..1, of each text to the first."""
SAME, CONCEPT, NARROWED, LIKE, BY_KIND = range(5)
"""Tiers: the same words; another word for it; the same words with one more that says whose; alike in meaning; its kind alone."""
LIKE_AT_LEAST = 0.62
"""Similarity from which a label is taken for a field that no label names. By `bench/extract.py --bar` few labels reach it, and those
are right; below it every third is wrong."""
LIKE_LEAD = 0.08
"""By which it has to be more similar than any other label."""
_ASIDE = lazy_re.compile(r"\s*[(\[（][^()\[\]（）]*[)\]）]\s*$")
"""What stands in brackets behind a label: "Area (km²)"."""
_WHEN = frozenset(("time", "start", "end"))
_CLOCK = r"(?:\d{1,2}[:h]\d{2}(?::\d{2})?(?:\s*[ap]\.?m\.?|\s*uhr|\s*h)?|\d{1,2}\s*(?:[ap]\.?m\.?|uhr))"
_TIMES = lazy_re.compile(rf"\s*{_CLOCK}(?:\s*(?:-|–|—|to|until|bis|à|a)\s*{_CLOCK})?\s*", re.IGNORECASE)
"""A time of day or a range of them, and nothing else."""
_RANKS: dict[PartSource, int] = {
    "json-ld": 0,
    "microdata": 0,
    "rdfa": 0,
    "table": 1,
    "definitions": 1,
    "labelled": 1,
    "heading": 2,
    "title": 2,
    "time": 3,
    "class": 3,
    "list": 3,
    "link": 4,
    "picture": 4,
    "text": 4,
    "meta": 5,
}
_TURNED = frozenset(
    "old previous shipping delivery minimum min maximum max lowest highest per total sub discount tax vat without not no ship deliveri"
    " minimum previou origin list regular compare deposit versand alt neu".split()
)
"""Words that make another thing of the one beside them: a shipping price is no price."""
_KEPT_INSIDE = frozenset(
    "name url image description id type text date published modified author rating category keywords title language address".split()
)
"""Concepts that an item within another has for itself: the name of a publisher is not that of the book."""
_OWN_RATING = frozenset(("aggregaterating", "rating"))
_BY_LABEL = frozenset(("json-ld", "microdata", "rdfa", "table", "definitions", "labelled"))


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """A part that a field may be, the lower tier and rank the likelier."""

    part: Part
    tier: int
    rank: int


def matches_by_label(thing: Thing, meaning: FieldMeaning) -> list[Match]:
    """The parts whose labels name the field, those of items within the thing where these are no others' own."""
    found = [
        Match(part=part, tier=tier, rank=_RANKS[part.source])
        for part in all_parts(thing, meaning)
        if part.label and (tier := tier_of(part, meaning)) is not None
    ]
    return sorted(found, key=lambda one: (one.tier if not meaning.is_name else SAME, one.rank))


def tier_of(part: Part, meaning: FieldMeaning) -> int | None:
    """How a label fits a field, None where it does not."""
    if any(is_same_label(part.label, name) for name in meaning.names):
        return SAME
    bare = _ASIDE.sub("", part.label)
    if meaning.concept and meaning.concept in (concept_of(part.label), concept_of(bare)):
        return CONCEPT
    if bare != part.label and any(is_same_label(bare, name) for name in meaning.names):
        return CONCEPT
    if part.source not in ("meta", "link", "list"):
        words = frozenset(bare_words(part.label))
        for name in meaning.names[:3]:
            own = frozenset(bare_words(name))
            more = words - own
            if own and own <= words and len(more) == 1 and not more & _TURNED and part.source == "class":
                return None if _is_only_when(part, more, meaning) else NARROWED
    return None


def _is_only_when(part: Part, more: frozenset[str], meaning: FieldMeaning) -> bool:
    """Whether a class says when something is, and the field asks for no time: "14:25 - 14:50" of `time-track` is no track."""
    is_of_time = any(concept_of(word) in _WHEN for word in more)
    return is_of_time and not meaning.asks_when and _TIMES.fullmatch(part.text) is not None


def all_parts(thing: Thing, meaning: FieldMeaning) -> list[Part]:
    """The parts of a thing, and those of the items within it that may be its own."""
    found = list(thing.parts)
    for name, inner in thing.inner:
        if is_same_label(name, meaning.names[0]) or (meaning.concept and concept_of(name) == meaning.concept):
            found += _told_by(name, inner) or [part for part in inner.parts if tier_of(part, meaning) is not None]
        elif meaning.concept != "rating" or name.lower() in _OWN_RATING:
            own = [
                part for part in all_parts(inner, meaning) if concept_of(part.label) not in _KEPT_INSIDE - _given(name)
            ]
            if name.lower() not in (
                "review",
                "reviews",
                "comment",
                "isrelatedto",
                "issimilarto",
                "itemreviewed",
                "publisher",
            ):
                found += own
    return found


def _given(name: str) -> frozenset[str]:
    return frozenset(("rating",)) if name.lower() in _OWN_RATING else frozenset()


def _told_by(name: str, inner: Thing) -> list[Part]:
    """The text that stands for an item: its name, else its value with its unit."""
    by_label = {part.label: part for part in reversed(inner.parts)}
    value = by_label.get("value")
    if value is None:
        value = next(
            (part for held, deeper in inner.inner if held == "value" for part in deeper.parts if part.label == "value"),
            None,
        )
    unit = by_label.get("unitText") or by_label.get("unitCode")
    told = by_label.get("name") or value
    if told is None:
        return []
    text = f"{told.text} {_UNIT_CODES.get(unit.text, unit.text)}" if told is value and unit is not None else told.text
    machine = "" if told is value and unit is not None else told.machine
    return [msgspec.structs.replace(told, label=name, text=text, machine=machine)]


_UNIT_CODES = {
    "KGM": "kg", "GRM": "g", "MGM": "mg", "LBR": "lb", "MMT": "mm", "CMT": "cm", "MTR": "m", "KMT": "km", "INH": "inch",
    "FOT": "ft", "SEC": "s", "MIN": "min", "HUR": "h",
}  # fmt: skip
"""UN/CEFACT codes of units, which schema.org has its quantities in."""


def matches_by_meaning(thing: Thing, meaning: FieldMeaning, likeness: Likeness) -> list[Match]:
    """The parts under the one label that is most like the field in meaning, if it is alike enough and no other is nearly so."""
    labels = list(dict.fromkeys(part.label for part in thing.parts if part.source in _BY_LABEL and part.label))
    free = [label for label in labels if not concept_of(label)]
    if not free or meaning.concept:
        # A label or a field whose meaning is known is not taken for another.
        return []
    ranked = sorted(zip(likeness(meaning.hint, free), free, strict=True), reverse=True)
    best, label = ranked[0]
    lead = best - (ranked[1][0] if len(ranked) > 1 else 0.0)
    if best < LIKE_AT_LEAST or lead < LIKE_LEAD:
        return []
    return [Match(part=part, tier=LIKE, rank=_RANKS[part.source]) for part in thing.parts if part.label == label]
