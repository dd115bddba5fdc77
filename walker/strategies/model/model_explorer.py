"""The explorer with a language model (V-GEMS, appendix D.2): it chooses among numbered links and controls of the page."""

from __future__ import annotations

import msgspec

from memory.retrieval import Ranker
from memory.state import WalkMemory
from perception.observation import Observation
from walker.models.replies import StepReply
from walker.models.token_count import count_tokens
from walker.rules.question_picture.sure_page import open_only_page
from walker.seams.actions import Action, Refusal
from walker.seams.protocols import Explorer
from walker.seams.searches import picture_of
from walker.seams.task import Task
from walker.strategies.builtin.builtin_explorer import next_of_list
from walker.strategies.model.judged_lines import judged_values
from walker.strategies.model.model_choice import Numbered, action_of
from walker.strategies.model.model_talk import ModelTalk, NoUsableReply
from walker.strategies.model.one_call import OneCall
from walker.strategies.model.prompt_values import (
    Offer,
    Offers,
    PromptValues,
    finding_lines,
    possible_actions,
    question_values,
    shown_findings,
    walk_values,
)
from walker.strategies.model.steps_again import SeenAgain, seen_again, seen_within


class ModelExplorer:
    """Implements `walker.seams.protocols.Explorer`. If the model gives no usable reply, the built-in explorer takes the step."""

    def __init__(
        self,
        talk: ModelTalk,
        ranker: Ranker,
        fallback: Explorer,
        *,
        may_look: bool = True,
        values: PromptValues | None = None,
        one_call: OneCall | None = None,
    ) -> None:
        """`may_look`: whether crops of pictures may be proposed. `values` and `one_call`: shared with the critic, whose call for a
        page chose an action too."""
        self._talk, self._fallback, self._one_call = talk, fallback, one_call
        self._values = values or PromptValues(ranker, Offers(may_look=may_look))

    async def propose(
        self, task: Task, observation: Observation, memory: WalkMemory, refused: tuple[Refusal, ...]
    ) -> Action:
        """The model's choice, as an action on this page or on a page of the stack."""
        onward = open_only_page(observation, memory, refused) or next_of_list(observation, memory, refused)
        if onward is not None:
            return onward
        if self._one_call is not None and not refused and (chosen := self._one_call.take_action(observation, memory)):
            return chosen
        offer = self._values.offer(task, observation, memory)
        again: list[str] = []
        try:
            while True:
                seen_or_done = await self._ask(task, observation, memory, refused, offer, tuple(again))
                if not isinstance(seen_or_done, SeenAgain):
                    return seen_or_done
                again.append(seen_or_done.text)
                offer = seen_or_done.offer
        except NoUsableReply as failure:
            action = await self._fallback.propose(task, observation, memory, refused)
            return msgspec.structs.replace(action, reason=f"{action.reason} (built-in explorer: {failure})"[:300])

    async def _ask(
        self,
        task: Task,
        observation: Observation,
        memory: WalkMemory,
        refused: tuple[Refusal, ...],
        offer: Offer,
        again: tuple[str, ...],
    ) -> Action | SeenAgain:
        """An action, or the whole of a step that the model wants to see again."""
        shown = shown_findings(memory)

        def build(tokens: int) -> dict[str, object]:
            seen = seen_within(again, tokens)
            digest = self._values.digest(task, observation, memory, offer, tokens - count_tokens(seen))
            return {
                **question_values(task, memory),
                **walk_values(memory, offer, seen, refused, task.language, digest.text),
                **self._values.bounds(task, memory),
                "findings": finding_lines(shown, task.question),
                **judged_values(task, shown, memory),
                "page": digest.text,
                "possible": possible_actions(observation, memory, offer, digest, task.language),
            }

        def use(reply: StepReply) -> Action | SeenAgain:
            if reply.action == "refocus":
                return seen_again(reply.number, memory, again, offer)
            return action_of(reply, observation, memory, offer, Numbered(named=shown, every=memory.findings))

        built = self._talk.with_picture(build) if picture_of(observation.url) else build
        return await self._talk.ask("explorer", task.language, memory.step, built, StepReply, use)
