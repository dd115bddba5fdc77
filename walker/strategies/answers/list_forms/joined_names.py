"""Names that a sentence joins in its middle, behind a label of a run of labels, by slashes, as quoted titles or behind numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

from memory.words import STOP_WORDS, lazy_re
from perception.observation import Block, Observation, RecordSet
from walker.strategies.answers.list_forms.unmarked import cell_texts, list_of_names, main_blocks
from walker.strategies.answers.passages import split_sentences
from walker.strategies.entries.asked_words import OTHER_STOP_WORDS

LEAST_JOINED = 3
LEAST_LABELLED = 2
"""Least names behind a label, which says itself that it is a list."""
MOST_WORDS = 5
NAME_CHARS = 60
LISTS_A_PAGE = 60
_LAST = lazy_re.compile(r"(?:^|\s)(?:and|or|und|oder|sowie|et|ou|y|e|o)\s+|(?<=[\u3400-\u9fff])(?:和|以及|及|或)")
"""Before the last name."""
_COMMA = lazy_re.compile(
    r"(?:\s*[，、;；]\s*|(?<!\d),\s*|,(?!\d)\s*)(?![^(（,，、;；]*(?:[,，、;；][^(（,，、;；]*){0,20}[)）])|\s/\s"
)
"""What joins names, outside brackets; those of more than twenty commas are none."""
_BRACKETED = lazy_re.compile(r"\s*[(（][^()（）]*[)）]")
_CUT = lazy_re.compile(r"\s[-–—]\s|[—:：(（\"“”]|等")
"""Where the last name ends."""
_LEAD = lazy_re.compile(
    r".*(?:[:：—–]|\s-\s|\b(?:such as|including|namely|like|wie|z\. ?B\.|comme|como))\s*", re.DOTALL
)
"""Up to the first name."""
_DETERMINER = (
    r"(?:the|an?|our|his|her|its|their|one|der|die|das|den|dem|des|eine?[nmrs]?|uns(?:er|re)\w{0,2}|seine?[nmrs]?|ihre?[nmrs]?|les?|la|une?|du|notre"
    r"|nos|ses|leurs?|el|los|las|un[ao]s?|sus?|il|lo|gli|both|also|auch|aber)"
)
_FILL = lazy_re.compile(rf"^(?:{_DETERMINER}\s+)+", re.IGNORECASE)
_FUNCTION = (
    STOP_WORDS | OTHER_STOP_WORDS | frozenset("auch aber also then we they it he she i you to of in on at by".split())
) - {"i"}
_TWO_WORDS = lazy_re.compile(r"[a-zß-öø-ÿ]+ [a-zß-öø-ÿ]+ (?=\S)")
_QUOTED = lazy_re.compile(
    r"《([^《》]{1,80})》|「([^「」]{2,60})」|“([^“”]{2,80})”|„([^„“”]{2,80})[“”]|«\s?([^«»]{2,80}?)\s?»"
)
_SLASHED = lazy_re.compile(r"(?<![\w/.:])[\w+#.-]{2,30}(?:\s?/\s?[\w+#.-]{2,30}){2,}(?![\w/])")
_SLASHES = lazy_re.compile(r",?\s+(?:and|or|und|oder|et|ou|y)\s+([\w+#.-]+(?:\s/\s[\w+#.-]+)+)")
"""Names joined by slashes as the last of an enumeration."""
_NUMBERED = lazy_re.compile(r"(?:^|\s)\(?(\d)[.)]\s+")
_LABEL = lazy_re.compile(r"(?:^|(?<=\s))(?P<label>[^\W\d_][\w-]{2,30})\s?[:：](?!//)\s?")


def names_joined(observation: Observation) -> tuple[RecordSet, ...]:
    """The first lists of names within the sentences of the main part of a page."""
    return tuple(islice(_on_page(observation), LISTS_A_PAGE))


def _on_page(observation: Observation) -> Iterator[RecordSet]:
    before = ""
    for block in main_blocks(observation):
        if block.kind in ("paragraph", "item", "definition", "quote"):
            yield from _of_block(block, before)
            before = block.text
        elif block.kind == "row":
            for cell in cell_texts(block):
                yield from _of_block(cell, before)


def _of_block(block: Block, before: str) -> Iterator[RecordSet]:
    yield from _behind_labels(block)
    yield from _numbered(block, before)
    for sentence in split_sentences(block.text):
        quoted = [next(filter(None, groups)).strip() for groups in _QUOTED.findall(sentence)]
        if len(frozenset(quoted)) >= LEAST_LABELLED:
            yield _record_set(quoted, _QUOTED.sub("", sentence), block)
        for match in _SLASHED.finditer(sentence):
            yield _record_set(
                re.split(r"\s?/\s?", match[0]), f"{sentence[: match.start()]} {sentence[match.end() :]}", block
            )
        if len(quoted) < LEAST_LABELLED:
            yield from _within(sentence, block)


def _behind_labels(block: Block) -> Iterator[RecordSet]:
    """The names behind each label of a block that holds several: "Trainers: A, B, C Place: school"."""
    labels = list(_LABEL.finditer(block.text))
    if len(labels) < LEAST_LABELLED:
        return
    ends = [match.start() for match in labels[1:]] + [len(block.text)]
    for match, end in zip(labels, ends, strict=True):
        value = block.text[match.end() : end].strip().rstrip(".,; ")
        pieces = [_BRACKETED.sub("", one).strip() for one in _COMMA.split(value)]
        names = [name for one in pieces for name in _LAST.split(one) if name]
        if len(frozenset(names)) >= LEAST_LABELLED and all(_is_name(name) for name in names):
            yield _record_set(names, f"{match['label']}:", block)


def _numbered(block: Block, before: str) -> Iterator[RecordSet]:
    """The pieces of a text behind 1), 2), 3)."""
    marks = list(_NUMBERED.finditer(block.text))
    if [int(one[1]) for one in marks] != list(range(1, len(marks) + 1)) or len(marks) < LEAST_LABELLED:
        return
    ends = [match.start() for match in marks[1:]]
    pieces = [block.text[match.end() : end] for match, end in zip(marks, ends, strict=False)]
    pieces.append(split_sentences(block.text[marks[-1].end() :])[0])
    names = [re.sub(r"[\s,;；，]*(?:\s(?:and|or|und|oder|et|y))?$", "", one).strip(" .") for one in pieces]
    if all(names):
        yield _record_set(names, block.text[: marks[0].start()] or before, block)


def _within(sentence: str, block: Block) -> Iterator[RecordSet]:
    """The names that end with "and" and one more, wherever they begin and end in the sentence."""
    sentence = _SLASHES.sub(_with_and, sentence)
    pieces, is_shared = _without_shared(_COMMA.split(sentence.strip().rstrip(".。!！?？")))
    for place, piece in enumerate(pieces):
        last = _LAST.search(piece)
        if last is None or place == 0:
            continue
        inner = [name] if (name := _name(piece[: last.start()])) else []
        if inner and not _is_whole(inner[0]):
            continue
        start = place - 1
        while start > 0 and _is_whole(name := _name(pieces[start])) and not (inner and _is_longer(name, inner)):
            inner.insert(0, name)
            start -= 1
        shape = inner or [_name(pieces[start])]
        first, end = "" if is_shared else _tail(pieces[start], shape), _head(piece[last.end() :], shape)
        names = [name for name in (first, *inner, end) if name]
        if len(frozenset(names)) >= LEAST_JOINED and all(_is_name(name) for name in names):
            begins = ", ".join(pieces[:start]) + " " + pieces[start].replace(first, "")
            yield _record_set(
                names, f"{begins} {piece[last.end() :].replace(end, '')} {', '.join(pieces[place + 1 :])}", block
            )


def _name(piece: str) -> str:
    return _FILL.sub("", _BRACKETED.sub("", piece).strip()).strip()


def _is_whole(name: str) -> bool:
    """Whether a piece between commas is a name and nothing else."""
    return bool(name) and _is_name(name) and not _has_function_word(name)


def _has_function_word(name: str) -> bool:
    return any(word.strip(".,'’").lower() in _FUNCTION and not word[:1].isupper() for word in name.split())


def _is_longer(name: str, shape: Sequence[str]) -> bool:
    """Whether a piece has words in lower case, and none of the others has."""
    return any(word[:1].islower() for word in name.split()) and not any(
        word[:1].islower() for one in shape for word in one.split()
    )


def _tail(piece: str, shape: Sequence[str]) -> str:
    """The name at the end of the first piece: behind what leads it in, else as long as the others, and begun as they are."""
    text = _BRACKETED.sub("", piece).strip()
    if (lead := _LEAD.match(text)) is not None and text[lead.end() :]:
        text = text[lead.end() :]
    if _is_whole(_name(text)) and not _is_longer(_name(text), shape):
        return _name(text)
    most = max((len(name.split()) for name in shape), default=1)
    capital = all(name[:1].isupper() or name[:1].isdigit() for name in shape)
    chosen: list[str] = []
    for word in reversed(text.split()):
        is_like = word[:1].isupper() or word[:1].isdigit() if capital else word.lower() not in _FUNCTION
        if not is_like or len(chosen) >= (MOST_WORDS if capital else most):
            break
        chosen.insert(0, word)
    return _name(" ".join(chosen))


def _head(text: str, shape: Sequence[str]) -> str:
    """The name at the beginning of the last piece."""
    text = _name(_CUT.split(_FILL.sub("", text), maxsplit=1)[0])
    most = max((len(name.split()) for name in shape), default=1)
    capital = all(name[:1].isupper() or name[:1].isdigit() for name in shape)
    chosen: list[str] = []
    for word in text.split():
        is_like = word[:1].isupper() or word[:1].isdigit() if capital else word.lower() not in _FUNCTION
        if chosen and (not is_like or len(chosen) >= (MOST_WORDS if capital else most)):
            break
        chosen.append(word)
    return " ".join(chosen)


def _with_and(match: re.Match[str]) -> str:
    *names, last = match[1].split(" / ")
    return f", {', '.join(names)} and {last}"


def _without_shared(pieces: list[str]) -> tuple[list[str], bool]:
    """The pieces without the two words that most of them begin with ("one at the school, one at the harbour and one at the mill"), and
    whether there are such."""
    heads = [match[0] for piece in pieces[1:] if (match := _TWO_WORDS.match(piece)) is not None]
    ((shared, count),) = Counter(heads).most_common(1) or [("", 0)]
    if count < max(2, len(pieces) - 1):
        return pieces, False
    return [pieces[0], *(piece.replace(shared, "") for piece in pieces[1:])], True


def _is_name(name: str) -> bool:
    return 0 < len(name) <= NAME_CHARS and len(name.split()) <= MOST_WORDS and re.search(r"[:：?？!]", name) is None


def _record_set(names: Sequence[str], caption: str, block: Block) -> RecordSet:
    return list_of_names(names, caption.strip(), block)
