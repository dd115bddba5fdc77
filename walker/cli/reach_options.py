"""The flags for pages that not everybody may read: logins, fuller browsers, and a person who helps."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from walker.browser.launch.cdp_address import check_cdp
from walker.browser.launch.virtual_display import can_be_virtual
from walker.cli.asked_person import AskedTerminal
from walker.cli.run_command import stop_with
from walker.errors import UsageError
from walker.handover.whom_to_ask import ask_by
from walker.logins.login_store import KEY_NAME
from walker.logins.login_use import secrets_of_state, state_for
from walker.seams.web.storage_state import StorageState
from walker.settings import WindowPlace

_STATE = (
    click.option(
        "--profile",
        default="",
        metavar="NAME",
        help="Open pages with a saved login (walker login URL --save NAME); its hosts alone get its cookies.",
    ),
    click.option(
        "--state",
        "state_file",
        type=click.Path(path_type=Path, dir_okay=False),
        help="Open pages with the cookies and local storage of this file, as Playwright writes it.",
    ),
)


def _kind_option(what_of_checks: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """--browser, with what becomes of pages that a check keeps closed."""
    return click.option(
        "--browser",
        type=click.Choice(["shell", "chrome", "headed"]),
        help="shell: the light browser; chrome: the whole one; headed: with a window, a virtual one where there is no display"
        + what_of_checks,
    )


_BROWSERS = (
    _kind_option(". A page that a check keeps closed is opened once more in a fuller one."),
    click.option(
        "--cdp",
        default="",
        metavar="URL",
        help="Open pages in a Chromium that runs on this machine (--remote-debugging-port), in a context of their own, with its"
        " cookies for the root's site.",
    ),
)
_ASKED = click.option(
    "--ask-me",
    is_flag=True,
    help="Wait for you: where a check page or a login is in the way, in its window; where the walk is not sure, to choose.",
)


def has_display() -> bool:
    """Whether a window can be shown to a person."""
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def windows_here() -> WindowPlace:
    """Where a browser with a window has it on this machine."""
    if has_display():
        return "shown"
    return "virtual" if can_be_virtual() else "none"


def with_kind_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """A command with --browser alone, which opens no page twice."""
    return _kind_option("; for pages that a check keeps closed to the light one.")(command)


def with_state_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """A command with --profile and --state."""
    for option in reversed(_STATE):
        command = option(command)
    return command


def with_reach_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """A command with all of them."""
    return with_browser_options(_ASKED(command))


def with_browser_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """A command with those of one that never waits for a person."""
    for option in reversed((*_STATE, *_BROWSERS)):
        command = option(command)
    return command


def read_session(given: dict[str, Any], *, as_json: bool) -> tuple[StorageState, str]:
    """The state that the flags name, which it takes from `given`, and the name of its login; one that cannot be had ends the command."""
    profile, file = given.pop("profile"), given.pop("state_file")
    try:
        return state_for(file, profile, key=os.environ.get(KEY_NAME, "")), profile
    except UsageError as error:
        stop_with(str(error), error.exit_code, as_json=as_json)


def read_reach(given: dict[str, Any], *, as_json: bool) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The settings that the flags name, which it takes from `given`, and values that must never be recorded."""
    state, profile = read_session(given, as_json=as_json)
    cdp = given.pop("cdp")
    if cdp:
        try:
            check_cdp(cdp)
        except UsageError as error:
            stop_with(str(error), error.exit_code, as_json=as_json)
    asks = given.pop("ask_me", False)
    if asks:
        ask_by(AskedTerminal().ask)
    changes = {
        "session": state.as_playwright() if state != StorageState() else {},
        "profile": profile,
        "browser": given.pop("browser"),
        "cdp": cdp,
        "windows": windows_here(),
        "ask_me": asks,
    }
    return changes, secrets_of_state(state)
