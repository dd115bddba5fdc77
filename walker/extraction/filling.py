"""Fills the fields of an object from one thing: one value that is sure, or the reason why there is none."""

from __future__ import annotations

from itertools import groupby
from typing import Any

import msgspec

from perception.markup.parts import MACHINE_SOURCES, Group, Part, Thing
from walker.extraction.field_meaning import FieldMeaning, meaning_of
from walker.extraction.filled import Filled, data_of, has_value, valid_data
from walker.extraction.label_match import BY_KIND, CONCEPT, Likeness, Match, matches_by_label, matches_by_meaning
from walker.extraction.scalar_values import Reading, Unread, read_value
from walker.extraction.schemas.typed_answers import FieldValue
from walker.extraction.schemas.wanted import WantedField, WantedList, WantedObject, WantedScalar
from walker.strategies.values.units import MONEY_WRITTEN

LIST_PIECES = 40
"""Pieces of a text that is split at its commas."""
_SPLIT = ",;、，；|"
_AMOUNTS = frozenset(("amount", "value", "number", "quantity"))
_UNITS = frozenset(("unit", "currency", "units"))
NOT_NAMED = "no label on the page names it"


class Filler(msgspec.Struct, frozen=True, kw_only=True):
    """What is the same for all things of a page."""

    url: str
    language: str = "en"
    likeness: Likeness | None = None
    """None: labels are compared by their words only."""
    groups: tuple[Group, ...] = ()
    """Lists of the page, each with what names it, where the thing is what the whole page is about."""

    def fill(self, thing: Thing, wanted: WantedObject, outer: str = "") -> dict[str, Filled]:
        """All fields of an object; `outer` is the name of the field that it fills itself, "" at the top."""
        return {field.name: self._field(thing, field, wanted, outer) for field in wanted.fields}

    def _field(self, thing: Thing, field: WantedField, owner: WantedObject, outer: str) -> Filled:
        meaning = _within(meaning_of(field, owner), outer)
        match field.wanted:
            case WantedScalar():
                return self._scalar(thing, field.wanted, meaning, owner)
            case WantedList():
                return self._list(thing, field.wanted, meaning)
            case WantedObject():
                return self._object(thing, field, meaning)

    def _scalar(self, thing: Thing, wanted: WantedScalar, meaning: FieldMeaning, owner: WantedObject) -> FieldValue:
        reading = Reading(wanted=wanted, meaning=meaning, language=self.language)
        found = matches_by_label(thing, meaning)
        value = self._chosen(found, reading)
        if value.value is None and not found:
            found = _by_kind(thing, reading, owner)
            if not found and self.likeness is not None:
                found = matches_by_meaning(thing, meaning, self.likeness)
            value = self._chosen(found, reading) if found else value
        return value

    def _chosen(self, matches: list[Match], reading: Reading) -> FieldValue:
        """The value of the best matches that can be read, if they agree."""
        reason = NOT_NAMED
        is_old = reading.meaning.concept == "old_price"
        held = [one for one in matches if not one.part.crossed or is_old]
        for _, several in groupby(held, key=lambda one: (one.tier, one.rank)):
            read = [(one, read_value(one.part, reading)) for one in several]
            good = [(one, value) for one, value in read if not isinstance(value, Unread)]
            if not good:
                reason = next(value.reason for _, value in read if isinstance(value, Unread))
                continue
            told = _one_of(good)
            if told is None:
                return FieldValue(reason=f"the page gives several: {_listed(value for _, value in good)}")
            match, value = told
            if (other := _contradiction(match, value, held, reading)) is not None:
                return FieldValue(reason=f"the page says {other} and, for machines, {value}")
            return self._found(match.part, value)
        return FieldValue(reason=reason)

    def _found(self, part: Part, value: Any) -> FieldValue:
        return FieldValue(value=value, quote=part.quote, page=self.url, source=part.source, label=part.label)

    def _list(self, thing: Thing, wanted: WantedList, meaning: FieldMeaning) -> Filled:
        if isinstance(wanted.of, WantedObject):
            inner = [one for name, one in thing.inner if _is_named(name, meaning)]
            filled = [self.fill(one, wanted.of, meaning.names[0]) for one in inner]
            return [one for one in filled if has_value(one)] or self._named_group(wanted.of, meaning)
        assert isinstance(wanted.of, WantedScalar), "lists of lists are refused with the schema"
        reading = Reading(wanted=wanted.of, meaning=meaning, language=self.language)
        found = matches_by_label(thing, meaning)
        groups = [
            [one.part for one in several]
            for _, several in groupby(found, key=lambda one: (one.tier, one.rank, one.part.label))
        ]
        for parts in _finest_first(groups):
            read = [(part, read_value(part, reading)) for part in _pieces(parts, wanted.of)]
            kept = {str(value): (part, value) for part, value in read if not isinstance(value, Unread)}
            if kept and len(kept) >= wanted.least:
                return [self._found(part, value) for part, value in list(kept.values())[: wanted.most]]
        return FieldValue(reason=NOT_NAMED)

    def _named_group(self, wanted: WantedObject, meaning: FieldMeaning) -> Filled:
        """The entries of the one list of the page that a heading or a caption names so, each with what it lacks and why: a list that
        left some out would be taken for the whole."""
        own = msgspec.structs.replace(self, groups=())
        named = [group for group in self.groups if group.label and _is_named(group.label, meaning)]
        tried = [[own.fill(thing, wanted) for thing in group.things] for group in named]
        fitting = [filled for filled in tried if 2 * sum(_is_filled(one, wanted) for one in filled) >= len(filled)]
        if not fitting:
            return FieldValue(reason=NOT_NAMED)
        if any(data_of(one) != data_of(fitting[0]) for one in fitting):
            return FieldValue(reason=f"the page gives several: {len(fitting)} lists on it are called so")
        return fitting[0]

    def _object(self, thing: Thing, field: WantedField, meaning: FieldMeaning) -> Filled:
        wanted = field.wanted
        assert isinstance(wanted, WantedObject), "asked for objects only"
        inner = [one for name, one in thing.inner if _is_named(name, meaning)]
        if len(inner) == 1:
            return self.fill(inner[0], wanted)
        names = {one.name for one in wanted.fields}
        if names & _AMOUNTS and names <= _AMOUNTS | _UNITS:
            return self._measure(thing, wanted, meaning)
        bare = Thing(parts=thing.parts, source=thing.source)
        return self.fill(bare, wanted, field.name)

    def _measure(self, thing: Thing, wanted: WantedObject, meaning: FieldMeaning) -> Filled:
        """A number and its unit out of the one part that states both."""
        filled: dict[str, Filled] = {}
        for field in wanted.fields:
            assert isinstance(field.wanted, WantedScalar), "its fields are plain"
            if field.name in _AMOUNTS:
                reading = Reading(wanted=field.wanted, meaning=meaning, language=self.language)
            else:
                reading = Reading(
                    wanted=field.wanted,
                    meaning=FieldMeaning(names=(field.name,), concept="unit"),
                    language=self.language,
                )
            filled[field.name] = self._chosen(matches_by_label(thing, meaning), reading)
        return filled


