"""What a worker did within some seconds, as it stands in the job's database."""

from __future__ import annotations

import msgspec


class HostWork(msgspec.Struct, array_like=True):
    """What came of one host's pages."""

    stored: int = 0
    failed: int = 0
    """Given up, or to be tried again."""
    size: int = 0
    """Bytes of what was stored."""


class WorkerReport(msgspec.Struct, kw_only=True):
    """Numbers since the report before."""

    hosts: dict[str, HostWork] = {}
    """By origin."""
    errors: dict[str, int] = {}
    """By kind."""


REPORTS = msgspec.json.Decoder(WorkerReport)
