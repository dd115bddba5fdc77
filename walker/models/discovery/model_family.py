"""What is known of a family of language models: how its members think, and what a request to them may hold."""

from __future__ import annotations

from typing import Literal

import msgspec

Reasoning = Literal["none", "always", "switch", "asked"]
"""Whether replies begin with reasoning: never, always, unless a request or prompt switches it off, or where one asks for it."""
Format = Literal["json_schema", "tools", "json_object", "text"]
"""How a reply is constrained to its schema, from the strictest way to none."""
LimitName = Literal["max_tokens", "max_completion_tokens", ""]
"""What the limit of a reply is called, "" where a server takes none."""
Switch = Literal["", "reasoning_effort", "enable_thinking", "thinking"]
"""What of a request says whether a model reasons: the parameter `reasoning_effort`, `chat_template_kwargs.enable_thinking`, or the
object `thinking` with its `type`; "" where nothing does, or it is not known."""


class ModelFamily(msgspec.Struct, frozen=True, kw_only=True):
    """One family, told by a pattern that is found in a model's name, in lower case and without the publisher.

    The last fields are what a first request holds. What a server refuses of it is learnt from its error (`walker.models.dialect`),
    so they differ from the defaults only where the documentation says so, above all where a server ignores in silence what it does
    not know."""

    name: str
    pattern: str
    context: int = 0
    """Tokens, 0 where the members differ too much."""
    sees: bool = False
    reasons: Reasoning = "none"
    switch: Switch = ""
    efforts: tuple[str, ...] = ()
    """The values of `reasoning_effort` that it takes, from the least on."""
    keeps_schemas: bool = True
    """Trained to call tools, or to write JSON that keeps to a schema."""
    format: Format = "json_schema"
    limit_name: LimitName = "max_tokens"
    temperature: bool = True
    """Whether it may be said; top_p likewise."""
    logprobs: bool = True
    """Whether probabilities of tokens may be asked for."""
    source: str

    def told(self) -> str:
        """What a first request to it holds, and how it reasons, in words."""
        asked: list[str] = [self.format]
        if self.limit_name != "max_tokens":
            asked.append(self.limit_name)
        if not self.temperature:
            asked.append("no temperature")
        if not self.logprobs:
            asked.append("no logprobs")
        reasons = _REASONS[self.reasons]
        if self.switch:
            reasons += f" ({' '.join((self.switch, *self.efforts))})"
        return f"asked with {', '.join(asked)}; {reasons}"


_REASONS: dict[Reasoning, str] = {
    "none": "does not reason first",
    "always": "reasons first",
    "switch": "reasons first unless that is switched off",
    "asked": "reasons first where it is asked to",
}
