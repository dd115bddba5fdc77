"""Strips of navigation and footer lines without a landmark or a name: what leads and ends a page beside its text."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

import msgspec

from perception.document.dom import Element
from perception.document.link_density import CLEAR_NAVIGATION, LONGEST_LABEL, letters_in
from perception.document.page_text import Mark, PageText
from perception.observation import Block, Region

PROSE_LETTERS = 60
"""Letters outside of links from which a block is text of the page, so that navigation above it is over."""
LEAST_TEXT = 200
"""Letters outside of links that must follow a strip: links alone are what an index page is about."""
FIRST_BLOCKS, LAST_BLOCKS = 200, 40
"""Blocks of the main text that are looked into from either end."""
MOST_LINKS = 12
"""A longer run of links is rather a list of the page than a strip."""
LONGEST_LINE = 300
"""Characters of the longest line at the end of a page that tells of its rights or its making."""
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_WHOLE = ("body", "html", "main", "article")
"""Parts of a page that are more than its end."""
_DIRECTION = re.compile(
    r"^\W*(?:prev(?:ious)?|next|up|home|top|index|contents|table of contents|back(?: to .*)?"
    r"|zurück|weiter|nächste\w*|vorherige\w*|hoch|inhalt\w*|suivante?|précédente?|accueil|sommaire"
    r"|siguiente|anterior|inicio|arriba|próxim[ao]|início|seguinte|avanti|indietro"
    r"|上一[页頁节章篇]|下一[页頁节章篇]|上页|下页|返回\S{0,6}|首[页頁]|目[录錄次]"
    r"|前へ|次へ|戻る|トップ\S{0,4}|이전|다음|처음|назад|вперёд|далее|содержание)"
    r"(?=\W|\d|[A-Z\u4e00-\u9fff]|$)",
    re.IGNORECASE,
)
_LINE = re.compile(
    r"^\W*(?:©|\(c\)\s*(?:19|20)\d\d|copyright\b.{0,20}?(?:©|\(c\)|(?:19|20)\d\d)|powered by\b"
    r"|(?:this )?(?:page|document|site)? ?(?:was )?(?:last )?(?:updated|modified|changed|generated|built|hosted) "
    r"(?:on|by|with|using|at|in|:|\d)"
    r"|last (?:update|change|modified)\b|最后(?:更新|修改)|最終更新|技术支持|letzte (?:änderung|aktualisierung))"
    r"|all rights reserved|版权所有|版權所有|ICP\s*[备证]|alle rechte vorbehalten|tous droits réservés"
    r"|todos los derechos reservados|todos os direitos reservados",
    re.IGNORECASE,
)


def mark_strips(page: PageText) -> None:
    """Give strips of links at both ends of the main text, and the lines of the page's end, their region."""
    reader = _Strips(page)
    if not reader.has_text():
        return
    strips: dict[int, Region] = {**dict.fromkeys(reader.leading(), "nav"), **reader.trailing()}
    for place, region in strips.items():
        # The last heading of the text is none of theirs.
        page.blocks[place] = msgspec.structs.replace(page.blocks[place], region=region, headings=())
    _mark_lists(page, strips)


