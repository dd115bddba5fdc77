"""A sandbox server of the user's: one JSON request a run. What it isolates is the user's to vouch for."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import msgspec

from walker.code.outcome import OutputTaker, ended, failed
from walker.code.value_text import text_of
from walker.seams.code_runner import MEMORY_BYTES, OUTPUT_CHARS, SECONDS, CodeFailure, CodeValue, Ran

WAIT_SECONDS = 10.0
"""For connection, run and reply; the server is asked to end the code after `SECONDS`."""
MOST_BYTES = 20 * OUTPUT_CHARS
"""Of a reply."""


class _Reply(msgspec.Struct, frozen=True):
    """What a server answers; `value` may be any JSON. One that holds none of the three is no reply of a sandbox."""

    value: Any = msgspec.UNSET
    printed: str | msgspec.UnsetType = msgspec.UNSET
    failure: CodeFailure | msgspec.UnsetType | None = msgspec.UNSET


class HttpRunner:
    """Implements `walker.seams.code_runner.CodeRunner` by POST requests: `{"code", "inputs", "seconds", "memory_bytes"}` is sent, and
    `{"value", "printed", "failure": {"kind", "message", "line", "column"}}` comes back."""

    def __init__(self, address: str, *, wait_seconds: float = WAIT_SECONDS) -> None:
        """`wait_seconds`: for connection, run and reply."""
        self._address, self._wait = address, wait_seconds
        self._name = f"the sandbox at {_place(address)}"

    async def run(self, code: str, inputs: Mapping[str, CodeValue]) -> Ran:
        """Send the code; redirects are not followed, so that it goes to the address that was named and no other."""
        # An HTTP client takes 0.3 s to import, which walks without code need not spend.
        import httpx2  # noqa: PLC0415

        request = {"code": code, "inputs": dict(inputs), "seconds": SECONDS, "memory_bytes": MEMORY_BYTES}
        began = time.perf_counter()
        try:
            async with (
                asyncio.timeout(self._wait),
                httpx2.AsyncClient(timeout=self._wait, trust_env=False) as client,
                client.stream(
                    "POST",
                    self._address,
                    content=msgspec.json.encode(request),
                    headers={"content-type": "application/json"},
                ) as response,
            ):
                body = await _read(response)
        except (httpx2.TimeoutException, TimeoutError):
            return _unavailable(f"{self._name} did not answer within {self._wait:g} s")
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
            return _unavailable(f"{self._name} cannot be reached ({' '.join(str(error).split()) or 'no reason given'})")
        seconds = time.perf_counter() - began
        if body is None:
            return _unavailable(f"the reply of {self._name} is larger than {MOST_BYTES} bytes")
        if response.status_code != httpx2.codes.OK:
            return _unavailable(f"{self._name} answered with {response.status_code}")
        return self._ran(body, seconds)

    async def close(self) -> None:
        """Nothing is open between two runs."""

    def _ran(self, body: bytes, seconds: float) -> Ran:
        try:
            reply = msgspec.json.decode(body, type=_Reply)
            value = "" if reply.value is msgspec.UNSET else text_of(reply.value)
        except (msgspec.DecodeError, ValueError) as error:
            return _unavailable(f"the reply of {self._name} is no JSON of a run ({error})")
        if reply.value is reply.printed is reply.failure is msgspec.UNSET:
            return _unavailable(f"the reply of {self._name} has neither value, printed nor failure")
        taken = OutputTaker()
        taken.take("stdout", reply.printed or "")
        return failed(reply.failure, taken, seconds) if reply.failure else ended(value, taken, seconds)


async def _read(response: Any) -> bytes | None:
    """The body, None for one that is too large."""
    body = bytearray()
    async for part in response.aiter_bytes():
        body += part
        if len(body) > MOST_BYTES:
            return None
    return bytes(body)


def _place(address: str) -> str:
    """The host and port of an address alone: what else stands in it may be a key, and messages are recorded and sent to the model."""
    return urlsplit(address).netloc.rpartition("@")[2]


def _unavailable(message: str) -> Ran:
    return failed(CodeFailure(kind="unavailable", message=message))


msgspec.json.Decoder(_Reply)  # described at import: docs/design/msgspec.md
