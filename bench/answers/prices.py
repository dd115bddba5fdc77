"""What tokens cost, at prices that the caller states: no list of prices is right for long."""

from __future__ import annotations

import msgspec


class Prices(msgspec.Struct, frozen=True, kw_only=True):
    """Of a million tokens of prompt, and of reply."""

    prompt: float
    completion: float

    def of(self, prompt_tokens: float, completion_tokens: float) -> float:
        """What so many tokens cost."""
        return (prompt_tokens * self.prompt + completion_tokens * self.completion) / 1e6


def price_in(text: str) -> Prices:
    """As `0.15,0.60`. Raises `ValueError` for what is no price."""
    prompt, completion = map(float, text.split(","))
    return Prices(prompt=prompt, completion=completion)
