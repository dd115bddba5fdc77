"""Limits of a process that parses one untrusted file."""

from __future__ import annotations

try:
    import resource
except ImportError:  # not on Windows
    resource = None  # type: ignore[assignment]

MEMORY_AT_MOST = 4 << 30
"""Address space in bytes."""


def limit_process(seconds: int) -> None:
    """Let the operating system end this process after this much processor time, or where it takes too much memory."""
    if resource is not None:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_AT_MOST, MEMORY_AT_MOST))
