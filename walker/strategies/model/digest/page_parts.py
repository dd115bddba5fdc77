"""A page as parts: runs of text under one heading, each short enough to be shown or left out as a whole, and long enough to be worth
asking for."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence, Set
from types import MappingProxyType

import msgspec

from memory.words import lazy_re
from perception.document.regions.link_cards import LinkCard
from perception.document.visible import shortened, visible_text
from perception.observation import Block, Observation
from perception.page_pictures import PagePicture
from walker.strategies.model.digest.block_lines import PART_CHARS, lines_of, lines_of_records, size_of
from walker.strategies.model.digest.link_marks import LinkMarks
from walker.strategies.model.digest.picture_marks import ENTRIES, NO_MARKS, PictureMarks, mark_pictures
from walker.strategies.model.digest.picture_texts import Pictured, place_in_text, texts_in_pictures
from walker.strategies.model.digest.repeated_entries import steps_of_repeated

MANY_PARTS = 40
"""Parts up to which a page is left as its headings divide it."""
SHORT_CHARS = 300
"""Characters of a part up to which it is joined to a neighbour, on a page with many. Of pages of the building sites with more than 40
parts, a reference has 509 of 361 characters on average, and 133 of 225 where each change has its heading; others have 550 to 700."""
JOINED_CHARS = 900
"""Characters of a joined part at most."""
_HEADING = "#"
LINKS_INSIDE = 12
"""Most links of a run of navigation within the text that is shown in place."""
NUMBER_CHARS = 8
"""Of the number of a link."""
ENTRY_CHARS = 3
"""Of the mark of an entry and the end of its line."""
RECORD_CHARS = PART_CHARS // 2
"""Characters of a part from which the next record begins a new one: no record that is shorter is cut."""
PICTURE_CHARS = 120
"""Of each heading and name of a picture."""
RECORD_GLUE = " | "
"""Between the lines of a card, as between the cells of a row."""
START_CHARS, LAST_CHARS = 60, 40
OPENER_CHARS = 50
"""Of the name of a closed part, which is often the whole of its first line."""
_ENTRY = lazy_re.compile(r"^ *- |^\| ", re.MULTILINE)
_WORD = lazy_re.compile(r"[\u3040-\u9fff]|\w+")


class Part(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Consecutive text under the same headings, rendered for a prompt; `number` counts from 1 in document order."""

    number: int
    path: tuple[str, ...]
    """Headings above it, the top one first."""
    text: str
    """Its lines; the headings that begin with it stand before them."""

    until: tuple[str, ...] = ()
    """Headings above its last section, where it has several."""
    last: str = ""
    """The beginning of its last record or line."""
    entries: int = 0
    """Its lines that are cards, entries of lists or rows."""
    words: int = 0
    """Each Chinese or Japanese character counts as one."""
    head: str = ""
    """What tells whose its first line is, where that stands in a part before it: the head of the table whose rows it begins with,
    or the name of the entry that it goes on with."""
    again: int = 0
    """Of entries that stood on an earlier page too, such as those of a table of contents: the step of that page."""


class Looks(msgspec.Struct, frozen=True, kw_only=True):
    """What a model may look at closely."""

    pictures: tuple[PagePicture, ...] = ()
    question: str = ""
    """What they were looked at for before: what a model saw stands below it."""


class DividedPage(msgspec.Struct, frozen=True, kw_only=True):
    """The main text of a page in parts."""

    parts: tuple[Part, ...] = ()
    inside: frozenset[int] = frozenset()
    """Ids of blocks of navigation that are among the parts."""
    has_pictures: bool = False
    """Whether there are marks of pictures among them."""


