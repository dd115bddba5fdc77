"""Turns a proposed action into a move, or refuses it with a reason.

Loop prevention is a rule here, not a request in a prompt: no page is entered twice, and nothing outside the scope is
opened, whatever an explorer proposes (V-GEMS section 3.2). So is the counter's: while the counted list goes on, or a quota is open and
links are untried, a walk does not end of its own accord (section 3.1).
"""

from __future__ import annotations

import re
from typing import assert_never

import msgspec

from memory.state import NOTHING_CHANGED, WalkMemory
from memory.url_key import key_of
from memory.words import tokens
from perception.observation import Observation
from walker.rules.action_words import in_words
from walker.rules.counted_list import is_count_open, list_goes_on
from walker.rules.cropping import CropRules
from walker.rules.question_picture.picture_searching import PictureSearchRules
from walker.rules.scope import WalkScope
from walker.rules.tools.code_rules import why_not_run
from walker.rules.tools.locating import why_not_located
from walker.seams.actions import (
    Action,
    Click,
    Compute,
    Crop,
    Finish,
    FollowLink,
    GiveAnswer,
    GoBack,
    Ground,
    Jump,
    Locate,
    Move,
    NextPage,
    Open,
    Operate,
    Pop,
    ReadLetters,
    ReadPart,
    Refusal,
    Return,
    RunCode,
    Scroll,
    Search,
    SearchPicture,
    TypeText,
    Unfold,
)
from walker.seams.searches import is_search, queries_of, search_address
from walker.seams.tools import tool_of
from walker.settings import ChosenTool

SAME_SHAPE_PAGES = 10
"""Most pages whose URLs differ in numbers only: more of them are a calendar, an endless list or another trap, unless the question
counts something. Pagination followed by `NextPage` is not limited by this."""
OPERATIONS_A_PAGE = 12
"""Most clicks, scrolls and typed searches on one page."""
SEARCHES_A_WALK = 8
QUERIES_A_SEARCH = 4
"""Most queries that one search asks side by side; what comes after them is left out."""


LIST_GOES_ON = "the list that is counted goes on: take its next page first"


