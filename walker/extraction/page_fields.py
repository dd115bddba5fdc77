"""The fields of one thing: of the item of markup that a page is about, of the record that is named, or of the page as a whole."""

from __future__ import annotations

import msgspec

from memory.words import tokens
from perception.markup.parts import Part, StatedPage, Thing
from walker.extraction.concepts import bare_words
from walker.extraction.field_meaning import meaning_of
from walker.extraction.filled import Filled, share_filled
from walker.extraction.filling import NOT_NAMED, Filler
from walker.extraction.label_match import matches_by_label
from walker.extraction.record_groups import field_weights
from walker.extraction.schemas.typed_answers import FieldValue
from walker.extraction.schemas.wanted import WantedObject, leaves_of

LEAST_SHARE = 0.2
"""Of the fields, by weight, that an item of markup fills to be what is meant."""
NAMED_SHARE = 0.34
"""The same of a record that the question names: one further field than its name."""


def find_fields(page: StatedPage, wanted: WantedObject, filler: Filler, question: str = "") -> dict[str, Filled]:
    """The fields of the one thing that is wanted; with a question that of the record which it names."""
    by_words = msgspec.structs.replace(filler, likeness=None)
    if (named := _named_record(page, wanted, by_words, question)) is not None:
        return filler.fill(named, wanted)
    thing = _meant(page, wanted, by_words, question)
    whole = msgspec.structs.replace(filler, groups=page.groups)
    if thing is None:
        return _with_reasons(whole.fill(page.whole, wanted), page, wanted)
    merged = Thing(
        parts=(*thing.parts, *page.whole.parts),
        kinds=thing.kinds,
        name=thing.name,
        inner=thing.inner,
        source=thing.source,
    )
    return _with_reasons(whole.fill(merged, wanted), page, wanted)


def _with_reasons(filled: dict[str, Filled], page: StatedPage, wanted: WantedObject) -> dict[str, Filled]:
    """The fields; of one that only things of a list have, the reason says so."""
    told = dict(filled)
    for field in wanted.fields:
        one = filled[field.name]
        if isinstance(one, FieldValue) and one.reason == NOT_NAMED:
            meaning = meaning_of(field, wanted)
            having = sum(bool(matches_by_label(thing, meaning)) for group in page.groups for thing in group.things)
            if having > 1:
                told[field.name] = FieldValue(reason=f"the page gives several: {having} things on it have one")
    return told


def _meant(page: StatedPage, wanted: WantedObject, filler: Filler, question: str) -> Thing | None:
    """The item of markup that the page is about: the only one of its kind that fills the fields best."""
    weights = field_weights(wanted)
    worth = [
        (share_filled(filler.fill(thing, wanted), weights) + _is_kind(thing, wanted), thing) for thing in page.things
    ]
    best = max((share for share, _ in worth), default=0.0)
    if best < LEAST_SHARE:
        return None
    meant = [thing for share, thing in worth if share >= best - 0.01]
    if len(meant) > 1:
        asked = frozenset(tokens(f"{question} {_heading(page)}"))
        meant = [thing for thing in meant if thing.name and frozenset(tokens(thing.name)) <= asked] or meant
    return meant[0] if len({thing.name for thing in meant}) == 1 else None


def _is_kind(thing: Thing, wanted: WantedObject) -> float:
    """Whether an item has the type that the schema is named by."""
    return 0.5 if wanted.title and any(bare_words(kind) == bare_words(wanted.title) for kind in thing.kinds) else 0.0


def _heading(page: StatedPage) -> str:
    return next((part.text for part in page.whole.parts if part.source == "heading" and part.label == "name"), "")


def _named_record(page: StatedPage, wanted: WantedObject, filler: Filler, question: str) -> Thing | None:
    """The one record whose name stands whole in the question."""
    own = frozenset(tokens(" ".join((wanted.title, *(path for path, _ in leaves_of(wanted))))))
    asked = frozenset(tokens(question)) if question else frozenset()
    found: dict[tuple[Part, ...], Thing] = {}
    for group in page.groups:
        for thing in group.things:
            words = frozenset(tokens(thing.name)) if thing.name else frozenset()
            is_named = bool(words - own) and words <= asked and len("".join(words)) > 2
            if is_named and share_filled(filler.fill(thing, wanted), field_weights(wanted)) >= NAMED_SHARE:
                found[thing.parts] = thing
    longest = max((len(thing.name) for thing in found.values()), default=0)
    named = [thing for thing in found.values() if len(thing.name) == longest]
    return named[0] if len(named) == 1 else None
