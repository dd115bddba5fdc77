"""Findings: what was learned from a page, or computed of that, with citations; and the items to count."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal
from urllib.parse import unquote

import msgspec

from memory.words import lazy_re

SHOWN_SCORE = 0.2
"""Score 0..1 of a finding that says what a picture shows, and answers nothing by itself."""
_PAGE = lazy_re.compile(r"#page=(\d{1,5})$")
_PLACE = lazy_re.compile(r"#(page|slide|sheet)=([^#&]+)$")


PicturePlace = Literal["label", "below", "cell", "line", "beside", "written", "text"]
"""Where an answer stands in a picture: beside a label or behind its colon; below one; at the head and the row of a table; in a
line with words of the question; on the side, or in the corner, that is asked for; it is the largest text; or anywhere."""


class Citation(msgspec.Struct, frozen=True, kw_only=True):
    """A verbatim quote and the page that it is from; of a file, the URL names the place in it too: `#page=3` of a PDF, `#slide=3`, or
    `#sheet=Budget%202025`."""

    url: str
    quote: str

    @property
    def page(self) -> int:
        """Page of the file, 0 for a page that is no file."""
        match = _PAGE.search(self.url)
        return int(match[1]) if match else 0

    @property
    def place(self) -> str:
        """Where in the file, as a person says it ("page 3", "sheet Budget 2025"); "" for a page that is no file."""
        match = _PLACE.search(self.url)
        return f"{match[1]} {unquote(match[2])}" if match else ""


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """An answer that is about as likely as the one that is told, and cannot be right if that one is."""

    answer: str
    citations: tuple[Citation, ...]


class PictureSigns(msgspec.Struct, frozen=True, kw_only=True):
    """What speaks for an answer that stands in a picture only. All but `pixels` and `place` are 0..1."""

    sure: float = 1.0
    """Confidence of OCR in its line; of several lines that of the least sure one."""
    clear: float = 1.0
    """Median confidence of OCR in the lines of its picture: of print that is read badly some line is misread surely."""
    pixels: float = 0.0
    """Height of its line in pixels of what was read; 0 where it is not known."""
    fit: float = 0.0
    """Share of the question's words that the picture, or the page about it, says."""
    unsaid: float = 0.0
    """Share of what the question names that neither of them says, nor the title of the page."""
    pointed: float = 0.0
    """How plainly the question says that a picture shows it."""
    place: PicturePlace = "text"
    named: bool = False
    """Whether its label says what is asked for, or is the thing that is asked about by itself."""


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """A passage relevant to the question. `text` is what it says ("256 KiB"), `quote` the verbatim passage."""

    text: str
    quote: str
    url: str
    step: int
    score: float
    """Confidence 0..1 that this answers `part`."""
    part: int = 0
    """The part of the question that it is relevant to, from 0."""
    parts: tuple[int, ...] = ()
    """All parts that a model says it answers, from 0; () where it said none."""
    heading: str = ""
    """Headings above the quote, joined by " > "."""
    before: str = ""
    """The sentence before the quote, or the first row of its table."""
    page: int = 0
    """Page that the quote is on, in a file that has pages (PDF); 0 elsewhere."""
    place: str | msgspec.UnsetType = msgspec.UNSET
    """The same in a file that has sheets or slides, as its address says it (`slide=3`); unset elsewhere, which is not in the recorded
    form."""
    pictured: PictureSigns | msgspec.UnsetType = msgspec.UNSET
    """What speaks for it, where it stands in a picture only; unset elsewhere."""

    @property
    def is_shown(self) -> bool:
        """Whether it is but what a picture shows."""
        return self.score == SHOWN_SCORE and self.text == self.quote

    @property
    def address(self) -> str:
        """Where the quote stands: the URL, with the page as browsers understand it (`#page=3`), or with its sheet or slide."""
        place = f"page={self.page}" if self.page else self.place
        return f"{self.url.partition('#')[0]}#{place}" if place else self.url

    @property
    def citations(self) -> tuple[Citation, ...]:
        """What an answer cites that rests on it."""
        return (Citation(url=self.address, quote=self.quote),)


