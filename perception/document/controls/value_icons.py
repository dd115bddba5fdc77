"""Icons within entries of lists, cards and rows that stand for a value of theirs, such as the type of each."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import lru_cache

from perception.document.controls.icon_names import likely_name, stated_name
from perception.document.dom import Element

ICONS_AT_MOST = 4_000
LEVELS = 6
"""Elements around an icon in which its entry is sought."""
LEAST_ENTRIES = 3
LARGEST = 64
"""Pixels of an icon's declared size; what is larger is a picture of the entry."""
MOST_WORDS = 4
SHARED_LEAST = 1 / 3
"""Share of the icons of one place in entries that more than one entry has, from which all icons of this place are values."""
_DIRECTIONS = frozenset(
    "chevron caret angle arrow arrows triangle plus minus bars menu close times ellipsis dots external next previous prev up down left"
    " right search link anchor share print edit sort default avatar noimage toggle expand collapse bullet hamburger".split()
)
"""Words of icons that show what can be done, and of those that keep a picture's place."""
_AROUND = frozenset(("nav", "header", "footer", "button", "summary", "label"))

_Shape = tuple[Element, str, str]
"""The parent of siblings, their tag and their class."""
_Place = tuple[str, str, str]
"""The tag of an icon, and the tag and the class of the element in which it stands."""


def find_value_icons(body: Element) -> dict[Element, str]:
    """By icon (img, svg, i or span) what it says, guessed names marked so. It stands for a value where entries of one kind differ by
    it: several have it and others have not. What each has is decoration, and what one alone has is its own picture, unless many of
    those in its place are values: of few entries one alone may be of its type."""
    entries: dict[_Shape, dict[str, set[Element]]] = defaultdict(lambda: defaultdict(set))
    found: dict[Element, tuple[str, list[tuple[_Shape, _Place]]]] = {}
    counted = lru_cache(maxsize=None)(_count)
    for icon in body.iter("img", "svg", "i", "span"):
        if len(found) >= ICONS_AT_MOST:
            break
        if not _may_be_icon(icon) or not (name := _name(icon)):
            continue
        around = [
            ((above.getparent(), above.tag, above.get("class") or ""), above)
            for above in _above(icon)
            if above.getparent() is not None
            and counted(above.getparent(), above.tag, above.get("class") or "") >= LEAST_ENTRIES
        ]
        for shape, entry in around:
            entries[shape][name].add(entry)
        place = _place(icon)
        found[icon] = (name, [(shape, place) for shape, _ in around])

    def is_shared(name: str, shape: _Shape, least: int = 2) -> bool:
        return least <= len(entries[shape][name]) < counted(*shape)

    icons = Counter(slot for _, slots in found.values() for slot in slots)
    shared = Counter(slot for name, slots in found.values() for slot in slots if is_shared(name, slot[0]))
    of_values = {slot for slot, count in icons.items() if shared[slot] >= SHARED_LEAST * count}
    return {
        icon: name
        for icon, (name, slots) in found.items()
        if any(is_shared(name, slot[0], 1 if slot in of_values else 2) for slot in slots)
    }


def _place(icon: Element) -> _Place:
    parent = icon.getparent()
    return (icon.tag, "", "") if parent is None else (icon.tag, parent.tag, parent.get("class") or "")


def _may_be_icon(element: Element) -> bool:
    """Whether it is small and has no text of its own."""
    if element.tag in ("i", "span"):
        return len(element) == 0 and not (element.text or "").strip() and bool(element.keys())
    return all(not (size := _pixels(element.get(side) or "")) or size <= LARGEST for side in ("width", "height"))


def _pixels(size: str) -> int:
    digits = size.strip().removesuffix("px")
    return int(digits) if digits.isdecimal() else 0


def _name(icon: Element) -> str:
    if stated := stated_name(icon):
        return stated if len(stated.split()) <= MOST_WORDS else ""
    guessed = likely_name(icon)
    return f"(icon: {guessed})" if guessed and _DIRECTIONS.isdisjoint(guessed.casefold().split()) else ""


def _above(icon: Element) -> list[Element]:
    """The elements around an icon, the nearest first; none where it is part of navigation or of a control."""
    above: list[Element] = []
    for element in icon.iterancestors():
        if element.tag in _AROUND or (element.get("role") or "") in ("navigation", "button", "menuitem", "tab"):
            return []
        if len(above) < LEVELS:
            above.append(element)
    return above


def _count(parent: Element, tag: str, names: str) -> int:
    return sum(child.tag == tag and (child.get("class") or "") == names for child in parent)
