"""What a control is called: by its words, its labels, its icon, or what it opens."""

from __future__ import annotations

import re

from perception.document.dom import Element, text_in

NAME_CHARS = 120
_ICON = re.compile(
    r"^(?:fa|fas|far|bi|icon|icons|glyphicon|mdi|material-icons|oi|ti|ri|la|ico|i|svg|octicon|codicon|lucide)[-_]+([a-z][a-z0-9_-]*)$"
)
_NO_ICON = frozenset(
    "solid regular brands fw lg sm xs spin stack 2x 3x 4x 5x inverse button btn wrapper container only".split()
)
_IDS_AT_MOST = 5
_LOOKED_UP = 9
_ATTRIBUTES = ("aria-label", "placeholder", "title", "alt", "data-original-title", "data-bs-original-title")


class ElementsById:
    """The elements of a page by id; `root` is the page's."""

    def __init__(self, element: Element) -> None:
        self.root = element.getroottree().getroot()
        self._found: dict[str, Element | None] = {}
        self._is_whole = False

    def get(self, number: str) -> Element | None:
        """The first element with that id."""
        if number not in self._found and not self._is_whole:
            self._look_up(number)
        return self._found.get(number)

    def _look_up(self, number: str) -> None:
        """Find one id, or, from the tenth on, all of the page: most pages ask for few."""
        if len(self._found) < _LOOKED_UP:
            found = self.root.xpath("//@id[.=$number]/..", number=number)
            self._found[number] = found[0] if found else None
            return
        self._is_whole = True
        for element in reversed(self.root.xpath("//@id/..")):
            self._found[element.get("id")] = element

    def all_of(self, numbers: str | None) -> list[Element]:
        """The elements of a list of ids as `aria-controls` has it; "#" before them is ignored."""
        words = (numbers or "").split()[:_IDS_AT_MOST]
        return [found for word in words if (found := self.get(word.lstrip("#"))) is not None]


def own_name(element: Element, ids: ElementsById) -> str:
    """The name that an element carries itself: its words, else labels and attributes, else its picture or icon; "" for none."""
    if element.tag not in ("input", "select", "textarea") and (text := text_in(element)):
        return text[:NAME_CHARS]
    if named := " ".join(filter(None, map(text_in, ids.all_of(element.get("aria-labelledby"))))):
        return named[:NAME_CHARS]
    for name in (*_ATTRIBUTES, *(("value",) if element.get("type") in ("submit", "button", "reset") else ())):
        if value := _words(element.get(name)):
            return value
    return _picture_name(element)


def _picture_name(element: Element) -> str:
    for part in element.iter("img", "svg", "use", "i", "span", "title"):
        for name in ("alt", "aria-label", "title"):
            if value := _words(part.get(name)):
                return value
        if part.tag == "title" and (text := text_in(part)):
            return text[:NAME_CHARS]
    for part in element.iter("use", "i", "span", "svg", "button", "a"):
        link = part.get("href") or part.get("{http://www.w3.org/1999/xlink}href") or part.get("xlink:href") or ""
        if part.tag == "use" and "#" in link:
            return _spoken(link.rpartition("#")[2].removeprefix("icon-"))
        for word in (part.get("class") or "").lower().split():
            match = _ICON.match(word)
            if match and match[1] not in _NO_ICON:
                return _spoken(match[1])
    return ""


def _spoken(name: str) -> str:
    return " ".join(re.split(r"[-_]+", name)).strip()[:NAME_CHARS]


def _words(value: str | None) -> str:
    return " ".join((value or "").split())[:NAME_CHARS]
