"""Lists that a page writes as text: names joined by commas in a sentence or cell, sections of a printed help text, names with an
explanation each in a block of code, and runs of short lines below a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memory.words import lazy_re
from perception.observation import Block, Observation, RecordSet
from walker.strategies.answers.list_forms.unmarked import cell_texts, list_of_names, main_blocks
from walker.strategies.answers.passages import split_sentences

LEAST_JOINED = 3
"""Least names of an enumeration."""
LEAST_INDENT = 2
MOST_WORDS = 5
"""Of a name; longer pieces are clauses."""
NAME_CHARS = 60
ENUMERATIONS_A_PAGE = 60
_LEAD = lazy_re.compile(
    r"[:：]|\b(?:includes?|included|including|such as|are|is|see|of|like|namely|supports?|offers?|provides?|from|with|between|sind|wie"
    r"|umfass(?:t|en)|son|sont|comprend|comprennent|comprises?|consists? of|incluyen?|incluent|inclut|beinhalte[nt]|enthält"
    r"|enthalten)\b|包括|有|分为|如",
    re.IGNORECASE,
)
"""Words after which the names begin."""
_STRONG_LEAD = lazy_re.compile(r"\b(?:such as|including|namely)\s|[:：]", re.IGNORECASE)
"""Words after which names begin even behind a comma: "known by many names, such as ..."."""
_NUMBERS = lazy_re.compile(r"(?<![\d.,])\d+(?:, \d+)+,? (?:and|or|und|oder|et|ou|y|e) \d+(?![\d.,]\d)")
_TAIL = lazy_re.compile(r"\s+[—–]\s+")
"""Before what a line of names says of them."""
_DOT = lazy_re.compile(r"\s+[·•|]\s+")
_COMMA = lazy_re.compile(r"(?:\s*[，、;；]|\s*(?<!\d),|\s*,(?!\d))\s*")
_COMMA_OUTSIDE = lazy_re.compile(
    r"(?:\s*[，、;；]|\s*(?<!\d),|\s*,(?!\d))\s*(?![^(（,，、;；]*(?:[,，、;；][^(（,，、;；]*){0,20}[)）])"
)
"""What joins names, outside brackets."""
_LAST = lazy_re.compile(
    r"^(?:and|or|und|oder|et|y|e|sowie)\s+|\s+(?:and|or|und|oder|et|y|e|sowie)\s+|(?<=[\u3400-\u9fff])(?:和|以及|及|或)(?=[\u3400-\u9fffA-Z])"
)
"""Before the last name."""
_BRACKETS = lazy_re.compile(r"[(（]([^()（）]{5,400})[)）]")
_BEHIND = lazy_re.compile(
    r".*\s(?=(?:an?|the|une?|des?|le|la|les|der|die|das|den|dem|eine[nmrs]?|ein|el|los|las|un[ao]s?|for|of|to|with|für|mit|pour|con|para)"
    r"\s\S+(?:\s\S+)?$)",
    re.IGNORECASE | re.DOTALL,
)
"""Up to the first name of a sentence without a word that leads it in: "Ask the speaker for" / "a title"."""
_FOR_EXAMPLE = lazy_re.compile(
    r"^(?:e\.?\s?g\.?,?|i\.?\s?e\.?,?|for example,?|such as|like|only|including|z\. ?B\.|d\. ?h\.|par exemple|par ex\.|por ejemplo"
    r"|p\. ?ej\.|例如|比如|如|包括)\s*[:：]?\s*",
    re.IGNORECASE,
)
_AND_SO_ON = lazy_re.compile(
    r"(?:\s*(?:…|\.\.\.)|\s+(?:etc|usw|u\. ?a)\.?|(?<=[\u3400-\u9fff\w])等.{0,6})$|^(?:etc|usw|u\. ?a)\.?$|^…$"
)
"""What says that a list goes on."""
_HEADED = lazy_re.compile(r"^\s*([A-Z][A-Za-z ]{2,40}):\s*$")
_LISTED = lazy_re.compile(r"^(\s+)(\S{1,40}(?: \S{1,30}){0,2}?)(?:\s{2,}(\S.*))?$")
LEAST_LINES = 3
MOSTLY = 0.6
"""Share of the lines of a block of code that explain a name, for it to be a list of names."""
LINE_CHARS, LINE_WORDS = 40, 4
"""Most characters and words of a line that is an entry and no sentence."""
_EXPLAINED = lazy_re.compile(r"^\s*(?P<name>[\w.+/-]{1,30}(?: or [\w.+/-]{1,30})?)\s+[-–—]\s+\S")
_SENTENCE_END = lazy_re.compile(r"[.:?!。：？！]\s*$")


def enumerations_on(observation: Observation) -> tuple[RecordSet, ...]:
    """The lists in sentences, and those below a heading in blocks of code, of the main part of a page."""
    found: list[RecordSet] = []
    before = ""
    for block in main_blocks(observation):
        if block.kind != "heading":
            found += _in_help(block) if block.kind == "code" else _in_sentences(block, before)
            before = block.text
        if len(found) >= ENUMERATIONS_A_PAGE:
            break
    return tuple(found)


def _in_sentences(block: Block, before: str) -> Iterator[RecordSet]:
    if block.kind == "row":
        first, *cells = block.text.split(" | ")
        for cell in filter(_COMMA.search, cells):
            names = _split(cell)
            if len(frozenset(names)) >= LEAST_JOINED and all(_is_name(name) for name in names):
                yield list_of_names(names, f"{' '.join(block.columns)} {first}", block)
            yield from _in_brackets(cell, f"{' '.join(block.columns)} {first}", block)
        for cell_text in cell_texts(block):
            for sentence in filter(_COMMA.search, split_sentences(cell_text.text)):
                yield from _in_sentence(sentence, before, block)
        return
    line, *told = _TAIL.split(block.text, maxsplit=1)
    dotted = [piece.strip() for piece in _DOT.split(line)]
    if len(frozenset(dotted)) >= LEAST_JOINED and all(_is_name(piece) for piece in dotted):
        yield list_of_names(dotted, " ".join((before, *told)), block)
        return
    for sentence in filter(_COMMA.search, split_sentences(block.text)) if _COMMA.search(block.text) else ():
        for numbers in _NUMBERS.finditer(sentence):
            yield list_of_names(re.findall(r"\d+", numbers[0]), sentence, block)
        yield from _in_brackets(sentence, "", block)
        if sentence.count("《") < 2:  # titles may hold commas themselves
            yield from _in_sentence(sentence, before, block)


def _in_sentence(sentence: str, before: str, block: Block) -> Iterator[RecordSet]:
    joint = _COMMA.search(sentence)
    leads = list(_LEAD.finditer(sentence, 0, joint.start())) if joint else []
    strong = [lead for lead in _STRONG_LEAD.finditer(sentence) if _COMMA.search(sentence, lead.end())]
    leads = strong or leads
    start = leads[-1].end() if leads else 0
    names = _joined(sentence[start:])
    if names and not leads and not _is_name(names[0]) and (behind := _BEHIND.match(names[0])) is not None:
        start = behind.end()
        names[0] = names[0][start:]
    if len(frozenset(names)) >= LEAST_JOINED and all(_is_name(name) for name in names):
        yield list_of_names(names, sentence[:start] or before, block)


def _in_brackets(text: str, before: str, block: Block) -> Iterator[RecordSet]:
    """The names in brackets: "boards of the battery (C610, C425, D230)"."""
    for match in _BRACKETS.finditer(text) if "(" in text or "（" in text else ():
        names = _joined(_FOR_EXAMPLE.sub("", match[1]))
        if len(frozenset(names)) >= LEAST_JOINED and all(_is_name(name) for name in names):
            yield list_of_names(names, f"{before} {text[: match.start()]}".strip(), block)


def _joined(text: str) -> list[str]:
    """The pieces that commas and a last "and" join, without what says that there are more."""
    *pieces, last = _split(text.strip().rstrip(".。!！"))
    ends = [_AND_SO_ON.sub("", piece) for piece in (*pieces[-1:], *_LAST.split(last, maxsplit=1))]
    return [name for piece in (*pieces[:-1], *ends) if (name := piece.strip(" .。"))]


def _split(text: str) -> list[str]:
    joint = _COMMA_OUTSIDE if ")" in text or "）" in text else _COMMA
    return [piece.strip() for piece in joint.split(text)]


def _is_name(piece: str) -> bool:
    if not 0 < len(piece) <= NAME_CHARS:
        return False
    words = (_BRACKETS.sub("", piece) if "(" in piece else piece).split()
    return 0 < len(words) <= MOST_WORDS and not re.search(r"[:：?？!]", piece)


def _in_help(block: Block) -> Iterator[RecordSet]:
    """The indented lines below a line that ends with a colon: the options and commands of a printed help text."""
    heading, names = "", list[str]()
    for line in (*block.text.splitlines(), ""):
        if (headed := _HEADED.match(line)) is not None:
            if heading and len(frozenset(names)) > 1:
                yield list_of_names(names, f"{heading}:", block)
            heading, names = headed[1], []
        elif heading and (listed := _LISTED.match(line)) is not None and len(listed[1]) >= LEAST_INDENT:
            names.append(listed[2])
        elif heading and (line.strip() == "" or line[:1].strip()):
            if len(frozenset(names)) > 1:
                yield list_of_names(names, f"{heading}:", block)
            heading, names = (heading, []) if not names else ("", [])


def written_lists_on(observation: Observation) -> Iterator[RecordSet]:
    """The lists in the lines of the main part of a page."""
    known = {tuple(record.name for record in records.records) for records in observation.record_sets}
    before, section = "", tuple[str, ...]()
    run: list[Block] = []
    for block in (*main_blocks(observation), None):
        if block is not None and _is_line(block) and (not run or run[-1].headings == block.headings):
            run.append(block)
            continue
        names = [one.text for one in run]
        if len(frozenset(names)) >= LEAST_LINES and tuple(names) not in known and _introduces(before, section, run):
            yield list_of_names(names, before, run[0])
        run = [block] if block is not None and _is_line(block) else []
        if block is not None and block.kind == "code":
            names = _explained(block.text)
            if names:
                yield list_of_names(names, before, block)
        if block is not None and block.kind != "heading" and not run:
            before, section = block.text, block.headings


def _introduces(before: str, section: tuple[str, ...], run: Sequence[Block]) -> bool:
    """Whether a sentence stands before a run of lines in their own section."""
    return _SENTENCE_END.search(before) is not None and section == run[0].headings


def _is_line(block: Block) -> bool:
    text = block.text
    return (
        block.kind == "paragraph"
        and 0 < len(text) <= LINE_CHARS
        and len(text.split()) <= LINE_WORDS
        and not _SENTENCE_END.search(text)
    )


def _explained(text: str) -> list[str]:
    lines = [line for line in text.splitlines() if line.strip()]
    names = [match["name"] for line in lines if (match := _EXPLAINED.match(line))]
    return list(dict.fromkeys(names)) if len(names) >= max(LEAST_LINES, MOSTLY * len(lines)) else []
