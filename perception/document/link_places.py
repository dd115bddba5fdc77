"""Where the labels of links stand in the text of their block, in characters; and links that lead to where they stand."""

from __future__ import annotations

from collections.abc import Sequence

from perception.document.dom import Element
from perception.document.page_text import Mark
from perception.document.tags import HEADINGS
from perception.observation import Block


def place_labels(links: Sequence[Mark], fragments: Sequence[str], within: tuple[int, int]) -> None:
    """Set the ranges of links, in document order, of a block made of these fragments with white space collapsed."""
    begins, ends = within
    length, gap = 0, False
    if len(links) == 1 and links[0].end >= 0 and not "".join(fragments[begins : links[0].start]).strip():
        # Most links of a page begin their block.
        links[0].text_end = len(" ".join("".join(fragments[links[0].start : min(links[0].end, ends)]).split()))
        return
    for link in links:
        first = max(begins, link.start)
        length, gap = _beyond("".join(fragments[begins:first]), length, gap=gap)
        begins = max(begins, min(link.end, ends) if link.end >= 0 else ends)
        label = "".join(fragments[first:begins])
        words = len(" ".join(label.split()))
        length, gap = _beyond(label, length, gap=gap)
        link.text_start, link.text_end = length - words, length


def place_code_labels(links: Sequence[Mark], fragments: Sequence[str], within: tuple[int, int]) -> None:
    """The same for a block of code, which keeps its white space but for the lines around it."""
    begins, ends = within
    raw = "".join(fragments[begins:ends])
    length = len(raw.lstrip("\r\n")) - len(raw)
    for link in links:
        first = max(begins, link.start)
        length += sum(map(len, fragments[begins:first]))
        begins = max(begins, min(link.end, ends) if link.end >= 0 else ends)
        label = "".join(fragments[first:begins])
        indent = len(label) - len(label.lstrip())
        link.text_start = max(0, length + indent)
        link.text_end = max(link.text_start, length + len(label.rstrip()))
        length += len(label)


def moves_on(mark: Mark, blocks: Sequence[Block], *, is_heading: bool) -> bool:
    """Whether a link that has begun above is still open and stands better in the last of these blocks: in its first heading, and where
    it is seen."""
    if mark.kind != "a" or mark.end >= 0:
        return False
    before, here = blocks[mark.block - 1], blocks[-1]
    if before.hidden != here.hidden:
        return before.hidden
    return is_heading and before.kind != "heading"


def _beyond(piece: str, length: int, *, gap: bool) -> tuple[int, bool]:
    """Length of a text with white space collapsed after one more piece of it, and whether a space is to follow."""
    words = " ".join(piece.split())
    if not words:
        return length, gap or bool(piece)
    is_apart = length > 0 and (gap or piece[0].isspace())
    return length + is_apart + len(words), piece[-1].isspace()


def leads_to_its_heading(link: Element) -> bool:
    """Whether a link in a heading leads to this heading, and there is more of it than the link ("Boats Permalink")."""
    parent = link.getparent()
    heading = parent if parent is not None and parent.tag in HEADINGS else None
    if heading is None and parent is not None and (above := parent.getparent()) is not None and above.tag in HEADINGS:
        heading = above
    if heading is None:
        return False
    outer = heading.getparent()
    names = {heading.get("id"), link.get("id"), link.get("name"), outer.get("id") if outer is not None else None}
    if link.get("href", "")[1:] not in names - {None, ""}:
        return False
    label, whole = ("".join(one.itertext()).strip() for one in (link, heading))
    return len(label) < len(whole)
