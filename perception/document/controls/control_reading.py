"""Buttons and form fields, each with the CSS selector that finds it again on the live page."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import islice

from perception.document.addresses import absolute_url
from perception.document.controls.control_context import control_names, group_of, is_hidden
from perception.document.controls.control_names import ElementsById
from perception.document.controls.control_states import states_of
from perception.document.controls.openers import Opener
from perception.document.dom import Element
from perception.observation import Control, ControlKind

CONTROLS_AT_MOST = 300
_UNREADABLE_INPUTS = frozenset(("hidden", "image", "file", "range", "color"))
_INPUTS: dict[str, ControlKind] = {
    "search": "search",
    "password": "password",
    "checkbox": "checkbox",
    "radio": "checkbox",
    "submit": "submit",
    "button": "button",
    "reset": "button",
}
_SEARCH = re.compile(r"search|suche|buscar|recherche|搜索|检索|查询|検索", re.IGNORECASE)
_PRESSED_ROLES = frozenset("button tab switch checkbox radio menuitemcheckbox menuitemradio".split())
_TOGGLES = ("aria-expanded", "aria-controls", "data-toggle", "data-bs-toggle", "data-target", "data-bs-target")
_PLAIN_ID = re.compile(r"^[A-Za-z][\w-]*$")


def read_controls(
    found: Sequence[tuple[Element, str]], base: str, page_url: str, openers: Mapping[Element, Opener]
) -> tuple[Control, ...]:
    """Controls in document order, numbered from 1, each given with the heading above it."""
    kinds = ((element, _kind(element), heading) for element, heading in found)
    read = list(
        islice(((element, kind, heading) for element, kind, heading in kinds if kind is not None), CONTROLS_AT_MOST)
    )
    if not read:
        return ()
    ids = ElementsById(read[0][0])
    groups = [group_of(element, ids) or heading for element, _, heading in read]
    names = control_names([element for element, _, _ in read], groups, ids)
    controls: list[Control] = []
    for (element, kind, _), name, group in zip(read, names, groups, strict=True):
        form = next(element.iterancestors("form"), None)
        action = form.get("action") if form is not None else None
        controls.append(
            Control(
                id=len(controls) + 1,
                kind=kind,
                name=name,
                selector=selector_of(element),
                form_method=(form.get("method") or "get").lower() if form is not None else "",
                form_action=(absolute_url(base, action) if action else page_url) if form is not None else "",
                hidden=is_hidden(element),
                opener=_opener_of(element, openers),
                state=states_of(element, ids),
                group=group if group != name else "",
            )
        )
    return tuple(controls)


def is_control(element: Element, tag: str, has: Sequence[str], role: str) -> bool:
    """Whether an element that holds text can be pressed: by its role, as a `summary`, or by what it does. `has`: the names of
    its attributes."""
    if tag == "summary" or role in _PRESSED_ROLES:
        return True
    if tag != "a":
        return "aria-expanded" in has
    if "href" not in has:
        return "onclick" in has
    return any(name in has for name in _TOGGLES) and element.get("href")[:1] == "#"


def selector_of(element: Element) -> str:
    """A CSS path from the nearest plain id, or from the root, by child positions."""
    steps: list[str] = []
    current = element
    while current is not None and isinstance(current.tag, str):
        number = current.get("id")
        if number and _PLAIN_ID.match(number):
            return " > ".join((f"#{number}", *reversed(steps)))
        parent = current.getparent()
        if parent is None:
            steps.append(current.tag)
            break
        # Not looked up by name in lxml: it parses attribute names with control characters but refuses to look them up.
        place = 1 + sum(sibling.tag == current.tag for sibling in current.itersiblings(preceding=True))
        steps.append(f"{current.tag}:nth-of-type({place})")
        current = parent
    return " > ".join(reversed(steps))


def _kind(element: Element) -> ControlKind | None:
    tag = element.tag
    if tag == "input":
        kind = (element.get("type") or "text").lower()
        if kind in _UNREADABLE_INPUTS:
            return None
        if kind in _INPUTS:
            return _INPUTS[kind]
        return "search" if _SEARCH.search(" ".join(_words(element))) else "text"
    if tag == "textarea":
        return "text"
    if tag == "select":
        return "select"
    if tag == "button":
        return (
            "submit"
            if (element.get("type") or "submit") == "submit" and _ancestor(element, "form") is not None
            else "button"
        )
    if element.get("role") in ("checkbox", "switch", "radio", "menuitemcheckbox", "menuitemradio"):
        return "checkbox"
    return "link" if tag == "a" else "button"


def _words(element: Element) -> list[str]:
    form = _ancestor(element, "form")
    own = [element.get(name) or "" for name in ("name", "placeholder", "aria-label", "id", "class")]
    return own + ([form.get(name) or "" for name in ("role", "id", "class", "action")] if form is not None else [])


def _ancestor(element: Element, tag: str) -> Element | None:
    return next(element.iterancestors(tag), None)


def _opener_of(element: Element, openers: Mapping[Element, Opener]) -> str:
    if openers:
        for each in (element, *element.iterancestors()):
            if each in openers and not (element.tag == "summary" and each is element.getparent()):
                return openers[each].name
    return ""
