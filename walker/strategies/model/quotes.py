"""Quotes: whether a page says them word for word, where, and what stands around them: a name in a heading, and below it what proves
it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

import msgspec

from memory.counting.answer_names import enumerated
from memory.findings import ComputedFinding, Finding
from memory.words import lazy_re, tokens
from perception.document.visible import visible_text
from perception.observation import Block, Observation

BEFORE_CHARS = 240
"""Of the text before a quote."""
LEAST_PIECE = 8
"""Characters of each piece of a quote that was abridged with an ellipsis."""
LISTED_CHARS = 360
"""Of a quote that shows a list."""
NEAREST_CHARS = 160
"""Of the passage that is nearest to what a page does not say."""
LIKELY = 40
"""Passages that are compared with it, those that have most of its words."""
NEAREST_SHARE = 0.4
"""Least share of a quote's words that its nearest passage has."""
_ALIKE = str.maketrans(
    {"“": '"', "”": '"', "‘": "'", "’": "'", "«": '"', "»": '"', "–": "-", "—": "-", "‑": "-", "…": " "}
    | {chr(wide): chr(wide - 0xFEE0) for wide in range(0xFF01, 0xFF5F)}
    | dict.fromkeys("|`*#>·•‣◦▪｜｀＊＃＞", " ")
)
"""Signs that a quote may have in another form: quotation marks, dashes, full width; and those that are marks of a prompt's layout, of
cells, code, lists and headings."""
_OF_PICTURES = r"(?:picture|video|audio|\d+ (?:more )?pictures)[^\]]*"
"""How a prompt marks pictures, in brackets."""
_LAYOUT = lazy_re.compile(
    rf"\[(?:{_OF_PICTURES}|closed: [^\]]*|end of what is closed|\d+(?: [a-z-]+)?|this page)\]|‹[^›]{{0,80}}›(?= *\[\d)|-(?<!\S-)(?!\S)"
)
"""What else only the layout of a prompt adds: numbers of links, names of pictures, marks of closed parts and of entries."""
_OWN_MARKS = lazy_re.compile(r"‹[^›]{0,80}›|(?<!\w)_{1,2}(?=\S)|(?<=\S)_{1,2}(?!\w)|^\s*[-+]\s+", re.MULTILINE)
"""What a quote alone may have besides: names of pictures without their numbers, emphasis, marks of entries."""
_ENTRY_NUMBER = lazy_re.compile(r"\s*\(?\d{1,3}[.)]\s+")
_PLAIN_MARKS = lazy_re.compile(
    rf"\*\*|__|`|\[{_OF_PICTURES}\]|‹[^›]{{0,80}}›(?: *\[\d+(?: [a-z-]+)?\])?|\s*\[(?:\d+(?: [a-z-]+)?|this page)\]"
    r"|^\s*(?:[-+*•‣◦▪|>]|#{1,6}|\(?\d{1,3}[.)])\s+|\s+\|$",
    re.MULTILINE,
)
"""What a quote is shown without."""
_ELLIPSIS = lazy_re.compile(r"\s*(?:\[… parts? [\d-]+ left out\]|…|\.\.\.|\[\.\.\.\])\s*")
NEAR_BLOCKS = 8
"""Blocks within which two texts stand near one another."""
SECTION_BLOCKS = 40
"""The same where they stand under one heading, as the rows of a table do."""
MOST_PLACES = 200
"""Of one text; a short name may stand everywhere."""
VALUE_CHARS = 200
"""Of a quote that stands for an answer."""
_WORD = lazy_re.compile(r"\w+")
_SENTENCE = lazy_re.compile(r"(?<=[.!?;])\s+|(?<=[。！？；])")


