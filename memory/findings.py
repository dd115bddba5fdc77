"""What was learned where."""

from __future__ import annotations

import msgspec


class Citation(msgspec.Struct, frozen=True, kw_only=True):
    """A verbatim quote and the page it stands on."""

    url: str
    quote: str


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """A passage that bears on the question. `text` is what it says ("256 KiB"), `quote` the verbatim passage."""

    text: str
    quote: str
    url: str
    step: int
    score: float
    """Confidence 0..1 that this answers `part`."""
    part: int = 0
    """Which part of the question it bears on, from 0."""


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """One thing to be counted, as it stands on a page; `key` is its exact identity where the page gives one (a URL)."""

    name: str
    page_url: str
    step: int
    quote: str = ""
    key: str = ""


class Findings(msgspec.Struct, frozen=True, kw_only=True):
    """What the critic kept of one page."""

    relevance: float = 0.0
    """How much of the page bears on the question, 0..1: the semantic part of the understanding score."""
    findings: tuple[Finding, ...] = ()
    items: tuple[Item, ...] = ()
    list_total: int = 0
    """How many there are in all, where the page itself says so ("1-20 of 57"); 0 where it does not."""
    list_continues: bool = False
    """The list goes on beyond this page."""
    list_ended: bool = False
    """This page holds the counted list, and the list ends here."""
    gist: str = ""
    """The passages that bore on the question, in short: kept in the walk's memory for who looks back at this page."""
    note: str = ""
    """Why these findings are not those of the mind that was asked, "" where they are."""
