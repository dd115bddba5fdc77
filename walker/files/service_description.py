"""The file in which a user describes a service: YAML or TOML, and the variable of the environment that holds its key."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import yaml

from walker.errors import UsageError

MOST_BYTES = 64 << 10
T = TypeVar("T")


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """What kind of service is described, in words for messages."""

    what: str
    """With its article: `a search`."""
    example: str
    """What to write."""
    instead: str
    """What to give where there is no such file."""


def read_description(path: Path, kind: type[T], wanted: Wanted) -> T:
    """The description in a file, as a value of this kind. Raises `UsageError` in one line: not to be read, not UTF-8, too large, or
    not of this form."""
    where = str(path)
    try:
        text = path.read_bytes()[: MOST_BYTES + 1].decode("utf-8-sig")
    except OSError as error:
        what = f"the file cannot be read ({error.strerror})"
        raise UsageError(what, where=where, advice=wanted.instead) from None
    except UnicodeDecodeError:
        raise UsageError("not UTF-8 text", where=where, advice=wanted.example) from None
    if len(text) > MOST_BYTES:
        raise UsageError(f"too large for the description of {wanted.what}", where=where, advice=wanted.example)
    try:
        plain: Any = tomllib.loads(text) if path.suffix == ".toml" else yaml.load(text, Loader=yaml.BaseLoader)  # noqa: S506 - makes texts, lists and mappings only
        return msgspec.convert(plain, kind)
    except (tomllib.TOMLDecodeError, yaml.YAMLError, msgspec.ValidationError, RecursionError) as error:
        told = " ".join(str(error).split())[:160]
        raise UsageError(f"does not describe {wanted.what} ({told})", where=where, advice=wanted.example) from None


def key_named(name: str, places: dict[str, str], where: str, key_of: Callable[[str], str]) -> str:
    """The value of the variable that a description names for its key, "" where it names none. `places` are the texts, by their field,
    in which {key} may stand. Raises `UsageError` where one of the two is missing, or the variable is not set."""
    if any("{key}" in text for text in places.values()) != bool(name):
        raise UsageError(
            "key and {key} belong together",
            where=where,
            advice=f"key names an environment variable, whose value stands for {{key}} in {' or '.join(places)}",
        )
    key = key_of(name) if name else ""
    if name and not key:
        raise UsageError(f"{name} is not in the environment", where=where, advice=f"Set it: export {name}=...")
    return key
