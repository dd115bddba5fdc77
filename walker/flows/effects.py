"""Whether a step brought about what it has to."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from memory.url_key import same_site
from walker.crawl.script.patterns import Pattern
from walker.flows.script import Effect, Fingerprint, FlowStep, filled
from walker.flows.shown_page import ShownPage, address_of, one_form

ALIKE = 0.5
"""Share 0..1 of lines from which a page is the one that it was. Two of the 50 pages of the bundled site have at most 0.18 in common;
with a paragraph written anew, 97 of 98 pages are at 0.6 and above (the other one has two lines)."""


class Mismatch(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that is not as a step expects it."""

    what: str
    expected: str
    got: str

    @property
    def line(self) -> str:
        """For a person."""
        return f"{self.what}: expected {self.expected!r}, got {self.got!r}"


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """A step's page against what was expected of it."""

    mismatches: tuple[Mismatch, ...] = ()
    alike: float = 1.0
    """How like the page is to what it was, 0..1."""

    @property
    def is_met(self) -> bool:
        """Whether all is as expected."""
        return not self.mismatches

    @property
    def is_moved(self) -> bool:
        """Whether it is the same page all the same: its address or its heading alone is another."""
        kinds = {one.what for one in self.mismatches}
        return len(kinds) == 1 and kinds <= {"address", "heading"} and self.alike >= ALIKE


def judge(step: FlowStep, page: ShownPage, values: Mapping[str, str], start: str) -> Judged:
    """Compare a page with what a step expects of it."""
    effect, found = step.expect, []
    if page.snapshot.status >= 400:
        found.append(Mismatch(what="status", expected="a page", got=str(page.snapshot.status)))
    if effect.url and not _is_at(effect.url, page.url, values, start):
        expected = filled(effect.url, values, in_address=True)
        found.append(Mismatch(what="address", expected=expected, got=address_of(page.url, start)))
    heading = filled(effect.heading, values)
    if heading and one_form(heading) not in map(one_form, page.headings):
        found.append(Mismatch(what="heading", expected=heading, got=next(iter(page.headings), "")))
    texts = (filled(text, values) for text in effect.text)
    found += [
        Mismatch(what="text", expected=text, got="not on the page")
        for text in texts
        if one_form(text) not in page.visible
    ]
    return Judged(mismatches=tuple(found), alike=alike(step.page, page.fingerprint))


def alike(one: Fingerprint, other: Fingerprint) -> float:
    """The share 0..1 of lines that two pages have in common, estimated; 1 where nothing is known of one."""
    first, second = set(one.lines.split()), set(other.lines.split())
    if not first or not second:
        return 1.0 if not first or one.headings == other.headings else 0.0
    smallest = sorted(first | second)[: max(len(first), len(second))]
    return round(sum(line in first and line in second for line in smallest) / len(smallest), 2)


def effect_of(page: ShownPage, start: str, text: tuple[str, ...] = ()) -> Effect:
    """What a page that a step led to is recognised by."""
    return Effect(url=_as_pattern(address_of(page.url, start)), heading=next(iter(page.headings), ""), text=text)


def _is_at(pattern: str, url: str, values: Mapping[str, str], start: str) -> bool:
    whole = filled(pattern, values, in_address=True)
    return Pattern(whole).matches(url) and ("://" in whole or same_site(url, start))


def _as_pattern(address: str) -> str:
    """An address that is compared as it is."""
    return address.replace("*", "%2A")
