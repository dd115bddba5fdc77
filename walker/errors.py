"""What can go wrong, and what is done about it.

WalkerError                   one line for a person: what, where, what to do now
├── UsageError                the caller asked for something that cannot be (exit code 2)
│   ├── NotAUrl               the root is no http(s) URL
│   └── EmptyQuestion         there is nothing to ask
├── RootUnreachable           the first page cannot be had: host, connection, TLS, time-out, status, type
├── BrowserUnavailable        no browser to start, or it dies again after a restart
├── EndpointUnusable          the model's endpoint can never answer: key refused, no such model, nobody there
├── BudgetSpent               no further call to a model is allowed; the walk ends with the best answer so far
│   └── TimeSpent             its time was over before a model had answered
├── WalkCrashed               a fault of Walker ended one walk; its traceback is in the run folder
├── TraceUnwritable           the run folder cannot be written (disk full, no permission); the walk stops, the log stays valid
├── OutputUnwritable          a file that was asked for cannot be written; recorded walks and jobs behind it are intact
├── NotAllowed                a call of a session needs a permission that it was not given (exit code 2)
├── NoSuchTarget              nothing on the page, or several things, are what words mean
├── PageNotOpened             a page that a session was sent to cannot be had
├── Divergence                a replay made a request that is not in the recording
└── MissingExtra              an optional package is needed
"""

from __future__ import annotations

from traces.compare.difference import Difference


class WalkerError(Exception):
    """Base of all errors that are shown as one line. `advice` says what to do now."""

    exit_code = 1

    def __init__(self, what: str, *, where: str = "", advice: str = "") -> None:
        self.what, self.where, self.advice = what, where, advice
        super().__init__(": ".join(part for part in (where, what) if part) + (f". {advice}" if advice else ""))


class UsageError(WalkerError):
    """The caller asked for something that cannot be; nothing was started."""

    exit_code = 2


class NotAUrl(UsageError):
    """The root is no http(s) URL with a host."""


class EmptyQuestion(UsageError):
    """There is nothing to ask."""


class RootUnreachable(WalkerError):
    """The first page of the walk cannot be had; the trace says how far it came."""


class BrowserUnavailable(WalkerError):
    """There is no browser to start, or it died again after a restart."""


class EndpointUnusable(WalkerError):
    """No call to the model can succeed: the key is refused, the model is unknown, or nobody answers there."""


class BudgetSpent(WalkerError):
    """The budget allows no further call to a model, or no further page of a session. A walk ends with its best answer so far."""


class TimeSpent(BudgetSpent):
    """The time of a walk was over before a model had answered, whose call was cut off."""


class NotAnswered(WalkerError):
    """A walk ended without an answer that is sure enough; raised by `Outcome.required` only. `stop_reason` says why it ended."""

    exit_code = 3

    def __init__(self, what: str, *, where: str = "", advice: str = "", stop_reason: str = "") -> None:
        self.stop_reason = stop_reason
        super().__init__(what, where=where, advice=advice)


class SiteBlocked(NotAnswered):
    """The site lets no program in: a check page, or it refuses. Worth another try from another network, or with a person."""


class LoginNeeded(SiteBlocked):
    """The pages are for members: the walk met a login, and had no session. Worth another try with one (`walker login`)."""


class OutOfBudget(NotAnswered):
    """The walk was not over when its pages, seconds, tokens or money were spent. Worth another try with more."""


class WalkCrashed(WalkerError):
    """An unexpected error ended one walk; other walks of the process go on. Its cause is the error as it was raised."""


class TraceUnwritable(WalkerError):
    """The run folder cannot be written; the walk stops and what was written stays valid."""


class OutputUnwritable(WalkerError):
    """A file that was asked for cannot be written; the file that was there before, if any, is as it was."""


class NotAllowed(WalkerError):
    """A call of a session needs a permission that it was not given; `needs` are those. Unless `where` says otherwise, nothing was
    done."""

    exit_code = 2

    def __init__(self, what: str, *, where: str = "", advice: str = "", needs: tuple[str, ...] = ()) -> None:
        self.needs = needs
        super().__init__(what, where=where, advice=advice)


class NoSuchTarget(WalkerError):
    """Words mean nothing on the page, or several things; nothing was done. The nearest are named."""


class PageNotOpened(WalkerError):
    """A page cannot be had: the browser's reason is the text. No page is open then."""


class Divergence(WalkerError):
    """A replay made a request that differs from the recording. `difference` names the field and both values where there
    are two to compare; `place` is the seam and method, or the kind of event."""

    def __init__(
        self,
        what: str,
        *,
        where: str = "",
        advice: str = "",
        step: int = 0,
        place: str = "",
        difference: Difference | None = None,
    ) -> None:
        self.step, self.place, self.difference = step, place, difference
        super().__init__(what, where=where, advice=advice)


class MissingExtra(WalkerError):
    """An optional package is needed for this; `advice` holds the install line."""
