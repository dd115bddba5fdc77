"""The text of a paragraph of a Word file: runs, links, fields, references to notes, and what is anchored in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import msgspec

from walker.office.parts.office_document import Span
from walker.office.parts.ooxml import MC, R, Relation, W, chosen, is_on, web_address
from walker.office.parts.package import Element
from walker.office.parts.spans import alternative_text

_HYPERLINK = re.compile(r"^\s*HYPERLINK\s+\"([^\"]*)\"(?:\s+\\l\s+\"([^\"]*)\")?", re.IGNORECASE)
_WITHIN = tuple(f"{W}{tag}" for tag in ("ins", "moveTo", "smartTag", "customXml", "sdt", "sdtContent", "dir", "bdo"))
_DRAWN = (f"{W}drawing", f"{W}pict", f"{W}object")
_SIGNS = {f"{W}tab": "\t", f"{W}cr": "\n", f"{W}noBreakHyphen": "-", f"{W}ptab": "\t"}
_MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}docPr"
_SHAPE = "{urn:schemas-microsoft-com:vml}shape"


class NoteMarks:
    """The notes that a text refers to, numbered as it comes to them."""

    def __init__(self) -> None:
        self._numbers: dict[str, dict[str, int]] = {}
        self._count = 0

    def mark(self, kind: str, key: str) -> int:
        """The number of a note; the next one where it is new."""
        numbers = self._numbers.setdefault(kind, {})
        if key not in numbers:
            self._count += 1
            numbers[key] = self._count
        return numbers[key]

    def of(self, kind: str) -> Mapping[str, int]:
        """The numbers of all notes of a kind, `footnote` or `endnote`, by their ids."""
        return self._numbers.get(kind, {})


class Gathered(msgspec.Struct, kw_only=True):
    """What was found in a paragraph."""

    spans: list[Span]
    pictures: list[str] = msgspec.field(default_factory=list)
    """Alternative texts."""
    boxes: list[Element] = msgspec.field(default_factory=list)
    """Text boxes."""


class RunReader:
    """Reads paragraphs in the order of the file: a field may go on from one to the next."""

    def __init__(self, relations: Mapping[str, Relation], marks: NoteMarks) -> None:
        self._relations, self._marks = relations, marks
        self._fields: list[_Field] = []

    def read(self, paragraph: Element) -> Gathered:
        """The spans of a paragraph, and what is anchored in it."""
        gathered = Gathered(spans=[])
        self._children(paragraph, "", gathered)
        return gathered

    def _children(self, parent: Iterable[Element], url: str, into: Gathered) -> None:
        for element in parent:
            tag = element.tag
            if tag == f"{W}r":
                self._run(element, url, into)
            elif tag == f"{W}hyperlink":
                self._children(element, self._target(element) or url, into)
            elif tag == f"{W}fldSimple":
                self._children(element, _field_address(element.get(f"{W}instr", "")) or url, into)
            elif tag in _WITHIN:
                self._children(element, url, into)
            elif tag == f"{MC}AlternateContent":
                self._children(chosen(element), url, into)
            elif tag.startswith(_MATH):
                said = "".join(one.text or "" for one in element.iter(f"{_MATH}t"))
                into.spans.append(Span(said, url))

    def _run(self, run: Element, url: str, into: Gathered) -> None:
        properties = run.find(f"{W}rPr")
        if properties is not None and is_on(properties.find(f"{W}vanish"), f"{W}val"):
            return
        for element in run:
            self._piece(element, url, into)

    def _piece(self, element: Element, url: str, into: Gathered) -> None:
        tag = element.tag
        if tag == f"{W}t" or tag in _SIGNS or tag == f"{W}br":
            if self._is_in_code:
                return
            text = _SIGNS.get(tag) or (
                ("\n" if element.get(f"{W}type") is None else "") if tag == f"{W}br" else element.text
            )
            if text:
                into.spans.append(Span(text, self._field_url or url))
        elif tag == f"{W}fldChar":
            self._field_character(element.get(f"{W}fldCharType", ""))
        elif tag == f"{W}instrText" and self._fields:
            self._fields[-1].code += element.text or ""
        elif tag in (f"{W}footnoteReference", f"{W}endnoteReference"):
            kind = tag.removeprefix(W).removesuffix("Reference")
            into.spans.append(Span(f"[{self._marks.mark(kind, element.get(f'{W}id', ''))}]"))
        elif tag in _DRAWN:
            _drawn(element, into)
        elif tag == f"{MC}AlternateContent":
            for one in chosen(element):
                self._piece(one, url, into)

    def _field_character(self, kind: str) -> None:
        if kind == "begin":
            self._fields.append(_Field())
        elif kind == "separate" and self._fields:
            self._fields[-1].is_result = True
            self._fields[-1].url = _field_address(self._fields[-1].code)
        elif kind == "end" and self._fields:
            self._fields.pop()

    @property
    def _is_in_code(self) -> bool:
        return any(not field.is_result for field in self._fields)

    @property
    def _field_url(self) -> str:
        return next((field.url for field in reversed(self._fields) if field.url), "")

    def _target(self, element: Element) -> str:
        named = self._relations.get(element.get(f"{R}id", ""))
        if named is None or not named.is_outside:
            return ""
        anchor = element.get(f"{W}anchor", "")
        return web_address(f"{named.target}#{anchor}" if anchor and "#" not in named.target else named.target)


class _Field(msgspec.Struct):
    """A field under way: its code, then what it shows."""

    code: str = ""
    url: str = ""
    is_result: bool = False


def _field_address(code: str) -> str:
    found = _HYPERLINK.match(code)
    if not found or not found[1]:
        return ""
    return web_address(f"{found[1]}#{found[2]}" if found[2] else found[1])


def _drawn(element: Element, into: Gathered) -> None:
    for one in element.iter(_DRAWING, _SHAPE):
        text = alternative_text(one.get("descr") or one.get("alt"))
        if text and text not in into.pictures:
            into.pictures.append(text)
    into.boxes.extend(
        box for box in element.iter(f"{W}txbxContent") if not any(outer in into.boxes for outer in box.iterancestors())
    )
