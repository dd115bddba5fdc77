"""Notice before a walk about secrets that cannot be redacted well: too short, or spelled like a word."""

from __future__ import annotations

from collections.abc import Mapping

from traces.redaction import LEAST_SEARCHED, is_searched
from walker.settings import Settings


def notice_for(settings: Settings) -> str:
    """One line: which secrets, why, and what to do; "" if there is nothing to say. It contains no secret."""
    # A word given to --secret is meant to be redacted, so it gets no notice.
    named = {"a value of --secret": next((value for value in settings.secrets if not is_searched(value)), "")}
    for name, model in (("the key of the vision model", settings.vision), ("the key of the model", settings.model)):
        if model is not None:
            named[name] = model.key
    return notice_of(named)


def notice_of(secrets: Mapping[str, str]) -> str:
    """The same for secrets by their description; empty ones are skipped."""
    short = sorted(name for name, secret in secrets.items() if secret and not is_searched(secret))
    words = sorted(name for name, secret in secrets.items() if is_searched(secret) and is_word(secret))
    notices = []
    if short:
        notices.append(
            f"{' and '.join(short)}: shorter than {LEAST_SEARCHED} characters and so not redacted in pages, where it"
            " would match within ordinary words; use a longer one if it is a real secret"
        )
    if words:
        notices.append(
            f"{' and '.join(words)}: spelled like a word, so this word is redacted in recorded pages too;"
            " use one with digits, or EMPTY where the server accepts any"
        )
    return "; ".join(notices)


def is_word(secret: str) -> bool:
    """Letters only, in lower, upper or title case, so that a page may contain it as a word.

    >>> [is_word(key) for key in ("anything", "Password", "sk-live-1", "aBcDeFgH")]
    [True, True, False, False]
    """
    return secret.isalpha() and (secret.islower() or secret.isupper() or secret.istitle())
