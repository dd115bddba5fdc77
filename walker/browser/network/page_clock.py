"""Scripts that set the clock and the random numbers of a page, in the page's own world only: our scripts, which live in another,
keep theirs."""

from __future__ import annotations

from walker.browser.scripts.page_functions import init_script, page_function

TICK_MS = 16.0
"""What a pinned clock goes on with each read: a frame, so that what waits for time to pass or moves with it comes to its end."""


def running_clock(began: float, *, seed: int = 1) -> str:
    """The script for a clock that starts at a moment (seconds since the epoch) and runs on."""
    return _call(began, 0.0, seed)


def pinned_clock(began: float, *, seed: int = 1) -> str:
    """The script for a clock that starts at a moment in every document and goes on when it is read, and then only."""
    return _call(began, TICK_MS, seed)


def _call(began: float, tick: float, seed: int) -> str:
    return init_script(
        page_function("page_world/page_clock.js", "setClock"), {"began": began, "tick": tick, "seed": seed}
    )
