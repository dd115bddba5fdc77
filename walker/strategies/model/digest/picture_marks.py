"""The pictures of a page as a model is told of them: where they stand in its text, by their names, so that a model that sees none of
them knows that something is there; and a line with the number of each that can be looked at closely."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

import msgspec

from memory.words import lazy_re, tokens
from perception.document.visible import shortened, visible_text
from perception.observation import Block, BlockKind, Figure, Observation
from perception.page_pictures import FIRST_PICTURES, WORDS_KEPT, PagePicture
from walker.strategies.model.digest.digest_words import said
from walker.strategies.model.digest.link_marks import end_of

NAME_CHARS = 60
NAMED_AT_MOST = 40
"""Pictures of a page that are told by name; of the others only their number."""
NAMES_IN_A_ROW = 6
DECORATION = 3
"""Times that one file stands on a page from which it is an icon or a line, no picture of something."""
NEAR_BLOCKS = 2
"""Blocks before and after a picture whose words its name need not repeat."""
ENTRIES: frozenset[BlockKind] = frozenset(("item", "row", "term", "definition"))
WORDS_CHARS, READ_CHARS = 70, 200
"""Characters of a picture's description, and of what was read in a part of one."""
FITTING_AT_MOST = 4
"""Most pictures with a line for their words alone."""
_KINDS: Mapping[str, str] = MappingProxyType({"video": "video", "audio": "audio"})
_NO_NAME = lazy_re.compile(r"[\W\d_]*|(?=.*\d)[0-9a-fA-F_-]{8,}|(?=.*[a-z])(?=.*[A-Z])(?=.*\d)\w{16,}")
"""Names that say nothing: signs, numbers, and those that a program made."""
_MARK = lazy_re.compile(r"\[(?:picture|video) (\d+)(?=[:\]])")


class PictureMarks(msgspec.Struct, frozen=True, kw_only=True):
    """The marks of a page's pictures."""

    above: Mapping[int, str] = MappingProxyType({})
    """By id of a block, the line that stands before it; one more than the last id for what no block follows."""
    behind: Mapping[int, str] = MappingProxyType({})
    """By id of an entry or a heading, what stands at its end."""
    others: int = 0
    """How many pictures have no mark: they stand in entries and have no name of their own."""


NO_MARKS = PictureMarks()


def mark_pictures(observation: Observation, pictures: Sequence[PagePicture] = ()) -> PictureMarks:
    """The marks of pictures in the main text that are no decoration and that no link's number tells of. `pictures`: those that can be
    looked at closely; a mark says which number is its own, where its file or its name tells that."""
    shown = [one for one in observation.figures if one.region == "main" and not one.hidden and not one.linked]
    if not shown:
        return NO_MARKS
    times = Counter(one.url for one in shown if one.url)
    blocks, numbers = observation.blocks, _numbers_of(shown, pictures)
    above: dict[int, list[str]] = defaultdict(list)
    behind: dict[int, list[str]] = defaultdict(list)
    others = named = 0
    for figure in shown:
        if times[figure.url] >= DECORATION or (figure.kind == "svg" and not figure.is_described):
            continue
        block = blocks[figure.block - 1] if 0 < figure.block <= len(blocks) else None
        is_in_entry = block is not None and block.kind in ENTRIES
        name, is_said = _name_of(figure, blocks, has_file=not is_in_entry)
        number = numbers.get(figure.id, 0)
        if named >= NAMED_AT_MOST or (is_in_entry and not number and (not name or is_said)):
            others += not is_said
            continue
        named += 1
        kind = _KINDS.get(figure.kind, "picture") + (f" {number}" if number else "")
        told = kind if is_said or not name else f"{kind}: {name}"
        is_heading = block is not None and block.kind == "heading" and block.text == figure.heading
        # One that nothing tells of would part a title from what belongs to it.
        is_untold = not name and not is_said and block is not None and block.region == "main" and block.kind != "code"
        is_at_end = is_in_entry or is_heading or is_untold
        (behind if is_at_end else above)[figure.block].append(told)
    return PictureMarks(
        above={number: _mark_of(told) for number, told in above.items()},
        behind={number: _mark_of(told) for number, told in behind.items()},
        others=others,
    )


