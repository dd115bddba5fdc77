"""Which entries of a list a question singles out: those that hold its names, an ordinal, a month, or a plain word of it that only some
of them have ("How many meetings took place online?")."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from memory.words import tokens
from perception.observation import Record

By = Literal["all", "names", "words"]
PLAIN_WORDS = 4
"""Plain words that are tried, the rarest among the entries first."""
MOST_HELD = 0.6
"""Share of the entries that may hold a plain word: one of most of them is true of the list."""
_ORDINALS = {
    word: str(number)
    for number, word in enumerate(
        "fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth"
        " eighteenth nineteenth twentieth".split(),
        4,
    )
}
"""From the fourth on: "first" and "second" are said of much that has no number."""
_MONTHS = (
    ("january", "januar"), ("february", "februar"), ("march", "märz"), ("april",), ("may", "mai"), ("june", "juni"), ("july", "juli"),
    ("august",), ("september",), ("october", "oktober"), ("november",), ("december", "dezember"),
)  # fmt: skip
_DATE = re.compile(r"\b\d{1,2}\.\s?(?P<day_first>\d{1,2})\.\s?\d{4}\b|\b\d{4}-(?P<year_first>\d{2})-\d{2}\b")


class Choice(NamedTuple):
    """Entries that may be meant, and what they were chosen by."""

    kept: tuple[Record, ...]
    by: By


def numbers_meant(text: str) -> list[frozenset[str]]:
    """The ordinals of a question as entries write them: "twelfth" is "12"."""
    return [frozenset((number,)) for word in re.findall(r"[a-z]+", text.lower()) if (number := _ORDINALS.get(word))]


def choices_of(records: Sequence[Record], names: Sequence[frozenset[str]], plain: Sequence[str] = ()) -> list[Choice]:
    """All entries; those alone that hold every one of these names, and those that hold one of them; those that hold a plain word,
    where it is not said of most."""
    held = [(record, words_of_entry(record.text)) for record in records]
    choices = [Choice(tuple(records), "all")]
    seen = {_marks(records)}

    def add(wanted: frozenset[str], by: By, most: float) -> None:
        kept = tuple(record for record, words in held if wanted and wanted <= words)
        if 0 < len(kept) <= most and len(kept) < len(records) and _marks(kept) not in seen:
            seen.add(_marks(kept))
            choices.append(Choice(kept, by))

    for wanted in (frozenset[str]().union(*names), *names):
        add(wanted, "names", len(records))
    said = {word: sum(word in words for _, words in held) for word in dict.fromkeys(plain)}
    telling = sorted((word for word, count in said.items() if count), key=lambda word: said[word])[:PLAIN_WORDS]
    if len(telling) > 1:
        add(frozenset(telling), "words", MOST_HELD * len(records))
    for word in telling:
        add(frozenset((word,)), "words", MOST_HELD * len(records))
    return choices


def words_of_entry(text: str) -> frozenset[str]:
    """The words of an entry; of a date in digits the name of its month too."""
    words = set(tokens(text))
    for match in _DATE.finditer(text):
        month = int(match["day_first"] or match["year_first"])
        if 1 <= month <= len(_MONTHS):
            words.update(stem for name in _MONTHS[month - 1] for stem in tokens(name))
            words.update(re.findall(r"\d{4}", match[0]))
    return frozenset(words)


def _marks(records: Sequence[Record]) -> tuple[int, ...]:
    return tuple(id(record) for record in records)