def divide_page(
    observation: Observation,
    marks: LinkMarks,
    seen_before: Mapping[int, int] = MappingProxyType({}),
    visits: Set[int] = frozenset(),
    wanted: Sequence[str] = (),
    looks: Looks = Looks(),  # noqa: B008 - immutable
) -> DividedPage:
    """The main text of a page, all that a person sees, followed by the text that was read in its pictures. `seen_before`: by mark, the
    step of the first page that had it; long lists and tables that were shown there are parts of their own. `visits`: the steps
    at which the walk was here before. `wanted`: what is still looked for, in words. `looks`: its
    pictures, as a model may look at them."""
    inside = _links_inside(observation, marks)
    seen = [block for block in observation.blocks if not block.hidden]
    main = [block for block in seen if block.region == "main" or block.id in inside]
    made = _Parts(observation, marks.cards)
    again = steps_of_repeated(observation, marks, seen_before, visits, wanted)
    lines, until = lines_of_records(observation), 0
    told = mark_pictures(observation, looks.pictures)
    figures, texts = _Pictures(told), _PictureTexts(observation, looks.question)
    for block in main if any(block.region == "main" for block in main) else seen:
        if block.id <= until:
            continue
        last = lines.get(block.id, 0) if lines else 0
        made.add_marks(figures.until(block.id))
        made.add_texts(texts.before(block))
        if again:
            made.turn_to(min(again.get(number, 0) for number in range(block.id, max(last, block.id) + 1)))
        if block.id in inside:
            made.add_links(block, marks)
        elif last:
            until = last
            made.add_record(observation.blocks[block.id - 1 : last], marks, figures.within(block.id, last))
        elif not block.pictured:
            made.add(block, marks, figures.within(block.id, block.id))
        made.add_texts(texts.in_entries(max(last, block.id)))
    made.add_marks(figures.rest())
    made.flush()
    for names, read in texts.rest():
        made.add_picture(names, read)
    made.flush()
    return DividedPage(parts=joined_parts(made.parts), inside=inside, has_pictures=told != NO_MARKS)


def joined_parts(parts: Sequence[Part]) -> tuple[Part, ...]:
    """The parts of a page, numbered anew where neighbours were joined of which one is short. A part takes the next one in that goes on
    under its headings, or begins with a heading of its own that stands no higher."""
    if len(parts) <= MANY_PARTS:
        return tuple(parts)
    runs: list[list[Part]] = []
    size = 0
    for part in parts:
        own = size_of(part.text)
        is_short = min(size, own) < SHORT_CHARS and size + own < JOINED_CHARS
        if runs and is_short and _goes_on(runs[-1], part, size):
            runs[-1].append(part)
            size += own
        else:
            runs.append([part])
            size = own
    return tuple(_as_one(run, number) for number, run in enumerate(runs, start=1))


def _goes_on(run: Sequence[Part], part: Part, size: int) -> bool:
    """Whether a part belongs to those before it, of so many characters together; where a chapter ends, only to a short one."""
    if part.again != run[-1].again:
        return False
    if part.path == run[-1].path:
        return True
    if _is_bare(run[-1]):
        return True
    levels = [level for one in run if (level := _level(one))] or [0]
    least = levels[0] if size < SHORT_CHARS else levels[-1]
    return _level(part) >= max(1, least)


def _level(part: Part) -> int:
    """Of the heading that a part begins with, or that follows its first line, 0 for none."""
    for line in part.text.split("\n", 2)[:2]:
        marks = line.partition(" ")[0]
        if marks and not marks.strip(_HEADING):
            return len(marks)
    return 0


def _is_bare(part: Part) -> bool:
    """Whether a part is nothing but headings: its content follows in the next one."""
    return all(line.startswith(_HEADING) for line in part.text.splitlines())


def _as_one(run: Sequence[Part], number: int) -> Part:
    first, last = run[0], run[-1]
    if first is last:
        return msgspec.structs.replace(first, number=number)
    return msgspec.structs.replace(
        first,
        number=number,
        text="\n".join(part.text for part in run),
        until=last.path if last.path != first.path else (),
        last=last.last,
        entries=sum(part.entries for part in run),
        words=sum(part.words for part in run),
    )