class PageText:
    """All that a page shows, made ready for finding quotes in it."""

    def __init__(self, observation: Observation) -> None:
        self._shown = (
            *(block.text for block in observation.blocks if not block.hidden),
            *observation.seen_text,
            observation.title,
            *(words for one in observation.figures if not one.hidden for words in (one.alt, one.label) if words),
        )
        self._records = [record.text for records in observation.record_sets for record in records.records]
        self._whole = ""
        self._rows: list[str] | None = None

    def holds(self, quote: str) -> bool:
        """Whether the page shows a quote verbatim, except for white space, quotation marks, dashes and layout; of one that was
        abridged with an ellipsis each piece."""
        if self._holds(squeezed(quote)) or self._holds(squeezed(_OWN_MARKS.sub(" ", quote))):
            return True
        if self._holds_entries(quote):
            return True
        pieces = [piece for part in pieces_of(quote) if (piece := squeezed(part))]
        return len(pieces) > 1 and all(len(piece) >= LEAST_PIECE and piece in self._whole for piece in pieces)

    def consecutive(self, texts: Sequence[str]) -> str:
        """As many texts, from the first on, as the page says one after the other, within the characters of a list's quote; "" where
        not even two."""
        joined = ""
        for count in range(2, len(texts) + 1):
            longer = " ".join(texts[:count])
            if len(longer) > LISTED_CHARS or not self._holds(squeezed(longer)):
                break
            joined = longer
        return joined

    def as_written(self, quote: str) -> str:
        """A quote without the marks of the prompt's layout, where the page has it without them."""
        written = visible_text(quote)
        bare = visible_text(_PLAIN_MARKS.sub("", quote))
        # Code may have the signs that are marks elsewhere.
        if bare == written or _letters(written) in _letters("".join(self._shown)):
            return written
        return bare if bare and self.holds(bare) else written

    def nearest(self, quote: str) -> str:
        """The passage that is most like a quote, cut; "" where none is."""
        words = frozenset(tokens(quote))
        if not words:
            return ""
        counted = [(sum(word in folded for word in words), text) for text in self._shown if (folded := text.casefold())]
        likely = sorted(counted, key=lambda pair: -pair[0])[:LIKELY]
        shares = [(len(words & frozenset(tokens(text))) / len(words), text) for _, text in likely]
        share, text = max(shares, key=lambda pair: pair[0], default=(0.0, ""))
        if share < NEAREST_SHARE:
            return ""
        clean = visible_text(text)
        match = SequenceMatcher(None, clean.casefold()[:4000], visible_text(quote).casefold(), autojunk=False)
        start = max(0, match.find_longest_match().a - NEAREST_CHARS // 4) if len(clean) > NEAREST_CHARS else 0
        return clean[start : start + NEAREST_CHARS]

    def _holds_entries(self, quote: str) -> bool:
        """Whether the lines of a quote are entries of the page that the quote numbers: "12. Mai 1997" is none where the page says
        "3. Mai 1997"."""
        lines = [line for line in quote.splitlines() if line.strip()]
        if not any(_ENTRY_NUMBER.match(line) for line in lines):
            return False
        entries = [_ENTRY_NUMBER.sub("", line, count=1) for line in lines]
        if not all(self._holds(squeezed(entry)) for entry in entries):
            return False
        texts = (*self._shown, *self._records)
        return all(
            any(squeezed(text).startswith(squeezed(entry)) for text in _with_words(texts, entry)) for entry in entries
        )

    def _holds(self, wanted: str) -> bool:
        if not wanted:
            return False
        if self._rows is None:
            # A quote may span blocks, or be a row as the list of record sets shows it.
            self._whole = squeezed("\n".join(self._shown))
            self._rows = [squeezed(text) for text in self._records]
        return wanted in self._whole or any(wanted in row for row in self._rows)


class QuotePlaces:
    """The blocks of one page, made ready for finding texts in them."""

    def __init__(self, observation: Observation) -> None:
        self._blocks = tuple(block for block in observation.blocks if not block.hidden)
        self._title = squeezed(observation.title)
        texts = [squeezed(block.text) for block in self._blocks]
        self._whole = "".join(texts)
        self._starts: list[int] = []
        done = 0
        for text in texts:
            self._starts.append(done)
            done += len(text)

    def are_near(self, name: str, quote: str) -> bool:
        """Whether a name stands in a quote, beside it, in a heading above it, or in the page's title. A quote that no block holds, as
        one that was read in a picture, is near to all of its page."""
        wanted = squeezed(name)
        if not wanted or wanted in squeezed(quote) or wanted in self._title:
            return True
        pieces = [piece for text in pieces_of(quote) if (piece := squeezed(text))]
        quoted = [place for piece in pieces for place in self._places(piece)]
        if not quoted or any(self._is_under(wanted, self._blocks[first]) for first, _ in quoted):
            return True
        named = list(self._places(wanted))
        return any(self._is_beside(one, other) for one in named for other in quoted)

    def _places(self, text: str) -> Iterator[tuple[int, int]]:
        """The first and the last block of each place where a text stands."""
        at = self._whole.find(text)
        for _ in range(MOST_PLACES):
            if at < 0:
                return
            yield self._block_at(at), self._block_at(at + len(text) - 1)
            at = self._whole.find(text, at + 1)

    def _block_at(self, place: int) -> int:
        return bisect_right(self._starts, place) - 1

    def _is_beside(self, one: tuple[int, int], other: tuple[int, int]) -> bool:
        apart = max(one[0] - other[1], other[0] - one[1])
        within = self._blocks[one[0]].headings == self._blocks[other[0]].headings
        return apart <= (SECTION_BLOCKS if within else NEAR_BLOCKS)

    @staticmethod
    def _is_under(wanted: str, block: Block) -> bool:
        return any(wanted in squeezed(heading) for heading in block.headings)


def stands_on(observation: Observation, quote: str) -> bool:
    """Whether the page shows a quote; several quotes of one page are found faster in one `PageText`."""
    return PageText(observation).holds(quote)


def is_within(text: str, quote: str) -> bool:
    """Whether a text has a quote word for word, as `PageText.holds` says of a page; of one that was abridged each piece."""
    pieces = [piece for part in pieces_of(quote) if (piece := squeezed(part))]
    whole = squeezed(text)
    return bool(pieces) and all(piece in whole for piece in pieces)


def pieces_of(quote: str) -> tuple[str, ...]:
    """The pieces of a quote that was abridged with an ellipsis, without the marks that a prompt or a model adds."""
    return tuple(_OWN_MARKS.sub(" ", part) for part in _ELLIPSIS.split(quote))


def plain(text: str) -> str:
    """A text normalised for comparing quotes."""
    return " ".join(_LAYOUT.sub(" ", visible_text(text).translate(_ALIKE)).casefold().split())


def _with_words(texts: Sequence[str], quote: str) -> dict[str, None]:
    """Of many texts those that have the longest word of a quote, in order; all where none has it."""
    word = max(_WORD.findall(visible_text(quote)), key=len, default="").casefold()
    return dict.fromkeys(text for text in texts if word in text.casefold()) or dict.fromkeys(texts)


def _letters(text: str) -> str:
    return "".join(text.casefold().split())


def squeezed(text: str) -> str:
    """The same without white space: the number of a link may stand before a comma, and the layout parts words that touch."""
    return plain(text).replace(" ", "")


def around(observation: Observation, quote: str) -> tuple[str, str]:
    """The headings above a quote, joined by " > ", and the end of the text before it: the sentence before in its block, else the
    block before under the same heading. Both "" for a quote that no single block holds."""
    wanted = squeezed(quote)
    shown = [block for block in observation.blocks if not block.hidden]
    likely = _with_words([block.text for block in shown], quote)
    for place, block in enumerate(shown):
        if wanted and block.text in likely and wanted in squeezed(block.text):
            path = " > ".join(visible_text(heading) for heading in block.headings)
            return path, _before(shown, place, wanted)
    return "", ""


def _before(shown: list[Block], place: int, wanted: str) -> str:
    block = shown[place]
    if block.kind == "row":
        return _first_row(shown, place)
    sentences = [visible_text(sentence) for sentence in _SENTENCE.split(block.text)]
    first = next((at for at, sentence in enumerate(sentences) if wanted[:40] in squeezed(sentence)), 0)
    if first:
        return sentences[first - 1][-BEFORE_CHARS:]
    above = shown[place - 1] if place else None
    if above is None or above.headings != block.headings or above.kind == "heading":
        return ""
    return visible_text(above.text)[-BEFORE_CHARS:]


def _first_row(shown: list[Block], place: int) -> str:
    """The first row of a table, which tells what its columns are."""
    first = place
    while first and shown[first - 1].kind == "row" and shown[first - 1].headings == shown[place].headings:
        first -= 1
    return visible_text(shown[first].text)[:BEFORE_CHARS] if first < place else ""


def quoted_instead(answer: str, cited: Sequence[Finding], found: Sequence[Finding] = ()) -> str | msgspec.UnsetType:
    """`quoted_value` where that is something else than the answer, for `Verdict.quoted`."""
    value = quoted_value(answer, cited, found)
    return msgspec.UNSET if value == answer else value


def quoted_value(answer: str, cited: Sequence[Finding], found: Sequence[Finding] = ()) -> str:
    """The answer where a quote has it word for word; of one that enumerates things, those that quotes have; else the value of the
    first finding that is cited, or of the likeliest that was found; "" where there is none.

    >>> one = Finding(text="18.4 m", quote="Length: 18.4 m", url="https://a.example/", step=1, score=0.4)
    >>> quoted_value("18.4 m", [one]), quoted_value("It is as long as a whale.", [one]), quoted_value("12 m", [])
    ('18.4 m', '18.4 m', '')
    """
    likely = sorted((one for one in found if not one.is_shown), key=lambda one: -one.score)
    resting = tuple(dict.fromkeys((*cited, *likely)))
    if answer and any(_says(one, answer) for one in resting):
        return answer
    names = enumerated(answer)
    quoted = [name for name in names if any(_says(one, name) for one in resting)] if len(names) > 1 else []
    return "; ".join(quoted) if quoted else next(map(_value, resting), "")


def _says(finding: Finding, words: str) -> bool:
    """Whether the quote has them; of what code made, whether its output is them."""
    return is_within(finding.quote, words) or (isinstance(finding, ComputedFinding) and finding.text == words)


def _value(finding: Finding) -> str:
    """What a finding says, where its quote says it too, else the quote."""
    text = visible_text(finding.text)
    return text if _says(finding, text) else visible_text(finding.quote)[:VALUE_CHARS]
