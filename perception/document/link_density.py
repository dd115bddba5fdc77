"""How much of an element's text is links: navigation is nearly all of it, prose nearly none."""

from __future__ import annotations

import re
from typing import NamedTuple

from perception.document.dom import Element

LEAST_NAVIGATION = 0.5
"""Share of link letters from which a part named like navigation is navigation."""
CLEAR_NAVIGATION = 0.7
"""The same for a part that is only named somewhat like it, or not at all."""
LONGEST_LABEL = 45
"""Letters; labels of menus are words, those of an index of articles are sentences."""
_SEPARATORS = re.compile(r"[\s|/\\\[\]()<>{}·•»«›‹→←↑↓>:;,.\-–—0-9]+")
_UNREAD = ("script", "style", "template", "noscript", "select", "textarea")


class LinkDensity(NamedTuple):
    """Letters (separators and digits do not count) of a part of a page, those within links, and the number of links."""

    letters: int
    linked: int
    links: int

    @property
    def share(self) -> float:
        """Letters in links of all letters, 0..1; 0 without letters."""
        return self.linked / self.letters if self.letters else 0.0

    @property
    def has_short_labels(self) -> bool:
        """Whether its links are as short as those of menus."""
        return self.links > 0 and self.linked <= LONGEST_LABEL * self.links


def letters_in(text: str) -> int:
    """Letters of a text without what separates links."""
    return len(_SEPARATORS.sub("", text))


def density_of(element: Element) -> LinkDensity:
    """The link density of an element with all that is in it."""
    unread = sum(letters_in("".join(part.itertext())) for part in element.iter(*_UNREAD))
    labels = ["".join(link.itertext()) for link in element.iter("a") if link.get("href")]
    letters = letters_in("".join(element.itertext())) - unread
    return LinkDensity(max(0, letters), letters_in("".join(labels)), len(labels))
