"""One-time passwords by time (RFC 6238), from a secret of the environment."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import time
from collections.abc import Callable, Iterator, Mapping

from walker.errors import UsageError

DIGITS, PERIOD_SECONDS = 6, 30
CODE = "_CODE"
"""Added to the name of the variable with the secret, it names the code of the moment."""


def one_time_password(secret: str, at: float) -> str:
    """The code of a secret in base 32 at a time in seconds since the epoch (SHA-1, 6 digits, 30 s: what authenticator apps use).
    Raises `UsageError` for a secret that is none; its text does not hold it.

    >>> one_time_password("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", 59)
    '287082'
    """
    plain = "".join(secret.split()).replace("-", "").upper()
    try:
        key = base64.b32decode(plain + "=" * (-len(plain) % 8))
    except binascii.Error:
        raise UsageError("the secret of the one-time password is not in base 32", advice="Copy it again") from None
    counter = int(at // PERIOD_SECONDS).to_bytes(8, "big")
    digest = hmac.new(key, counter, hashlib.sha1).digest()
    place = digest[-1] & 15
    number = int.from_bytes(digest[place : place + 4], "big") & 0x7FFFFFFF
    return f"{number % 10**DIGITS:0{DIGITS}d}"


class WithCodes(Mapping[str, str]):
    """An environment in which `NAME_CODE` is the one-time password of the secret `NAME`, made when it is asked for."""

    def __init__(self, environment: Mapping[str, str], name: str, *, clock: Callable[[], float] = time.time) -> None:
        """Raises `UsageError` where there is no such secret."""
        if name not in environment:
            raise UsageError(f"{name} is not in the environment", advice=f"Set it: export {name}=...")
        one_time_password(environment[name], 0)
        self._environment, self._name, self._clock = environment, name, clock

    def __getitem__(self, key: str) -> str:
        if key == self._name + CODE:
            return one_time_password(self._environment[self._name], self._clock())
        return self._environment[key]

    def __iter__(self) -> Iterator[str]:
        yield from self._environment
        yield self._name + CODE

    def __len__(self) -> int:
        return len(self._environment) + 1