def _within(meaning: FieldMeaning, outer: str) -> FieldMeaning:
    """The meaning of a field of an object that has no item of its own: what is everybody's is only meant with the object's name."""
    if not outer:
        return meaning
    named = tuple(f"{outer} {name}" for name in meaning.names)
    if meaning.concept in ("name", "url", "image", "description", "id", "type", "date", "email", "phone", "text"):
        return msgspec.structs.replace(meaning, names=named, concept="")
    return msgspec.structs.replace(meaning, names=(*meaning.names, *named))


def _is_named(name: str, meaning: FieldMeaning) -> bool:
    from_part = Part(label=name, text="x", quote="x", source="json-ld")
    return bool(matches_by_label(Thing(parts=(from_part,)), meaning))


def _is_filled(one: dict[str, Filled], wanted: WantedObject) -> bool:
    """Whether an entry has all that is required, and something."""
    return has_value(one) and valid_data(one, wanted) is not None


def _one_of(good: list[tuple[Match, Any]]) -> tuple[Match, Any] | None:
    """The one value that all give; of texts one that the others only wrap. None where they differ."""
    first = good[0]
    if all(value == first[1] for _, value in good):
        return first
    if not all(isinstance(value, str) for _, value in good):
        return None
    shortest = min(good, key=lambda one: len(one[1]))
    is_wrapped = all(shortest[1] in value and one.part.source == "class" for one, value in good)
    return shortest if is_wrapped and len(shortest[1]) > 1 else None


