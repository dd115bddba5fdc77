"""Switches the thinking of a model before its replies off or on, by the parameter that the documentation of its family names."""

from __future__ import annotations

import re
from typing import Any

from walker.errors import UsageError
from walker.models.discovery.model_families import family_of
from walker.models.discovery.model_family import ModelFamily
from walker.settings import Thinking

ADVICE = "Leave --thinking out, or switch it at the server"
_NAMED = re.compile(r"reasoning_effort|reasoning effort|thinking|chat_template_kwargs", re.IGNORECASE)


def switched(model: str, thinking: Thinking) -> dict[str, Any]:
    """The parameters of a request to a model of this name. Raises `UsageError` where its family has none for that."""
    family = family_of(model)
    if family is None or not family.switch:
        raise UsageError(f"{_why_not(family)} (--thinking {thinking})", where=model, advice=ADVICE)
    match family.switch:
        case "reasoning_effort":
            return {"reasoning_effort": _effort(family, model, thinking)}
        case "enable_thinking":
            kwargs = {"enable_thinking": _is_on(model, thinking)}
            # Ollama reads no template's parameters; its /v1 takes the effort "none" (ollama/ollama issue 14820).
            also = {"reasoning_effort": "none"} if thinking == "off" else {}
            return {"extra_body": {"chat_template_kwargs": kwargs}} | also
        case "thinking":
            is_on = _is_on(model, thinking)
            if is_on and family.format == "tools":
                # A thinking Claude may not be made to call a tool, which is how its replies are held to a schema.
                raise UsageError("does not think where its replies are held to a schema", where=model, advice=ADVICE)
            return {"extra_body": {"thinking": {"type": "enabled" if is_on else "disabled"}}}


def names_switch(message: str) -> bool:
    """Whether an error message of a server is about a parameter that switches thinking."""
    return _NAMED.search(message) is not None


def _why_not(family: ModelFamily | None) -> str:
    if family is None:
        return "what switches its thinking is not known by this name"
    match family.reasons:
        case "none":
            return f"the family {family.name} does not think first"
        case "always":
            return f"the family {family.name} always thinks first"
        case _:
            return f"what switches the thinking of the family {family.name} is not documented alike by its servers"


def _effort(family: ModelFamily, model: str, thinking: Thinking) -> str:
    wanted = {"off": "none", "on": "medium" if "medium" in family.efforts else "high"}.get(thinking, thinking)
    if wanted in family.efforts:
        return wanted
    levels = [level for level in family.efforts if level in ("low", "medium", "high")]
    known = (*(("off",) if "none" in family.efforts else ()), *levels)
    what = "cannot be kept from thinking" if thinking == "off" else f"knows no --thinking {thinking}"
    raise UsageError(what, where=model, advice=f"Say --thinking {' or '.join(known)}")


def _is_on(model: str, thinking: Thinking) -> bool:
    if thinking not in ("off", "on"):
        raise UsageError(f"knows no --thinking {thinking}", where=model, advice="Say --thinking off or on")
    return thinking == "on"
