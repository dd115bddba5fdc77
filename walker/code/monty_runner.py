"""Monty: a subset of Python in Rust, in a worker process that ends with the run. Needs the extra `code`."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from walker.code.outcome import OutputTaker, ended, failed
from walker.code.value_text import text_of
from walker.seams.code_runner import DEPTH, MEMORY_BYTES, SECONDS, CodeFailure, CodeFailureKind, CodeValue, Ran

if TYPE_CHECKING:
    from pydantic_monty import AsyncMonty, MontyError, OSPolicy, ResourceLimits

GRACE_SECONDS = 0.2
"""After the limit, until the worker is killed: its own check comes first, except within one long operation."""
TURN_SECONDS = SECONDS + GRACE_SECONDS + 0.1
_LIMITS: ResourceLimits = {
    "max_feed_duration_secs": SECONDS,
    "max_memory": MEMORY_BYTES,
    "max_recursion_depth": DEPTH,
    "max_suspensions": 50,
    "max_total_sleep_secs": 0.0,
}
_NO_WORLD: OSPolicy = {"datetime": "call_host", "sleep": "zero", "random_start": "call_host"}
"""Clock and chance are asked of a host that has none: equal code over equal inputs gives an equal value."""
_KINDS: dict[str, CodeFailureKind] = {
    "SyntaxError": "syntax",
    "NotImplementedError": "syntax",
    "ModuleNotFoundError": "module",
    "ImportError": "module",
    "TimeoutError": "time",
    "MemoryError": "memory",
    "RecursionError": "memory",
    "PermissionError": "refused",
}
_UNSUPPORTED = "is not supported in this environment"


class MontyRunner:
    """Implements `walker.seams.code_runner.CodeRunner`. One worker at a time, started with the first run, each for one run."""

    def __init__(self) -> None:
        self._pool: AsyncMonty | None = None

    async def run(self, code: str, inputs: Mapping[str, CodeValue]) -> Ran:
        """Run the code in a fresh worker."""
        began = time.perf_counter()
        try:
            # The extra may be missing where a recording is replayed, which runs nothing.
            import pydantic_monty as monty  # noqa: PLC0415
        except ImportError:
            return failed(
                CodeFailure(kind="unavailable", message="Monty is not installed: pip install gemwalker[code]")
            )
        taken = OutputTaker()
        try:
            pool = await self._opened()
            async with pool.checkout(limits=_LIMITS, os_policy=_NO_WORLD) as session:
                value = await session.feed_run(code, inputs=_sent(inputs), print_callback=taken.take)
        except monty.MontyError as error:
            return failed(_failure_of(error), taken, time.perf_counter() - began)
        except (OSError, RuntimeError) as error:
            await self.close()
            message = f"the interpreter does not start ({' '.join(str(error).split())})"
            return failed(CodeFailure(kind="unavailable", message=message), taken)
        seconds = time.perf_counter() - began
        try:
            return ended(text_of(value), taken, seconds)
        except ValueError as error:
            return failed(CodeFailure(kind="error", message=str(error)), taken, seconds)

    async def close(self) -> None:
        """End the worker."""
        pool, self._pool = self._pool, None
        if pool is not None:
            await pool.__aexit__(None, None, None)

    async def _opened(self) -> AsyncMonty:
        if self._pool is None:
            from pydantic_monty import AsyncMonty  # noqa: PLC0415 - as above

            pool = AsyncMonty(
                max_processes=1,
                max_checkouts_per_worker=1,
                request_timeout=TURN_SECONDS,
                feed_duration_limit_grace=GRACE_SECONDS,
                turn_duration_limit_grace=GRACE_SECONDS,
            )
            self._pool = await pool.__aenter__()
        return self._pool


def _sent(inputs: Mapping[str, CodeValue]) -> dict[str, Any]:
    """Rows as lists: code may sort and add to what it is given."""
    return {name: [list(row) for row in one] if isinstance(one, tuple) else one for name, one in inputs.items()}


def _failure_of(error: MontyError) -> CodeFailure:
    """What an exception of the code, or the end of its worker, says to the one who wrote it."""
    name = type(error).__name__
    if name in ("MontyCrashedError", "MontyDisconnectError", "MontyShutdown"):
        is_late = bool(getattr(error, "timed_out", False))
        return CodeFailure(kind="time" if is_late else "memory", message="the interpreter ended before the code did")
    inner, message = type(error.exception()).__name__, " ".join(str(error).split())[:300]
    kind = _KINDS.get(inner, "error")
    if _UNSUPPORTED in message:
        kind, message = "refused", f"{message}: code has its inputs, and no clock, chance, file or network"
    frames = error.traceback() if hasattr(error, "traceback") else []
    own = [frame for frame in frames if frame.filename.startswith("<python-input")]
    # Of a deep recursion the first place is where it began; of any other the last is where it failed.
    place = (own[:1] if kind == "memory" else own[-1:]) or [None]
    line, column = (place[0].line, place[0].column) if place[0] is not None else (0, 0)
    if kind == "module":
        message += "; there are math, re, json, datetime, decimal and collections"
    return CodeFailure(kind=kind, message=message, line=line, column=column)
