"""Records of a list: the group of a page whose things fill the schema best, all of it, each once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

import msgspec

from perception.markup.parts import Group, StatedPage, Thing
from walker.extraction.concepts import bare_words, is_same_label
from walker.extraction.field_meaning import meaning_of
from walker.extraction.filled import Filled, flat_fields, has_value, share_filled
from walker.extraction.filling import Filler
from walker.extraction.schemas.wanted import WantedObject, WantedRecords

LEAST_SHARE = 0.5
"""Of a schema's fields, by weight, that the things of a group fill on average; a group below is another list."""
GENERIC = 0.25
"""Weight of a name, an address or a picture where the schema wants more: every list of links has these."""
LABEL_WORTH = 0.3
NAMED_NEED = 0.9
"""Of the required fields, where a group fills less than `LEAST_SHARE` of all fields."""
MOST_COUNTED = 12
"""Things of a group above which more say nothing more for it."""
AS_GOOD = 0.9
"""Share of the best worth from which another group may be meant as well."""
_PLAIN = frozenset(("list", "item", "record", "model", "li", "div", "row"))
"""Words of schemas and classes that say nothing of what is listed."""
_GENERIC = frozenset(("name", "url", "image", "description"))


class RecordsFound(msgspec.Struct, frozen=True, kw_only=True):
    """The records of a page, or why there are none."""

    records: tuple[dict[str, Filled], ...] = ()
    reason: str = ""
    label: str = ""


class _Tried(msgspec.Struct, frozen=True):
    worth: float
    group: Group
    filled: tuple[dict[str, Filled], ...]
    leads: tuple[str, ...]
    """Where each of them leads, "" for one without an address of its own."""


def find_records(page: StatedPage, wanted: WantedRecords, filler: Filler) -> RecordsFound:
    """The records that a page lists. The list that the page calls as the schema does goes before all others; else several groups of
    one shape are one list, and two different ones that fit alike are none."""
    weights = field_weights(wanted.record)
    words = frozenset(bare_words(f"{wanted.record.title} {wanted.label}")) - _PLAIN
    attempt = partial(_try, wanted=wanted, filler=filler, weights=weights, words=words)
    called = (attempt(group, keeps_all=True) for group in _called(page.groups, wanted.under))
    others = (attempt(group) for group in _joined(page.groups))
    tried = [one for one in called if one is not None] or [one for one in others if one is not None]
    if not tried:
        return RecordsFound(reason="no list of the page has these fields")
    best = max(tried, key=lambda one: one.worth)
    rivals = [one for one in tried if one is not best and one.worth >= AS_GOOD * best.worth and not _is_same(one, best)]
    only_generic = all(weight == GENERIC for weight in weights.values())
    if rivals and only_generic:
        return RecordsFound(reason=f"{len(rivals) + 1} lists of the page have these fields alike")
    return RecordsFound(records=_each_once(best), label=best.group.label)


def field_weights(wanted: WantedObject) -> dict[str, float]:
    """What each field counts in choosing a thing."""
    generic = {one.name: meaning_of(one, wanted).concept in _GENERIC for one in wanted.fields}
    if all(generic.values()):
        return dict.fromkeys(generic, GENERIC)
    return {name: GENERIC if is_generic else 1.0 for name, is_generic in generic.items()}


def identity_of(record: dict[str, Filled]) -> str:
    """By which a record is known again: all that it says, wherever it says it."""
    return " ".join(f"{path}={one.value}".casefold() for path, one in flat_fields(record) if one.value is not None)


def _called(groups: Sequence[Group], name: str) -> list[Group]:
    """The lists that the page calls so, where each list of their shape has a name of its own: pieces of one list share theirs, or
    have none."""
    named = [group for group in groups if group.label and is_same_label(group.label, name)]
    shapes = {(group.source, group.shape) for group in named}
    others = [group.label for group in groups if (group.source, group.shape) in shapes and group not in named]
    return named if all(others) and len(set(others)) == len(others) else []


def _joined(groups: Sequence[Group]) -> list[Group]:
    """The groups, those of one shape and source as one."""
    by_shape: dict[tuple[str, str], list[Group]] = {}
    for place, group in enumerate(groups):
        key = (
            (group.source, group.shape) if " " in group.shape or group.source != "text" else (group.source, f"{place}")
        )
        by_shape.setdefault(key, []).append(group)
    joined = []
    for alike in by_shape.values():
        things = tuple(thing for group in alike for thing in group.things)
        labels = " ".join(dict.fromkeys(group.label for group in alike))
        joined.append(msgspec.structs.replace(alike[0], things=things, label=labels))
    return joined


def _try(
    group: Group,
    wanted: WantedRecords,
    filler: Filler,
    weights: dict[str, float],
    words: frozenset[str],
    *,
    keeps_all: bool = False,
) -> _Tried | None:
    """`keeps_all`: with the entries that give nothing. Who asked for this list would take the others for all of it."""
    # Labels alike in meaning are looked for once a group is chosen by its words: it costs much, and says little of a list.
    by_words = msgspec.structs.replace(filler, likeness=None)
    entries = [by_words.fill(thing, wanted.record) for thing in group.things]
    filled = [one for one in entries if has_value(one)]
    if not filled:
        return None
    required = {one.name: weights[one.name] for one in wanted.record.fields if one.is_required}
    share = sum(share_filled(one, weights) for one in filled) / len(group.things)
    needed = sum(share_filled(one, required) for one in filled) / len(group.things) if required else share
    kept = sum(share_filled(one, weights) >= share / 2 for one in filled)
    is_named = bool(words & frozenset(bare_words(f"{group.label} {group.shape}")))
    # What is required may be all that a list has: meant if the page calls it so, or if not every list has these fields.
    is_enough = share >= LEAST_SHARE or (needed >= NAMED_NEED and (is_named or _says_more(filled, group, weights)))
    if not is_enough or needed < LEAST_SHARE:
        return None
    worth = share * (1 + 0.25 * math.log(min(kept, MOST_COUNTED))) + LABEL_WORTH * is_named
    told = [
        (one, _lead(thing))
        for one, thing in zip(entries, group.things, strict=True)
        if keeps_all or (has_value(one) and share_filled(one, weights) >= share / 2)
    ]
    return _Tried(worth, group, tuple(one for one, _ in told), tuple(lead for _, lead in told))


def _says_more(filled: Sequence[dict[str, Filled]], group: Group, weights: dict[str, float]) -> bool:
    """Whether most things of a group have some field that not every list of links has."""
    telling = [name for name, weight in weights.items() if weight > GENERIC]
    return any(
        sum(has_value({name: one[name]}) for one in filled) >= LEAST_SHARE * len(group.things) for name in telling
    )


def _is_same(one: _Tried, other: _Tried) -> bool:
    """Whether two groups hold the same things: a list within a box, a table and the markup beside it."""
    names = [{identity_of(record) for record in tried.filled} for tried in (one, other)]
    return bool(names[0] & names[1])


def _each_once(tried: _Tried) -> tuple[dict[str, Filled], ...]:
    """The records, those that say the same once unless they lead to different pages: two versions of a paper may share their title."""
    pairs = tuple(zip(tried.filled, tried.leads, strict=True))
    return tuple({(identity_of(record), lead): record for record, lead in reversed(pairs)}.values())[::-1]


def _lead(thing: Thing) -> str:
    return next((part.url for part in thing.parts if part.label == "url" and part.url), "")