class Policy(msgspec.Struct, frozen=True, kw_only=True):
    """Which actions one walk may take."""

    scope: WalkScope
    max_depth: int
    crops: CropRules = CropRules()
    may_search: bool = False
    """Whether the walk has a library to search."""
    picture_searches: PictureSearchRules = PictureSearchRules()
    tools: frozenset[ChosenTool] = frozenset()
    """The tools that a user has switched on."""

    def decide(
        self, action: Action, observation: Observation, memory: WalkMemory, operations: int, looks: int = 0
    ) -> Move | Refusal:
        """The move for `action`, or a refusal. `operations` counts the clicks and scrolls on the current page so far, `looks` the
        OCR passes and vision-model calls of the walk."""
        match action:
            case FollowLink(link_id=number):
                link = observation.link(number)
                return self._enter(action, link.url, memory) if link else _refuse(action, f"there is no link {number}")
            case NextPage():
                return self._next_page(action, observation, memory, operations)
            case Jump(url=url):
                return self._jump(action, url, memory)
            case Click() | TypeText() | Scroll() | ReadPart():
                return _on_page(action, observation, memory, operations)
            case Search() | SearchPicture():
                return self._search(action, observation, memory)
            case Crop() | RunCode() | ReadLetters() | Ground():
                return self._tool(action, observation, memory, looks)
            case GoBack(reason=reason):
                if self._may_take_next(observation, memory, operations):
                    return _refuse(action, LIST_GOES_ON)
                return Pop(reason=reason) if memory.stack.depth > 1 else self._leave_root(action, memory)
            case GiveAnswer(reason=reason):
                why = self._why_not_end(observation, memory, operations)
                return _refuse(action, why) if why else Finish(reason=reason)
            case _:
                assert_never(action)

    def _tool(
        self, action: Crop | RunCode | ReadLetters | Ground, observation: Observation, memory: WalkMemory, looks: int
    ) -> Move | Refusal:
        """What is done on the open page without changing it."""
        tool = tool_of(type(action).__name__)
        if tool is None or (tool.is_chosen and tool.name not in self.tools):
            return _refuse(action, "this walk has no such tool")
        match action:
            case Crop() | ReadLetters():
                decided = self.crops.decide(action, observation, looks)
                return _refuse(action, decided) if isinstance(decided, str) else decided
            case RunCode(reason=reason):
                why = why_not_run(action, observation, memory)
                return _refuse(action, why) if why else Compute(action=action, reason=reason)
            case Ground(words=words, reason=reason):
                note = in_words(action, observation)
                why = why_not_located(words, note, memory, may_look=self.crops.may_look)
                return _refuse(action, why) if why else Locate(words=words, reason=reason)

    def _enter(self, action: Action, url: str, memory: WalkMemory, *, counted: bool = False) -> Move | Refusal:
        if why := self._why_not(url, memory, counted=counted):
            return _refuse(action, why)
        if memory.stack.depth >= self.max_depth:
            return _refuse(action, f"the walk is {self.max_depth} pages deep already")
        return Open(url=url, reason=action.reason)

    def _next_page(
        self, action: NextPage, observation: Observation, memory: WalkMemory, operations: int
    ) -> Move | Refusal:
        pagination = observation.pagination
        if pagination.next_url:
            if why := self._why_not(pagination.next_url, memory, counted=True):
                return _refuse(action, why)
            # Pagination may be longer than the depth limit: each page replaces the one before on the stack.
            depth = memory.stack.depth - 1
            if depth >= 1:
                return Return(depth=depth, url=pagination.next_url, reason=action.reason or "next page")
            return Open(url=pagination.next_url, reason=action.reason or "next page")
        if pagination.next_control:
            if _changed_nothing(action, observation, memory):
                return _refuse(action, "it changed nothing on this page before: choose something else")
            click = Click(control_id=pagination.next_control, reason=action.reason)
            return _operate(click, observation, memory, operations)
        return _refuse(action, "the page shows no next page")

    def _jump(self, action: Jump, url: str, memory: WalkMemory) -> Move | Refusal:
        if why := self._why_not(url, memory):
            return _refuse(action, why)
        key = key_of(url)
        for depth, link in memory.stack.untried():
            if link.key == key:
                return Return(depth=depth, url=link.url, reason=action.reason)
        for page in reversed(memory.stack.left):
            if any(link.key == key for link in page.frame.untried):
                return Return(depth=memory.stack.depth_below(page), url=url, reason=action.reason)
        if key in memory.unanswered and memory.stack.depth:
            return Return(depth=1, url=url, reason=action.reason)
        return _refuse(action, "no page of the walk has this link untried")

    def _search(self, action: Search | SearchPicture, observation: Observation, memory: WalkMemory) -> Move | Refusal:
        if isinstance(action, Search):
            decided = self._search_words(action, memory)
        else:
            decided = self.picture_searches.decide(action, observation, memory)
        if isinstance(decided, str):
            return _refuse(action, decided)
        if memory.stack.depth >= self.max_depth:
            return _refuse(action, f"the walk is {self.max_depth} pages deep already")
        return decided

    def _search_words(self, action: Search, memory: WalkMemory) -> Open | str:
        if not self.may_search:
            return "this walk has nothing to search"
        asked: dict[frozenset[str], str] = {}
        for query in action.queries:
            asked.setdefault(frozenset(tokens(query)), query)
        asked.pop(frozenset(), None)
        if not asked:
            return "there are no words to search for"
        made = [page.url for page in memory.pages if is_search(page.url)]
        searched = {frozenset(tokens(query)) for url in made for query in queries_of(url)}
        new = tuple(query for words, query in asked.items() if words not in searched)[:QUERIES_A_SEARCH]
        if not new:
            return "these words were searched for already: use others, or open what was found"
        if len(made) >= SEARCHES_A_WALK:
            return f"{SEARCHES_A_WALK} searches were made already"
        return Open(url=search_address(*new), reason=action.reason)

    def _why_not(self, url: str, memory: WalkMemory, *, counted: bool = False) -> str:
        if why := self.scope.why_outside(url, memory.hit_sites):
            return why
        key = key_of(url)
        if memory.stack.has_entered(key) and key not in memory.unanswered:
            return "already visited"
        shape = shape_of(key)
        if not counted and sum(shape_of(page.key) == shape for page in memory.pages) >= SAME_SHAPE_PAGES:
            return f"{SAME_SHAPE_PAGES} pages with an address of this shape were seen already"
        return ""

    def _why_not_end(self, observation: Observation, memory: WalkMemory, operations: int) -> str:
        """Why the walk may not end here of its own accord, with what may be done instead; "" where nothing is left to do."""
        if self._may_take_next(observation, memory, operations):
            return LIST_GOES_ON
        if not is_count_open(memory) or all(self._why_not(link.url, memory) for _, link in memory.stack.untried()):
            return ""
        counter = memory.counter
        wanted = (
            f"{counter.found} of {counter.requirement.target}" if counter.requirement.target else "nothing to count"
        )
        return (
            f"{wanted} was found, and links are untried: follow one of this page, jump to one left behind, or go back"
        )

    def _may_take_next(self, observation: Observation, memory: WalkMemory, operations: int) -> bool:
        """Whether the counted list goes on to a page that may be opened."""
        if not list_goes_on(observation, memory):
            return False
        return not isinstance(self._next_page(NextPage(), observation, memory, operations), Refusal)

    def _leave_root(self, action: GoBack, memory: WalkMemory) -> Move | Refusal:
        if not memory.stack.goes_back:
            return _refuse(action, "this walk keeps no stack and cannot go back: follow a link of this page, or answer")
        if memory.stack.untried():
            return _refuse(action, "this is the root page, and links of it are untried: follow one of them, or answer")
        return Finish(reason=action.reason or "everything was tried")


