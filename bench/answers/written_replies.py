"""Replies that careful readers wrote to prompts of walks, kept with the project: an unchanged prompt is answered again at no cost."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import msgspec

from answers.blank_reply import blank, schema_of
from walker.testing.chat_server import Asked, Reply

FILE = Path(__file__).parent / "written_replies.jsonl"
_FENCE = re.compile(r"={3,}[0-9a-f]{6,}={3,}")
_PORT = re.compile(r"127\.0\.0\.1:\d+")


class WrittenReplies:
    """Answers from a file of lines {"key", "text"}; a prompt that is not in it gets a reply that says nothing, and is counted."""

    def __init__(self, file: Path = FILE) -> None:
        lines = file.read_bytes().splitlines() if file.is_file() else []
        self._texts = {line["key"]: line["text"] for line in map(msgspec.json.decode, lines)}
        self.known = self.unknown = 0

    def __call__(self, asked: Asked) -> Reply:
        """The reply that was written to this prompt."""
        text = self._texts.get(key_of(asked.body))
        if text is None:
            self.unknown += 1
            return Reply(text=msgspec.json.encode(blank(schema_of(asked.body))).decode())
        self.known += 1
        return Reply(text=text)


def key_of(body: dict[str, Any]) -> str:
    """The name of a request."""
    return hashlib.sha256(plain_request(body).encode()).hexdigest()[:24]


def plain_request(body: dict[str, Any]) -> str:
    """A request as text: markers that differ in every walk, and ports, do not count."""
    asked = [body["messages"], body.get("response_format"), body.get("tools")]
    text = json.dumps(asked, ensure_ascii=False, sort_keys=True)
    return _PORT.sub("HOST", _FENCE.sub("===", text))
