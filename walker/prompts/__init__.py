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


class PromptFolder:
    """Prompt files of one folder; a language without a file of its own gets the English one."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def render(self, name: str, language: str, values: dict[str, object]) -> tuple[ChatMessage, ...]:
        """The messages of one call: system and user. Raises `jinja2.UndefinedError` for a value that is missing."""
        system, user = _templates(self._path(name, language))
        return (
            ChatMessage(role="system", content=system.render(values).strip()),
            ChatMessage(role="user", content=user.render(values).strip()),
        )

    def id(self, name: str, language: str) -> str:
        """Name of the file and the beginning of its hash, for the trace."""
        path = self._path(name, language)
        return f"{path.stem}@{hashlib.sha256(_text(path).encode()).hexdigest()[:8]}"

    def _path(self, name: str, language: str) -> Path:
        spoken = self._folder / f"{name}.{language}.md"
        return spoken if language in LANGUAGES and _exists(spoken) else self._folder / f"{name}.{LANGUAGES[0]}.md"


_OURS = PromptFolder(_FOLDER)


def render_prompt(name: str, language: str, values: dict[str, object]) -> tuple[ChatMessage, ...]:
    """The messages of one call to a mind's model. Raises `jinja2.UndefinedError` for a value that is missing."""
    return _OURS.render(name, language, values)


def prompt_id(name: str, language: str) -> str:
    """Name of a mind's prompt and the beginning of its hash, for the trace."""
    return _OURS.id(name, language)


@lru_cache(maxsize=64)
def _exists(path: Path) -> bool:
    return path.is_file()


@lru_cache(maxsize=64)
def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@lru_cache(maxsize=64)
def _templates(path: Path) -> tuple[Template, Template]:
    system, line, user = _text(path).partition(LINE)
    assert line, f"{path.name} has no line {LINE.strip()!r}"
    return _environment.from_string(system), _environment.from_string(user)
