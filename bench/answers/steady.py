"""A model whose reply is a function of the prompt alone, so that walks differ only where their prompts do, and all prompts kept."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from typing import Any

from answers.prompt_reading import Shown, read_request, reply_with
from answers.walks import Recognised, Walk
from answers.written_replies import plain_request
from walker.testing.chat_server import Asked, Reply

QUOTE_CHARS = 200
LINKS = 8
"""Links of a page from which one may be followed."""


class Steady:
    """A script for `walker.testing.chat_server.Endpoint`. `prompts` holds by walk what was asked, in the order it came, without what
    differs by design: markers and ports."""

    def __init__(self, walks: Sequence[Walk]) -> None:
        self._recognised = Recognised(walks)
        self.prompts: dict[str, list[str]] = {walk.id: [] for walk in walks}

    def __call__(self, asked: Asked) -> Reply:
        """Answer one request."""
        plain = plain_request(asked.body)
        if (walk := self._recognised.walk_of(asked.prompt)) is not None:
            self.prompts[walk.id].append(plain)
        shown = read_request(asked)
        said: dict[str, Any] = {"found": False, "sufficient": False, "missing": ["what was asked"]}
        if shown.is_reading:
            said |= _reading(shown)
        if shown.is_step:
            said |= _step(shown, int(hashlib.sha256(plain.encode()).hexdigest()[:8], 16))
        return Reply(text=json.dumps(reply_with(asked, said), ensure_ascii=False))


def _reading(shown: Shown) -> dict[str, Any]:
    """The longest line of the page as a finding."""
    line = max(shown.page.splitlines(), key=len, default="")[:QUOTE_CHARS]
    finding = {"answer": line[:40], "quote": line, "confidence": 60}
    return {"relevance": 30, "findings": [finding] if line else [], "list": 0, "items": []}


def _step(shown: Shown, drawn: int) -> dict[str, Any]:
    """One of the ways on, drawn by the prompt."""
    ways = list(_ways(shown)) or [("answer", 0)]
    kind, number = ways[drawn % len(ways)]
    box = [0.0, 0.0, 0.5, 0.5] if kind == "crop" else []
    return {"action": kind, "number": number, "text": "", "box": box, "reason": "drawn by the prompt"}


def _ways(shown: Shown) -> Iterator[tuple[str, int]]:
    """What may be tried, links most often."""
    ways = [
        *(("follow", one.number) for one in shown.links[:LINKS] if not one.state),
        *(("crop", one.number) for one in shown.pictures[:1]),
        *(("click", one.number) for one in shown.controls[:1]),
        *(("read", one.last) for one in shown.left_out[:1]),
        ("next", 0),
    ]
    yield from (way for way in ways if way[0] in shown.possible)
