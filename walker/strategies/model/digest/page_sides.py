"""What stands around the main text of a page: header, navigation, side bar, footer, closed menus, links without a text."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence, Set
from typing import NamedTuple

import msgspec

from memory.words import lazy_re
from perception.document.regions.surroundings import mark_of_block, mark_of_link
from perception.document.visible import visible_text
from perception.observation import Link, Observation, Region
from walker.models.token_count import count_tokens
from walker.strategies.model.digest.digest_request import DigestRequest
from walker.strategies.model.digest.digest_words import said
from walker.strategies.model.digest.link_marks import LinkMarks

LINKS_LEFT_OUT = 16
REPEATED_TOKENS = 400
"""Tokens from which what stood around pages read before is not shown again in full. At 150, with a third of them for the likeliest
links, walks of 98 questions on six sites asked 355 times instead of 346 and sent 1.3 % more: what was folded had to be found."""
NAMED_TOKENS = 300
"""Tokens for the likeliest links of what is not shown again."""
MENU_CHARS, MENU_SIGNS = 30, 3
"""Of the name of a closed menu; and the tokens of the signs around it."""
_WORD = lazy_re.compile(r"\w+")
_SIDES: tuple[Region, ...] = ("aside", "nav", "header", "footer")


class Sides(msgspec.Struct, frozen=True, kw_only=True):
    """What stands around the text, as a prompt shows it."""

    text: str
    left_out: frozenset[int] = frozenset()
    """The number by which the rest may be asked for, if there is any."""


class _Piece(NamedTuple):
    """A block or a link, and its mark on other pages."""

    text: str
    mark: int
    links: tuple[Link, ...]


_Row = tuple[str, tuple[_Piece, ...]]
"""A name and what stands there."""


def show_sides(observation: Observation, asked: DigestRequest, budget: int) -> Sides:
    """Header, navigation, side bar and footer, each on a line of its own; what does not fit is counted. What stood around a page read
    before is named by the step of that page, with the likeliest of its links; all of it may be asked for."""
    rows = _rows(observation, asked)
    before = [piece for _, pieces in rows for piece in pieces if piece.mark in asked.seen_around]
    is_long = sum(count_tokens(piece.text) for piece in before) > REPEATED_TOKENS
    again = _seen_before(before, asked) if is_long and asked.around_number not in asked.unfolded else ""
    lines: list[str] = []
    told, words = set[int](), set[str]()
    for name, pieces in rows:
        shown = [piece for piece in pieces if not again or piece.mark not in asked.seen_around]
        texts = dict.fromkeys(piece.text for piece in shown if not _is_told(piece, told, words))
        told.update(link.id for piece in shown for link in piece.links)
        words.update(word for piece in shown for word in _WORD.findall(piece.text))
        if text := _within(list(texts), budget, asked.language):
            lines.append(f"{name}: {text}")
            budget -= count_tokens(lines[-1])
    return Sides(
        text="\n".join(filter(None, (*lines, again))),
        left_out=frozenset((asked.around_number,)) if again else frozenset(),
    )


def hidden_links(asked: DigestRequest) -> str:
    """The best of the links that nobody sees until a script shows them, as in the pop-ups of a programme."""
    if not asked.marks.hidden:
        return ""
    best = [link for link in asked.promising if link.hidden][:LINKS_LEFT_OUT]
    if not best:
        return ""
    return said("hidden", asked.language, asked.marks.hidden) + " · ".join(map(asked.marks.label_of, best))


def _is_told(piece: _Piece, links: Set[int], words: Set[str]) -> bool:
    """Whether the lines above hold all links and words of it: a header repeats its own navigation, a footer the menu."""
    return (
        bool(piece.links)
        and all(link.id in links for link in piece.links)
        and all(word in words for word in _WORD.findall(piece.text))
    )


def _rows(observation: Observation, asked: DigestRequest) -> list[_Row]:
    marks, inside = asked.marks, asked.page.inside
    around = {block.id for block in observation.blocks if block.region != "main" and block.id not in inside}
    links: dict[int, list[Link]] = defaultdict(list)
    for link in observation.links if around else ():
        for block in {link.block, *(place.block for place in link.again)} & around:
            links[block].append(link)
    has_main = any(block.region == "main" and not block.hidden for block in observation.blocks)
    rows: list[_Row] = []
    for region in _SIDES if has_main else ():
        pieces = (
            _Piece(visible_text(marks.text_of(block)), mark_of_block(block), tuple(links[block.id]))
            for block in observation.blocks
            if block.region == region and block.id not in inside and not block.hidden and not block.pictured
        )
        rows.append((said(region, asked.language), tuple(piece for piece in pieces if piece.text)))
    for opener, closed in marks.closed.items():
        name = said("closed", asked.language, visible_text(opener))
        rows.append((name, tuple(_link_piece(link, marks) for link in closed)))
    rows.append((said("loose", asked.language), tuple(_link_piece(link, marks) for link in marks.loose)))
    return rows


def _link_piece(link: Link, marks: LinkMarks) -> _Piece:
    return _Piece(marks.label_of(link), mark_of_link(link), (link,))


def _seen_before(pieces: Sequence[_Piece], asked: DigestRequest) -> str:
    """A line for what stood around another page too."""
    step = min(asked.seen_around[piece.mark] for piece in pieces)
    links = {link.id: link for piece in pieces for link in piece.links if link.id in asked.marks.states}
    untried = {number: link for number, link in links.items() if not asked.marks.states[number]}
    best = [link for link in asked.promising if link.id in untried]
    likely = {link.id for link in best}
    best += [link for number, link in untried.items() if number not in likely]
    named = _by_menu(best, asked)
    likeliest = f"{said('likeliest', asked.language)}{named}" if named else ""
    return said("around", asked.language, step, len(links), asked.around_number) + likeliest


def _by_menu(links: Sequence[Link], asked: DigestRequest) -> str:
    """Links within `NAMED_TOKENS`, those of one closed menu together behind its name: "Board" says little without its chapter."""
    menus: dict[str, list[str]] = {}
    budget = NAMED_TOKENS
    for link in links:
        label, menu = asked.marks.label_of(link), visible_text(link.opener)[:MENU_CHARS]
        budget -= count_tokens(label) + 1 + (count_tokens(menu) + MENU_SIGNS if menu and menu not in menus else 0)
        if budget < 0:
            break
        menus.setdefault(menu, []).append(label)
    if not menus:
        return ""
    told = "; ".join(
        f"“{menu}”: {' · '.join(labels)}" if menu else " · ".join(labels) for menu, labels in menus.items()
    )
    left = len(links) - sum(map(len, menus.values()))
    return f"{told} · {said('more', asked.language, left)}" if left else told


def _within(pieces: Sequence[str], budget: int, language: str) -> str:
    kept: list[str] = []
    for piece in pieces:
        budget -= count_tokens(piece) + 1
        if budget < 0:
            return " · ".join((*kept, said("more", language, len(pieces) - len(kept)))) if kept else ""
        kept.append(piece)
    return " · ".join(kept)
