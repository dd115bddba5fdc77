"""One call of the model for a page: what it gives, whether everything is enough, and what to do next.

The page's text is sent once instead of three times. The critic asks when the page is read; its verdict and the explorer's action
come from the same reply, unless pictures or the policy have changed what they rest on: then each is asked for by itself.
"""

from __future__ import annotations

import msgspec

from memory.findings import Finding, Findings
from memory.state import WalkMemory
from perception.document.visible import visible_text
from perception.observation import Observation
from walker.models.replies import BadReply, PageReply
from walker.models.token_count import count_tokens
from walker.seams.actions import Action, GiveAnswer
from walker.seams.protocols import Verdict
from walker.seams.searches import picture_of
from walker.seams.task import Task
from walker.strategies.model.judged_lines import judged_values
from walker.strategies.model.model_choice import Numbered, action_of
from walker.strategies.model.model_talk import ModelTalk, NoUsableReply
from walker.strategies.model.page_findings import FINDINGS_A_PAGE, PageFindings, verdict_of
from walker.strategies.model.prompt_values import (
    Offer,
    PromptValues,
    finding_lines,
    possible_actions,
    question_values,
    shown_findings,
    walk_values,
)
from walker.strategies.model.steps_again import Given, SeenAgain, seen_again, seen_within, with_given

REASON_CHARS = 200


class Thought(msgspec.Struct, frozen=True, kw_only=True):
    """What one reply said, and what it rested on."""

    url: str
    step: int
    findings: tuple[Finding, ...]
    """Those of earlier pages and of this one."""
    verdict: Verdict
    action: Action


class OneCall:
    """Asks about a page, and keeps the reply until its verdict and its action were taken."""

    def __init__(self, talk: ModelTalk, values: PromptValues) -> None:
        self._talk, self._values = talk, values
        self._thought: Thought | None = None
        self._given = Given()
        """What replies gave that wanted to see a step again before they act."""

    async def read(
        self, task: Task, observation: Observation, memory: WalkMemory, offer: Offer, found: PageFindings
    ) -> Findings:
        """The page's findings. Raises `NoUsableReply` where no reply could be used; what one gave before that is kept."""
        self._thought, self._given = None, Given()
        again: tuple[str, ...] = ()
        while True:
            try:
                read = await self._ask(task, observation, memory, offer, found, again)
            except NoUsableReply as failure:
                if not again:
                    raise
                return msgspec.structs.replace(self._given.findings, note=f"no action was chosen: {failure}"[:200])
            if not isinstance(read, SeenAgain):
                return read
            again, offer = (*again, read.text), read.offer

    def verdict(self, memory: WalkMemory) -> Verdict | None:
        """The verdict on exactly these findings; None if it has to be asked for."""
        thought = self._thought
        return thought.verdict if thought is not None and thought.findings == memory.findings else None

    def take_action(self, observation: Observation, memory: WalkMemory) -> Action | None:
        """The action for this page, once; None if it has to be asked for, as after something new was seen in its pictures."""
        thought, self._thought = self._thought, None
        if thought is None or (thought.url, thought.step) != (observation.url, memory.step):
            return None
        return thought.action if thought.findings == memory.findings else None

    async def _ask(
        self,
        task: Task,
        observation: Observation,
        memory: WalkMemory,
        offer: Offer,
        found: PageFindings,
        again: tuple[str, ...],
    ) -> Findings | SeenAgain:
        """The findings, or the whole of a step that the model wants to see again."""
        given = self._given
        shown, known, text = shown_findings(memory), given.shown_in(memory), ""
        numbered_before = (*shown, *given.numbered)

        def build(tokens: int) -> dict[str, object]:
            nonlocal text
            seen = seen_within(again, tokens)
            digest = self._values.digest(task, observation, memory, offer, tokens - count_tokens(seen))
            text = digest.main
            return {
                **question_values(task, known),
                **walk_values(known, offer, seen, (), task.language, digest.text),
                **self._values.bounds(task, memory),
                "findings": finding_lines(numbered_before, task.question),
                **judged_values(task, numbered_before, known),
                "page": digest.text,
                "possible": possible_actions(observation, memory, offer, digest, task.language),
                "most": FINDINGS_A_PAGE,
                "next_number": len(numbered_before) + 1,
            }

        def use(reply: PageReply) -> Findings | SeenAgain:
            said = with_given(reply.found, given.reply)
            findings, by_place = found.read(said, text, reply.answer, given.numbered)
            # Items that were given before were read once more.
            refused = tuple(dict.fromkeys((*given.findings.refused, *findings.refused)))
            findings = msgspec.structs.replace(findings, refused=refused)
            if reply.action == "refocus" and not reply.sufficient:
                seen = seen_again(reply.number, memory, again, offer)
                quoted = by_place[: len(given.numbered) + len(reply.findings)]
                kept = tuple(dict.fromkeys(one for one in quoted if one is not None))
                self._given = Given(reply=said, findings=findings, numbered=kept)
                return seen
            if reply.sufficient and reply.findings and not findings.findings and not shown:
                raise BadReply("none of its quotes is on the page: copy each quote from the page letter by letter")
            verdict = _verdict(reply, task, shown, by_place)
            # Whether the walk may end is the policy's to say, once this page's items are counted.
            every = (*memory.findings, *findings.findings)
            if verdict.sufficient or reply.action == "answer":
                action: Action = GiveAnswer(reason=visible_text(reply.reason)[:REASON_CHARS])
            else:
                numbered = Numbered(named=(*shown, *by_place), every=every)
                action = action_of(reply.step, observation, memory, offer, numbered)
            self._thought = Thought(
                url=observation.url, step=memory.step, findings=every, verdict=verdict, action=action
            )
            return msgspec.structs.replace(findings, is_enough=True) if verdict.sufficient else findings

        built = self._talk.with_picture(build) if picture_of(observation.url) else build
        return await self._talk.ask("step", task.language, memory.step, built, PageReply, use)


def _verdict(reply: PageReply, task: Task, shown: tuple[Finding, ...], by_place: tuple[Finding | None, ...]) -> Verdict:
    """The verdict of a reply, with its reason for an end."""
    verdict, reason = verdict_of(reply.judgement, task, shown, by_place), visible_text(reply.reason)[:REASON_CHARS]
    if verdict.sufficient and reason:
        return msgspec.structs.replace(verdict, reason=f"{verdict.reason}: {reason}")
    return verdict
