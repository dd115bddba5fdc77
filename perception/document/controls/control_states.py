"""The state of a control: expanded, collapsed, checked, selected, unselected, pressed, disabled."""

from __future__ import annotations

from perception.document.controls.control_context import controlled_by, is_hidden
from perception.document.controls.control_names import ElementsById
from perception.document.dom import Element
from perception.observation import ControlState

_ARIA: tuple[tuple[str, str, ControlState], ...] = (
    ("aria-expanded", "true", "expanded"),
    ("aria-expanded", "false", "collapsed"),
    ("aria-checked", "true", "checked"),
    ("aria-selected", "true", "selected"),
    ("aria-pressed", "true", "pressed"),
    ("aria-disabled", "true", "disabled"),
)
_OPENING = ("aria-controls", "data-bs-toggle", "data-toggle", "popovertarget")


def states_of(element: Element, ids: ElementsById) -> tuple[ControlState, ...]:
    """What a control says of itself, each once; where it says nothing of what it opens, whether that is seen."""
    states: list[ControlState] = []
    for name, value, state in _ARIA:
        if element.get(name) == value:
            states.append(state)
    if element.get("role") == "tab" and element.get("aria-selected") != "true":
        states.append("unselected")
    if element.tag == "summary" and (details := element.getparent()) is not None and details.tag == "details":
        states.append("expanded" if "open" in details.attrib else "collapsed")
    elif "aria-expanded" not in element.attrib and "aria-selected" not in element.attrib:
        states += _state_of_target(element, ids)
    if "checked" in element.attrib:
        states.append("checked")
    if "disabled" in element.attrib:
        states.append("disabled")
    return tuple(dict.fromkeys(states))


def _state_of_target(element: Element, ids: ElementsById) -> list[ControlState]:
    if not any(name in element.attrib for name in _OPENING):
        return []
    parts = controlled_by(element, ids)
    if not parts:
        return []
    is_closed = is_hidden(parts[0]) or "hidden" in parts[0].attrib
    # A drawer beside the window is marked text by text.
    is_closed = is_closed or parts[0].find(".//*[@data-walker-hidden='off-screen']") is not None
    return ["collapsed" if is_closed else "expanded"]
