"""How a model draws its reply: temperature, top-p and thinking of the settings, put into a request."""

from __future__ import annotations

import msgspec

from walker.seams.chat import ChatRequest
from walker.settings import ModelSettings


def with_sampling(request: ChatRequest, settings: ModelSettings) -> ChatRequest:
    """The request with temperature, top-p and thinking of the settings; as it is at their defaults, so that its recorded form is
    too."""
    asked: dict[str, float] = {}
    if settings.temperature:
        asked["temperature"] = settings.temperature
    if settings.top_p is not None:
        asked["top_p"] = settings.top_p
    drawn = msgspec.structs.replace(request, **asked) if asked else request
    return with_thinking(drawn, settings)


def with_thinking(request: ChatRequest, settings: ModelSettings) -> ChatRequest:
    """The request with the thinking of the settings alone."""
    return request if settings.thinking is None else msgspec.structs.replace(request, thinking=settings.thinking)