def _contradiction(match: Match, value: Any, matches: list[Match], reading: Reading) -> Any | None:
    """What the page shows under the same label, where that is another number or date than its markup has."""
    if match.part.source not in MACHINE_SOURCES or reading.wanted.kind not in ("number", "integer", "date"):
        return None
    for one in matches:
        if one.part.source in ("table", "definitions", "labelled") and one.tier <= CONCEPT and one.tier == match.tier:
            shown = read_value(one.part, reading)
            if not isinstance(shown, Unread) and shown != value:
                return shown
    return None


def _by_kind(thing: Thing, reading: Reading, owner: WantedObject) -> list[Match]:
    """The texts of a card that can only be this field: an amount of money for its price, a date for its only date."""
    unnamed = [part for part in thing.parts if not part.label or part.source in ("time", "class")]
    meaning, kind = reading.meaning, reading.wanted.kind
    if meaning.concept == "currency":
        priced = matches_by_label(thing, FieldMeaning(names=("price",), concept="price"))
        return priced or [
            Match(part=part, tier=BY_KIND, rank=0) for part in unnamed if _states_money(part) and not part.crossed
        ]
    if thing.source not in ("text", "table") or not any(not part.label for part in thing.parts):
        return []
    if meaning.concept == "price" and kind in ("number", "integer"):
        return [Match(part=part, tier=BY_KIND, rank=0) for part in unnamed if _states_money(part) and not part.crossed]
    alike = [
        one for one in owner.fields if isinstance(one.wanted, WantedScalar) and one.wanted.kind in ("date", "datetime")
    ]
    if kind in ("date", "datetime") and len(alike) == 1:
        dated = [(part, read_value(part, reading)) for part in unnamed]
        return [Match(part=part, tier=BY_KIND, rank=0) for part, value in dated if not isinstance(value, Unread)]
    return []


def _states_money(part: Part) -> bool:
    return MONEY_WRITTEN.search(part.text) is not None


def _finest_first(groups: list[list[Part]]) -> list[list[Part]]:
    """Entries of a list in the order of their matches; entries that stand within one text before that text."""
    if not groups or len(groups[0]) != 1:
        return groups
    whole = groups[0][0].text
    finer = [parts for parts in groups[1:] if all(part.text in whole and part.text != whole for part in parts)]
    return sorted(finer, key=lambda parts: -len(parts)) + groups


def _pieces(parts: list[Part], wanted: WantedScalar) -> list[Part]:
    """The parts; a single text that lists several is split at its commas."""
    if len(parts) != 1 or wanted.kind != "string":
        return parts
    (only,) = parts
    for sign in _SPLIT:
        texts = [piece.strip() for piece in only.text.split(sign) if piece.strip()]
        if 1 < len(texts) <= LIST_PIECES and all(len(text) <= 60 for text in texts):
            return [msgspec.structs.replace(only, text=text, machine="") for text in texts]
    return parts


def _listed(values: Any) -> str:
    return ", ".join(dict.fromkeys(str(value)[:60] for value in values))
