"""Walks by the command line against an endpoint on loopback, so that any version of Walker can be measured from outside."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from walker.testing.chat_server import Endpoint, Script

PROJECT = Path(__file__).parents[2]
KEY = "a-key-that-the-endpoint-does-not-ask-for"
MODEL = "test-model"
SIDE_BY_SIDE = 2


class Walk(msgspec.Struct, frozen=True, kw_only=True):
    """A question and the address to start at: a line of a batch."""

    id: str
    question: str
    root: str
    lang: str = ""


class Ended(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a walk; of a walk that failed, why."""

    id: str
    answer: str = ""
    nearest: str = ""
    """The best that was found where it was not sure enough to be the answer."""
    items: tuple[str, ...] = ()
    confidence: float = 0.0
    stop_reason: str = ""
    pages: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    error: str = ""

    @property
    def tokens(self) -> int:
        """Of all prompts and replies."""
        return self.prompt_tokens + self.completion_tokens


async def walk_all(
    walks: Sequence[Walk],
    script: Script,
    options: Sequence[str],
    *,
    checkout: Path = PROJECT,
    base_url: str = "",
    heard: list[str] | None = None,
) -> dict[str, Ended]:
    """Ask every question, side by side in one browser, with the model that `script` plays, or that of a live endpoint at
    `base_url`. By id; raises `RuntimeError` if the batch itself ends with an error. `heard` gets the lines of standard error."""
    # Whoever writes replies takes minutes for one: many walks wait at once, and on a busy machine a page may take a minute.
    pace = (
        ["--jobs", "12", "--model-seconds", "3000", "--max-seconds", "36000", "--page-seconds", "300"]
        if base_url
        else ["--jobs", str(SIDE_BY_SIDE)]
    )
    async with Endpoint(script, models=(MODEL,)) as endpoint:
        model = ["--model", MODEL, "--base-url", base_url or endpoint.base_url]
        return await ask_batch(walks, [*model, *options, *pace], checkout=checkout, heard=heard)


async def ask_batch(
    walks: Sequence[Walk], options: Sequence[str], *, checkout: Path = PROJECT, heard: list[str] | None = None
) -> dict[str, Ended]:
    """Ask every question with these options of `walker ask`. As `walk_all` otherwise."""
    with tempfile.TemporaryDirectory() as scratch:
        questions, out = Path(scratch) / "questions.jsonl", Path(scratch) / "answers.jsonl"
        questions.write_bytes(b"".join(msgspec.json.encode(walk) + b"\n" for walk in walks))
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *"-m walker ask --no-record --batch".split(),
            str(questions),
            "--out",
            str(out),
            *options,
            cwd=checkout,
            env=_environment(),
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
        )
        _, said = await process.communicate()
        ended = [msgspec.convert(_fields(line), Ended) for line in _lines(out)]
    lines = said.decode(errors="replace").strip().splitlines()
    if heard is not None:
        heard += lines
    if len(ended) < len(walks):
        raise RuntimeError(f"{len(ended)} of {len(walks)} walks ended; {lines[-1] if lines else 'nothing was said'}")
    return {one.id: one for one in ended}


def _lines(file: Path) -> list[bytes]:
    return file.read_bytes().splitlines() if file.is_file() else []


def _fields(line: bytes) -> dict[str, Any]:
    """What every version of the program writes."""
    told = msgspec.json.decode(line)
    usage = told.get("usage") or {}
    told |= {name: usage[name] for name in ("prompt_tokens", "completion_tokens") if name in usage}
    return {name: told[name] for name in Ended.__struct_fields__ if name in told}


def _environment() -> dict[str, str]:
    """The caller's, without what would point to another model."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("WALKER_", "OPENAI_"))}
    return kept | {"WALKER_API_KEY": KEY}


class Recognised:
    """Tells by a prompt which of the walks it belongs to: every prompt holds its question."""

    def __init__(self, walks: Sequence[Walk]) -> None:
        self._walks = sorted(walks, key=lambda walk: -len(walk.question))

    def walk_of(self, prompt: str) -> Walk | None:
        """The walk with the longest question that the prompt holds."""
        plain = " ".join(prompt.split())
        return next((walk for walk in self._walks if walk.question in plain), None)
