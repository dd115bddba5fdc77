"""`--with NAME=VALUE`: the settings that a fork changes."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from walker.calibration.gate_file import read_gate
from walker.errors import UsageError
from walker.prompts import why_not_prompt
from walker.runs.fork import Overrides

_NEXT = re.compile(r",(?=[a-z]\w*=)")


def _threshold(text: str) -> float:
    value = float(text)
    if not 0 <= value <= 100:
        raise ValueError
    return value


def _pages(text: str) -> int:
    if int(text) < 1:
        raise ValueError
    return int(text)


_READERS: dict[str, tuple[str, Callable[[str], Any], str]] = {
    "model": ("model", str, "a model's name"),
    "base_url": ("base_url", str, "an address"),
    "vision_model": ("vision_model", str, "a model's name"),
    "vision_url": ("vision_url", str, "an address"),
    "tau": ("tau", _threshold, "a number from 0 to 100"),
    "tau2": ("tau2", _threshold, "a number from 0 to 100"),
    "max_pages": ("pages", _pages, "a number from 1"),
}


def read_overrides(given: tuple[str, ...]) -> Overrides | None:
    """Overrides from `tau=60,prompt=explorer.en.md`; None where none are given. Raises `click.UsageError` and `UsageError`."""
    fields: dict[str, Any] = {}
    prompts: dict[str, str] = {}
    for entry in (one for text in given for one in _NEXT.split(text)):
        name, mark, value = entry.partition("=")
        if not mark or not value:
            raise click.UsageError(f"--with {entry}: write it as NAME=VALUE, such as tau=60")
        if name == "prompt":
            prompts |= _read_prompt(Path(value))
        elif name == "gate":
            gate = read_gate(Path(value))
            fields |= {"weights": gate.weights, "tau": gate.tau, "tau2": gate.tau2}
        elif name in _READERS:
            field, read, kind = _READERS[name]
            try:
                fields[field] = read(value)
            except ValueError:
                raise click.UsageError(f"--with {entry}: {name} takes {kind}") from None
        else:
            known = ", ".join(sorted([*_READERS, "prompt", "gate"]))
            raise click.UsageError(f"--with {entry}: there is no {name}; there are {known}")
    return Overrides(**fields, prompts=prompts) if given else None


def _read_prompt(path: Path) -> dict[str, str]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(str(error), where=str(path), advice="Give the file of a prompt") from None
    if reason := why_not_prompt(path.stem, text):
        raise UsageError(reason, where=str(path), advice="walker/prompts holds the shipped ones")
    return {path.stem: text}
