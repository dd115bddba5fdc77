"""What pictures and icons are called: by the words that the page gives them, else by the name of their class or file."""

from __future__ import annotations

import re
from collections.abc import Iterable

from perception.document.dom import Element, text_in

NAME_CHARS = 80
_ICON = re.compile(
    r"^(?:fa|fas|far|fab|icon|icons|bi|ti|mdi|ri|octicon|glyphicon|lni|simple-icons|ico|lucide|codicon)-(?=[a-z])"
)
_ICON_STYLES = frozenset(
    "solid brands regular light fw lg md sm xs xl 2x 3x stack inverse spin primary secondary success info warning danger dark small"
    " large medium".split()
)
_ICON_FILE = re.compile(r"(?:/|^|#)((?:[A-Za-z]{2,}[-_]?){1,3})(?:\.(?:svg|png|gif|webp|ico|jpe?g))?$")
"""Names of words; digests and numbers say nothing."""
_VARIANT = re.compile(r"(?:-{1,2}|_{1,2})([a-z]{3,}(?:-[a-z]{2,})?)$")
_XLINK = ("{http://www.w3.org/1999/xlink}href", "xlink:href")
_BLANK_FILE = re.compile(r"spacer|blank|pixel|transparent|placeholder|loading", re.IGNORECASE)
"""Files of pictures that keep a place and show nothing."""
_DRAWN = ("img", "svg", "i", "span")


def stated_name(picture: Element) -> str:
    """The words that a page gives for a picture or an icon (img, svg, i, span): alternative text, label or title; "" for none."""
    for name in ("alt", "aria-label", "title"):
        if value := " ".join((picture.get(name) or "").split()):
            return value[:NAME_CHARS]
    return text_in(picture.find("title"))[:NAME_CHARS] if picture.tag == "svg" else ""


def likely_name(element: Element) -> str:
    """What an icon in an element shows, as far as its class or its file says so: "github" for `fa fa-github` or `img/github.svg`."""
    for inner in element.iter("i", "span", "use", "img", "svg"):
        classes = (inner.get("class") or "").split()
        named = [name for word in classes if (name := _ICON.sub("", word)) != word and name not in _ICON_STYLES]
        named = named or _variants(classes)
        if named:
            return named[-1].replace("-", " ")
        source = (
            inner.get("src")
            or inner.get("href")
            or next((inner.get(name) or "" for name in _XLINK if inner.get(name)), "")
        )
        if (match := _ICON_FILE.search(source.partition("?")[0])) and not _BLANK_FILE.search(match[1]):
            return re.sub(r"^icon[-_]|[-_]", " ", match[1]).strip()
    return ""


def _variants(classes: Iterable[str]) -> list[str]:
    """What classes add to another of the same element: "fire" for `type type-fire` or `type type--fire`."""
    known = tuple(classes)
    found = (_VARIANT.match(name[len(base) :]) for base in known for name in known if name.startswith(base))
    return [match[1] for match in found if match and match[1] not in _ICON_STYLES]


def value_of(picture: Element) -> str:
    """What a picture says that stands for a value; a name that is guessed from a class or a file is marked so."""
    if stated := stated_name(picture):
        return stated
    guessed = likely_name(picture)
    return f"(icon: {guessed})" if guessed else ""


def values_in(cell: Element) -> str:
    """What the pictures of a cell without a text say, each name once; those in links are named with the link."""
    names = (value_of(picture) for picture in cell.iter(*_DRAWN) if not _is_linked(picture, cell))
    return ", ".join(dict.fromkeys(_counted([name for name in names if name])))


def _counted(names: list[str]) -> Iterable[str]:
    """Names with how often they stand there, as stars of a rating do."""
    return (f"{name} ×{names.count(name)}" if names.count(name) > 1 else name for name in names)


def _is_linked(picture: Element, within: Element) -> bool:
    for above in picture.iterancestors():
        if above is within:
            return False
        if above.tag == "a" and above.get("href"):
            return True
    return False
