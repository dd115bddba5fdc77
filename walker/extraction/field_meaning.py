"""What a field means: the words that may label it, its concept, and the unit that its name asks for."""

from __future__ import annotations

import re

import msgspec

from memory.words import lazy_re
from walker.extraction.concepts import MONEY, NAMES, bare_words, concept_of
from walker.extraction.schemas.wanted import WantedField, WantedObject
from walker.strategies.values.units import unit_of_sign

_IN_UNIT = lazy_re.compile(
    r"\b(?:in|en|単位)\s+(?P<unit>[^\W\d_]+|[€$£¥%°]\w?)\s*$|\((?P<sign>[^()]{1,12})\)\s*$", re.IGNORECASE
)
_PIECES = lazy_re.compile(r"[,;/|·(){}]|\.(?:\s|$)| or | oder | ou ")
PIECE_WORDS = 3
"""Words of a piece of a description that may be another word for the field, with a concept of its own."""
LABEL_WORDS = 8
"""Words of one that may still be a label of the page word for word: "greatest depth of water". A longer one is a sentence."""
_UNIT_TAILS = {
    "eur": "EUR", "usd": "USD", "gbp": "GBP", "chf": "CHF", "kg": "kg", "g": "g", "mg": "mg", "km": "km", "m": "m", "cm": "cm",
    "mm": "mm", "minutes": "min", "min": "min", "mins": "min", "hours": "h", "seconds": "s", "days": "day", "weeks": "week",
    "months": "month", "years": "year", "gb": "GB", "mb": "MB", "inches": "inch", "feet": "ft", "percent": "%", "sqm": "m²",
    "grams": "g", "meters": "m", "metres": "m", "miles": "mile", "euros": "EUR", "dollars": "USD",
}  # fmt: skip
"""Last words of names such as `weight_kg` and `price_eur`."""


_ASKING_WHEN = frozenset(
    "time start end deadline date published modified opening_hours duration prep_time cook_time total_time".split()
)
_OF_TIME = frozenset(("s", "min", "h", "day", "week", "month"))


class FieldMeaning(msgspec.Struct, frozen=True, kw_only=True):
    """What labels a field may have. `names` are the likeliest first."""

    names: tuple[str, ...]
    concept: str = ""
    unit: str = ""
    """Unit that the number is wanted in, "" for any."""
    hint: str = ""
    """All that the schema says in words, for comparing by meaning."""

    @property
    def is_money(self) -> bool:
        """Whether its values are amounts of money."""
        return self.concept in MONEY

    @property
    def asks_when(self) -> bool:
        """Whether any word that the schema has for it asks for a time, a span of time or a date."""
        words = (word for text in (*self.names, self.hint) for word in bare_words(text))
        return self.concept in _ASKING_WHEN or any(concept_of(word) in _ASKING_WHEN for word in words)

    @property
    def is_name(self) -> bool:
        """Whether it is what the whole thing is called."""
        return self.concept in NAMES


def meaning_of(field: WantedField, owner: WantedObject) -> FieldMeaning:
    """The meaning of a field of an object."""
    unit, bare = _unit_of(field)
    pieces = [" ".join(piece.split()) for piece in _PIECES.split(field.description)]
    short, long = (
        [piece for piece in pieces if least <= len(piece.split()) <= most]
        for least, most in ((1, PIECE_WORDS), (PIECE_WORDS + 1, LABEL_WORDS))
    )
    names = [name for name in (field.name, bare, field.title, *short) if name]
    if bare and unit in _OF_TIME:
        names.append(f"{bare} time")
    own = _without_owner(bare or field.name, owner.title)
    if own:
        names.append(own)
    concept = next((found for name in names if (found := concept_of(name))), "")
    hint = " ".join(filter(None, (*bare_words(bare or field.name), field.title, field.description)))
    return FieldMeaning(names=tuple(dict.fromkeys((*names, *long))), concept=concept, unit=unit, hint=hint)


def _unit_of(field: WantedField) -> tuple[str, str]:
    """The unit, and the name without it ("" where it names none)."""
    head, _, tail = field.name.lower().rpartition("_")
    if head and tail in _UNIT_TAILS:
        return _UNIT_TAILS[tail], head.removesuffix("_in")
    for text in (field.title, field.description):
        if match := _IN_UNIT.search(text):
            sign = (match["unit"] or match["sign"]).strip()
            unit = _UNIT_TAILS.get(sign.lower()) or unit_of_sign(sign)
            if unit:
                return unit, ""
    return "", ""


def _without_owner(name: str, owner: str) -> str:
    """A name without that of its object: `product_name` of a Product is its name."""
    owned, words = bare_words(owner), bare_words(name)
    if not owner or len(words) <= len(owned) or words[: len(owned)] != owned:
        return ""
    pieces = re.split(r"[_\s-]+", name)
    return " ".join(pieces[len(owned) :])