class _Strips:
    """Reads the ends of a page's main text; a block is looked into only where it may belong to a strip."""

    def __init__(self, page: PageText) -> None:
        self._page, self._blocks = page, page.blocks
        self._main = [place for place, block in enumerate(page.blocks) if block.region == "main" and not block.hidden]
        self._first, self._last = self._main[:FIRST_BLOCKS], self._main[-LAST_BLOCKS:]
        wanted = {page.blocks[place].id for place in (*self._first, *self._last)}
        self._links = _links_by_block(page.marks, wanted)

    def has_text(self) -> bool:
        """Whether the page is about more than its links."""
        letters = 0
        for place in self._first:
            letters += self._plain(place)
            if letters >= LEAST_TEXT:
                return True
        return False

    def leading(self) -> list[int]:
        """Links above the first heading or prose of the main text; those of an entry that has text of its own belong to it."""
        found = []
        entries = self._entries()
        for place in self._first:
            if self._is_text(place) or any(place in entry for entry in entries):
                break
            if self._is_strip(place):
                found.append(place)
        return found if sum(len(self._labels(place)) for place in found) <= MOST_LINKS else []

    def _entries(self) -> list[range]:
        """The first card of each row of cards at the page's beginning, and the first entry of each list, where text stands in it."""
        last = self._first[-1] if self._first else -1
        firsts = [group[0] for _, group in self._page.card_groups]
        lists = (span.children or [] for span in self._page.lists if span.tag in ("ul", "ol"))
        firsts += [entries[0] for entries in lists if len(entries) > 2]
        ranges = (
            range(span.first_block, span.last_block) for span in firsts if span.breaks and span.first_block <= last
        )
        return [places for places in ranges if len(places) > 1 and not all(map(self._is_strip, places))]

    def trailing(self) -> dict[int, Region]:
        """Footer lines below the last prose, and links where they say directions; those of an index page's list do not."""
        strips: list[int] = []
        lines: list[int] = []
        for place in reversed(self._last):
            if _is_line(self._blocks[place]):
                lines.append(place)
            elif not self._is_text(place) and self._is_strip(place):
                strips.append(place)
            else:
                break
        found: dict[int, Region] = dict.fromkeys(lines, "footer")
        labels = [label for place in strips for label in self._labels(place)]
        directions = sum(bool(_DIRECTION.match(label)) or not letters_in(label) for label in labels)
        directions += sum(bool(_DIRECTION.match(self._blocks[place].text)) for place in strips)
        if len(labels) <= MOST_LINKS and directions * 2 >= len(labels):
            found |= dict.fromkeys(strips, "nav")
        elif len(labels) <= MOST_LINKS and lines:
            found |= dict.fromkeys(self._beside(strips, lines), "footer")
        return found

    def _beside(self, strips: Sequence[int], lines: Sequence[int]) -> list[int]:
        """The strips that stand with a footer line in a part of the page that no heading is in."""
        told = [self._blocks[place].text for place in lines]
        return [
            place
            for place in strips
            if any(_shares_part(mark.element, told) for mark in self._links[self._blocks[place].id][:1])
        ]

    def _labels(self, place: int) -> list[str]:
        block = self._blocks[place]
        return [block.text[mark.text_start : mark.text_end] for mark in self._links.get(block.id, ())]

    def _plain(self, place: int) -> int:
        """Letters of a block outside of links."""
        return letters_in(self._blocks[place].text) - letters_in("".join(self._labels(place)))

    def _is_text(self, place: int) -> bool:
        block = self._blocks[place]
        return block.kind in ("heading", "code", "row", "definition", "quote") or self._plain(place) >= PROSE_LETTERS

    def _is_strip(self, place: int) -> bool:
        """Whether a block is links and what separates them."""
        labels = self._labels(place)
        if not labels:
            return False
        linked = letters_in("".join(labels))
        words = letters_in("".join(word for word in self._blocks[place].text.split() if not _DIRECTION.match(word)))
        return linked >= CLEAR_NAVIGATION * words and linked <= LONGEST_LABEL * len(labels)


def _shares_part(link: Element, lines: Sequence[str]) -> bool:
    """Whether the smallest part of a page that holds a link and one of these lines is none of its text."""
    for part in link.iterancestors():
        if part.tag in _WHOLE:
            return False
        text = " ".join("".join(part.itertext()).split())
        if any(line in text for line in lines):
            return next(part.iter(*_HEADINGS), None) is None
    return False


def _links_by_block(marks: Sequence[Mark], wanted: Set[int]) -> dict[int, list[Mark]]:
    links: dict[int, list[Mark]] = {}
    for mark in marks:
        if mark.kind == "a" and mark.block in wanted and mark.text_end > mark.text_start and mark.element.get("href"):
            links.setdefault(mark.block, []).append(mark)
    return links


def _is_line(block: Block) -> bool:
    return block.kind != "heading" and len(block.text) <= LONGEST_LINE and _LINE.search(block.text) is not None


def _mark_lists(page: PageText, strips: dict[int, Region]) -> None:
    """A list, or a row of cards, whose every block became navigation is navigation itself."""
    if not strips:
        return
    groups = ([span] for span in page.lists)
    for spans in (*groups, *(cards for _, cards in page.card_groups)):
        places = {place for span in spans for place in range(span.first_block, span.last_block)}
        if places and places <= strips.keys():
            for span in spans:
                span.region, span.headings = strips[min(places)], ()
