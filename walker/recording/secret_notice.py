"""What a person should know of the secrets of a walk before it starts: which are not looked for in pages, and which are words."""

from __future__ import annotations

from collections.abc import Mapping

from traces.redaction import LEAST_SEARCHED, is_searched
from walker.settings import Settings


def notice_for(settings: Settings) -> str:
    """One line: which secrets, why, and what to do; "" where nothing has to be said. It holds no secret."""
    # Who gives a word to --secret wants it out of the record.
    named = {"a value of --secret": next((value for value in settings.secrets if not is_searched(value)), "")}
    for name, model in (("the key of the vision model", settings.vision), ("the key of the model", settings.model)):
        if model is not None:
            named[name] = model.key
    return notice_of(named)


def notice_of(secrets: Mapping[str, str]) -> str:
    """The same for secrets by what a person calls them; empty ones are passed over."""
    short = sorted(name for name, secret in secrets.items() if secret and not is_searched(secret))
    words = sorted(name for name, secret in secrets.items() if is_searched(secret) and is_word(secret))
    told = []
    if short:
        told.append(
            f"{' and '.join(short)}: shorter than {LEAST_SEARCHED} characters and so not searched for in pages, where it"
            " would be found within ordinary words; take a longer one if it is a real secret"
        )
    if words:
        told.append(
            f"{' and '.join(words)}: spelled like a word, so pages that say this word are recorded with a mark in its place;"
            " take one with digits, or EMPTY where any is taken"
        )
    return "; ".join(told)


def is_word(secret: str) -> bool:
    """Letters only, all small, all large or with a large one in front: a page may well say it.

    >>> [is_word(key) for key in ("anything", "Password", "sk-live-1", "aBcDeFgH")]
    [True, True, False, False]
    """
    return secret.isalpha() and (secret.islower() or secret.isupper() or secret.istitle())
