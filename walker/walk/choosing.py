"""Chooses the next move: the explorer proposes, the policy decides, and the walk ends if nothing is left to try."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from typing import Any

import msgspec

from memory.state import MoveNote
from memory.words import tokens
from perception.observation import Observation
from walker.rules.action_words import in_words
from walker.rules.counted_list import list_goes_on
from walker.seams.actions import Action, Finish, FollowLink, GiveAnswer, Jump, Move, Open, Refusal, Return
from walker.seams.outcome import StopReason
from walker.seams.searches import is_own_page
from walker.walk.walk_events import action_proposed, action_refused, move_taken
from walker.walk.walk_state import WalkContext, WalkState, count_pause

PROPOSALS_A_STEP = 4
"""Refused proposals after which the walk takes the next untried link by itself."""

CHOSEN = "a person chose it"


class Lookahead:
    """A speculative proposal, made in a task of its own before it is known to be needed; `needed` is set once it is."""

    def __init__(self, propose: Coroutine[Any, Any, Action], needed: asyncio.Event) -> None:
        self._task, self._needed = asyncio.create_task(propose), needed

    async def result(self) -> Action:
        """The proposal; from here on it is needed."""
        self._needed.set()
        try:
            return await self._task
        except asyncio.CancelledError:
            await self.drop()
            raise

    async def drop(self) -> None:
        """Cancel the proposal, and with it the model call, so that it costs nothing further. Its errors are discarded."""
        self._task.cancel()
        await asyncio.wait((self._task,))
        if not self._task.cancelled():
            self._task.exception()


def start_lookahead(context: WalkContext, state: WalkState) -> Lookahead | None:
    """Start the explorer's proposal while the critic reads the page; None if they run one after the other."""
    if not context.rules.side_by_side:
        return None
    needed = asyncio.Event()
    explorer = context.edges.explorer_ahead(needed)
    return Lookahead(explorer.propose(context.task, state.page.observation, state.memory, ()), needed)


async def drop_lookahead(ahead: Lookahead | None) -> None:
    """Cancel the speculative proposal, if there is one."""
    if ahead is not None:
        await ahead.drop()


async def load_ahead(context: WalkContext, state: WalkState) -> WalkState:
    """Prefetch pages that the explorer may choose while the critic reads."""
    if context.rules.side_by_side:
        # The explorer's call comes first: a replay expects the calls in the recorded order.
        await asyncio.sleep(0)
    if context.rules.prefetch is not None:
        links = context.rules.prefetch(state.page.observation, state.memory)
        moves = (_decide(context, state, FollowLink(link_id=link)) for link in links)
        await context.edges.browser.fetch_ahead(tuple(move.url for move in moves if isinstance(move, Open)))
    return state


async def choose_move(context: WalkContext, state: WalkState, ahead: Lookahead | None) -> tuple[WalkState, Move]:
    """A move that the policy allows. After a refusal the explorer gets the reason and may propose again; a speculative proposal
    counts as its first, except where the counted list goes on: it was made before the page's items were counted. What was done, and
    what was refused, is remembered."""
    observation = state.page.observation
    if ahead is not None and list_goes_on(observation, state.memory):
        await ahead.drop()
        ahead = None
    refused, state = state.refused, msgspec.structs.replace(state, refused=())
    while len(refused) < PROPOSALS_A_STEP:
        if ahead is not None and not refused:
            action = await ahead.result()
        else:
            action = await context.edges.explorer.propose(context.task, observation, state.memory, refused)
        if not refused:
            state, action = await _as_person_says(context, state, action)
        context.sink.emit(action_proposed(state.step, action))
        decided = _decide(context, state, action)
        words = in_words(action, observation)
        if not isinstance(decided, Refusal):
            context.sink.emit(move_taken(state.step, decided))
            return _for_goal(_noted(state, words), decided, f"{words} {action.reason}")
        context.sink.emit(action_refused(state.step, action, decided))
        refused = (*refused, decided)
        state = _noted(state, words, decided.reason)
    move = _fallback(context, state)
    context.sink.emit(move_taken(state.step, move))
    return _for_goal(state, move, "")


