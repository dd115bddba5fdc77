"""What a model may say of a page for a schema: numbers of places and links, and words copied from there. Code takes the value."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from memory.words import lazy_re
from perception.document.visible import visible_text
from perception.markup.parts import Part
from perception.observation import Link, Observation
from walker.extraction.field_meaning import meaning_of
from walker.extraction.filled import Filled, has_value
from walker.extraction.scalar_values import Reading, Unread, read_value
from walker.extraction.schemas.typed_answers import FieldValue
from walker.extraction.schemas.wanted import WantedField, WantedList, WantedObject, WantedScalar

LINE_CHARS = 600
"""Of a place as it is shown."""
NOT_NAMED_BY_MODEL = "neither a label nor the model names it"
_ASIAN = lazy_re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


class FieldReply(msgspec.Struct, frozen=True, kw_only=True):
    """One field: its path, the number of the place that states it, and the words there that are the value; of an address the number
    of the link instead."""

    field: str
    place: int = 0
    quote: str = ""
    link: int = 0


class ExtractReply(msgspec.Struct, frozen=True, kw_only=True):
    """What a page states: the fields of one thing, or those of each record; and numbers of links that may lead to what is missing."""

    fields: tuple[FieldReply, ...] = ()
    records: tuple[tuple[FieldReply, ...], ...] = ()
    open: tuple[int, ...] = ()


class ShownPlaces(msgspec.Struct, frozen=True, kw_only=True):
    """What a model was shown of a page, by number."""

    url: str
    language: str
    places: Mapping[int, str]
    links: Mapping[int, Link]


class Taken(msgspec.Struct, frozen=True, kw_only=True):
    """What code took by a model's references."""

    filled: Any
    refused: tuple[str, ...] = ()


def shown_places(observation: Observation, places: Mapping[int, str], links: Mapping[int, Link]) -> ShownPlaces:
    """The places and links of an observed page that a prompt shows."""
    return ShownPlaces(url=observation.url, language=observation.language or "en", places=places, links=links)


def take_fields(replies: tuple[FieldReply, ...], wanted: WantedObject, shown: ShownPlaces) -> Taken:
    """The fields of one thing. What names no place that was shown, or words that do not stand there, is refused with a reason."""
    refused: list[str] = []
    filled = _object(replies, wanted, shown, "", refused)
    paths = _paths(wanted, "")
    refused += [
        f"{one.field[:60]}: the schema has no such field" for one in replies if _plain_path(one.field) not in paths
    ]
    return Taken(filled=filled, refused=tuple(refused))


def take_records(replies: tuple[tuple[FieldReply, ...], ...], wanted: WantedObject, shown: ShownPlaces) -> Taken:
    """The same of each record."""
    taken = [take_fields(one, wanted, shown) for one in replies]
    kept = [one.filled for one in taken if has_value(one.filled)]
    return Taken(filled=kept, refused=tuple(line for one in taken for line in one.refused))


def words_at(place: str, quote: str) -> str:
    """The words of a place that a quote copies, as the place writes them; "" where they do not stand there as whole words."""
    words = visible_text(quote).split()
    if not words:
        return ""
    middle = r"\s+".join(map(re.escape, words))
    before = "" if _ASIAN.match(words[0]) else r"(?<![\w])(?<!\d[.,])"
    if words[0][0].isdigit():
        before = r"(?<![\w])(?<!\d[.,])(?<![-\u2212])" if not _ASIAN.match(words[0]) else before
    after = "" if _ASIAN.match(words[-1][-1]) else r"(?![\w])(?![.,]\d)"
    found = re.search(f"{before}{middle}{after}", place, re.IGNORECASE)
    return found[0] if found else ""


