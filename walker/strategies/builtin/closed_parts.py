"""Chooses what to open of a page whose answer is not in its markup yet: a tab, an entry of an accordion, a form with one field."""

from __future__ import annotations

from urllib.parse import urlsplit

from memory.state import WalkMemory
from memory.words import tokens
from perception.observation import Control, Observation
from walker.rules.action_words import in_words
from walker.seams.actions import Click, Refusal, TypeText
from walker.seams.searches import is_own_page
from walker.strategies.question.open_parts import OpenParts

PRESSES_A_PAGE, LOOKUPS_A_WALK = 4, 2
SURE_ENOUGH = 0.35
"""Confidence of an answer from which nothing more is opened."""


def next_opening(
    open_parts: OpenParts, observation: Observation, memory: WalkMemory, refused: tuple[Refusal, ...]
) -> Click | TypeText | None:
    """What to open next on this page, before the walk leaves it; None where nothing is, or something is counted."""
    if memory.counter.requirement.mode != "none" or memory.confidence >= SURE_ENOUGH:
        return None
    return next_press(open_parts, observation, memory, refused) or next_lookup(open_parts, observation, memory, refused)


def next_press(
    open_parts: OpenParts, observation: Observation, memory: WalkMemory, refused: tuple[Refusal, ...]
) -> Click | None:
    """The tab or collapsed button of this page that fits the question best and was not pressed; None if there is none. Of a page that
    fits all its tabs are tried, of any page what the question names."""
    if any(isinstance(refusal.action, Click) for refusal in refused):
        return None
    pressed = _done_here(memory, "click ")
    if len(pressed) >= PRESSES_A_PAGE:
        return None
    asked, known = _asked(open_parts), _known_openers(observation)
    fits = _fits(observation, asked)
    best: tuple[int, int] | None = None
    for control in observation.controls:
        if not _opens(control) or control.name in known or _was_pressed(control, observation, pressed):
            continue
        shared = len(asked & frozenset(tokens(control.name)))
        if (shared or (fits and "unselected" in control.state)) and (best is None or (-shared, control.id) < best):
            best = -shared, control.id
    return None if best is None else Click(control_id=best[1], reason="the answer may be in a part that is closed")


def next_lookup(
    open_parts: OpenParts, observation: Observation, memory: WalkMemory, refused: tuple[Refusal, ...]
) -> TypeText | None:
    """The rarest word of the question for the only field of a form with GET, on a page that fits the question; once a form."""
    if any(isinstance(refusal.action, TypeText) for refusal in refused):
        return None
    asked = _asked(open_parts)
    typed = sum(note.what.startswith("type ") for note in memory.moves)
    if typed >= LOOKUPS_A_WALK or _done_here(memory, "type ") or not _fits(observation, asked):
        return None
    words = [word for wanted in open_parts.now[:1] for term in (*wanted.terms, *wanted.pages) for word in term.split()]
    pages = [page for page in memory.pages if not is_own_page(page.url)]  # a page of hits has the question as its title
    said = frozenset(tokens(" ".join(f"{page.title} {page.heading} {page.gist}" for page in pages)))
    rare = [word for word in dict.fromkeys(words) if not said.issuperset(tokens(word))]
    fields = [control for control in observation.controls if _is_lookup(control, observation)]
    if len(fields) != 1 or not rare:
        return None
    # What names a thing is written with a capital, a digit or a sign; of the others the longest is the rarest.
    named = [word for word in rare if not word.islower()] or sorted(rare, key=len, reverse=True)
    return TypeText(control_id=fields[0].id, text=named[0], reason="a form of this page looks up what is asked for")


def _asked(open_parts: OpenParts) -> frozenset[str]:
    return frozenset(
        token
        for wanted in open_parts.now
        for token in tokens(" ".join((*wanted.terms, *wanted.pages, *wanted.sections)))
    )


def _fits(observation: Observation, asked: frozenset[str]) -> bool:
    """Whether the page's title or a main heading speaks of the question."""
    heads = [block.text for block in observation.blocks if block.kind == "heading" and block.level <= 2][:3]
    return bool(asked & frozenset(tokens(" ".join((observation.title, *heads)))))


def _known_openers(observation: Observation) -> frozenset[str]:
    """Names of controls whose closed part is in the page's markup, and was read."""
    names = {block.opener for block in observation.blocks} | {link.opener for link in observation.links}
    return frozenset(names | {control.opener for control in observation.controls})


def _opens(control: Control) -> bool:
    closed = "collapsed" in control.state or "unselected" in control.state
    return closed and control.kind == "button" and not control.hidden and "disabled" not in control.state


def _is_lookup(control: Control, observation: Observation) -> bool:
    if control.kind != "text" or control.hidden or control.form_method != "get":
        return False
    return urlsplit(control.form_action).netloc == urlsplit(observation.url).netloc


def _was_pressed(control: Control, observation: Observation, pressed: frozenset[str]) -> bool:
    name = in_words(Click(control_id=control.id), observation).partition(" ")[2].partition(" ")[2]
    return any(what.endswith(name) for what in pressed) if name else True


def _done_here(memory: WalkMemory, kind: str) -> frozenset[str]:
    here = memory.stack.top.key if memory.stack.top is not None else ""
    return frozenset(note.what for note in memory.moves if note.page == here and note.what.startswith(kind))
