"""What a page states, in the forms that can be asked for."""

from __future__ import annotations

from typing import Literal

import msgspec

from evaluation.metrics.rates import plain


class Stated(msgspec.Struct, frozen=True, kw_only=True):
    """A short `value` on a page (its key), and the verbatim text of the page that states it."""

    page: str
    value: str
    quote: str

    @property
    def asked(self) -> tuple[str, ...]:
        """What a question about it names besides the page; two facts of a page with the same are ambiguous."""
        raise NotImplementedError


class Cell(Stated, frozen=True, kw_only=True):
    """A table cell: the value in the column of the row."""

    row: str
    column: str

    @property
    def asked(self) -> tuple[str, ...]:
        return "cell", self.row, self.column


class Entered(Stated, frozen=True, kw_only=True):
    """A table cell whose value names something; it leads to that, and is never asked for itself."""

    row: str
    column: str

    @property
    def asked(self) -> tuple[str, ...]:
        return "entered", self.row, self.column


class Given(Stated, frozen=True, kw_only=True):
    """The value after a label: a definition, a row of two cells, a line "label: value"."""

    label: str
    by: Literal["markup", "colon"] = "markup"
    """What makes it a label: a list or table, or only the colon after it, which may as well be in a title."""

    @property
    def asked(self) -> tuple[str, ...]:
        return "given", self.label


class Dated(Stated, frozen=True, kw_only=True):
    """The only date of an entry in a list."""

    entry: str

    @property
    def asked(self) -> tuple[str, ...]:
        return "dated", self.entry


class Headed(Stated, frozen=True, kw_only=True):
    """The date right below the page's title."""

    @property
    def asked(self) -> tuple[str, ...]:
        return ("headed",)


class Hours(Stated, frozen=True, kw_only=True):
    """The only span of time of the page: "16:00 - 16:25"."""

    @property
    def asked(self) -> tuple[str, ...]:
        return ("hours",)


class Default(Stated, frozen=True, kw_only=True):
    """The default value of an option."""

    option: str

    @property
    def asked(self) -> tuple[str, ...]:
        return "default", self.option


class Expansion(Stated, frozen=True, kw_only=True):
    """The words that an abbreviation stands for."""

    short: str

    @property
    def asked(self) -> tuple[str, ...]:
        return "expansion", self.short


class Described(Stated, frozen=True, kw_only=True):
    """The term (the value) that a description belongs to."""

    description: str

    @property
    def asked(self) -> tuple[str, ...]:
        return "described", self.description


class Meaning(Stated, frozen=True, kw_only=True):
    """The short explanation (the value) of a term."""

    term: str

    @property
    def asked(self) -> tuple[str, ...]:
        return "meaning", self.term


class Listed(Stated, frozen=True, kw_only=True):
    """The number of entries (the value) of the only list under a heading. The quote reaches from the heading to the line after the
    list, so that it stands on the page no longer when an entry comes or goes."""

    heading: str
    entries: tuple[str, ...]

    @property
    def asked(self) -> tuple[str, ...]:
        return "listed", self.heading


class Placed(Stated, frozen=True, kw_only=True):
    """The entry (the value) at a place of a counted list; the quote is that of the list."""

    heading: str
    place: Literal["first", "second", "third", "last"]

    @property
    def asked(self) -> tuple[str, ...]:
        return "placed", self.heading, self.place


class Extreme(Stated, frozen=True, kw_only=True):
    """The row (the value) with the highest or lowest number in a column. The quote is the whole table."""

    column: str
    which: Literal["highest", "lowest"]

    @property
    def asked(self) -> tuple[str, ...]:
        return "extreme", self.column, self.which


class Happened(Stated, frozen=True, kw_only=True):
    """The year in which something was founded, published ...; `verb` in the words of the page."""

    subject: str
    verb: str
    auxiliary: str = ""

    @property
    def asked(self) -> tuple[str, ...]:
        return "happened", self.subject, self.verb


class Amount(Stated, frozen=True, kw_only=True):
    """How many of `unit` the subject has; `verb` is that of the page in the form that the question needs. A subject of "" is the
    page's."""

    subject: str
    verb: str
    unit: str

    @property
    def asked(self) -> tuple[str, ...]:
        return "amount", self.subject, self.unit


class Located(Stated, frozen=True, kw_only=True):
    """The place where something happens or happened; `verb` is the rest of the question in the words of its language."""

    subject: str
    verb: str

    @property
    def asked(self) -> tuple[str, ...]:
        return "located", self.subject


class Marked(Stated, frozen=True, kw_only=True):
    """A property that the page marks up for machines and shows to people (schema.org: the author, the date of publication ...)."""

    prop: Literal["author", "published", "location", "starts", "price", "founded"]

    @property
    def asked(self) -> tuple[str, ...]:
        return "marked", self.prop


class Omitted(Stated, frozen=True, kw_only=True):
    """The label of a link (the value) that stands once in a sentence of the page; `sentence` is that with a mark in its place."""

    sentence: str

    @property
    def asked(self) -> tuple[str, ...]:
        return "omitted", self.sentence


Structural = Cell | Given | Dated | Headed | Hours | Listed | Placed | Extreme | Marked
Textual = Default | Expansion | Described | Meaning | Happened | Amount | Located
Fact = Structural | Textual
Day = Headed | Marked
"""What a page says about its own date; of the marked properties only the date of publication."""
Link = Given | Cell | Entered | Described | Meaning | Placed | Dated | Extreme | Omitted
"""What can lead from one page to another that is about the same thing."""
Ascribed = Cell | Dated | Default | Expansion | Meaning | Listed | Happened | Amount | Located
"""What a page says of a thing that it names."""


def asked_key(fact: Fact) -> tuple[str, ...]:
    """What its question names, normalised."""
    return tuple(plain(part) for part in fact.asked)


def form_of(fact: Stated) -> str:
    """The name of its form."""
    return type(fact).__name__.lower()
