"""Running a coroutine for a person: signals, one-line errors and exit codes."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextvars import ContextVar
from types import FrameType
from typing import Any, NoReturn, TypeVar

import click
import msgspec
from rich.console import Console

from traces.errors import StoreError, TraceError
from traces.redaction import is_searched
from walker.cli.interruption import INTERRUPTED, SIGNALS
from walker.errors import Divergence, WalkerError
from walker.recording.secret_notice import notice_for, notice_of
from walker.settings import Settings

T = TypeVar("T")

NOT_ANSWERED = 3
FULL_WIDTH = 10_000
"""Columns of a console that is no terminal."""
SECONDS_TO_HEAR = 3.0
"""Seconds within which an event loop that is not kept busy has heard a signal."""
_RUNNER: ContextVar[asyncio.Runner | None] = ContextVar("runner", default=None)


@contextlib.contextmanager
def in_one_event_loop(runner: asyncio.Runner) -> Iterator[None]:
    """Commands that are called within the block run in this runner's event loop, so that they can share a browser (kept_chromium)."""
    token = _RUNNER.set(runner)
    try:
        yield
    finally:
        _RUNNER.reset(token)


def run_for_person(
    work: Coroutine[Any, Any, T],
    *,
    as_json: bool,
    interrupted: str = "interrupted",
    on_interruption: Callable[[], None] = lambda: None,
) -> T:
    """Run to the end; a `WalkerError` becomes one line and its exit code. `interrupted` is the message after Ctrl-C, and
    `on_interruption` is called before it: whoever has more to say ends the command there."""
    before = {number: signal.getsignal(number) for number in SIGNALS}
    try:
        runner = _RUNNER.get()
        return asyncio.run(_cancellable(work)) if runner is None else runner.run(_cancellable(work))
    except Divergence as error:
        details = {"step": error.step, "place": error.place, "difference": error.difference}
        stop_with(str(error), error.exit_code, as_json=as_json, **details)
    except WalkerError as error:
        stop_with(str(error), error.exit_code, as_json=as_json)
    except StoreError as error:
        stop_with(f"{error}. {error.advice}", 1, as_json=as_json)
    except TraceError as error:
        stop_with(f"{error}. The recording is damaged; restore it from a backup, or ask again", 1, as_json=as_json)
    except (KeyboardInterrupt, asyncio.CancelledError):
        on_interruption()
        stop_with(interrupted, INTERRUPTED, as_json=as_json)
    finally:
        work.close()  # never started, if the signal came first
        for number, handler in before.items():
            signal.signal(number, handler)


def stop_with(message: str, code: int, *, as_json: bool, **details: Any) -> NoReturn:
    """Print the error as one line and exit; with `as_json`, print it on stdout as JSON too, with `details`."""
    line = " ".join(message.split())
    click.echo(f"walker: {line}", err=True)
    if as_json:
        click.echo(msgspec.json.encode({"error": line, "stop_reason": "failed", "answer": ""} | details).decode())
    sys.exit(code)


def error_console(*, quiet: bool = False, ruled: bool = False) -> Console:
    """The console on stderr, for progress and notices. A pipe or a file gets lines in full width, unless they are `ruled`, which takes
    an end of the line."""
    console = Console(stderr=True, quiet=quiet, highlight=False)
    if not console.is_terminal and not ruled:
        console.width = FULL_WIDTH
    return console


def print_secret_notice(settings: Settings, console: Console) -> None:
    """Say before the first recorded walk which secrets redaction cannot search for."""
    if settings.record:
        _print_notice(notice_for(settings), console)


def print_script_secrets(secrets: tuple[str, ...], console: Console) -> None:
    """The same for the values that a crawl script types."""
    short = next((secret for secret in secrets if not is_searched(secret)), "")
    _print_notice(notice_of({"a value that the script types": short}), console)


def _print_notice(notice: str, console: Console) -> None:
    if notice:
        console.print(notice, markup=False, soft_wrap=True)


async def _cancellable(work: Coroutine[Any, Any, T]) -> T:
    """Ctrl-C and SIGTERM cancel the work, so that browsers are closed and the trace is complete."""
    task = asyncio.ensure_future(work)
    interruption = _Interruption(task, asyncio.get_running_loop())
    for number in SIGNALS:
        signal.signal(number, interruption.hear)
    return await task


class _Interruption:
    """What the signals of one command do: the first cancels its task; the second, or silence after the first, ends what keeps the
    event loop busy (a function of a crawl script that never returns) with `KeyboardInterrupt`."""

    def __init__(self, task: asyncio.Future[Any], loop: asyncio.AbstractEventLoop) -> None:
        self._task, self._loop = task, loop
        self._is_asked = False
        self._is_heard = threading.Event()

    def hear(self, number: int, _frame: FrameType | None) -> None:
        """The handler of a signal; runs in the main thread, between two of its instructions."""
        if self._task.done():
            return
        if self._is_asked:
            raise KeyboardInterrupt
        self._is_asked = True
        self._loop.call_soon_threadsafe(self._cancel)
        threading.Thread(target=self._insist, args=(number,), daemon=True).start()

    def _cancel(self) -> None:
        self._is_heard.set()
        # A terminal's Ctrl-C ends the browser driver too: what fails in the background from here on is a consequence.
        self._loop.set_exception_handler(lambda *_: None)
        self._task.cancel()

    def _insist(self, number: int) -> None:
        if not self._is_heard.wait(SECONDS_TO_HEAR):
            signal.pthread_kill(threading.main_thread().ident or 0, number)
