"""Texts with `${NAME}`: secrets that a script types and that must not be stored."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from walker.crawl.script.destination import secrets_in
from walker.errors import UsageError
from walker.seams.web.own_headers import is_credential

if TYPE_CHECKING:  # every command with headers reads texts like these, and a spec takes 0.15 s to load
    from walker.crawl.script.spec import CrawlSpec

SECRET = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")


def names_in(text: str) -> tuple[str, ...]:
    """The environment variables in a text."""
    return tuple(SECRET.findall(text))


def fill_in(text: str, environment: Mapping[str, str]) -> str:
    """The text with its variables replaced. Raises `UsageError` for a variable that is not set."""
    missing = [name for name in names_in(text) if name not in environment]
    if missing:
        raise UsageError(f"{missing[0]} is not in the environment", advice=f"Set it: export {missing[0]}=...")
    return SECRET.sub(lambda match: environment[match[1]], text)


def secret_names_of(spec: CrawlSpec) -> tuple[str, ...]:
    """The environment variables whose values a script types or sends."""
    steps = [step for rule in spec.pages for step in rule.steps] + list(spec.login.steps if spec.login else ())
    texts = [*(step.text for step in steps), *spec.headers.values(), spec.proxy]
    return tuple(dict.fromkeys(name for text in texts for name in names_in(text)))


def secrets_of(spec: CrawlSpec, environment: Mapping[str, str]) -> tuple[str, ...]:
    """The secret values that a script types or sends, and the passwords of its proxy and destinations, which must never be recorded
    or stored."""
    typed = (environment[name] for name in secret_names_of(spec) if environment.get(name))
    written = (value for name, value in spec.headers.items() if is_credential(name) and not names_in(value))
    password = unquote(urlsplit(spec.proxy).password or "")
    proxy = (password,) if password and not names_in(password) else ()
    named = (secret for to in spec.output.destinations for secret in secrets_in(to))
    return tuple(dict.fromkeys((*typed, *written, *proxy, *named)))
