"""Whether names from two pages are near: one thing in other words (V-GEMS, "semantic deduplication").

"Dept. of Physics" is "Physics Department", "Part One" is "Part 1", "5 km run" is "5 kilometre run"; numbers, versions, single letters,
directions and people's names must agree. Measured on labelled pairs by bench/item_merging.py.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from rapidfuzz.distance import DamerauLevenshtein

from memory.counting.asked_number import chinese_number
from memory.counting.name_words import LINKING, ORDERED, ROLES, SIMPLIFIED, canonical_word
from memory.words import lazy_re

TYPO_LENGTH = 8
"""Least letters of a word that may be misspelt: shorter words with one letter changed are other words too often."""
MOST_WORDS_MORE = 4
INITIALS_LEAST = 3
"""Least letters of an abbreviation made of initials."""
_TOKEN = lazy_re.compile(r"\d+(?:st|nd|rd|th)\b|\d+(?:[.,]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)*|[+#%&@*]+")
_BRACKETS = lazy_re.compile(r"\s*[（(\[]([^()（）\[\]]{1,60})[)）\]]\s*$")
_HAN = lazy_re.compile(r"[\u3400-\u9fff]")
_HAN_ORDINAL = lazy_re.compile(r"(?<=第)[零一二三四五六七八九十百两]+")
_CODE = lazy_re.compile(r"[_{}=<>\\]|::|->|\w\(|[a-z]\.[a-z]|\b[a-z]+[A-Z]|^-")
_INVERTED = lazy_re.compile(r"^([A-Z][\w'’-]+),\s+([A-Z][\w'’.-]+(?:\s+[A-Z][\w'’.-]*){0,2})$")
_INITIAL = lazy_re.compile(r"[A-Z]\.?")


class _Name:
    """A name taken apart into canonical words."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.words = tuple(word for word in map(canonical_word, _TOKEN.findall(_letters(text))) if word)
        self.content = tuple(word for word in self.words if word not in LINKING)
        self.is_person = _is_person(text)
        self.numbers = tuple(word for word in self.content if word[0].isdigit() or (len(word) == 1 and word.isascii()))
        """Numbers and single letters in their order: two names that differ in one are two things."""
        self.is_short = text.isalpha() and text.isupper() and len(text) >= INITIALS_LEAST


@lru_cache(maxsize=8192)
def _name(text: str) -> _Name:
    return _Name(text)


def are_near(first: str, second: str) -> bool:
    """Whether two names that are not the same by spelling are the same thing in other words; symmetric."""
    if _CODE.search(first) or _CODE.search(second):
        return False
    return any(_are_near(one, other) for one in _forms(first) for other in _forms(second))


@lru_cache(maxsize=16384)
def near_keys(name: str) -> frozenset[str]:
    """Words of a name of which near names share at least one, for finding candidates among many."""
    keys: set[str] = set()
    for form in _forms(name):
        if _HAN.search(form):
            keys.add(_han_form(form))
            continue
        one = _name(form)
        keys.update(word for word in one.content if not word.isdigit())
        if one.is_short:
            keys.add(f"={form.lower()}")
        if len(one.words) >= INITIALS_LEAST:
            keys.update(f"={initials}" for initials in _initials_of(one))
    return frozenset(keys or {name})


def _are_near(one: str, other: str) -> bool:
    if _HAN.search(one) or _HAN.search(other):
        return _han_form(one) == _han_form(other)
    first, second = _name(one), _name(other)
    if not first.content or not second.content:
        return False
    if (first.is_short and _is_initials(one, second)) or (second.is_short and _is_initials(other, first)):
        return True
    if abs(len(first.words) - len(second.words)) > MOST_WORDS_MORE:
        return False
    if first.is_person and second.is_person and _middle_dropped(one, other):
        return True
    if first.numbers != second.numbers:
        return False
    if first.content == second.content:
        return True
    if first.is_person and second.is_person:
        return False
    return _is_reordered(first, second) or _is_misspelt(first, second)