def _object(
    replies: tuple[FieldReply, ...], wanted: WantedObject, shown: ShownPlaces, path: str, refused: list[str]
) -> dict[str, Filled]:
    filled: dict[str, Filled] = {}
    for field in wanted.fields:
        own = f"{path}.{field.name}" if path else field.name
        match field.wanted:
            case WantedObject():
                filled[field.name] = _object(replies, field.wanted, shown, own, refused)
            case WantedList():
                filled[field.name] = _list(replies, field, wanted, shown, own, refused)
            case WantedScalar():
                read = [_value(one, field, wanted, shown, refused) for one in replies if one.field == own]
                held = [one for one in read if one.value is not None]
                same = len({repr(one.value) for one in held}) == 1
                several = FieldValue(reason="the model names several places that say different things")
                none = read[0] if read else FieldValue(reason=NOT_NAMED_BY_MODEL)
                filled[field.name] = held[0] if same else several if held else none
    return filled


def _list(
    replies: tuple[FieldReply, ...],
    field: WantedField,
    owner: WantedObject,
    shown: ShownPlaces,
    path: str,
    refused: list[str],
) -> Filled:
    assert isinstance(field.wanted, WantedList), "asked for lists only"
    if isinstance(field.wanted.of, WantedObject):
        numbers = sorted(
            {int(match[1]) for one in replies if (match := re.match(rf"{re.escape(path)}\[(\d{{1,3}})\]\.", one.field))}
        )
        entries = [_object(replies, field.wanted.of, shown, f"{path}[{number}]", refused) for number in numbers]
        return [one for one in entries if has_value(one)] or FieldValue(reason=NOT_NAMED_BY_MODEL)
    entry = msgspec.structs.replace(field, wanted=field.wanted.of)
    read = [_value(one, entry, owner, shown, refused) for one in replies if _plain_path(one.field) == path]
    held = {str(one.value): one for one in read if one.value is not None}
    return list(held.values()) or FieldValue(reason=NOT_NAMED_BY_MODEL)


def _value(
    one: FieldReply, field: WantedField, owner: WantedObject, shown: ShownPlaces, refused: list[str]
) -> FieldValue:
    """The value of one reference, or why it is none."""
    assert isinstance(field.wanted, WantedScalar), "asked for plain fields only"
    meaning = meaning_of(field, owner)
    if field.wanted.kind == "url" or meaning.concept in ("url", "image"):
        link = shown.links.get(one.link)
        if link is None:
            return _refuse(
                refused,
                one,
                f"no link {one.link} was shown" if one.link else "an address is named by the number of its link",
            )
        return FieldValue(value=link.url, quote=link.label, page=shown.url, source="model", label=f"link {one.link}")
    place = shown.places.get(one.place)
    if place is None:
        return _refuse(refused, one, f"no place {one.place} was shown")
    words = words_at(place, one.quote)
    if not words:
        return _refuse(refused, one, f"“{one.quote[:60]}” does not stand at place {one.place}")
    part = Part(label="", text=words, quote=words, source="text")
    value = read_value(part, Reading(wanted=field.wanted, meaning=meaning, language=shown.language))
    if isinstance(value, Unread):
        return _refuse(refused, one, value.reason)
    return FieldValue(
        value=value,
        quote=place if len(place) <= 240 else words,
        page=shown.url,
        source="model",
        label=f"place {one.place}",
    )


def _refuse(refused: list[str], one: FieldReply, reason: str) -> FieldValue:
    refused.append(f"{one.field[:60]}: {reason}")
    return FieldValue(reason=f"what the model named was refused: {reason}")


def _plain_path(path: str) -> str:
    return re.sub(r"\[\d*\]", "", path)


def _paths(wanted: WantedObject, path: str) -> frozenset[str]:
    found: set[str] = set()
    for field in wanted.fields:
        own = f"{path}.{field.name}" if path else field.name
        inner = field.wanted.of if isinstance(field.wanted, WantedList) else field.wanted
        found |= _paths(inner, own) if isinstance(inner, WantedObject) else {own}
    return frozenset(found)


msgspec.json.Decoder(ExtractReply)  # described at import: docs/design/msgspec.md
