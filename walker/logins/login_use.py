"""What of a saved login, or of a state file, a walk or a crawl gets, and what of it must never be recorded."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec

from walker.errors import UsageError
from walker.logins.login_store import LoginStore
from walker.seams.web.own_headers import is_credential
from walker.seams.web.storage_state import NO_STATE, StorageState, StoredCookie, read_state

LEAST_SECRET = 16
"""Characters of a value that is taken for a secret by its look: session numbers have more, settings ("theme=dark") fewer."""
_SECRET_LIKE = re.compile(r"(?=.*\d)(?=.*[A-Za-z])\S+", re.DOTALL)
_WORD = 8
"""Characters of a shorter one, which is taken for a secret by its name only (`traces.redaction.LEAST_SEARCHED`)."""


def state_for(state: Path | None, profile: str, *, key: str = "", folder: Path | None = None) -> StorageState:
    """The storage state that a user names: a file, or a saved login with the cookies of its hosts. Raises `UsageError`."""
    if state is not None and profile:
        raise UsageError("state and profile are both named", advice="Name one of them")
    if state is not None:
        return read_state(state)
    if not profile:
        return NO_STATE
    login = LoginStore(folder, key=key).read(profile)
    return kept_to_hosts(login.state, login.hosts)


def kept_to_hosts(state: StorageState, hosts: Collection[str]) -> StorageState:
    """What of a state concerns these hosts: cookies that one of them is sent, and local storage of their origins."""
    return StorageState(
        cookies=tuple(one for one in state.cookies if any(_is_sent(one, host) for host in hosts)),
        origins=tuple(one for one in state.origins if (urlsplit(one.origin).hostname or "") in hosts),
    )


def secrets_of_state(state: StorageState) -> tuple[str, ...]:
    """The values that make whoever has them logged in, as far as their look or name tells."""
    found = [one.value for one in state.cookies if _is_secret(one.value, one.name, sure=one.http_only)]
    for origin in state.origins:
        for item in origin.local_storage:
            found.extend(value for name, value in _texts(item.name, item.value) if _is_secret(value, name))
    return tuple(dict.fromkeys(found))


def _is_sent(cookie: StoredCookie, host: str) -> bool:
    domain = cookie.domain.lower()
    return host == domain.lstrip(".") or (domain.startswith(".") and host.endswith(domain))


def _is_secret(value: str, name: str, *, sure: bool = False) -> bool:
    if len(value) < _WORD:
        return False
    return sure or is_credential(name) or (len(value) >= LEAST_SECRET and _SECRET_LIKE.fullmatch(value) is not None)


def _texts(name: str, value: str) -> Iterator[tuple[str, str]]:
    """The texts of an entry of local storage, which is often JSON, each with its name."""
    try:
        inner: Any = msgspec.json.decode(value) if value[:1] in ("{", "[") else None
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        inner = None
    if inner is None:
        yield name, value
        return
    waiting = [(name, inner)]
    while waiting:
        key, one = waiting.pop()
        if isinstance(one, str):
            yield key, one
        elif isinstance(one, dict):
            waiting.extend((str(inner_key), part) for inner_key, part in one.items())
        elif isinstance(one, list):
            waiting.extend((key, part) for part in one)
