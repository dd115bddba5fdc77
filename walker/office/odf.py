"""What OpenDocument files have in common: namespaces, title and language, and the texts of paragraphs."""

from __future__ import annotations

from collections.abc import Iterator

from walker.office.parts.office_document import Span
from walker.office.parts.ooxml import TITLE_CHARS, web_address
from walker.office.parts.package import Element, Package
from walker.office.parts.spans import alternative_text
from walker.office.parts.unreadable import Unreadable

_NAMES = "urn:oasis:names:tc:opendocument:xmlns"
OFFICE = f"{{{_NAMES}:office:1.0}}"
TEXT = f"{{{_NAMES}:text:1.0}}"
TABLE = f"{{{_NAMES}:table:1.0}}"
DRAW = f"{{{_NAMES}:drawing:1.0}}"
STYLE = f"{{{_NAMES}:style:1.0}}"
SHOW = f"{{{_NAMES}:presentation:1.0}}"
_SVG = f"{{{_NAMES}:svg-compatible:1.0}}"
_LINK = "{http://www.w3.org/1999/xlink}href"
_DC = "{http://purl.org/dc/elements/1.1/}"
SPACES_AT_MOST = 100
_UNTOLD = (
    f"{OFFICE}annotation",
    f"{OFFICE}annotation-end",
    f"{TEXT}tracked-changes",
    f"{DRAW}frame",
    f"{TEXT}ruby-text",
)


def content_of(package: Package) -> tuple[Element, Element]:
    """The root of the content, and the body of it. Raises `Unreadable`."""
    manifest = package.read("META-INF/manifest.xml")
    if b"encryption-data" in manifest:
        raise Unreadable("it is protected by a password")
    root = package.xml("content.xml")
    body = root.find(f"{OFFICE}body") if root is not None else None
    if root is None or body is None or not len(body):
        raise Unreadable("it is a zip, and holds no document")
    return root, body[0]


def title_and_language(package: Package) -> tuple[str, str]:
    """What the file states of itself, "" for what it does not."""
    root = package.xml("meta.xml")
    if root is None:
        return "", ""
    title, language = root.findtext(f".//{_DC}title") or "", root.findtext(f".//{_DC}language") or ""
    return " ".join(title.split())[:TITLE_CHARS], language[:20]


class NoteCounter:
    """Notes of a text, numbered as it comes to them."""

    def __init__(self) -> None:
        self.notes: list[Element] = []

    def mark(self, note: Element) -> Span:
        """The reference to a note."""
        self.notes.append(note)
        return Span(f"[{len(self.notes)}]")


def spans_of(element: Element, notes: NoteCounter | None = None, url: str = "") -> Iterator[Span]:
    """The text within an element with its links."""
    if element.text:
        yield Span(_collapsed(element.text), url)
    for one in element:
        yield from _inside(one, notes, url)
        if one.tail:
            yield Span(_collapsed(one.tail), url)


def _inside(one: Element, notes: NoteCounter | None, url: str) -> Iterator[Span]:
    tag = one.tag
    if tag == f"{TEXT}s":
        count = one.get(f"{TEXT}c", "1")
        yield Span(" " * min(SPACES_AT_MOST, int(count) if count.isdecimal() else 1), url)
    elif tag == f"{TEXT}tab":
        yield Span("\t", url)
    elif tag == f"{TEXT}line-break":
        yield Span("\n", url)
    elif tag == f"{TEXT}note":
        if notes is not None:
            yield notes.mark(one)
    elif tag == f"{TEXT}a":
        yield from spans_of(one, notes, web_address(one.get(_LINK, "")) or url)
    elif tag not in _UNTOLD:
        yield from spans_of(one, notes, url)


def told_of(frame: Element) -> str:
    """What a frame says of the picture in it, "" for none."""
    return alternative_text(frame.findtext(f"{_SVG}desc") or frame.findtext(f"{_SVG}title"))


def repeats(element: Element, attribute: str) -> int:
    """How often an element of a table stands for itself."""
    written = element.get(f"{TABLE}number-{attribute}-repeated", "1")
    return int(written) if written.isdecimal() and len(written) < 8 else 1


def spanned(element: Element, attribute: str, most: int = 10_000) -> int:
    """How many rows or columns a cell takes."""
    written = element.get(f"{TABLE}number-{attribute}-spanned", "1")
    return max(1, min(most, int(written))) if written.isdecimal() else 1


def _collapsed(text: str) -> str:
    """White space in XML of ODF is one space."""
    return (
        " ".join(text.split(" "))
        if "\n" not in text and "\t" not in text
        else " ".join(text.split()).join((" " if text[:1].isspace() else "", " " if text[-1:].isspace() else ""))
    )