def _record_starts(observation: Observation) -> list[str]:
    """How the cards and the entries of lists begin."""
    cards = [records for records in observation.record_sets if records.region == "main" and records.kind != "table"]
    return sorted({entry.text[:START_CHARS] for records in cards for entry in records.records})


def _names_of_entries(observation: Observation) -> dict[int, tuple[int, int, str]]:
    """By id of its first block, the ids of the first and the last block of each card or entry of several, and its name."""
    found: dict[int, tuple[int, int, str]] = {}
    for records in observation.record_sets:
        if records.region != "main" or records.kind == "table":
            continue
        for one in records.records:
            if 0 < one.first < one.last and (name := shortened(one.name, START_CHARS)):
                found.setdefault(one.first, (one.first, one.last, name))
    return found


def _links_inside(observation: Observation, marks: LinkMarks) -> frozenset[int]:
    """Ids of blocks of navigation that stand within the main text, below its first heading and above its last block: a few links
    in a row belong to the section around them, as its downloads do."""
    runs: list[list[Block]] = []
    under_heading, is_open = False, False
    for block in observation.blocks:
        if block.hidden or block.pictured:
            continue
        if block.region == "main":
            under_heading = under_heading or block.kind == "heading"
            is_open = False
        elif under_heading and block.region in ("nav", "aside"):
            if not is_open:
                runs.append([])
            is_open = True
            runs[-1].append(block)
    if is_open:
        runs.pop()
    short = (run for run in runs if sum(len(marks.by_block.get(block.id, ())) for block in run) <= LINKS_INSIDE)
    return frozenset(block.id for run in short for block in run)


class _Pictures:
    """Gives the marks of pictures as the blocks are passed."""

    def __init__(self, marks: PictureMarks) -> None:
        self._marks = marks
        self._above = sorted(marks.above, reverse=True)

    def until(self, block: int) -> list[str]:
        """Those that stand between the last block that was passed and this one."""
        lines = []
        while self._above and self._above[-1] <= block:
            lines.append(self._marks.above[self._above.pop()])
        return lines

    def within(self, first: int, last: int) -> str:
        """What stands at the end of these blocks, with those that stand between them."""
        if not self._marks.behind and (not self._above or self._above[-1] > last):
            return ""
        behind = (self._marks.behind.get(block, "") for block in range(first, last + 1))
        return " ".join(filter(None, (*behind, *self.until(last))))

    def rest(self) -> list[str]:
        """Those after the last block, and how many have no mark."""
        lines = [self._marks.above[block] for block in reversed(self._above)]
        return [*lines, f"[{self._marks.others} more pictures]"] if self._marks.others else lines


class _PictureTexts:
    """Gives what was read in pictures where these stand, as the blocks are passed."""

    def __init__(self, observation: Observation, question: str) -> None:
        self._there: dict[int, list[Pictured]] = {}
        self._entries = {block.id for block in observation.blocks if block.kind in ENTRIES}
        self._rest: list[Pictured] = []
        known = {block.id for block in observation.blocks if not block.pictured}
        for one in texts_in_pictures(observation, question):
            place = place_in_text(one[0], observation)
            (self._there.setdefault(place, []) if place in known else self._rest).append(one)

    def before(self, block: Block) -> list[Pictured]:
        """Those that stand above this block, and were not passed yet."""
        return self._take(block.id - (block.id in self._entries))

    def in_entries(self, last: int) -> list[Pictured]:
        """Those in entries up to this block, or above one of them."""
        return self._take(last) if last in self._there and last in self._entries else []

    def rest(self) -> list[Pictured]:
        """Those that stand after the last block, or nobody knows where."""
        return [*self._take(max(self._there, default=0)), *self._rest]

    def _take(self, until: int) -> list[Pictured]:
        passed = sorted(place for place in self._there if place <= until)
        return [one for place in passed for one in self._there.pop(place)]


