"""The log of a run in pieces, as an object cannot be appended to. Each has the name of its first byte; they make the log from 0 on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import msgspec

from traces.store.run_files import LOG_NAME

PIECE_FOLDER = "events"
_PIECE = re.compile(rf"{PIECE_FOLDER}/(\d{{16}})\.jsonl")


class Piece(msgspec.Struct, frozen=True, kw_only=True):
    """Bytes `start` to `end` of the log, in an object of this name within the run. `skipped` of its bytes are in the pieces before."""

    name: str
    start: int
    end: int
    skipped: int = 0


class LogPieces(msgspec.Struct, frozen=True, kw_only=True):
    """The pieces to be read, in order. `missing` is the first byte that no piece holds, though a later one is there; None if there is
    no gap."""

    pieces: tuple[Piece, ...]
    missing: int | None = None

    @property
    def length(self) -> int:
        """Bytes of the log that they make."""
        return self.pieces[-1].end if self.pieces else 0


def piece_name(start: int) -> str:
    """The name of the piece that begins at this byte of the log."""
    return f"{PIECE_FOLDER}/{start:016}.jsonl"


def piece_names(names: Iterable[str]) -> tuple[str, ...]:
    """Which of these names are pieces, without the whole log."""
    return tuple(name for name in names if _PIECE.fullmatch(name))


def choose_pieces(sizes: Mapping[str, int]) -> LogPieces:
    """The fewest pieces that make the log, from the sizes of objects by their names within the run. Others are ignored."""
    known = [Piece(name=LOG_NAME, start=0, end=sizes[LOG_NAME])] if LOG_NAME in sizes else []
    for name, size in sizes.items():
        if found := _PIECE.fullmatch(name):
            known.append(Piece(name=name, start=int(found[1]), end=int(found[1]) + size))
    chosen: list[Piece] = []
    at = 0
    while reaching := [piece for piece in known if piece.start <= at < piece.end]:
        best = max(reaching, key=lambda piece: (piece.end, piece.start, piece.name))
        chosen.append(msgspec.structs.replace(best, skipped=at - best.start))
        at = best.end
    beyond = any(piece.start > at for piece in known)
    return LogPieces(pieces=tuple(chosen), missing=at if beyond else None)
