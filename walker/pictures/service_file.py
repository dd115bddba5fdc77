"""Which service `--picture-search` means: an address that takes a picture and answers in JSON, or a file that describes one."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
import yaml

from walker.errors import UsageError
from walker.settings import PictureService

MOST_BYTES = 64 << 10
_EXAMPLE = 'Write lines such as url: "https://host/find", upload: file, results: matches, link: page'


def picture_service(named: str, key_of: Callable[[str], str]) -> PictureService:
    """The service at an address, or that a file describes; `key_of` gives the value of an environment variable. Raises `UsageError` in
    one line."""
    if re.match(r"https?://", named, re.IGNORECASE):
        return _checked(PictureService(url=named), named)
    if "://" in named:
        raise UsageError("is no http or https address", where=named, advice="Give an address, or a file")
    described = _checked(_described(Path(named)), named)
    if ("{key}" in described.header) != bool(described.key):
        raise UsageError(
            "key and {key} belong together",
            where=named,
            advice="key names an environment variable, whose value stands for {key} in header",
        )
    if not described.key:
        return described
    key = key_of(described.key)
    if not key:
        raise UsageError(
            f"{described.key} is not in the environment", where=named, advice=f"Set it: export {described.key}=..."
        )
    return msgspec.structs.replace(described, key=key)


def _described(path: Path) -> PictureService:
    where = str(path)
    try:
        text = path.read_bytes()[: MOST_BYTES + 1].decode("utf-8-sig")
    except OSError as error:
        advice = "Give the address of a service, or the file that describes one"
        raise UsageError(f"the file cannot be read ({error.strerror})", where=where, advice=advice) from None
    except UnicodeDecodeError:
        raise UsageError("not UTF-8 text", where=where, advice=_EXAMPLE) from None
    try:
        plain: Any = tomllib.loads(text) if path.suffix == ".toml" else yaml.load(text, Loader=yaml.BaseLoader)  # noqa: S506 - makes texts, lists and mappings only
        return msgspec.convert(plain, PictureService)
    except (tomllib.TOMLDecodeError, yaml.YAMLError, msgspec.ValidationError, RecursionError) as error:
        told = " ".join(str(error).split())[:160]
        raise UsageError(f"does not describe a picture search ({told})", where=where, advice=_EXAMPLE) from None


def _checked(service: PictureService, where: str) -> PictureService:
    try:
        parts = urlsplit(service.url)
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        raise UsageError(f"not a valid address ({error})", where=where, advice=_EXAMPLE) from None
    if parts.scheme.lower() not in ("http", "https") or not host or parts.username is not None:
        raise UsageError(
            "url is no http or https address without a user in it", where=where, advice="Put credentials into header"
        )
    return service
