"""What styles of a Word file make of a paragraph: heading, title, list item, entry of a table of contents; and its number."""

from __future__ import annotations

import re

import msgspec

from walker.office.parts.ooxml import W, is_on
from walker.office.parts.package import Element

LEVELS = 9
STYLES_DEEP = 20
"""Most styles that a style is based on, one on the other: they may refer to each other in a circle."""
_HEADING = re.compile(r"heading\s*([1-9])", re.IGNORECASE)
_PLACE = re.compile(r"%([1-9])")
_ROMAN = tuple(
    zip((1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1), "m cm d cd c xc l xl x ix v iv i".split(), strict=True)
)


class ParagraphStyle(msgspec.Struct, frozen=True, kw_only=True):
    """What a style says, with what it is based on."""

    name: str = ""
    """In lower case; built-in styles have English names in every language."""
    outline: int = -1
    """Level as a heading from 0, -1 for none."""
    list_id: str = ""
    list_level: int = 0
    is_hidden: bool = False

    @property
    def heading(self) -> int:
        """Level as a heading from 1, 0 for none."""
        named = _HEADING.fullmatch(self.name)
        if named:
            return int(named[1])
        return self.outline + 1 if 0 <= self.outline < LEVELS else 0


class Styles:
    """The styles of a file by their ids."""

    def __init__(self, root: Element | None) -> None:
        self._elements = {
            one.get(f"{W}styleId", ""): one for one in (root.iter(f"{W}style") if root is not None else ())
        }
        self._made: dict[str, ParagraphStyle] = {}
        self._default = next(
            (
                key
                for key, one in self._elements.items()
                if one.get(f"{W}type") == "paragraph" and one.get(f"{W}default") in ("1", "true")
            ),
            "",
        )

    def of(self, properties: Element | None) -> ParagraphStyle:
        """The style of a paragraph with these properties, and what they say themselves."""
        named = properties.find(f"{W}pStyle") if properties is not None else None
        style = self._named(named.get(f"{W}val", "") if named is not None else self._default)
        return _with(style, properties)

    def _named(self, key: str) -> ParagraphStyle:
        if key not in self._made:
            chain: list[Element] = []
            at = self._elements.get(key)
            while at is not None and len(chain) < STYLES_DEEP:
                chain.append(at)
                based = at.find(f"{W}basedOn")
                at = self._elements.get(based.get(f"{W}val", "")) if based is not None else None
            style = ParagraphStyle()
            for one in reversed(chain):
                style = _with(style, one.find(f"{W}pPr"))
                name = one.find(f"{W}name")
                hidden = is_on(one.find(f"{W}rPr/{W}vanish"), f"{W}val")
                style = msgspec.structs.replace(
                    style,
                    name=(name.get(f"{W}val", "") if name is not None else "").lower(),
                    is_hidden=style.is_hidden or hidden,
                )
            self._made[key] = style
        return self._made[key]


def _with(style: ParagraphStyle, properties: Element | None) -> ParagraphStyle:
    """A style with what properties of a paragraph say besides."""
    if properties is None:
        return style
    outline, numbered = properties.find(f"{W}outlineLvl"), properties.find(f"{W}numPr")
    said: dict[str, int | str] = {}
    if outline is not None:
        said["outline"] = _number(outline, 9)
    if numbered is not None:
        key, level = numbered.find(f"{W}numId"), numbered.find(f"{W}ilvl")
        if key is not None:
            # List 0 takes a paragraph out of the list of its style.
            said["list_id"] = key.get(f"{W}val", "").lstrip("0")
        if level is not None:
            said["list_level"] = min(LEVELS - 1, max(0, _number(level, 0)))
    return msgspec.structs.replace(style, **said) if said else style


class ListLevel(msgspec.Struct, frozen=True, kw_only=True):
    """One level of a list."""

    form: str = "decimal"
    """"bullet", "decimal", "lowerLetter" ..."""
    text: str = ""
    """The label, "%1.%2" for the numbers of the first two levels."""
    start: int = 1


