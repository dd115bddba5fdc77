"""Secrets that a program types: named in what is recorded, and put in place of their names where the browser types."""

from __future__ import annotations

import re

from traces.redaction import LEAST_SEARCHED, is_searched
from walker.errors import UsageError

_MARK = re.compile(r"^<secret:([A-Za-z_]\w*)>$")


class Secret:
    """A value that is typed and never recorded, shown or logged.

    password = Secret(os.environ["SHOP_PASSWORD"], "SHOP_PASSWORD")
    await session.act("type into the password field", text=password, allow=("type",))
    """

    __slots__ = ("_value", "name")

    def __init__(self, value: str, name: str = "SECRET") -> None:
        """`name` stands for it in the recording: letters, digits and low lines. Raises `UsageError` for another, and without a
        value."""
        if not value:
            raise UsageError("a secret has no value", where=name, advice="Set the variable that it comes from")
        self._value, self.name = value, name
        if not _MARK.match(self.mark):
            raise UsageError("a secret's name has letters, digits and low lines only", where=repr(name))

    @property
    def mark(self) -> str:
        """What stands for it in recordings."""
        return f"<secret:{self.name}>"

    @property
    def can_be_hidden(self) -> bool:
        """Whether it is long enough to be looked for in pages."""
        return is_searched(self._value)

    def reveal(self) -> str:
        """The value itself, for the browser and for redaction."""
        return self._value

    def __repr__(self) -> str:
        return f"Secret({self.name})"


class SecretValues:
    """The secrets of one session, by what stands for them."""

    def __init__(self) -> None:
        self._values: dict[str, str] = {}

    def add(self, secret: Secret) -> None:
        """Remember a secret."""
        self._values[secret.mark] = secret.reveal()

    def in_place(self, text: str) -> str:
        """The text as the browser types it."""
        return self._values.get(text, text)


def plain_text(text: str | Secret) -> str | dict[str, object]:
    """A text as a call is recorded with it."""
    return {"secret": text.name, "hidden": text.can_be_hidden} if isinstance(text, Secret) else text


def text_again(plain: str | dict[str, object]) -> str | Secret:
    """A text out of a recorded call; a secret without its value."""
    if isinstance(plain, str):
        return plain
    return Secret("x" * LEAST_SEARCHED if plain["hidden"] else "x", str(plain["secret"]))
