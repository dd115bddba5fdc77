"""Buttons and form fields, each with the CSS selector that finds it again on the live page."""

from __future__ import annotations

import re

from perception.document.addresses import absolute_url
from perception.document.dom import Element, text_in
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
_PLAIN_ID = re.compile(r"^[A-Za-z][\w-]*$")


def read_controls(elements: list[Element], base: str, page_url: str) -> tuple[Control, ...]:
    """Controls in document order, numbered from 1."""
    controls: list[Control] = []
    for element in elements:
        kind = _kind(element)
        if kind is None or len(controls) >= CONTROLS_AT_MOST:
            continue
        form = _ancestor(element, "form")
        action = form.get("action") if form is not None else None
        controls.append(
            Control(
                id=len(controls) + 1,
                kind=kind,
                name=_name(element),
                selector=selector_of(element),
                form_method=(form.get("method") or "get").lower() if form is not None else "",
                form_action=(absolute_url(base, action) if action else page_url) if form is not None else "",
                hidden=_is_hidden(element),
            )
        )
    return tuple(controls)


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
    return "link" if tag == "a" else "button"


def _name(element: Element) -> str:
    if element.tag not in ("input", "select", "textarea") and (text := text_in(element)):
        return text[:120]
    for name in ("aria-label", "placeholder", "title", "value", "alt", "name"):
        if value := (element.get(name) or "").strip():
            return " ".join(value.split())[:120]
    return text_in(_ancestor(element, "label"))[:120]


def _words(element: Element) -> list[str]:
    form = _ancestor(element, "form")
    own = [element.get(name) or "" for name in ("name", "placeholder", "aria-label", "id", "class")]
    return own + ([form.get(name) or "" for name in ("role", "id", "class", "action")] if form is not None else [])


def _ancestor(element: Element, tag: str) -> Element | None:
    return next(element.iterancestors(tag), None)


def _is_hidden(element: Element) -> bool:
    return any("data-walker-hidden" in each.attrib for each in (element, *element.iterancestors()))
