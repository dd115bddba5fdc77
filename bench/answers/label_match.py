"""Which pages a numbered link may lead to, told by its label from the links that the page has."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from answers.comparing import squeezed
from answers.page_parts import Link, PageParts
from answers.prompt_reading import Offered

ELSEWHERE = "off-site"
"""State of links to other sites, which are none of a page's links here."""
CUT = 40
"""Characters from which a label may be a longer one cut short."""


def targets_of(
    offered: Sequence[Offered],
    pages: Sequence[PageParts],
    *,
    known: Mapping[int, str] | None = None,
    named: Callable[[str], str] = str,
) -> dict[int, str]:
    """The target of each number whose label one of the pages' links has. Where several links share a label, numbers and links
    are paired in their order, since both follow the page; `known` says of numbers that were followed where they led. `named`
    gives a page's one path."""
    by_label: dict[str, list[str]] = {}
    for page in pages:
        for link in page.links:
            for form in _forms(link):
                targets = by_label.setdefault(form, [])
                if named(link.target) not in targets:
                    targets.append(named(link.target))
    found: dict[int, str] = {}
    taken: dict[str, int] = {}
    for one in sorted(offered, key=lambda one: one.number):
        if one.number in found or one.state == ELSEWHERE:
            continue
        label = _label_in(one, by_label)
        if label:
            targets = by_label[label]
            place = min(taken.get(label, 0), len(targets) - 1)
            found[one.number] = (known or {}).get(one.number) or targets[place]
            taken[label] = 1 + (targets.index(found[one.number]) if found[one.number] in targets else place)
    return found


def _forms(link: Link) -> Iterator[str]:
    end = link.target.removesuffix("/index.html").rsplit("/", 1)[-1]
    for label in (*link.labels, end):
        if form := squeezed(label):
            yield form
            yield squeezed(f"{label} {end}")


def _label_in(one: Offered, by_label: dict[str, list[str]]) -> str:
    """The longest label that the text ends with, for a number in the text; else the label that the text is."""
    said = squeezed(one.said)
    if not said or (one.in_text and one.said.rstrip().endswith("]")):
        return ""  # a number alone, behind that of another link
    if one.in_text:
        return max((label for label in by_label if said.endswith(label)), key=len, default="")
    if said in by_label:
        return said
    return next((label for label in by_label if len(said) >= CUT and label.startswith(said)), "")
