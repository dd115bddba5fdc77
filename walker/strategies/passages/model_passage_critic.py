"""The passage critic with a model: one question with yes or no as the answer for each passage."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import partial

import msgspec

from walker.models.replies import without_reasoning
from walker.models.retry import WORTH_ANOTHER
from walker.models.sampling import with_thinking
from walker.models.side_by_side import SideBySide
from walker.prompts import prompt_id, render_prompt
from walker.seams.chat import ChatFailure, ChatReply, ChatRequest
from walker.seams.passage_critic import OfferedPassage, PassageCritic, Weight
from walker.seams.protocols import ChatModel
from walker.settings import ModelSettings
from walker.strategies.passages.yes_no import chance_of_yes, says_yes

PROMPT = "passage_critic"
ASKED_AT_MOST = 128
"""Passages of one question that the model is asked about, the best without it: as many as 20 documents have in ReAG."""
TOP_LOGPROBS = 20
REPLY_TOKENS = 8
"""Of a reply of one word; a model that reasons first is asked again with the tokens of the settings."""
SHOWN_CHARS = 4000
"""Of one passage."""


class ModelPassageCritic:
    """Implements `seams.passage_critic.PassageCritic`. What the model is not asked about, or leaves open, weighs as without it."""

    def __init__(
        self,
        chat: ChatModel,
        settings: ModelSettings,
        without: PassageCritic,
        *,
        asked_at_most: int = ASKED_AT_MOST,
    ) -> None:
        """`without`: the critic without a model."""
        self._chat, self._settings, self._without = chat, settings, without
        self._asked_at_most = asked_at_most
        self._requests = SideBySide[Weight](settings.at_once, is_lost=_is_lost)

    async def weigh(
        self, question: str, passages: Sequence[OfferedPassage], language: str = "en"
    ) -> tuple[Weight, ...]:
        """The probability of yes for the best passages. Raises `EndpointUnusable` or `BudgetSpent`."""
        weights = list(await self._without.weigh(question, passages, language))
        worth = [place for place, passage in enumerate(passages) if passage.text.strip()]
        asked = sorted(worth, key=lambda place: (-weights[place].chance, place))[: self._asked_at_most]
        jobs = [partial(self._weigh_one, question, passages[place], language, weights[place]) for place in asked]
        for place, weight in zip(asked, await self._requests.run(jobs), strict=True):
            weights[place] = weight
        return tuple(weights)

    async def _weigh_one(self, question: str, passage: OfferedPassage, language: str, without: Weight) -> Weight:
        request = self._request(question, passage, language)
        answer = await self._chat.complete(request)
        if isinstance(answer, ChatReply) and _is_thinking(answer):
            longer = msgspec.structs.replace(request, max_tokens=self._settings.reply_tokens)
            answer = await self._chat.complete(longer)
        if isinstance(answer, ChatFailure):
            return msgspec.structs.replace(without, note=f"{answer.kind}: {answer.message}"[:160])
        chance = chance_of_yes(answer.first_token) if answer.first_token is not msgspec.UNSET else None
        if chance is not None:
            return Weight(chance=chance, by="logprobs")
        said = says_yes(answer.text)
        if said is None:
            text = " ".join(without_reasoning(answer.text).split())
            return msgspec.structs.replace(without, note=f"neither yes nor no: “{text[:60]}”")
        return Weight(chance=float(said), by="word")

    def _request(self, question: str, passage: OfferedPassage, language: str) -> ChatRequest:
        place = " > ".join(dict.fromkeys(part for part in (passage.title, *passage.headings) if part.strip()))
        text = passage.text.strip()[:SHOWN_CHARS]
        digest = hashlib.sha256(f"{question}\n{place}\n{text}".encode(errors="replace")).hexdigest()
        values: dict[str, object] = {
            "question": question, "place": place[:SHOWN_CHARS], "passage": text, "fence": f"==={digest[:12]}===",
        }  # fmt: skip
        request = ChatRequest(
            model=self._settings.name,
            messages=render_prompt(PROMPT, language, values, self._settings.prompts),
            max_tokens=REPLY_TOKENS,
            prompt=prompt_id(PROMPT, language, self._settings.prompts),
            top_logprobs=TOP_LOGPROBS,
        )
        return with_thinking(request, self._settings)


def _is_thinking(answer: ChatReply) -> bool:
    """Whether the reply was cut off before its first word of an answer."""
    return answer.finish == "length" and not without_reasoning(answer.text).strip()


def _is_lost(weight: Weight) -> bool:
    """Whether the server did not answer, which it may have been kept from by the requests beside."""
    return weight.note.partition(": ")[0] in WORTH_ANOTHER


def _is_passage_critic(critic: ModelPassageCritic) -> PassageCritic:
    """Makes the type checker verify that the class implements the protocol."""
    return critic
