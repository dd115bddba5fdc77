"""A model that finds a line on every page and then tries all that it offers, one thing after another, and keeps what it was sent."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from answers.prompt_reading import Shown, read_request, reply_with
from answers.walks import Recognised, Walk
from walker.models.token_count import count_tokens
from walker.testing.chat_server import Asked, Reply

MOST_TRIES = 7
"""Things that are tried on one page."""
QUOTE_CHARS = 200


class Restless:
    """A script for `walker.testing.chat_server.Endpoint`."""

    def __init__(self, walks: Sequence[Walk]) -> None:
        self._recognised = Recognised(walks)
        self._tried: dict[str, Counter[tuple[str, int]]] = defaultdict(Counter)
        self.tokens: dict[str, list[int]] = {walk.id: [] for walk in walks}
        """Tokens of each prompt as it was sent, by walk."""
        self.actions: Counter[str] = Counter()
        """How often each sort of action was tried."""

    def __call__(self, asked: Asked) -> Reply:
        """Answer one request."""
        walk = self._recognised.walk_of(asked.prompt)
        shown = read_request(asked)
        said: dict[str, Any] = {"found": False, "sufficient": False, "missing": ["what was asked"]}
        if walk is not None:
            self.tokens[walk.id].append(sum(map(count_tokens, _texts(asked))))
        if shown.is_reading:
            said |= _reading(shown)
        if shown.is_step:
            said |= self._step(shown, self._tried[walk.id if walk is not None else ""])
        return Reply(text=json.dumps(reply_with(asked, said), ensure_ascii=False))

    def _step(self, shown: Shown, tried: Counter[tuple[str, int]]) -> dict[str, Any]:
        untried = (way for way in _ways(shown) if not tried[way])
        kind, number = next(untried, ("answer", 0)) if tried.total() < MOST_TRIES else ("answer", 0)
        tried[kind, number] += 1
        self.actions[kind] += 1
        box = [0.0, 0.0, 0.5, 0.5] if kind == "crop" else []
        text = "a" if kind == "type" else ""
        return {"action": kind, "number": number, "text": text, "box": box, "reason": "to see what comes"}


def _ways(shown: Shown) -> Iterator[tuple[str, int]]:
    """What may be tried on a page, what leaves it last. Names of actions that the prompt does not offer are left out."""
    ways = [
        *(("read", one.last) for one in shown.left_out[:2]),
        *(("crop", one.number) for one in shown.pictures[:2]),
        *(("click", one.number) for one in shown.controls[:2]),
        ("scroll", 0),
        *(("type", one.number) for one in shown.controls[-1:]),
        ("refocus", 1),
        ("next", 0),
        *(("follow", one.number) for one in shown.links[:1]),
    ]
    yield from (way for way in ways if way[0] in shown.possible)


def _reading(shown: Shown) -> dict[str, Any]:
    """The longest line of the page as a finding, and its first list as the one that is counted."""
    line = max(shown.page.splitlines(), key=len, default="")[:QUOTE_CHARS]
    finding = {"answer": line[:40], "quote": line, "confidence": 60}
    number = shown.lists[0].number if shown.lists else 0
    return {"relevance": 30, "findings": [finding] if line else [], "list": number, "items": []}


def _texts(asked: Asked) -> Iterator[str]:
    """The texts of a request's messages; pictures are no text."""
    for message in asked.body["messages"]:
        content = message.get("content") or ""
        if isinstance(content, str):
            yield content
        else:
            yield from (part["text"] for part in content if part.get("type") == "text")
