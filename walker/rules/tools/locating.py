"""Where an element is that words describe, told to a model: pure, over a view's element map."""

from __future__ import annotations

from memory.state import WalkMemory
from memory.words import tokens
from perception.document.visible import visible_text
from perception.element_map import PageElement, View
from perception.grounding.grounding import Grounding, ground
from perception.observation import Observation

LOCATIONS_A_PAGE = 6
NAME_CHARS = 60
GROUND = "ground "
"""How a note on such an action begins."""


def why_not_located(words: str, note: str, memory: WalkMemory, *, may_look: bool) -> str:
    """Why an element is not looked for, worded for the explorer; "" where it is. `note`: how the walk notes this action."""
    if not frozenset(tokens(words)):
        return "there are no words that say which element"
    if not may_look:
        return "vision is switched off"
    here = memory.stack.top.key if memory.stack.top is not None else ""
    asked = [one.what for one in memory.moves if one.page == here and one.what.startswith(GROUND)]
    if note in asked:
        return "this was looked for on this page already"
    return f"{LOCATIONS_A_PAGE} elements of this page were looked for already" if len(asked) >= LOCATIONS_A_PAGE else ""


def located(words: str, view: View) -> Grounding:
    """The element of a drawn page that words mean, by names, roles and places."""
    return ground(words, view.map)


def location_in_words(found: Grounding, view: View, observation: Observation) -> str:
    """What is told of it: its role and name, its part of the page in shares of picture 0, and the number of its link or control."""
    element = view.map.element(found.element) if found.is_found else None
    if element is None or found.box is None:
        return "no element of this page is called so"
    page = observation.pictures[0].box if observation.pictures else view.shown
    box = found.box
    width, height = max(1.0, page.width), max(1.0, page.height)
    shares = [
        round((box.x - page.x) / width, 3),
        round((box.y - page.y) / height, 3),
        round((box.x + box.width - page.x) / width, 3),
        round((box.y + box.height - page.y) / height, 3),
    ]
    name = visible_text(element.label)[:NAME_CHARS]
    number = _number_of(element, observation)
    where = f"at {[min(1.0, max(0.0, share)) for share in shares]} of picture 0"
    return f"{element.role or 'element'} “{name}”{number} {where}, confidence {found.confidence:.2f}"


def _number_of(element: PageElement, observation: Observation) -> str:
    """The number under which the page's controls or links have it, where that is plain."""
    control = next((one.id for one in observation.controls if element.selector and one.selector == element.selector), 0)
    if control:
        return f", control {control},"
    links = [
        one.id for one in observation.links if not one.hidden and visible_text(one.label) == visible_text(element.label)
    ]
    return f", link [{links[0]}]," if element.kind == "link" and len(links) == 1 else ""
