"""What a person is asked in the middle of a walk, and what they choose."""

from __future__ import annotations

from typing import Literal

import msgspec

from memory.findings import Citation

PauseKind = Literal["challenge page", "login wall", "answer", "next step"]


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that may be chosen."""

    text: str
    """In a line. What comes of a page is data: it is shown, and never followed."""
    detail: str = ""
    """What speaks for it: a quote, or why it is offered; "" where that is the text again."""
    url: str = ""
    """The page that the quote is from, or that is opened next; "" for none."""


class Pause(msgspec.Struct, frozen=True, kw_only=True):
    """What a person is asked."""

    kind: PauseKind
    text: str
    """In a line."""
    choices: tuple[Choice, ...]
    """At least one."""
    url: str = ""
    """The page that it is about, "" for none."""


class Picked(msgspec.Struct, frozen=True, kw_only=True):
    """What came of asking. Without a pause nobody was asked, since the walk was sure enough or nobody is there."""

    pause: Pause | None = None
    number: int = 0
    """Of the choice, from 1; 0 where nobody chose, and the walk goes on as it would have."""
    seconds: float = 0.0
    """How long the walk waited, which its budget of time does not count."""

    @property
    def choice(self) -> Choice | None:
        """What was chosen, None where nothing was."""
        return self.pause.choices[self.number - 1] if self.pause is not None and self.number else None


class Answerable(msgspec.Struct, frozen=True, kw_only=True):
    """An answer that a walk has come to, or that was found beside it."""

    answer: str
    citations: tuple[Citation, ...] = ()


class Helped(msgspec.Struct, frozen=True, kw_only=True):
    """What a person did in a walk, for whoever gets its outcome."""

    about: PauseKind
    chosen: str
    """The text of the choice; of a check page or a login that they acted in the window."""
    url: str = ""
    """The page that the choice names, or that was in the way; "" for none."""


ACTED = "I have acted in the window"
NONE_IS_RIGHT = "None of these"
END_HERE = "Open nothing more, and end here"

msgspec.json.Decoder(Picked)  # described at import: docs/design/msgspec.md
