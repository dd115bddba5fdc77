"""What a language has to be able to ask. Questions come with their question mark; `place` is a phrase of the same language that names
a page, made by `page` or `page_of`."""

from __future__ import annotations

from typing import Literal, Protocol

from evaluation.building.facts.fact import Ascribed, Day, Fact, Link, Textual


class Wording(Protocol):
    """The questions of one language."""

    def page(self, name: str) -> str:
        """The page of that name."""
        ...

    def page_of(self, link: Link, place: str) -> str:
        """The page of the thing that a fact of another page names."""
        ...

    def thing_of(self, link: Link, place: str) -> str:
        """The thing itself: the value after a label, the row with a value, the entry with a description, at a place of a list ..."""
        ...

    def ask_same(self, thing: str, fact: Ascribed, place: str) -> str:
        """The question what a page says of a thing that `thing_of` tells by another page, without its name."""
        ...

    def ask(self, fact: Fact, place: str) -> str:
        """The question for a fact."""
        ...

    def ask_about(self, fact: Textual, subject: str) -> str:
        """The question for a fact about its subject that is named in other words."""
        ...

    def both(self, first: str, second: str) -> str:
        """Two questions as one."""
        ...

    def which_date(self, dated: Day, which: Literal["earlier", "later"], first: str, second: str) -> str:
        """Which of two pages bears the earlier or later date, and which date that is."""
        ...

    def days_between(self, dated: Day, first: str, second: str) -> str:
        """The number of days between the dates of two pages."""
        ...

    def days(self, count: int) -> tuple[str, ...]:
        """The answer to that: the number alone, and with its unit."""
        ...

    def larger(self, label: str, first: str, second: str) -> str:
        """The larger of two figures under the same label."""
        ...

    def together(self, heading: str, first: str, second: str) -> str:
        """The number of entries of two lists under the same heading."""
        ...

    def shared(self, heading: str, first: str, second: str) -> str:
        """The only entry of both lists."""
        ...
