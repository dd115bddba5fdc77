"""Choosing where to go: the explorer proposes, the policy decides, and the walk ends where nothing is left."""

from __future__ import annotations

import asyncio

import msgspec

from memory.state import WalkMemory
from perception.observation import Observation
from traces.events import ActionProposed, ActionRefused, MoveTaken
from walker.seams.actions import Action, Finish, FollowLink, Jump, Move, Open, Refusal, Return
from walker.seams.outcome import StopReason
from walker.walk.lookahead import Lookahead
from walker.walk.walk_state import Page, WalkState

PROPOSALS_A_STEP = 4
"""Refused proposals after which the walk takes the next untried link by itself."""


class Choosing:
    """The next move, and the reasons to stop."""

    def __init__(self, state: WalkState) -> None:
        self._scene = state
        self._thoughts: Lookahead | None = None

    async def think_ahead(self, memory: WalkMemory, page: Page) -> None:
        """Set the explorer to think about the page while the critic reads it, and the browser to load what it may want. What a
        closer look will show, it can only think about after."""
        await self.drop_thoughts()
        state = self._scene
        if not state.rules.side_by_side or page.part is not None:
            return
        observation = state.top_observation(memory)
        needed = asyncio.Event()
        propose = state.edges.explorer_ahead(needed).propose(state.task, observation, memory, ())
        self._thoughts = Lookahead.begin(propose, needed, memory.step)
        # The explorer asks first, as it did in a walk that is replayed now.
        await asyncio.sleep(0)
        if state.rules.scout is not None:
            await state.edges.browser.fetch_ahead(self._promising(memory, observation))

    async def drop_thoughts(self) -> None:
        """What was thought ahead is not needed any more."""
        thoughts, self._thoughts = self._thoughts, None
        if thoughts is not None:
            await thoughts.drop()

    async def choose_move(self, memory: WalkMemory) -> Move:
        """A move that the policy allows. A refused explorer is told why and may propose again."""
        state = self._scene
        observation = state.top_observation(memory)
        refused: tuple[Refusal, ...] = ()
        while len(refused) < PROPOSALS_A_STEP:
            action = await self._propose(observation, memory, refused)
            self._emit_proposal(memory, action)
            decided = self._decide(memory, action)
            if not isinstance(decided, Refusal):
                return self._taken(memory, decided)
            state.sink.emit(ActionRefused(step=memory.step, action=type(action).__name__, reason=decided.reason))
            refused = (*refused, decided)
        return self._taken(memory, self._fallback(memory))

    def stop_reason(self, memory: WalkMemory) -> StopReason | None:
        """Why the walk ends here, or None while it goes on."""
        state = self._scene
        counter = memory.counter
        if counter.requirement.mode == "quota" and counter.done:
            return StopReason.QUOTA_REACHED
        if counter.requirement.mode == "exhaustive" and counter.found and counter.done:
            return StopReason.ANSWERED
        if state.verdict.sufficient:
            return StopReason.ANSWERED
        if state.rules.budget.why_spent(memory, state.elapsed):
            return StopReason.BUDGET
        return None

    def final_reason(self, memory: WalkMemory) -> StopReason:
        """Why a walk ends that has nowhere to go."""
        if len(memory.pages) == 1:
            root = self._scene.top_observation(memory)
            if root.signals.challenge or root.signals.password_fields:
                return StopReason.BLOCKED
            if not root.links:
                return StopReason.DEAD_END
        return StopReason.EXHAUSTED

    async def _propose(self, observation: Observation, memory: WalkMemory, refused: tuple[Refusal, ...]) -> Action:
        """What was thought ahead about this page, if it was; otherwise the explorer is asked now."""
        thoughts, self._thoughts = self._thoughts, None
        if thoughts is not None and thoughts.step == memory.step and not refused:
            return await thoughts.result()
        return await self._scene.edges.explorer.propose(self._scene.task, observation, memory, refused)

    def _promising(self, memory: WalkMemory, observation: Observation) -> tuple[str, ...]:
        """Addresses that may be opened next and that the policy allows."""
        state = self._scene
        assert state.rules.scout is not None, "asked only where there is a scout"
        moves = (self._decide(memory, FollowLink(link_id=link)) for link in state.rules.scout(observation, memory))
        return tuple(move.url for move in moves if isinstance(move, Open))

    def _decide(self, memory: WalkMemory, action: Action) -> Move | Refusal:
        state = self._scene
        frame = memory.stack.top
        operations = state.operations.get(frame.key, 0) if frame else 0
        observation = state.top_observation(memory)
        return state.rules.policy.decide(action, observation, memory, operations, state.vision_calls)

    def _fallback(self, memory: WalkMemory) -> Move:
        """The first untried link that the policy allows, from the top of the stack down; the end where there is none."""
        for _, link in memory.stack.untried():
            decided = self._decide(memory, Jump(url=link.url, reason="the explorer's proposals were refused"))
            if not isinstance(decided, Refusal):
                return decided
        return Finish(reason="everything was tried")

    def _emit_proposal(self, memory: WalkMemory, action: Action) -> None:
        detail = msgspec.to_builtins(action)
        detail.pop("type", None)
        self._scene.sink.emit(ActionProposed(step=memory.step, action=type(action).__name__, detail=detail))

    def _taken(self, memory: WalkMemory, move: Move) -> Move:
        url = move.url if isinstance(move, Open | Return) else ""
        self._scene.sink.emit(MoveTaken(step=memory.step, move=type(move).__name__, url=url, reason=move.reason))
        return move