@lru_cache(maxsize=4096)
def _forms(name: str) -> tuple[str, ...]:
    """The name, the name without what brackets add to it, and a person's name in the usual order."""
    text = unicodedata.normalize("NFKC", name).strip(' .“”"«»《》「」*†')
    forms = [text]
    if (bracket := _BRACKETS.search(text)) and bracket.start():
        bare, added = text[: bracket.start()].strip(), bracket[1].strip()
        if added.isupper() and _is_initials(added, _name(bare)):
            forms = [text, bare, added]
        elif added.lower().rstrip(".") in ROLES or (
            _HAN.search(bare) and not _HAN.search(added) and not added.isdigit()
        ):
            forms = [text, bare]
    if inverted := _INVERTED.match(text):
        forms.append(f"{inverted[2]} {inverted[1]}")
    return tuple(forms)


def _letters(text: str) -> str:
    """Without accents, thousands separators and the "v" of a version."""
    plain = "".join(sign for sign in unicodedata.normalize("NFD", text) if not "\u0300" <= sign <= "\u036f")
    plain = re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", plain.replace("ß", "ss").replace("’", "'"))
    return re.sub(r"\bv(?=\d)", "", re.sub(r"(?<=[a-z])-(?=[a-z])", " ", plain))


def _is_person(text: str) -> bool:
    """Two to four capitalised words and nothing else: a person's name, or as good as one."""
    words = text.replace("-", " ").split()
    return 2 <= len(words) <= 4 and all(
        word[0].isupper() and re.fullmatch(r"[^\W\d_.'’]+\.?(?:['’]\w+)?", word) for word in words
    )


def _middle_dropped(one: str, other: str) -> bool:
    """Whether two names of a person differ in middle initials only, which one of them lacks."""
    first, second = one.split(), other.split()
    if (first[0], first[-1]) != (second[0], second[-1]) or _INITIAL.fullmatch(first[0]):
        return False
    middle = [first[1:-1], second[1:-1]]
    return [] in middle and all(_INITIAL.fullmatch(word) for words in middle for word in words)


def _is_initials(short: str, whole: _Name) -> bool:
    """Whether an abbreviation is made of the initials of a name, with or without its linking words."""
    if not (short.isalpha() and short.isupper() and len(short) >= INITIALS_LEAST):
        return False
    return short.lower() in _initials_of(whole)


def _initials_of(whole: _Name) -> tuple[str, str]:
    words = re.findall(r"[^\W\d_]+", whole.text.lower())
    return "".join(word[0] for word in words if word not in LINKING), "".join(word[0] for word in words)


def _is_reordered(first: _Name, second: _Name) -> bool:
    """Whether the same words stand in another order that means the same: "History Department", "Department of History"."""
    if sorted(first.content) != sorted(second.content) or len(first.content) < 2:
        return False
    if any(word in ORDERED for word in (*first.words, *second.words)):
        return False
    linked, listed = ([len(name.words) > len(name.content), "," in name.text] for name in (first, second))
    if linked != listed or any(word[0].isdigit() for word in first.content):
        return True
    return all("and" in name.words for name in (first, second))


def _is_misspelt(first: _Name, second: _Name) -> bool:
    """Whether one long word of several is misspelt in one of the names."""
    if len(first.content) != len(second.content) or len(first.content) < 2:
        return False
    pairs = [(one, other) for one, other in zip(first.content, second.content, strict=True) if one != other]
    if len(pairs) != 1:
        return False
    one, other = sorted(pairs[0], key=len)
    if not (one.isalpha() and other.isalpha()) or len(one) < TYPO_LENGTH or one[0] != other[0] or one[-1] != other[-1]:
        return False
    return DamerauLevenshtein.distance(one, other) == 1 and _is_slip(one, other)


def _is_slip(short: str, long: str) -> bool:
    """Whether the difference is one that a hand makes: letters swapped, doubled or not, or a letter left out; not another vowel or
    consonant in the first syllables, by which words differ ("micro", "macro")."""
    if len(short) == len(long):
        place = next(at for at in range(len(short)) if short[at] != long[at])
        swapped = short[place + 1 :] != long[place + 1 :]
        return swapped or place > 3
    return True


def _han_form(name: str) -> str:
    """A Chinese name without spaces, marks and width, in simplified characters, numbers after 第 in digits."""
    plain = unicodedata.normalize("NFKC", name).translate(SIMPLIFIED).casefold()
    plain = _HAN_ORDINAL.sub(lambda match: str(chinese_number(match[0])), plain)
    return "".join(sign for sign in plain if sign.isalnum())