class _Parts:
    """Gathers lines into parts."""

    def __init__(self, observation: Observation, cards: Sequence[LinkCard]) -> None:
        """Short records are kept together, and so are the `cards` that are one link each around several blocks."""
        blocks = observation.blocks
        self._starts, self._last = _record_starts(observation), ""
        self._entries = _names_of_entries(observation)
        self._entry = (0, 0, "")
        self._cards: dict[int, tuple[int, int, int]] = {}
        """Length of a card, the id of the first heading in it and that of its last block, by the id of its first block."""
        self._title = self._until = 0
        """Of the card under way: id of its heading, if that does not begin it, and of its last block."""
        for card in cards:
            own = blocks[card.first - 1 : card.last]
            chars = sum(size_of(block.text) + ENTRY_CHARS for block in own if not block.hidden)
            title = next((block.id for block in own if block.kind == "heading" and not block.hidden), 0)
            if chars + NUMBER_CHARS <= PART_CHARS:
                self._cards[card.first] = (chars + NUMBER_CHARS, title, card.last)
        self.parts: list[Part] = []
        self.lines: list[str] = []
        self._path: tuple[str, ...] = ()
        self._before: tuple[str, ...] | None = None
        """The path above the last heading, which the further lines of a heading of several have too."""
        self._size = 0
        self._kind = ""
        self._opener = self._head = ""
        self._again = 0

    def turn_to(self, again: int) -> None:
        """Begin a part of its own where entries of an earlier page begin or end. `again`: the step of that page, 0 for other text."""
        if again != self._again:
            self.flush()
            self._again = again

    def add_marks(self, lines: Sequence[str]) -> None:
        """Take the marks of pictures that stand here."""
        for line in lines:
            self._take(line, "mark")

    def add(self, block: Block, marks: LinkMarks, pictures: str = "") -> None:
        """Take one block; a heading begins a part of its own, which the text below it joins. `pictures`: the mark of those in it."""
        self._begin_card(block)
        self._entry = self._entries.get(block.id, self._entry)
        if block.kind == "heading":
            path = (*block.headings, block.text)
            # A card may have text before its heading.
            if self._kind != "heading" and block.id != self._title and path != self._path:
                self.flush()
            self._path, self._before = path, self._path
            self._take(
                _joined(f"{'#' * max(1, block.level)} {visible_text(marks.text_of(block))}", pictures), "heading"
            )
            return
        if block.headings != self._path and not self._is_of_heading(block):
            self.flush()
            self._path, self._before = block.headings, None
        if block.opener != self._opener:
            self._open_or_close(block.opener)
        if block.id > self._until and self._begins_record(block.text[:START_CHARS]):
            if self._size > RECORD_CHARS and self._kind != "heading":
                self.flush()
            self._last = _beginning(block.text)
        lines = lines_of(block, marks)
        for line in (*lines[:-1], _joined(lines[-1], pictures)) if lines and pictures else lines:
            if self._size + size_of(line) > PART_CHARS and self._kind != "heading":
                self.flush()
            if not self.lines:
                self._head = _head_of(block) if block.kind == "row" else self._entry_under_way(block)
            self._take(line, block.kind)

    def add_links(self, block: Block, marks: LinkMarks) -> None:
        """Take links that belong to the section under way, whatever headings navigation has."""
        if text := visible_text(marks.text_of(block)):
            self._take(f"- {text}", "item")

    def add_record(self, blocks: Sequence[Block], marks: LinkMarks, pictures: str = "") -> None:
        """Take a card or a definition as one line. It stands under the headings that all of its kind have, not under that of the card
        before."""
        heading = next((block for block in blocks if block.kind == "heading"), None)
        path = (heading or blocks[0]).headings
        if path != self._path:
            self.flush()
            self._path = path
        if blocks[0].opener != self._opener:
            self._open_or_close(blocks[0].opener)
        line = f"- {RECORD_GLUE.join(filter(None, (visible_text(marks.text_of(block)) for block in blocks)))}"
        line = _joined(line, pictures)
        if self._size + size_of(line) > PART_CHARS and self._kind != "heading":
            self.flush()
        self._take(line, "item")
        self._last = _beginning(line[2:])

    def add_texts(self, pictures: Sequence[Pictured]) -> None:
        """Take what was seen in pictures that stand here, under the headings of the text around them."""
        for _, texts in pictures:
            for text in texts:
                if self._size + size_of(text) > PART_CHARS and self._kind != "heading":
                    self.flush()
                self._take(f"[picture] {text}", "picture")

    def add_picture(self, names: tuple[str, ...], texts: Iterable[str]) -> None:
        """Take what was seen in one picture, below what the page says of it."""
        self.flush()
        self._path = names
        if about := " > ".join(shortened(name, PICTURE_CHARS) for name in names):
            self._take(f"[picture: {about.replace('[', '(').replace(']', ')')}]", "heading")
        for text in texts:
            if self._size + size_of(text) > PART_CHARS and self._kind != "heading":
                self.flush()
            self._take(f"[picture] {text}", "picture")

    def flush(self) -> None:
        """Close the part under way."""
        if self.lines:
            text = "\n".join(self.lines)
            last = self._last or _beginning(self.lines[-1].lstrip("-|> "))
            self.parts.append(
                Part(
                    number=len(self.parts) + 1,
                    path=self._path,
                    text=text,
                    last=last,
                    entries=len(_ENTRY.findall(text)),
                    words=_words_in(text),
                    head=self._head,
                    again=self._again,
                )
            )
        self.lines, self._size, self._kind, self._last, self._head = [], 0, "", "", ""

    def _is_of_heading(self, block: Block) -> bool:
        """Whether a block is a further line of the heading under way, or the first below a heading of several lines."""
        if self._before is None:
            return False
        if block.headings == self._before:
            return True
        *above, title = block.headings or ("",)
        if tuple(above) != self._path[:-1] or not title.startswith(self._path[-1]):
            return False
        self._path, self._before = block.headings, None
        return True

    def _entry_under_way(self, block: Block) -> str:
        """The name of the entry that goes on with this block, "" where none does, or a heading above the block says it."""
        first, last, name = self._entry
        return f"({name} …)" if first < block.id <= last and name not in block.headings else ""

    def _begin_card(self, block: Block) -> None:
        """Where a card begins that is one link, begin a part if it does not fit in that under way, or has its heading further down."""
        chars, title, last = self._cards.get(block.id, (0, 0, 0))
        if not chars:
            return
        self._until = last
        if (title > block.id or self._size + chars > PART_CHARS) and self._kind != "heading":
            self.flush()
        self._title = title if title > block.id else 0

    def _open_or_close(self, opener: str) -> None:
        self._opener = opener
        # Text that is one press away belongs to the page; that it is closed may matter to whoever reads it.
        self._take(f"[closed: {shortened(opener, OPENER_CHARS)}]" if opener else "[end of what is closed]", "opener")

    def _begins_record(self, text: str) -> bool:
        place = bisect_left(self._starts, text)
        return place < len(self._starts) and self._starts[place].startswith(text)

    def _take(self, line: str, kind: str) -> None:
        self.lines.append(line)
        self._size += size_of(line)
        self._kind = kind


def _head_of(row: Block) -> str:
    """The head of a row's table as a row, "" where it has none."""
    return f"| {visible_text(RECORD_GLUE.join(row.columns))} |" if row.columns else ""


def _joined(line: str, mark: str) -> str:
    return f"{line} {mark}" if mark else line


def _beginning(text: str) -> str:
    # What is invisible may be longer than what is shown; more than this is not worth reading a long block.
    return visible_text(text[: 4 * LAST_CHARS])[:LAST_CHARS]


def _words_in(text: str) -> int:
    return len(text.split()) if text.isascii() else len(_WORD.findall(text))
