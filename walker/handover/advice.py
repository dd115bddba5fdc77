"""What a person can do about a walk that was kept out."""

from __future__ import annotations

from walker.seams.outcome import Outcome, StopReason
from walker.settings import Settings


def advice_for(outcome: Outcome, root: str, settings: Settings) -> str:
    """One line, "" where the walk was not kept out."""
    return "" if outcome.answer else advice_about(outcome.stop_reason, root, settings)


def advice_about(kept_out: StopReason, root: str, settings: Settings) -> str:
    """One line for a walk or an extraction that was blocked or needs a login, "" for any other end."""
    if kept_out is StopReason.BLOCKED:
        tried = "" if settings.browser == "headed" or settings.headed else "--browser headed, or "
        return f"A check page is in the way, and is not solved here: try {tried}--ask-me, and act in its window"
    if kept_out is not StopReason.NEEDS_LOGIN:
        return ""
    if settings.profile:
        return f"The login {settings.profile} has expired. Log in again: walker login {root} --save {settings.profile}"
    if settings.session:
        return "The session of this state has expired. Log in again, and name the new state"
    return f"The site asks for a login. Make one: walker login {root} --save NAME, then ask with --profile NAME"