class Numbering:
    """The lists of a file; it counts as paragraphs come."""

    def __init__(self, root: Element | None) -> None:
        self._levels: dict[str, dict[int, ListLevel]] = {}
        self._list_of: dict[str, str] = {}
        self._counts: dict[str, dict[int, int]] = {}
        if root is None:
            return
        by_style: dict[str, str] = {}
        linked: dict[str, str] = {}
        for one in root.iter(f"{W}abstractNum"):
            key = one.get(f"{W}abstractNumId", "")
            self._levels[key] = {_attribute(level, "ilvl"): _level(level) for level in one.iter(f"{W}lvl")}
            for tag, table in (("styleLink", by_style), ("numStyleLink", linked)):
                found = one.find(f"{W}{tag}")
                if found is not None:
                    name = found.get(f"{W}val", "")
                    table.update({name: key} if tag == "styleLink" else {key: name})
        for one in root.iter(f"{W}num"):
            number, base = one.get(f"{W}numId", ""), one.find(f"{W}abstractNumId")
            key = base.get(f"{W}val", "") if base is not None else ""
            key = by_style.get(linked.get(key, ""), key)
            self._list_of[number] = self._overridden(number, key, one)

    def _overridden(self, number: str, key: str, one: Element) -> str:
        """The key of the list of a `num`: its own where it says more than the list that it is made from."""
        levels = dict(self._levels.get(key, {}))
        overrides = list(one.iter(f"{W}lvlOverride"))
        for override in overrides:
            at = _attribute(override, "ilvl")
            whole, start = override.find(f"{W}lvl"), override.find(f"{W}startOverride")
            level = _level(whole) if whole is not None else levels.get(at, ListLevel())
            levels[at] = level if start is None else msgspec.structs.replace(level, start=_number(start, 1))
        if not overrides:
            return key
        self._levels[f"num {number}"] = levels
        return f"num {number}"

    def level(self, style: ParagraphStyle) -> ListLevel | None:
        """The level that a paragraph is on, None where it is in no list."""
        return self._levels.get(self._list_of.get(style.list_id, ""), {}).get(style.list_level)

    def count(self, style: ParagraphStyle) -> tuple[int, str]:
        """The next number at the paragraph's level, and its label as it is shown ("2.1"), (0, "") for another mark."""
        key = self._list_of.get(style.list_id, "")
        levels, at = self._levels.get(key, {}), style.list_level
        level = levels.get(at)
        if level is None or level.form in ("bullet", "none"):
            return 0, ""
        counts = self._counts.setdefault(key, {})
        counts[at] = counts.get(at, level.start - 1) + 1
        for deeper in [one for one in counts if one > at]:
            del counts[deeper]

        def shown(match: re.Match[str]) -> str:
            place = int(match[1]) - 1
            its = levels.get(place, level)
            return written_number(counts.get(place, its.start), its.form)

        return counts[at], _PLACE.sub(shown, level.text).strip()


def written_number(number: int, form: str) -> str:
    """A number in a form of Word's, "iv" for "lowerRoman"; in digits for forms that are not known."""
    match form:
        case "lowerRoman" | "upperRoman" if 0 < number < 4000:
            rest, letters = number, ""
            for value, letter in _ROMAN:
                letters, rest = letters + letter * (rest // value), rest % value
            return letters if form == "lowerRoman" else letters.upper()
        case "lowerLetter" | "upperLetter" if 0 < number <= 780:
            letter = chr(ord("a") + (number - 1) % 26) * (1 + (number - 1) // 26)
            return letter if form == "lowerLetter" else letter.upper()
        case "decimalZero":
            return f"{number:02}"
        case _:
            return str(number)


def _level(element: Element) -> ListLevel:
    form, text, start = (element.find(f"{W}{tag}") for tag in ("numFmt", "lvlText", "start"))
    return ListLevel(
        form=form.get(f"{W}val", "decimal") if form is not None else "decimal",
        text=text.get(f"{W}val", "") if text is not None else "",
        start=_number(start, 1) if start is not None else 1,
    )


def _attribute(element: Element, name: str) -> int:
    written = element.get(f"{W}{name}", "0")
    return int(written) if written.isdecimal() and len(written) < 6 else 0


def _number(element: Element, default: int) -> int:
    written = element.get(f"{W}val", "")
    return int(written) if written.isdecimal() and len(written) < 6 else default
