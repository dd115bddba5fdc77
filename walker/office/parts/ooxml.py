"""What Word, Excel and PowerPoint files have in common: namespaces, relationships, title and language."""

from __future__ import annotations

from urllib.parse import urlsplit

import msgspec

from walker.office.parts.package import Element, Package, target_of
from walker.office.parts.unreadable import Unreadable

_FORMATS = "http://schemas.openxmlformats.org"
W = f"{{{_FORMATS}/wordprocessingml/2006/main}}"
S = f"{{{_FORMATS}/spreadsheetml/2006/main}}"
P = f"{{{_FORMATS}/presentationml/2006/main}}"
A = f"{{{_FORMATS}/drawingml/2006/main}}"
R = f"{{{_FORMATS}/officeDocument/2006/relationships}}"
MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_RELATION = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
_TITLE = "{http://purl.org/dc/elements/1.1/}title"
_LANGUAGE = "{http://purl.org/dc/elements/1.1/}language"
TITLE_CHARS, URL_CHARS = 200, 2_000
_WEB = ("http", "https", "")


class Relation(msgspec.Struct, frozen=True):
    """One relationship of a part: the end of its type, and the part or address that it names."""

    kind: str
    target: str
    is_outside: bool


def relations_of(package: Package, part: str) -> dict[str, Relation]:
    """The relationships of a part by their ids; those of the package for ""."""
    folder, _, name = part.rpartition("/")
    root = package.xml(f"{folder}/_rels/{name}.rels".lstrip("/"))
    found: dict[str, Relation] = {}
    for one in root.iter(_RELATION) if root is not None else ():
        target, outside = one.get("Target", ""), one.get("TargetMode") == "External"
        found[one.get("Id", "")] = Relation(
            kind=one.get("Type", "").rpartition("/")[2],
            target=target if outside else target_of(part, target),
            is_outside=outside,
        )
    return found


def of_kind(relations: dict[str, Relation], kind: str) -> list[str]:
    """The parts that relationships of a kind name."""
    return [one.target for one in relations.values() if one.kind == kind and not one.is_outside]


def main_part(package: Package) -> str:
    """The part that the file is about. Raises `Unreadable` where it has none."""
    named = of_kind(relations_of(package, ""), "officeDocument")
    found = next((name for name in named if name in package), "")
    if not found:
        raise Unreadable("it is a zip, and holds no document")
    return found


def title_and_language(package: Package) -> tuple[str, str]:
    """What the file states of itself, "" for what it does not."""
    for name in of_kind(relations_of(package, ""), "core-properties"):
        root = package.xml(name)
        if root is not None:
            return " ".join((root.findtext(_TITLE) or "").split())[:TITLE_CHARS], (root.findtext(_LANGUAGE) or "")[:20]
    return "", ""


def web_address(target: str) -> str:
    """The address of a link to the web, "" for one that leads elsewhere."""
    target = target.strip()
    try:
        scheme = urlsplit(target).scheme.lower()
    except ValueError:
        return ""
    return target if scheme in _WEB and len(target) <= URL_CHARS and target.isprintable() else ""


def chosen(element: Element) -> list[Element]:
    """What is shown of an `AlternateContent`: its choice, else its fallback."""
    choice = element.find(f"{MC}Choice")
    picked = choice if choice is not None else element.find(f"{MC}Fallback")
    return list(picked) if picked is not None else []


def is_on(element: Element | None, attribute: str) -> bool:
    """Whether a switch of Office is on: an element without a value is, and "0", "false" and "off" are not."""
    return element is not None and element.get(attribute, "1") not in ("0", "false", "off")
