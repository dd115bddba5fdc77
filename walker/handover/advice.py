"""What a person can do about a walk that was kept out."""

from __future__ import annotations

from walker.seams.outcome import Outcome, StopReason
from walker.settings import Settings


def advice_for(outcome: Outcome, root: str, settings: Settings) -> str:
    """One line, "" where the walk was not kept out."""
    if outcome.stop_reason is StopReason.BLOCKED and not outcome.answer:
        tried = "" if settings.browser == "headed" or settings.headed else "--browser headed, or "
        return f"A check page is in the way, and is not solved here: try {tried}--ask-me, and act in its window"
    if outcome.stop_reason is not StopReason.NEEDS_LOGIN or outcome.answer:
        return ""
    if settings.profile:
        return f"The login {settings.profile} has expired. Log in again: walker login {root} --save {settings.profile}"
    if settings.session:
        return "The session of this state has expired. Log in again, and name the new state"
    return f"The site asks for a login. Make one: walker login {root} --save NAME, then ask with --profile NAME"
