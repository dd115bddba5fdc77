"""What a walk has spent on its model, and whether it may spend more."""

from __future__ import annotations

import asyncio

from walker.errors import BudgetSpent
from walker.models.token_count import count_tokens
from walker.seams.chat import ChatFailure, ChatReply, ChatRequest, Spent
from walker.seams.protocols import ChatModel
from walker.settings import ModelSettings

MILLION = 1_000_000


class MeteredChat:
    """A `ChatModel` that asks the budget before each call and adds up what it cost."""

    def __init__(
        self,
        inner: ChatModel,
        settings: ModelSettings,
        spent: Spent | None = None,
        *,
        shared: MeteredChat | None = None,
    ) -> None:
        """`shared` is a meter whose budget this one spends too: that of the minds, for a vision model."""
        self._inner, self._settings, self._shared = inner, settings, shared
        self._spent = spent or Spent()

    @property
    def spent(self) -> Spent:
        """Tokens and calls so far, those of a shared meter included."""
        return self._shared.spent if self._shared is not None else self._spent

    async def complete(self, request: ChatRequest) -> ChatReply | ChatFailure:
        """Ask, unless the budget is spent."""
        if why := self.why_spent(request.image_tokens):
            raise BudgetSpent(why, where=self._settings.name)
        try:
            answer = await self._inner.complete(request)
        except asyncio.CancelledError:
            # The prompt was paid for; how much of the reply nobody tells.
            prompt = sum(count_tokens(message.content) for message in request.messages) + request.image_tokens
            self.add(ChatReply(prompt_tokens=prompt))
            raise
        self.add(answer)
        return answer

    def add(self, answer: ChatReply | ChatFailure) -> None:
        """One more answer."""
        if self._shared is not None:
            self._shared.add(answer)
        else:
            self._spent = self._spent.plus(answer)

    def why_spent(self, planned: int = 0) -> str:
        """What ran out, or would with a picture of so many tokens, in words; "" while nothing has."""
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
    """What the tokens cost, None where a price is not known."""
    if not settings.prompt_price or not settings.completion_price:
        return None
    cost = spent.prompt_tokens * settings.prompt_price + spent.completion_tokens * settings.completion_price
    return cost / MILLION
