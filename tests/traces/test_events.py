from __future__ import annotations

import collections.abc
import types
import typing
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from traces.events import EdgeCall, Event, GateDecided, MoveTaken
from traces.store.blobs import BlobRef, ref_of
from traces.store.encoding import SPILL_BYTES, decode_body, encode_body

KINDS = typing.get_args(Event)
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


def values_of(hint: Any) -> st.SearchStrategy[Any]:
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if hint is Any:
        return PLAIN
    if hint is msgspec.UnsetType:
        return st.just(msgspec.UNSET)
    if origin is typing.Literal:
        return st.sampled_from(inner)
    if origin is tuple:
        return st.lists(values_of(inner[0]), max_size=4).map(tuple)
    if origin in (dict, collections.abc.Mapping):
        return st.dictionaries(st.text(max_size=8), values_of(inner[1]), max_size=4)
    if origin in (typing.Union, types.UnionType):
        return st.one_of(*map(values_of, inner))
    simple: dict[Any, st.SearchStrategy[Any]] = {
        int: st.integers(0, 2**53),
        float: st.floats(allow_nan=False, allow_infinity=False),
        bool: st.booleans(),
        str: st.text(max_size=40) | st.just("long " * 900),
    }
    return simple[hint]


def events_of(kind: Any) -> st.SearchStrategy[Event]:
    return st.builds(kind, **{name: values_of(hint) for name, hint in typing.get_type_hints(kind).items()})


class Shelf:
    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}

    def put(self, data: bytes, media: str) -> BlobRef:
        ref = ref_of(data, media)
        self.kept[ref.digest] = data
        return ref

    def get(self, ref: BlobRef) -> bytes:
        return self.kept[ref.digest]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: str(kind.__struct_config__.tag))
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_every_kind_comes_back_as_it_was(kind: Any, data: st.DataObject) -> None:
    event, shelf = data.draw(events_of(kind)), Shelf()
    tag, step, body = encode_body(event, shelf.put)
    back = decode_body(tag, step, body, shelf.get)
    if isinstance(back, EdgeCall) and isinstance(event, EdgeCall):
        kept = msgspec.json.decode(body)["outcome"]
        assert back.outcome == kept, "few readers need it, and these fetch it"
        back = msgspec.structs.replace(back, outcome=event.outcome)
    assert back == event
    assert all(len(msgspec.json.encode(value)) <= SPILL_BYTES for value in msgspec.json.decode(body).values())


def test_a_line_break_in_a_value_does_not_break_the_line() -> None:
    event = MoveTaken(step=1, move="Open", url="http://a.example/\r\n\x0b\x0c\x1c\x85\u2028", reason="a\nb")
    _, _, body = encode_body(event, Shelf().put)
    assert len(body.splitlines()) == 1


def test_kinds_have_names_of_their_own() -> None:
    tags = [kind.__struct_config__.tag for kind in KINDS]
    assert len(tags) == len(set(tags))


def test_a_key_that_references_of_blobs_have_too_is_a_key() -> None:
    event, shelf = (
        GateDecided(choice="read", score=0.0, threshold=0.0, reason="long " * SPILL_BYTES, terms={"$b": 0.0}),
        Shelf(),
    )
    tag, step, body = encode_body(event, shelf.put)
    assert len(shelf.kept) == 1
    assert decode_body(tag, step, body, shelf.get) == event
