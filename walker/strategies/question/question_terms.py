"""Extracts the key terms of a question: names and identifiers first, then other content words."""

from __future__ import annotations

import re

from memory.words import STOP_WORDS, lazy_re, tokens
from walker.strategies.question.place_words import PART_OF_COMPOUND

_HAN = lazy_re.compile(r"[\u3400-\u9fff]")
_HAN_SPLIT = lazy_re.compile(
    r"为什么|是什么|有多少|有哪些|请问|什么时候|什么|多少[位名个所种门篇项次届条本人]?|哪个|哪些|哪里|哪儿|哪一|哪年|哪位"
    r"|怎么|怎样|如何|是否|几[位名个所种门篇项次届条本]|列出|根据|按照"
    r"|以及|其中|关于|页面|网页|一共|总共|[^\w]|\d+年?|分别|[中上里内](?=[，,])|[的吗呢吧啊与及或是谁在从和比]"
)
_IDENTIFIER = lazy_re.compile(
    r"\b[A-Za-z]\w*(?:[_.]\w+)+(?:\(\))?|\b\w+\(\)|\b[a-z]+[A-Z]\w+|\b[A-Za-z]+\d[\w]*\b"
    r"|\b[A-Z]{2,}[A-Z\d]*\b|\b\d+(?:\.\d+)+\b"
)
_NAME = lazy_re.compile(
    r"\b[A-Z][\w'’&-]*(?:\s+(?:of|the|de|von|van|[A-Z]\.|[A-Z][\w'’&-]*|#?\d[\w.]*)(?=\s|$|[^\w]))*"
)
_QUOTED = lazy_re.compile(r"(?<!\w)['\"“‘「]([^'\"”’」]{2,60})['\"”’」](?!\w)")
_ASKING = (
    "accord page chapter section document documentation list name give given state say mention describ call exact "
    "tell find number time usual first last one two three four five six seven eight nine ten provid stand "
    "lie mani show same sure entri follow currentli current approxim total need want know question refer detail "
    "differ old"
)
_FILLER = frozenset(_ASKING.split())
"""Stems of words that phrase the question and are not its topic."""


def key_terms(text: str, taken: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Identifiers, names, quoted words, then other content words; those within `taken` are left out."""
    found = [match[0].rstrip("()") for match in _IDENTIFIER.finditer(text)]
    found.extend(match[1].strip() for match in _QUOTED.finditer(text))
    found.extend(_names(text))
    found.extend(match[0] for match in PART_OF_COMPOUND.finditer(text))
    found.extend(_plain_words(text))
    if _HAN.search(text):
        found.extend(piece for piece in _HAN_SPLIT.split(text) if len(piece) >= 2 and _HAN.search(piece))
    known = {token for name in taken for token in tokens(name)}
    unique: dict[str, str] = {}
    for term in found:
        words = tokens(term)
        if words and not known.issuperset(words) and not all(word in _FILLER or word in STOP_WORDS for word in words):
            unique.setdefault(" ".join(words), term)
            known.update(words)
    return tuple(unique.values())


def specific_names(text: str) -> tuple[str, ...]:
    """What a text names: identifiers, quoted words, names and numbers."""
    named = [match[0] for match in _IDENTIFIER.finditer(text)]
    named += [match[1] for match in _QUOTED.finditer(text)]
    return tuple(dict.fromkeys((*named, *_names(text), *re.findall(r"\d[\d.,:-]*\d|\d", text))))


def specific_words(text: str) -> frozenset[str]:
    """The tokens of what a text names."""
    return frozenset(word for name in specific_names(text) for word in tokens(name) if word not in STOP_WORDS)


def content_words(text: str) -> tuple[str, ...]:
    """Tokens of a question in order, without those that phrase it; all of them where it has no others."""
    words = tokens(text)
    meant = {word for match in PART_OF_COMPOUND.finditer(text) for word in tokens(match[0])}
    kept = tuple(word for word in words if word in meant or (word not in _FILLER and word not in STOP_WORDS))
    return kept or words


def _names(text: str) -> list[str]:
    """Runs of capitalised words; a single one at the start of a sentence is not a name."""
    names: list[str] = []
    for match in _NAME.finditer(text):
        name = re.sub(r"['’]s$", "", match[0].strip(" ."))
        starts = match.start() == 0 or text[: match.start()].rstrip().endswith((".", "?", "!"))
        if starts:
            first, _, rest = name.partition(" ")
            name = rest if first.lower() in STOP_WORDS or tokens(first)[0] in _FILLER else name
            if " " not in match[0]:
                continue
        if name and name[0].isupper() and name.lower() not in STOP_WORDS:
            names.append(name)
    return names


def _plain_words(text: str) -> list[str]:
    words = re.findall(r"[^\W\d_][\w'’-]{2,}", text)
    words = [re.sub(r"['’]s?$", "", word) for word in words]
    return [word for word in words if word.lower() not in STOP_WORDS and not _HAN.search(word)]
