"""Which of the models found a walk takes, in words why, and what of its settings follows from that."""

from __future__ import annotations

import msgspec

from walker.models.discovery.listed_model import FoundServer, ListedModel
from walker.models.discovery.model_families import SPECIAL
from walker.settings import ModelSettings

SMALL = 3.0
"""Billions of parameters below which a model comes last: a judgement until a table of measurements replaces it. Editors
keep models of this size in memory to complete code."""
LARGE = 40.0
"""Above this, a model is taken only where it is in memory already or nothing else is there: most machines cannot hold it."""
LONGER = 4
"""Times as many tokens for the reply of a model that reasons first, as a walk gives it after a reply that was cut off."""
LEAST_PAGE_TOKENS = 500


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """The model taken, why, and how many others could have been."""

    model: ListedModel
    why: str
    others: int


def choose(servers: tuple[FoundServer, ...], *, sees: bool = False, preferred: str = "") -> Choice | None:
    """The best model for walks among all that chat and run on this machine; None if there is none. `sees`: only of those that take
    pictures, and the `preferred` name among them."""
    models = [
        model
        for server in servers
        for model in server.models
        if model.chats and model.is_here and (not sees or model.sees)
    ]
    if not models:
        return None
    named = next((model for model in models if model.name == preferred), None)
    if named is not None:
        return Choice(model=named, why="it is the one that reads the pages", others=len(models) - 1)
    ranked = sorted(models, key=_merits, reverse=True)  # stable: of equals the first listed, which Ollama used last
    return Choice(model=ranked[0], why=_why(ranked), others=len(ranked) - 1)


def _merits(model: ListedModel) -> tuple[float, ...]:
    """What speaks for a model, the weightiest first; `_REASONS` says each in words."""
    wanted = step_need(ModelSettings(name=""))
    is_huge = model.billions > LARGE and not model.is_loaded
    return (
        -1 if model.tokens and model.tokens < wanted else 0,
        -1 if is_huge else 0,
        -1 if 0 < model.billions < SMALL else 0,
        0 if model.keeps_schemas is not False else -1,
        0 if not SPECIAL.search(model.name.lower()) else -1,
        1 if model.is_loaded else 0,
        model.billions,
    )


_REASONS = (
    "its context holds a step",
    "this machine may hold it",
    "it is large enough to keep to a schema",
    "its family writes JSON to a schema",
    "it is for texts of all kinds",
    "it is in memory already",
    "it is the largest",
)


def _why(ranked: list[ListedModel]) -> str:
    """The first merit in which the best is ahead of the next, in words."""
    if len(ranked) == 1:
        return "it is the only one"
    pairs = zip(_merits(ranked[0]), _merits(ranked[1]), _REASONS, strict=True)
    return next((reason for best, second, reason in pairs if best > second), "it is listed first")


def told(choice: Choice, *, used_for: str = "model") -> str:
    """One line for a person: the model, its server, what is known of it, and why it was taken."""
    model = choice.model
    size = f"{model.billions:g}B parameters" if model.billions else "size not told"
    known = [size, _context_of(model)]
    if model.sees is not None:
        known.append("takes pictures" if model.sees else "takes no pictures")
    if model.reasons is not None:
        known.append("reasons first" if model.reasons else "does not reason first")
    left = f"; {choice.others} more there" if choice.others else ""
    where = f"{model.server} at {model.base_url}"
    return f"{used_for}: {model.name} of {where} ({', '.join(known)}), because {choice.why}{left}"


def _context_of(model: ListedModel) -> str:
    if model.context:
        return f"context {model.context:,} tokens"
    return f"context up to {model.most_context:,} tokens" if model.most_context else "context not told"


def step_need(settings: ModelSettings) -> int:
    """Tokens of context that one step needs, prompt and reply."""
    return settings.step_tokens + settings.reply_tokens


def fitted(settings: ModelSettings, model: ListedModel) -> tuple[ModelSettings, str]:
    """The settings with room for reasoning and within the model's context, and what a person has to know of that, "" for nothing."""
    if model.reasons and settings.thinking != "off":
        longer = LONGER * settings.reply_tokens
        if not model.tokens or settings.step_tokens + longer <= model.tokens:
            settings = msgspec.structs.replace(settings, reply_tokens=longer)
    need = step_need(settings)
    if model.tokens and model.tokens < need:
        step = max(model.tokens - settings.reply_tokens, LEAST_PAGE_TOKENS)
        page = max(settings.page_tokens - (settings.step_tokens - step), LEAST_PAGE_TOKENS)
        shorter = msgspec.structs.replace(settings, step_tokens=step, page_tokens=page)
        return shorter, f"pages are cut to {page:,} tokens, since a step needs {need:,}; {_more_context(model, need)}"
    if model.server in ("Ollama", "LM Studio") and not model.context:
        # They give a model less than it could take, and a prompt that is cut to fit is not told: half a page is answered about.
        return settings, f"{model.server} tells the context of models in memory only; {_more_context(model, need)}"
    return settings, ""


def _more_context(model: ListedModel, need: int) -> str:
    most = -(-need // 4096) * 4096
    match model.server:
        case "Ollama":
            return f"for whole pages start it with OLLAMA_CONTEXT_LENGTH={most}"
        case "llama.cpp":
            return f"for whole pages start it with --ctx-size {most}"
        case "vLLM":
            return f"for whole pages start it with --max-model-len {most}"
        case "LM Studio" | "OpenAI-compatible":
            return f"for whole pages load the model with a context of {most} tokens"
