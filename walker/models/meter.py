"""Measures the tokens and calls of a walk's models, and enforces the budget."""

from __future__ import annotations

import asyncio

from walker.errors import BudgetSpent, TimeSpent
from walker.models.deadline import Deadline
from walker.models.token_count import count_tokens
from walker.seams.chat import ChatFailure, ChatReply, ChatRequest, Spent
from walker.seams.protocols import ChatModel
from walker.settings import ModelSettings

MILLION = 1_000_000


class MeteredChat:
    """A `ChatModel` that checks the budget before each call and adds up the costs."""

    def __init__(
        self,
        inner: ChatModel,
        settings: ModelSettings,
        spent: Spent | None = None,
        *,
        shared: MeteredChat | None = None,
        deadline: Deadline | None = None,
    ) -> None:
        """`shared` is a meter with the same budget: for a vision model, that of the strategies. A call that is under way at the
        `deadline` is cut off."""
        self._inner, self._settings, self._shared = inner, settings, shared
        self._spent, self._deadline = spent or Spent(), deadline or Deadline()

    @property
    def spent(self) -> Spent:
        """Tokens and calls so far, those of a shared meter included."""
        return self._shared.spent if self._shared is not None else self._spent

    async def complete(self, request: ChatRequest) -> ChatReply | ChatFailure:
        """Forward the call; raises `BudgetSpent` if the budget is spent, as `TimeSpent` where time is over before the answer comes."""
        if why := self.why_spent(request.image_tokens):
            raise BudgetSpent(why, where=self._settings.name)
        if self._deadline.left == 0:
            raise TimeSpent(self._deadline.why, where=self._settings.name)
        limit = asyncio.timeout(self._deadline.left)
        try:
            async with limit:
                answer = await self._inner.complete(request)
        except asyncio.CancelledError:
            self._add_unanswered(request)
            raise
        except TimeoutError:
            if not limit.expired():
                raise
            self._add_unanswered(request)
            raise TimeSpent(self._deadline.why, where=self._settings.name) from None
        self.add(answer)
        return answer

    def _add_unanswered(self, request: ChatRequest) -> None:
        """Of a call that was cut off the prompt was paid for; the size of the reply is unknown."""
        prompt = sum(count_tokens(message.content) for message in request.messages) + request.image_tokens
        self.add(ChatReply(prompt_tokens=prompt))

    def add(self, answer: ChatReply | ChatFailure) -> None:
        """Add the costs of one answer."""
        if self._shared is not None:
            self._shared.add(answer)
        else:
            self._spent = self._spent.plus(answer)

    def why_spent(self, planned: int = 0) -> str:
        """Which limit was reached, or would be with a picture of `planned` tokens, in words; "" if none."""
        limits, spent = self._settings, self.spent
        if limits.max_calls and spent.calls >= limits.max_calls:
            return f"{spent.calls} model calls were made"
        if limits.max_tokens and spent.total_tokens >= limits.max_tokens:
            return f"{spent.total_tokens} tokens were spent"
        if limits.max_tokens and planned and spent.total_tokens + planned > limits.max_tokens:
            return f"{spent.total_tokens} tokens were spent, and a picture costs {planned}"
        money = money_of(spent, limits)
        if limits.max_money and money is not None and money >= limits.max_money:
            return f"{money:.4f} of {limits.max_money:g} were spent"
        return ""


def money_of(spent: Spent, settings: ModelSettings) -> float | None:
    """The price of the tokens, None if it is not known."""
    if not settings.prompt_price or not settings.completion_price:
        return None
    cost = spent.prompt_tokens * settings.prompt_price + spent.completion_tokens * settings.completion_price
    return cost / MILLION