class CodeRun(msgspec.Struct, frozen=True, kw_only=True):
    """One run of code in a walk."""

    step: int
    code: str
    inputs: tuple[str, ...]
    """What each variable was, "f1: 256 KiB"."""
    output: str = ""
    failure: str = ""
    """Why it gave nothing, in one line; "" where it did."""


class ComputedFinding(Finding, frozen=True, kw_only=True):
    """A finding that code made of others: `text` is its output, `quote` joins the quotes of what it was made of."""

    code: str
    inputs: tuple[str, ...]
    """What each variable was, "f1: 256 KiB"."""
    sources: tuple[Citation, ...]
    """Where the inputs stand."""

    @property
    def citations(self) -> tuple[Citation, ...]:
        """Those of its inputs: the output stands on no page."""
        return self.sources


def citations_of(findings: Iterable[Finding]) -> tuple[Citation, ...]:
    """What an answer cites that rests on these findings; of computed ones only what the others do not cite already."""
    given = list(findings)
    plain = [one for finding in given if not isinstance(finding, ComputedFinding) for one in finding.citations]
    below = [one for finding in given if isinstance(finding, ComputedFinding) for one in finding.citations]
    return (*plain, *(one for one in dict.fromkeys(below) if one not in plain))


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """One item to count, as a page writes it; `key` is its exact identity where the page gives one (a URL)."""

    name: str
    page_url: str
    step: int
    quote: str = ""
    key: str = ""
    value: str = ""
    """What was asked of it besides its name, such as its size; "" where nothing was, or is not known."""

    @property
    def told(self) -> str:
        """The name, with the value behind it where there is one."""
        return f"{self.name} ({self.value})" if self.value else self.name


class Findings(msgspec.Struct, frozen=True, kw_only=True):
    """What the critic extracted from one page."""

    relevance: float = 0.0
    """Relevance of the page to the question, 0..1: the semantic part of the understanding score."""
    findings: tuple[Finding, ...] = ()
    items: tuple[Item, ...] = ()
    list_total: int = 0
    """The total that the page states ("1-20 of 57"); 0 where it states none."""
    list_continues: bool = False
    """The list continues on another page."""
    list_ended: bool = False
    """This page contains the counted list, and the list ends here."""
    gist: str = ""
    """The page's text as it was shown: kept in the walk's memory for when this page is recalled."""
    note: str = ""
    """Why these findings come from a fallback instead of the configured critic, "" where they do not."""
    refused: tuple[str, ...] = ()
    """What a model named and was not taken, and why, a line each."""
    is_enough: bool | msgspec.UnsetType = msgspec.UNSET
    """A model that read the page says that all that was asked for is found, here and before; unset where none says so, which is not in
    the recorded form."""


SENTENCES = 5
"""Most sentences of a summary (SenseSearch)."""


class PageSummary(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A page, or all pages of a search, summarised for a goal."""

    goal: str
    """What was looked for: what the critic found missing, else the question."""
    rationale: str = ""
    """Why the page bears on the goal, or does not, in a sentence."""
    evidence: tuple[str, ...] = ()
    """Quotes that stand on the page."""
    summary: str = ""
    """At most `SENTENCES` sentences; "" where the page says nothing about the goal."""
    by: Literal["sentences", "model"] = "sentences"
    """Chosen from the page's own sentences, or written by a model."""
    note: str = ""
    """Why a model that was asked did not write it."""


msgspec.json.Decoder(Findings)  # described at import: docs/design/msgspec.md
msgspec.json.Decoder(PageSummary)  # described at import: docs/design/msgspec.md
msgspec.json.Decoder(Finding)  # described at import: docs/design/msgspec.md
msgspec.json.Decoder(Candidate)  # described at import: docs/design/msgspec.md
