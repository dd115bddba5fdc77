"""Running a coroutine for a person: signals, one-line errors and exit codes."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
from collections.abc import Coroutine, Iterator
from contextvars import ContextVar
from typing import Any, NoReturn, TypeVar

import click
import msgspec
from rich.console import Console

from traces.errors import TraceError
from traces.redaction import is_searched
from walker.cli.interruption import INTERRUPTED
from walker.errors import Divergence, WalkerError
from walker.recording.secret_notice import notice_for, notice_of
from walker.settings import Settings

T = TypeVar("T")

NOT_ANSWERED = 3
_RUNNER: ContextVar[asyncio.Runner | None] = ContextVar("runner", default=None)


@contextlib.contextmanager
def in_one_event_loop(runner: asyncio.Runner) -> Iterator[None]:
    """Commands that are called within the block run in this runner's event loop, so that they can share a browser (kept_chromium)."""
    token = _RUNNER.set(runner)
    try:
        yield
    finally:
        _RUNNER.reset(token)


def run_for_person(work: Coroutine[Any, Any, T], *, as_json: bool, interrupted: str = "interrupted") -> T:
    """Run to the end; a `WalkerError` becomes one line and its exit code. `interrupted` is the message after Ctrl-C."""
    on_sigterm = signal.getsignal(signal.SIGTERM)
    try:
        runner = _RUNNER.get()
        return asyncio.run(_cancellable(work)) if runner is None else runner.run(_cancellable(work))
    except Divergence as error:
        details = {"step": error.step, "place": error.place, "difference": error.difference}
        stop_with(str(error), error.exit_code, as_json=as_json, **details)
    except WalkerError as error:
        stop_with(str(error), error.exit_code, as_json=as_json)
    except TraceError as error:
        stop_with(f"{error}. The recording is damaged; restore it from a backup, or ask again", 1, as_json=as_json)
    except (KeyboardInterrupt, asyncio.CancelledError):
        stop_with(interrupted, INTERRUPTED, as_json=as_json)
    finally:
        work.close()  # never started, if the signal came first
        signal.signal(signal.SIGTERM, on_sigterm)  # the event loop has restored the default handler


def stop_with(message: str, code: int, *, as_json: bool, **details: Any) -> NoReturn:
    """Print the error as one line and exit; with `as_json`, print it on stdout as JSON too, with `details`."""
    line = " ".join(message.split())
    click.echo(f"walker: {line}", err=True)
    if as_json:
        click.echo(msgspec.json.encode({"error": line, "stop_reason": "failed", "answer": ""} | details).decode())
    sys.exit(code)


def error_console(*, quiet: bool = False) -> Console:
    """The console on stderr, for progress and notices."""
    return Console(stderr=True, quiet=quiet, highlight=False)


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
    """SIGTERM ends the work as Ctrl-C does, so that browsers are closed and the trace is complete."""
    task = asyncio.ensure_future(work)
    loop = asyncio.get_running_loop()

    def interrupt() -> None:
        # A terminal's Ctrl-C ends the browser driver too: what fails in the background from here on is a consequence.
        loop.set_exception_handler(lambda *_: None)
        task.cancel()

    for number in (signal.SIGTERM, signal.SIGINT):
        try:
            loop.add_signal_handler(number, interrupt)
        except NotImplementedError:  # Windows has no signal handlers in its event loop
            break
    return await task
