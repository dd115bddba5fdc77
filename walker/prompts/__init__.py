"""Prompts are files beside this one, `NAME.LANGUAGE.md`: what never changes first, so that a provider's prompt cache hits,
then, below the line, what belongs to one call. Jinja; a value that is not given is an error."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path

from jinja2 import Environment, StrictUndefined, Template

from walker.chat import ChatMessage

LINE = "\n<!-- user -->\n"
LANGUAGES = ("en", "zh")
_FOLDER = Path(__file__).parent
_environment = Environment(undefined=StrictUndefined, autoescape=False, trim_blocks=True, lstrip_blocks=True)  # noqa: S701 - no HTML


def render_prompt(name: str, language: str, values: dict[str, object]) -> tuple[ChatMessage, ...]:
    """The messages of one call: system and user. Raises `jinja2.UndefinedError` for a value that is missing."""
    system, user = _templates(_file_of(name, language))
    return (
        ChatMessage(role="system", content=system.render(values).strip()),
        ChatMessage(role="user", content=user.render(values).strip()),
    )


def prompt_id(name: str, language: str) -> str:
    """Name of the file and the beginning of its hash, for the trace."""
    file = _file_of(name, language)
    return f"{file}@{hashlib.sha256(_text(file).encode()).hexdigest()[:8]}"


def _file_of(name: str, language: str) -> str:
    return f"{name}.{language if language in LANGUAGES else LANGUAGES[0]}"


@lru_cache(maxsize=32)
def _text(file: str) -> str:
    return (_FOLDER / f"{file}.md").read_text(encoding="utf-8")


@lru_cache(maxsize=32)
def _templates(file: str) -> tuple[Template, Template]:
    system, line, user = _text(file).partition(LINE)
    assert line, f"{file}.md has no line {LINE.strip()!r}"
    return _environment.from_string(system), _environment.from_string(user)