def _name_of(figure: Figure, blocks: Sequence[Block], *, has_file: bool) -> tuple[str, bool]:
    """What a picture is called, by its text or else its file, and whether the text around it says so anyway."""
    name = visible_text(figure.alt or figure.label)
    name = "" if _NO_NAME.fullmatch(name) else name
    if not name and figure.caption:
        return "", True
    if not name and has_file and not figure.url.startswith("data:"):
        stem = end_of(figure.url).rpartition(".")[0] or end_of(figure.url)
        name = "" if _NO_NAME.fullmatch(stem) else stem
    name = name[:NAME_CHARS].replace("[", "(").replace("]", ")").strip()
    near = blocks[max(0, figure.block - 1 - NEAR_BLOCKS) : figure.block + NEAR_BLOCKS]
    is_said = bool(name) and any(name.casefold() in block.text.casefold() for block in near)
    return name, is_said


def _numbers_of(figures: Sequence[Figure], pictures: Sequence[PagePicture]) -> dict[int, int]:
    """By id of a figure, its number among the pictures that can be looked at: that of its file, else of its name, where neither
    stands for several."""
    own = {number: one for number, one in enumerate(pictures) if number and not one.is_crop}
    by_file = _only_ones((one.source, number) for number, one in own.items())
    by_name = _only_ones((visible_text(one.words), number) for number, one in own.items() if not one.source)
    files = _only_ones((figure.url, figure.id) for figure in figures)
    names = _only_ones((visible_text(figure.alt or figure.label)[:WORDS_KEPT], figure.id) for figure in figures)
    found = {id_: by_name[name] for name, id_ in names.items() if name in by_name}
    return found | {id_: by_file[url] for url, id_ in files.items() if url in by_file}


def _only_ones(pairs: Iterable[tuple[str, int]]) -> dict[str, int]:
    """By each text that stands for one number alone, that number."""
    listed = [pair for pair in pairs if pair[0]]
    times = Counter(text for text, _ in listed)
    return {text: number for text, number in listed if times[text] == 1}


def _mark_of(told: Sequence[str]) -> str:
    """One mark for the pictures of one place; those that have a number have a mark each."""
    numbered = [one for one in told if one.partition(": ")[0][-1:].isdigit()]
    others = [one for one in told if one not in numbered]
    marks = [f"[{one}]" for one in numbered]
    if len(others) == 1:
        marks.append(f"[{others[0]}]")
    elif others:
        names = list(dict.fromkeys(name for one in others if (name := one.partition(": ")[2])))
        listed = "; ".join(names[:NAMES_IN_A_ROW]) + ("; …" if len(names) > NAMES_IN_A_ROW else "")
        marks.append(f"[{len(others)} pictures{': ' if listed else ''}{listed}]")
    return " ".join(marks)


def fitting_pictures(pictures: Sequence[PagePicture], query: str) -> frozenset[int]:
    """The numbers of those beyond the first of a page whose words the query has most of."""
    asked = frozenset(tokens(query))
    fits = {
        number: len(asked.intersection(tokens(one.words)))
        for number, one in enumerate(pictures)
        if number > FIRST_PICTURES and not one.is_crop
    }
    best = sorted((number for number, fit in fits.items() if fit), key=lambda number: (-fits[number], number))
    return frozenset(best[:FITTING_AT_MOST])


def picture_lines(pictures: Sequence[PagePicture], fitting: frozenset[int], language: str, shown: str = "") -> str:
    """The page, its first pictures, those that fit and the crops, without those whose mark stands in the text that is `shown`; of the
    others how many there are."""
    marked = {int(number) for number in _MARK.findall(shown)} & {
        number for number, one in enumerate(pictures) if not one.is_crop
    }
    told = [
        (number, one)
        for number, one in enumerate(pictures)
        if number not in marked and (number <= FIRST_PICTURES or one.is_crop or number in fitting)
    ]
    lines = [_picture_line(number, one, language) for number, one in told]
    if left := len(pictures) - len(told) - len(marked):
        lines.append(said("more pictures", language, left))
    return "\n".join(lines)


def _picture_line(number: int, picture: PagePicture, language: str) -> str:
    """Its size on the page, its description, and for a crop the text read in it, or that it is of one colour."""
    size = f"{number} {picture.box.width:.0f}x{picture.box.height:.0f}"
    shown = f" (shown at 1/{picture.detail:.0f})" if picture.detail >= 2 else ""
    nothing = said("blank", language) if picture.blank else "-"
    read = f": {visible_text('; '.join(picture.texts))[:READ_CHARS] or nothing}" if picture.is_crop else ""
    words = shortened(picture.words, WORDS_CHARS)
    whose = f"of {picture.of} " if picture.is_crop else ""
    what = words if (picture.of if picture.is_crop else number) else "page"
    return f"{size}{shown} {whose}{what}".rstrip() + read
