"""Shortens a page to a number of tokens: the passages most relevant to the question, in the page's order."""

from __future__ import annotations

import re

import msgspec

from memory.retrieval import Ranker
from perception.document.visible import visible_text
from perception.observation import Block, Observation, RecordSet
from walker.models.token_count import count_tokens

PIECE_CHARS = 500
"""A longer block is split at sentences, so that one long paragraph does not take the space of many."""
LISTS_AT_MOST = 8
LIST_TOKENS = 160
NAMES_SHOWN = 4
RANKED_AT_MOST = 1500
"""Most pieces that are ranked, from the top of the page; far more than any page worth reading has."""
GIST_TOKENS = 220
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|(?<=[。！？；])")
_QUOTES = str.maketrans({"“": '"', "”": '"', "‘": "'", "’": "'", "«": '"', "»": '"', "–": "-", "—": "-", "‑": "-"})


class Piece(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A run of visible text of at most `PIECE_CHARS` characters, and the heading above it."""

    text: str
    heading: str
    place: int


def digest_page(observation: Observation, query: str, ranker: Ranker, *, tokens: int, with_lists: bool) -> str:
    """The page in at most about `tokens` tokens: title, URL, its lists if `with_lists`, and its most relevant passages."""
    head = f"{visible_text(observation.title)}\n{observation.url}"
    listed = list_sets(observation) if with_lists else ""
    left = tokens - count_tokens(head) - count_tokens(listed)
    body = _best_pieces(_pieces(observation), query, ranker, left)
    return "\n".join(part for part in (head, listed, body) if part)


def gist_of(observation: Observation, query: str, ranker: Ranker) -> str:
    """The few passages most relevant to the question."""
    return _best_pieces(_pieces(observation), query, ranker, GIST_TOKENS)


def list_sets(observation: Observation) -> str:
    """The page's lists by number, with the number of their entries and the first of them."""
    lines: list[str] = []
    spent = 0
    for records in shown_sets(observation):
        names = "; ".join(visible_text(record.name)[:40] for record in records.records[:NAMES_SHOWN])
        over = visible_text(records.caption or (records.headings[-1] if records.headings else ""))[:60]
        line = f"[list {records.id}] {over} ({len(records.records)}): {names}"
        spent += count_tokens(line)
        if spent > LIST_TOKENS and lines:
            break
        lines.append(line)
    return "\n".join(lines)


def shown_sets(observation: Observation) -> tuple[RecordSet, ...]:
    """The lists that are shown to a model: those of the main part, longest first."""
    main = [records for records in observation.record_sets if records.region == "main" and not records.nested]
    return tuple(sorted(main, key=lambda records: (-len(records.records), records.id))[:LISTS_AT_MOST])


def stands_on(observation: Observation, quote: str) -> bool:
    """Whether a quote is on the page verbatim, except for white space, quotation marks and dashes."""
    wanted = plain(quote)
    if not wanted:
        return False
    shown = (plain(block.text) for block in observation.blocks if not block.hidden)
    seen = (plain(text) for text in (*observation.seen_text, observation.title))
    if any(wanted in text for text in (*shown, *seen)):
        return True
    # A quote may span two blocks, or be a row as the list of record sets shows it.
    whole = plain(" ".join(block.text for block in observation.blocks if not block.hidden))
    if wanted in whole:
        return True
    return any(wanted in plain(record.text) for records in observation.record_sets for record in records.records)


def plain(text: str) -> str:
    """A text normalised for comparing quotes."""
    return " ".join(visible_text(text).translate(_QUOTES).casefold().split())


def _pieces(observation: Observation) -> list[Piece]:
    main = [block for block in observation.blocks if not block.hidden and block.region == "main"]
    blocks = main or [block for block in observation.blocks if not block.hidden]
    pieces: list[Piece] = []
    for block in blocks:
        if block.kind == "heading" or block.pictured:
            continue
        heading = visible_text(block.headings[-1]) if block.headings else ""
        pieces += [Piece(text=text, heading=heading, place=len(pieces)) for text in _cut(block)]
        if len(pieces) >= RANKED_AT_MOST:
            break
    pieces += [
        Piece(text=f"[picture] {visible_text(text)}", heading="", place=len(pieces) + number)
        for number, text in enumerate(observation.seen_text)
    ]
    return pieces


def _cut(block: Block) -> list[str]:
    text = visible_text(block.text)
    if len(text) <= PIECE_CHARS:
        return [text] if text else []
    cuts: list[str] = [""]
    for sentence in _SENTENCE.split(text):
        if len(cuts[-1]) + len(sentence) > PIECE_CHARS and cuts[-1]:
            cuts.append("")
        gap = "" if not cuts[-1] or cuts[-1][-1] in "。！？；" else " "
        cuts[-1] = f"{cuts[-1]}{gap}{sentence}"[: 4 * PIECE_CHARS]
    return cuts


def _best_pieces(pieces: list[Piece], query: str, ranker: Ranker, tokens: int) -> str:
    """The highest-ranked pieces that fit, in the page's order, each heading once."""
    if not pieces or tokens <= 0:
        return ""
    chosen: list[Piece] = []
    spent = 0
    headings: set[str] = set()
    for ranked in ranker.rank(query, [f"{piece.heading} {piece.text}" for piece in pieces]):
        piece = pieces[ranked.index]
        cost = count_tokens(piece.text) + 2
        cost += 0 if piece.heading in headings else count_tokens(piece.heading) + 2
        if spent + cost > tokens:
            if spent > 0.8 * tokens:
                break
            continue
        spent += cost
        headings.add(piece.heading)
        chosen.append(piece)
    lines: list[str] = []
    above, before = "", -1
    for piece in sorted(chosen, key=lambda piece: piece.place):
        if piece.heading != above and piece.heading:
            lines.append(f"# {piece.heading}")
        elif before >= 0 and piece.place > before + 1:
            lines.append("…")
        above, before = piece.heading, piece.place
        lines.append(piece.text)
    return "\n".join(lines)
