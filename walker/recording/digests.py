"""Digests that stand for large values in recorded calls."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

from memory.state import WalkMemory


class Digests:
    """Digests of large values in calls; each value is encoded once."""

    def __init__(self) -> None:
        self._recent: dict[int, tuple[Any, str]] = {}

    def of(self, value: Any) -> str:
        """First 16 hex digits of the SHA-256 of the value's JSON."""
        kept = self._recent.get(id(value))
        if kept is not None and kept[0] is value:
            return kept[1]
        digest = hashlib.sha256(msgspec.json.encode(value)).hexdigest()[:16]
        self.keep(value, digest)
        return digest

    def keep(self, value: Any, digest: str) -> None:
        """Cache a digest that is already known."""
        if len(self._recent) >= 32:
            self._recent.pop(next(iter(self._recent)))
        self._recent[id(value)] = (value, digest)


def memory_digest(memory: WalkMemory) -> str:
    """A summary of the memory for digests: what explorer and critic may depend on, without the labels of untried links."""
    stack = memory.stack
    brief = (
        memory.step,
        [(frame.key, len(frame.untried), frame.page_number) for frame in stack.frames],
        len(stack.entered),
        memory.missing,
        memory.answer,
        len(memory.findings),
        memory.findings[-3:],
        [item.name for item in memory.counter.items],
        memory.counter.done,
        [page.key for page in memory.pages],
    )
    return hashlib.sha256(msgspec.json.encode(brief)).hexdigest()[:16]
