"""Header fields as they are given on the command line."""

from __future__ import annotations

from collections.abc import Iterable

from walker.errors import UsageError


def read_header_lines(lines: Iterable[str]) -> dict[str, str]:
    """Values by name of `NAME: VALUE` lines. Raises `UsageError` for anything else."""
    headers: dict[str, str] = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if not colon or not name.strip():
            # The line is not repeated: it may be a secret.
            raise UsageError("--header takes NAME: VALUE", advice="Try --header 'X-Api-Key: ${API_KEY}'")
        headers[name.strip()] = value.strip()
    return headers
