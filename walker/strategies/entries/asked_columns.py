"""Rows of a table that a question means by a column: by its value, by a yes or no in it, by the group that they stand in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from memory.words import lazy_re, tokens
from perception.observation import Record
from walker.strategies.entries.asked_words import WITHIN, asked_word, begins_word, folded

SAID = 0.6
"""Share of the filled cells of a column that say yes or no, for it to be one of these."""
FEW_WORDS = 6
"""Words of a value that a question may name whole."""
UNNAMED = 2
"""Columns of yes and no of which the question need not name one."""
_YES = lazy_re.compile(
    r"(?:✓|✔|✅|☑|🟢|√|●|:heavy_check_mark:|:white_check_mark:|:material-check|(?:yes|y|ja|oui|si|sim|true)\b|是|有|支持|可以|x$)",
    re.IGNORECASE,
)
_NO = lazy_re.compile(
    r"(?:✗|✘|❌|✖|×|⛔|🔴|:x:|:heavy_multiplication_x:|:material-close|(?:no|nein|non|nao|false|none|n/a)\b|[-–—]*$|否|无|不|没有)",
    re.IGNORECASE,
)
DENIES = lazy_re.compile(
    r"\b(?:not|no|never|cannot|without|neither|unable|impossible|lack\w*|except|excluding|apart from|other than|besides|nicht"
    r"|keine?[mnrs]?|ohne|außer|unmöglich|ne|pas|sans|hors|sauf|excepté|aucune?|sin|excepto|salvo|aparte de|ningun[ao]?|não|sem"
    r"|exceto|senza|tranne)\b"
    r"|n['’]t\b|\bn['’]|不|没有|没|无(?!线)|未|除了|除",
    re.IGNORECASE,
)
_BREAK = lazy_re.compile(r"[,;:，；、]|\b(?:but|and|yet|aber|und|mais|et|pero|y|mas|e|ma)\b|但|而|却", re.IGNORECASE)
_ONLY = lazy_re.compile(
    r"\b(?:only|just|solely|alone|nur|seulement|uniquement|seule?s?|solo|sólo|solamente|apenas|soltanto)\b|只|仅",
    re.IGNORECASE,
)
BEFORE, BEFORE_HAN = 28, 6
"""Signs before a word in which a denial is of that word."""
BEHIND = lazy_re.compile(
    r"[^\W\d_]*\s+(?:(?:is|are|was|were|does|do|did|can|could|has|have|ist|sind|kann|est|es)\s+)?(?:not|no|never|nicht|nie|pas|no)\b"
)
"""The denial directly behind a word: "Safari does not play"."""
_HAN = lazy_re.compile(r"[\u3400-\u9fff]")
_TOTAL = lazy_re.compile(
    r"\W*(?:(?:grand |sub)?totals?|gesamt|summe|insgesamt|somme|suma|totale|总计|合计|总数|小计|合計|計)\W*",
    re.IGNORECASE,
)


class Chosen(NamedTuple):
    """Places of rows, with the words of the question that chose them."""

    places: frozenset[int]
    words: frozenset[str]


class AskedOf(NamedTuple):
    """A question as rows are compared with it."""

    text: str
    words: frozenset[str]
    folded: str

    def place_of(self, title: str) -> int:
        """Where the question names a heading or a part of it, as an offset into its text; -1 where it does not."""
        for word in re.findall(r"[^\W\d_]+", title):
            if _HAN.search(word):
                place = self.text.find(word)
                if place >= 0:
                    return place
                continue
            told = asked_word(word)
            if len(told.root) < WITHIN and told.stem not in self.words:
                continue
            find = begins_word if len(told.root) < WITHIN else _within_word
            if (place := find(told.root, self.folded)) >= 0:
                return place
        whole = re.sub(r"\W", "", folded(title))
        squashed = re.sub(r"\W", "", self.folded)
        if len(whole) >= WITHIN and whole in squashed:  # "Log In" in "login"
            return min(squashed.find(whole), len(self.text) - 1)
        return -1


def _within_word(root: str, text: str) -> int:
    return text.find(root)


@lru_cache(maxsize=64)
def asked_of(text: str) -> AskedOf:
    """What is needed of a question for this."""
    return AskedOf(text, frozenset(tokens(text)), folded(text))


def is_denied(text: str, place: int) -> bool:
    """Whether what stands at a place of a text is denied by the words before it, within its clause."""
    before = text[:place]
    clause = _BREAK.split(before)[-1]
    near = clause[-(BEFORE_HAN if _HAN.search(text[place - 2 : place + 2]) else BEFORE) :]
    return DENIES.search(near) is not None or BEHIND.match(text, place) is not None


def columns_of(records: Sequence[Record]) -> list[tuple[str, list[str]]]:
    """The columns of a table: heading, and the cell of each row ("" where it has none)."""
    if not records or len(records[0].fields) < 2:
        return []
    titles = [field.name for field in records[0].fields]
    columns = [
        (title, [record.fields[place].value.strip() if place < len(record.fields) else "" for record in records])
        for place, title in enumerate(titles)
    ]
    return [(titles[0], _carried(columns)), *columns[1:]]


def _carried(columns: Sequence[tuple[str, list[str]]]) -> list[str]:
    """The first column, with a cell that stands for the empty ones below it in each of them."""
    cells, told = [], ""
    for place, cell in enumerate(columns[0][1]):
        told = cell or told
        cells.append(told if any(values[place] for _, values in columns[1:]) else cell)
    return cells


def by_value(columns: Sequence[tuple[str, list[str]]], asked: AskedOf) -> Iterator[Chosen]:
    """The rows of which a column has a value that the question says as a whole, those of a column that it names and of long values
    first."""
    found: list[tuple[bool, int, Chosen]] = []
    for title, values in columns:
        is_named = asked.place_of(title) >= 0
        rows: dict[str, set[int]] = {}
        for place, value in enumerate(values):
            rows.setdefault(value, set()).add(place)
        if len(rows) < 2:
            continue
        for value, places in rows.items():
            words = frozenset(tokens(value)) if value and len(value) < 80 else frozenset[str]()
            if words and len(words) <= FEW_WORDS and not value.isdigit() and words <= asked.words:
                told = words | (frozenset(tokens(title)) & asked.words if is_named else frozenset())
                found.append((is_named, len(words), Chosen(frozenset(places), told)))
    for _, _, chosen in sorted(found, key=lambda one: (-one[0], -one[1], -len(one[2].places))):
        yield chosen


def by_yes_or_no(columns: Sequence[tuple[str, list[str]]], asked: AskedOf) -> Iterator[Chosen]:
    """The rows that say yes, or no, in the columns that the question names; where it names none, in the only ones that there are."""
    told = [(title, says) for title, values in columns[1:] if (says := _says(values)) is not None]
    named = [(place, title, says) for title, says in told if (place := asked.place_of(title)) >= 0]
    if not named:
        filled = [(title, says) for title, values in columns if (says := _is_filled(values)) is not None]
        named = [(place, title, says) for title, says in filled if (place := asked.place_of(title)) >= 0]
    shares = {title: _share(title, asked) for _, title, _ in named}
    named = [one for one in named if shares[one[1]] == max(shares.values())]
    if named:
        rows = frozenset(range(len(named[0][2])))
        wanted = [(says, is_denied(asked.text, place)) for place, _, says in named]
        words = frozenset(word for _, title, _ in named for word in tokens(title)) & asked.words
        if _ONLY.search(asked.text):
            others = [says for title, says in told if all(title != name for _, name, _ in named)]
            yield Chosen(
                rows.intersection(
                    *(_rows(says, wanted=not no) for says, no in wanted), *(_rows(one, wanted=False) for one in others)
                ),
                words,
            )
        yield Chosen(rows.intersection(*(_rows(says, wanted=not no) for says, no in wanted)), words)
        for says, no in wanted:
            yield Chosen(_rows(says, wanted=not no), words)
            yield Chosen(_rows(says, wanted=no), words)
    elif len(told) <= UNNAMED:
        denied = DENIES.search(asked.text) is not None
        for _, says in told:
            yield Chosen(_rows(says, wanted=not denied), frozenset())
            yield Chosen(_rows(says, wanted=denied), frozenset())


def totals_of(columns: Sequence[tuple[str, list[str]]]) -> frozenset[int]:
    """The rows of a table that sum up the others."""
    cells = columns[0][1] if columns else []
    return frozenset(place for place, cell in enumerate(cells) if _TOTAL.fullmatch(cell))


def by_group(columns: Sequence[tuple[str, list[str]]], asked: AskedOf) -> Iterator[Chosen]:
    """The rows below a row that has but its first cell, as a heading within a table has; and all rows without these headings."""
    if not columns:
        return
    rows = range(len(columns[0][1]))
    heads = [row for row in rows if columns[0][1][row] and not any(values[row] for _, values in columns[1:])]
    if not heads or len(heads) * 2 >= len(rows):
        return
    titles = [frozenset(tokens(columns[0][1][head])) for head in heads]
    shared = frozenset.intersection(*titles) if len(titles) > 1 else frozenset[str]()
    for head, title, end in zip(heads, titles, (*heads[1:], len(rows)), strict=True):
        telling = title - shared
        if telling and telling & asked.words:
            yield Chosen(frozenset(range(head + 1, end)), telling & asked.words)
    yield Chosen(frozenset(rows) - frozenset(heads), frozenset())


def _says(values: Sequence[str]) -> list[bool | None] | None:
    """Yes or no of each cell, an empty one being no, None of one that says something else; None for a column of something else."""
    told = [True if _YES.match(one) else False if _NO.match(one) else None for one in map(folded, values)]
    known = [one for one, value in zip(told, values, strict=True) if value]
    said = sum(one is not None for one in known)
    return None if not any(told) or said < max(2, SAID * len(known)) or all(told) else told


def _is_filled(values: Sequence[str]) -> list[bool | None] | None:
    """Whether each cell has anything; None for a column where most have nothing, or all have something."""
    filled = [bool(value.strip(" -–—/")) for value in values]
    return None if all(filled) or 2 * sum(filled) < len(filled) else list(filled)


def _share(title: str, asked: AskedOf) -> float:
    words = frozenset(tokens(title))
    return len(words & asked.words) / len(words) if words else 0.0


def _rows(says: Sequence[bool | None], *, wanted: bool) -> frozenset[int]:
    return frozenset(place for place, one in enumerate(says) if one is wanted)
