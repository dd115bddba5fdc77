"""The plain words of a question as entries hold them: in another form, within a compound, as a run of Chinese signs."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from memory.words import STOP_WORDS, lazy_re, tokens

WITHIN = 5
"""Letters of a root from which it is looked for within longer words: "Spray" in "Kontaktspray"; shorter ones begin words by chance."""
SHORTEST = 4
_HAN = lazy_re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_WORD = lazy_re.compile(r"[^\W\d_]{3,}")
_ENDINGS = ("ing", "en", "er", "es", "os", "as", "em", "e", "n", "s", "x", "a", "o")
"""Endings of number, gender and case in English and its neighbours, the longest first."""
OTHER_STOP_WORDS = frozenset(
    (
        "der die das den dem des ein eine einen einem einer eines und oder aber auch als bei bis für gibt hat haben ist"
        " sind war waren wird werden wurde wurden kann können man mit nach noch nur sich sie sein seine ihre über unter"
        " von vom vor was welche welcher welches welchen wer wie viele wieviele wo wann zum zur nenne nennen zwei drei"
        " vier fünf dieser diese dieses aus auf nicht kein keine ohne les une dans avec pour par sur aux est sont ont"
        " que qui quels quelles quel quelle quoi combien sans pas plus moins cite citez donne donnez nomme nommez deux"
        " trois quatre cinq selon leur leurs peut peuvent être fait cette ces ses son comment où faut tous toutes trouve"
        " entre depuis avant après los las una unas unos del con para por sin qué cuáles cuál cuántos cuántas quiénes"
        " quién está están hay como más menos nombra nombre cita menciona dos tres cuatro cinco según sus puede pueden"
        " tiene tienen donde desde antes después todos todas esta este estos estas dame indica lista uma umas uns com"
        " sem quais quantos quantas são pelo pela seu sua gli delle degli dei della per quali quanti quante sono che"
        " come nel nella senza"
    ).split()
)


class Held(NamedTuple):
    """The text of an entry as it is searched."""

    words: frozenset[str]
    folded: str
    name: frozenset[str]


class AskedWord(NamedTuple):
    """A word of a question."""

    stem: str
    root: str

    def is_in(self, held: Held) -> bool:
        """Whether an entry has the word, or a form of it."""
        if self.stem in held.words:
            return True
        if len(self.root) >= WITHIN:
            return self.root in held.folded
        return len(self.root) == SHORTEST and begins_word(self.root, held.folded) >= 0


def begins_word(root: str, text: str) -> int:
    """Where a word of a text begins with a root, -1 where none does."""
    place = text.find(root)
    while place > 0 and text[place - 1].isalnum():
        place = text.find(root, place + 1)
    return place


@lru_cache(maxsize=1 << 13)
def folded(text: str) -> str:
    """Lower case without accents."""
    if text.isascii():
        return text.lower()
    return "".join(sign for sign in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(sign))


@lru_cache(maxsize=1 << 12)
def asked_word(word: str) -> AskedWord:
    """A word with its stem and the root that its other forms share.

    >>> asked_word("Schwerter").root, asked_word("Bögen").root, asked_word("débutants").root
    ('schwert', 'bogen', 'debutant')
    """
    root = folded(word)
    ending = next((one for one in _ENDINGS if root.endswith(one) and len(root) - len(one) >= WITHIN), "")
    return AskedWord(stem=tokens(word)[0], root=root[: len(root) - len(ending)] if ending else root)


def plain_words(text: str) -> tuple[str, ...]:
    """The words of a question in order that may be said of some entries only: no stop words of seven languages, nothing in Chinese."""
    words = dict.fromkeys(match[0] for match in _WORD.finditer(text) if not _HAN.search(match[0]))
    return tuple(word for word in words if word.lower() not in STOP_WORDS and word.lower() not in OTHER_STOP_WORDS)


def han_runs(pairs: Sequence[str], texts: Sequence[str]) -> Iterator[tuple[frozenset[str], frozenset[int]]]:
    """The longest runs of a question's pairs of Chinese signs that the same texts hold: the pairs, and the places of these texts."""
    run: list[str] = []
    places: frozenset[int] = frozenset()
    for pair in pairs:
        held = frozenset(place for place, text in enumerate(texts) if pair in text) if _HAN.match(pair) else frozenset()
        if run and held == places and run[-1][-1] == pair[0]:
            run.append(pair)
            continue
        if run and places:
            yield frozenset(run), places
        run, places = [pair], held
    if run and places:
        yield frozenset(run), places
