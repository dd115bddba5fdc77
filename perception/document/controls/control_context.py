"""What is around a control: its label, its neighbours, what it opens, and the group that it stands in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

from perception.document.controls.control_names import NAME_CHARS, ElementsById, own_name
from perception.document.dom import Element, text_in

NEIGHBOUR_CHARS = 80
"""Characters; a longer text beside a control is not its label."""
_UP, _SIBLINGS = 4, 4
_ENDS = ("li", "tr", "dd", "form", "section", "article", "nav", "aside", "header", "footer", "main", "body", "fieldset")
"""What is beside one of these belongs to something else."""
_GROUPS = (
    "group",
    "radiogroup",
    "tablist",
    "toolbar",
    "navigation",
    "menu",
    "menubar",
    "search",
    "tree",
    "dialog",
    "region",
)
_GROUP_TAGS = ("nav", "section", "aside", "form", "table", "dialog", "details")
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6", "legend", "summary", "caption", "strong", "b", "a", "dt")
_NO_LABELS = ("script", "style", "button", "input", "select", "textarea")
_FIELDS = ("input", "select", "textarea")


def control_names(elements: Sequence[Element], groups: Sequence[str], ids: ElementsById) -> list[str]:
    """A name for each control, as different as the page lets them be."""
    labels = _labels_by_field(ids)
    names = [own_name(element, ids) or _label_of(element, labels) for element in elements]
    counts = Counter(names)
    for place, element in enumerate(elements):
        if not names[place] or counts[names[place]] > 1:
            names[place] = _qualified(names[place], _beside(element, names[place], ids) or _field_name(element))
    for place, (name, several) in enumerate(zip(list(names), _repeated(names), strict=True)):
        if several and groups[place]:
            names[place] = _qualified(name, groups[place])
    seen: Counter[str] = Counter()
    for place, (name, several) in enumerate(zip(list(names), _repeated(names), strict=True)):
        seen[name] += 1
        if several and name:
            names[place] = f"{name} ({seen[name]})"
    return names


def group_of(element: Element, ids: ElementsById) -> str:
    """The name of the group around a control: a legend, or the label of a group or landmark; "" for none."""
    for around in element.iterancestors():
        if around.tag == "fieldset" and (legend := around.find("legend")) is not None:
            return text_in(legend)[:NAME_CHARS]
        if around.tag in _GROUP_TAGS or around.get("role") in _GROUPS:
            named = " ".join(map(text_in, ids.all_of(around.get("aria-labelledby")))) or around.get("aria-label") or ""
            if named.strip():
                return " ".join(named.split())[:NAME_CHARS]
    return ""


def is_hidden(element: Element) -> bool:
    """Whether an element, or one around it, is not seen."""
    return any("data-walker-hidden" in each.attrib for each in (element, *element.iterancestors()))


def controlled_by(element: Element, ids: ElementsById) -> list[Element]:
    """The elements that a control says it controls."""
    href = element.get("href") or ""
    targets = (element.get(name) for name in ("aria-controls", "data-bs-target", "data-target", "popovertarget"))
    return ids.all_of(next((target for target in targets if target), href if href[:1] == "#" and len(href) > 1 else ""))


def _repeated(names: Sequence[str]) -> list[bool]:
    counts = Counter(names)
    return [counts[name] > 1 for name in names]


def _qualified(name: str, by: str) -> str:
    if not name or not by or by in name:
        return name or by
    return f"{name}: {by}"[:NAME_CHARS]


def _labels_by_field(ids: ElementsById) -> dict[str, str]:
    labels: dict[str, str] = {}
    for label in ids.root.xpath("//label[@for]"):
        if text := text_in(label):
            labels.setdefault(label.get("for"), text[:NAME_CHARS])
    return labels


def _label_of(element: Element, labels: dict[str, str]) -> str:
    """The label of a field: the one that names its id, or the one around it, without the field's own text."""
    if labelled := labels.get(element.get("id") or ""):
        return labelled
    around = next(element.iterancestors("label"), None) if element.tag in _FIELDS else None
    if around is not None:
        return text_in(around).replace(text_in(element), "").strip()[:NAME_CHARS]
    return ""


def _field_name(element: Element) -> str:
    return (element.get("name") or "").strip()[:NAME_CHARS] if element.tag in _FIELDS else ""


def _beside(element: Element, name: str, ids: ElementsById) -> str:
    """What a control without a name of its own is about: what it opens, else the words beside it."""
    for part in controlled_by(element, ids):
        if (label := (part.get("aria-label") or "").strip()) and label != name:
            return label[:NEIGHBOUR_CHARS]
        if not is_hidden(part) and (title := next(part.iter(*_HEADINGS[:8]), None)) is not None:
            return text_in(title)[:NEIGHBOUR_CHARS]
    for words in _words_around(element):
        if words and words != name and len(words) <= NEIGHBOUR_CHARS and any(map(str.isalnum, words)):
            return words
    return ""


def _words_around(element: Element) -> Iterator[str]:
    """The seen words before a control, then those after it, from the nearest on, within what they have in common."""
    each = element
    for _ in range(_UP):
        parent = each.getparent()
        if parent is None:
            return
        for before in islice(each.itersiblings(preceding=True), _SIBLINGS):
            yield " ".join((before.tail or "").split())
            yield _seen_text(before)
        yield " ".join((parent.text or "").split())
        yield " ".join((each.tail or "").split())
        following = each.getnext()
        if following is not None and (element.tag not in _FIELDS or element.get("type") in ("checkbox", "radio")):
            yield _seen_text(following)
        if parent.tag in _ENDS:
            return
        each = parent


def _seen_text(element: Element) -> str:
    """The words of an element that is seen, of a long one its heading."""
    if not isinstance(element.tag, str) or "data-walker-hidden" in element.attrib or element.tag in _NO_LABELS:
        return ""
    if element.find(".//*[@data-walker-hidden]") is not None or len(text := text_in(element)) > NEIGHBOUR_CHARS:
        title = next(
            (each for each in element.iter(*_HEADINGS) if not is_hidden(each) and text_in(each)),
            None,
        )
        return text_in(title) if title is not None else ""
    return text
