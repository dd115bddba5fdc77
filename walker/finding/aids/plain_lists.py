"""Lists of pages for machines: llms.txt, and RSS and Atom feeds."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import NoReturn
from xml.parsers import expat

from memory.url_key import join_link
from memory.words import lazy_re
from walker.finding.aids.named_page import NamedPage

LLMS_LINK = lazy_re.compile(r"^\s*[-*]\s+\[([^\]\n]{1,300})\]\(([^)\s]{1,2000})\)(?::?[ \t]*(.{0,600}))?", re.MULTILINE)
MOST_ENTRIES = 2_000
DEEPEST = 24
FIELD_CHARS = 2_000
_FIELDS = frozenset(("title", "link", "description", "summary"))


def read_llms_text(text: str, base: str) -> tuple[NamedPage, ...]:
    """The links of an llms.txt, with their notes; () for a text that is none."""
    if text.lstrip("\ufeff \n\r\t").startswith("<"):
        return ()
    found = [
        NamedPage(url=url, title=" ".join(title.split()), about=(note or "").strip())
        for title, link, note in LLMS_LINK.findall(text)[:MOST_ENTRIES]
        if (url := join_link(base, link))
    ]
    return tuple(found)


def read_feed(text: str, base: str) -> tuple[NamedPage, ...]:
    """The entries of a feed up to the place where it is damaged. A document type is refused: no feed needs entities."""
    reading = _Feed(base)
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = reading.start, reading.end
    parser.CharacterDataHandler, parser.StartDoctypeDeclHandler = reading.text, reading.refuse
    with suppress(expat.ExpatError, _Refused, ValueError):
        parser.Parse(text.lstrip("\ufeff \n\r\t"), True)  # noqa: FBT003 - expat takes it by position only
    return tuple(reading.found)


class _Refused(Exception):
    """The rest of the document is not read."""


class _Feed:
    def __init__(self, base: str) -> None:
        self._base = base
        self._above: list[str] = []
        self._entry: dict[str, str] | None = None
        self.found: list[NamedPage] = []

    def start(self, name: str, attributes: dict[str, str]) -> None:
        local = name.rpartition(":")[2].lower()
        if not self._above and local not in ("rss", "rdf", "feed"):
            raise _Refused
        if len(self._above) >= DEEPEST or len(self.found) >= MOST_ENTRIES:
            raise _Refused
        if local in ("item", "entry"):
            self._entry = {}
        elif self._entry is not None and local == "link" and attributes.get("rel", "alternate") == "alternate":
            self._entry.setdefault("link", attributes.get("href", "")[:FIELD_CHARS])
        self._above.append(local)

    def text(self, said: str) -> None:
        field = self._above[-1] if self._above else ""
        if self._entry is not None and field in _FIELDS:
            self._entry[field] = (self._entry.get(field, "") + said)[:FIELD_CHARS]

    def end(self, name: str) -> None:
        del name
        if self._above.pop() not in ("item", "entry") or self._entry is None:
            return
        entry, self._entry = self._entry, None
        url = join_link(self._base, entry.get("link", "").strip())
        if url:
            about = re.sub(r"<[^<>]{0,2000}>", " ", entry.get("summary") or entry.get("description") or "")
            self.found.append(NamedPage(url=url, title=" ".join(entry.get("title", "").split()), about=about.strip()))

    def refuse(self, *_: object) -> NoReturn:
        raise _Refused