def stop_reason(context: WalkContext, state: WalkState) -> StopReason | None:
    """Why the walk ends here, or None while it goes on."""
    counter = state.memory.counter
    # A question may ask for more than what is counted: that is for the critic to say.
    if counter.requirement.mode == "quota" and counter.done and state.verdict.sufficient:
        return StopReason.QUOTA_REACHED
    if state.verdict.sufficient:
        return StopReason.ANSWERED
    if context.rules.budget.why_spent(state.memory, state.elapsed):
        return StopReason.BUDGET
    return None


def final_reason(context: WalkContext, state: WalkState) -> StopReason:
    """The stop reason of a walk that has no move left, or wants none."""
    if len(state.memory.pages) == 1:
        root = state.page.observation
        if root.signals.challenge:
            return StopReason.BLOCKED
        if root.signals.password_fields or root.status == 401:
            return StopReason.NEEDS_LOGIN
        if not root.links:
            return StopReason.DEAD_END
    if state.is_checked and sum(not is_own_page(page.url) for page in state.memory.pages) == 1:
        return StopReason.BLOCKED
    if state.is_kept_out:
        return StopReason.NEEDS_LOGIN
    return StopReason.EXHAUSTED if isinstance(_fallback(context, state), Finish) else StopReason.GAVE_UP


def _decide(context: WalkContext, state: WalkState, action: Action) -> Move | Refusal:
    page = state.page
    return context.rules.policy.decide(action, page.observation, state.memory, page.operations, state.looks)


def goal_of(why: str, missing: Sequence[str]) -> str:
    """The phrase that shares most words with the reason for opening a page, the first of equal ones; "" where nothing is missing.

    >>> goal_of("follow [3] “Opening hours”", ("price of a ticket", "hours of the museum"))
    'hours of the museum'
    """
    said = frozenset(tokens(why))
    return max(missing, key=lambda phrase: len(said.intersection(tokens(phrase))), default="")


def _for_goal(state: WalkState, move: Move, why: str) -> tuple[WalkState, Move]:
    """A move, and for one that opens a page what is looked for there."""
    if not isinstance(move, Open | Return):
        return state, move
    goal = goal_of(why, state.memory.missing)
    return msgspec.structs.replace(state, goal=goal), msgspec.structs.replace(move, goal=goal)


def _fallback(context: WalkContext, state: WalkState) -> Move:
    """The first untried link that the policy allows, from the top of the stack down, then a page that did not come before; `Finish` if
    there is none."""
    left = (link.url for _, link in state.memory.stack.untried())
    for url in (*left, *state.memory.unanswered.values()):
        decided = _decide(context, state, Jump(url=url, reason="the explorer's proposals were refused"))
        if not isinstance(decided, Refusal):
            return decided
    return Finish(reason="everything was tried")


def _noted(state: WalkState, what: str, outcome: str = "") -> WalkState:
    note = MoveNote(step=state.step, page=state.frame.key, what=what, outcome=outcome)
    return state.remember(moves=(*state.memory.moves, note))


async def _as_person_says(context: WalkContext, state: WalkState, action: Action) -> tuple[WalkState, Action]:
    """The action that a person chose in place of the one proposed; the same where nobody was asked, or chose it."""
    person = context.edges.person
    if person is None:
        return state, action
    observation = state.page.observation
    picked = await person.pick_step(context.task, observation, state.memory, action)
    state, choice = count_pause(context, state, picked), picked.choice
    if choice is None or picked.number == 1:
        return state, action
    if not choice.url:
        return state, GiveAnswer(reason="a person ended the walk")
    return state, _to(choice.url, observation)


def _to(url: str, observation: Observation) -> Action:
    """The way to a page that was offered."""
    link = next((one for one in observation.links if one.url == url), None)
    return Jump(url=url, reason=CHOSEN) if link is None else FollowLink(link_id=link.id, reason=CHOSEN)
