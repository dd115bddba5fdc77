"""Who is asked in the walks of a context: a person at a terminal, at a client, or at the page of a job."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from pathlib import Path

from walker.seams.web.asked_person import Pause

AskPerson = Callable[[Pause], Awaitable[int]]
"""Shows a person what is asked, and waits: the number of the choice, from 1; 0 where nobody chooses, or the time is over."""
WAIT_SECONDS = 300.0
"""Until a walk goes on without the person: time to find a telephone for a second factor, and less than hosts wait for a job."""
_RUN: ContextVar[Path | None] = ContextVar("asking_run", default=None)
_PERSON: ContextVar[AskPerson | None] = ContextVar("asked_person", default=None)


def ask_by(ask: AskPerson) -> None:
    """From here on, walks of this context that may ask a person do it so; the command line asks at its terminal."""
    _PERSON.set(ask)


def asked_by() -> AskPerson | None:
    """What was set so, None where nobody can be asked."""
    return _PERSON.get()


def asks_in(run: Path) -> None:
    """From here on, walks of this context are recorded in this folder: whoever looks at it can be shown what they ask."""
    _RUN.set(run)


def asking_run() -> Path | None:
    """The folder of the walk that asks, None where it is not recorded."""
    return _RUN.get()
