from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from traces.store.log_pieces import choose_pieces, piece_name, piece_names


def assembled(objects: dict[str, bytes]) -> tuple[bytes, int | None]:
    chosen = choose_pieces({name: len(data) for name, data in objects.items()})
    return b"".join(objects[one.name][one.skipped :] for one in chosen.pieces), chosen.missing


@given(st.binary(min_size=1, max_size=60), st.data())
def test_pieces_that_overlap_make_the_log(log: bytes, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.sets(st.integers(1, len(log)), max_size=5)) | {len(log)})
    objects = {piece_name(start): log[start:end] for start, end in zip([0, *cuts], cuts, strict=False)}
    for start, end in data.draw(st.lists(st.tuples(st.integers(0, len(log)), st.integers(0, len(log))), max_size=3)):
        if start < end and len(objects.get(piece_name(start), b"")) < end - start:
            objects[piece_name(start)] = log[start:end]
    if whole := data.draw(st.integers(0, len(log))):
        objects["events.jsonl"] = log[:whole]
    assert assembled(objects) == (log, None)


@given(st.lists(st.binary(min_size=1, max_size=9), min_size=3, max_size=6), st.data())
def test_a_piece_that_is_missing_is_named_by_its_first_byte(parts: list[bytes], data: st.DataObject) -> None:
    lost = data.draw(st.integers(0, len(parts) - 2))
    starts = [sum(map(len, parts[:place])) for place in range(len(parts))]
    objects = {
        piece_name(start): part for place, (start, part) in enumerate(zip(starts, parts, strict=True)) if place != lost
    }
    assert assembled(objects) == (b"".join(parts[:lost]), starts[lost])


def test_other_objects_are_no_pieces() -> None:
    sizes = {"run.json": 5, "events/x.jsonl": 3, "blobs/00/00": 9, piece_name(0): 4}
    assert choose_pieces(sizes).length == 4
    assert piece_names(sizes) == (piece_name(0),)
    assert choose_pieces({}).length == 0