def _operate(
    action: Click | TypeText | Scroll, observation: Observation, memory: WalkMemory, operations: int
) -> Move | Refusal:
    if _changed_nothing(action, observation, memory):
        return _refuse(action, "it changed nothing on this page before: choose something else")
    if operations >= OPERATIONS_A_PAGE:
        return _refuse(action, f"{OPERATIONS_A_PAGE} operations on this page were tried already: go to another page")
    if isinstance(action, Scroll):
        return Operate(action=action, reason=action.reason)
    control = next((control for control in observation.controls if control.id == action.control_id), None)
    if control is None:
        return _refuse(action, f"there is no control {action.control_id}")
    if control.kind == "password":
        return _refuse(action, "password fields are never filled in")
    if control.form_method.lower() == "post":
        return _refuse(action, "a form that posts may change something on the site")
    return Operate(action=action, selector=control.selector, reason=action.reason)


def _on_page(
    action: Click | TypeText | Scroll | ReadPart, observation: Observation, memory: WalkMemory, operations: int
) -> Move | Refusal:
    if isinstance(action, ReadPart):
        return _unfold(action, memory)
    return _operate(action, observation, memory, operations)


def _unfold(action: ReadPart, memory: WalkMemory) -> Move | Refusal:
    if not memory.may_unfold(action.part):
        return _refuse(action, f"part {action.part} is shown already")
    return Unfold(part=action.part, reason=action.reason)


def _changed_nothing(action: Action, observation: Observation, memory: WalkMemory) -> bool:
    words, here = in_words(action, observation), memory.stack.top.key if memory.stack.top is not None else ""
    return any(
        note.what == words and note.outcome == NOTHING_CHANGED for note in reversed(memory.moves) if note.page == here
    )


def _refuse(action: Action, reason: str) -> Refusal:
    return Refusal(action=action, reason=reason)


def shape_of(key: str) -> str:
    """A key without its numbers, by which pages of a calendar or an endless list are alike."""
    return re.sub(r"\d+", "0", key)
