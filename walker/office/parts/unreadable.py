"""Why a file cannot be read."""

from __future__ import annotations

DAMAGED = "it is damaged"


class Unreadable(Exception):
    """A file gives nothing; the message is the reason, in one line without a full stop."""
