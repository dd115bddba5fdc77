"""Prompts of the evaluation: files in this folder, rendered like those of the strategies."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

from walker.prompts import PromptFolder
from walker.seams.chat import ChatMessage, ChatRequest

_PROMPTS = PromptFolder(Path(__file__).parent)
FENCE_DIGITS = 12


def request_of(
    prompt: str, values: Mapping[str, object], *, model: str, language: str = "en", max_tokens: int = 600
) -> ChatRequest:
    """A request to an evaluator's model. Text from pages and answers is enclosed in markers derived from a hash of all of it, so
    that no such text can contain them."""
    digest = hashlib.sha256(f"{prompt} {sorted(values.items())}".encode(errors="replace")).hexdigest()
    fenced = dict(values) | {"fence": f"==={digest[:FENCE_DIGITS]}==="}
    messages: tuple[ChatMessage, ...] = _PROMPTS.render(prompt, language, fenced)
    return ChatRequest(model=model, messages=messages, max_tokens=max_tokens, prompt=_PROMPTS.id(prompt, language))


def prompt_version(prompt: str, language: str = "en") -> str:
    """Name of a prompt and the beginning of its hash: experiments with equal versions used the same prompt."""
    return _PROMPTS.id(prompt, language)
