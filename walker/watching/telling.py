"""Tells others of a change: a signed webhook, a command. What a page says reaches a command on its input only, never on its line."""

from __future__ import annotations

import asyncio
import base64
import binascii
import contextlib
import hashlib
import hmac
import os
import shlex
import signal
from collections.abc import Callable, Mapping, Sequence
from urllib.parse import urlsplit

import msgspec

from walker.browser.http.http_client import HttpAnswer, HttpClient
from walker.errors import UsageError
from walker.rules.scope import check_root
from walker.watching.watched import Check

SECRET_NAME = "WALKER_WEBHOOK_SECRET"  # noqa: S105 - the name of a variable
PREFIX = "whsec_"
PAUSES = (1.0, 4.0, 15.0, 60.0)
"""Seconds between the tries of one webhook; what fails then is tried again with the next check."""
REPLY_BYTES, REPLY_SECONDS = 64 << 10, 30.0
COMMAND_SECONDS = 600.0
LEAST_SECRET = 16


class Untold(Exception):
    """Nobody was told; the message says why."""


class Message(msgspec.Struct, frozen=True, kw_only=True):
    """What others are told, as JSON."""

    id: str
    """The same in each try."""
    watch: str
    what: dict[str, str]
    check: Check
    lines: tuple[str, ...]
    """The change for people."""


class Webhook:
    """Posts to one address, signed by the rules of Standard Webhooks. Redirects are not followed."""

    def __init__(self, url: str, secret: str, *, pauses: Sequence[float] = PAUSES) -> None:
        """Raises `UsageError` for what is no address, and for a secret that is missing or easily guessed."""
        self._url = check_root(url)
        if len(secret) < LEAST_SECRET:
            raise UsageError(
                f"a webhook is signed, and {SECRET_NAME} is {'too short' if secret else 'not set'}",
                where=f"--webhook {_host(url)}",
                advice=f"Set it to at least {LEAST_SECRET} characters that the receiver knows too: export {SECRET_NAME}=...",
            )
        self._key, self._pauses = key_of_secret(secret), pauses

    async def tell(self, message: Message, now: Callable[[], float]) -> str:
        """Post until it is taken (any status 2xx); the status. Raises `Untold`."""
        return await post_signed(
            self._url,
            msgspec.json.encode(message),
            (self._key, message.id),
            now,
            pauses=self._pauses,
            homes=(self._url,),
        )


class Command:
    """Runs a program, without a shell; the message is its input."""

    def __init__(self, line: str, environment: Mapping[str, str], *, seconds: float = COMMAND_SECONDS) -> None:
        """`environment` is what the program gets, the webhook's secret apart. Raises `UsageError` for a line that names no program."""
        try:
            self._words = shlex.split(line)
        except ValueError as error:
            raise UsageError(str(error), where=f"--command {line}", advice="Quote it as for a shell") from None
        if not self._words:
            raise UsageError(
                "names no program", where="--command", advice="Write it as --command 'notify-send changed'"
            )
        self._environment = {name: value for name, value in environment.items() if name != SECRET_NAME}
        self._seconds = seconds

    async def tell(self, message: Message) -> str:
        """Run it to its end; its exit code in words. A code other than 0 is told and not tried again. Raises `Untold` where it does
        not start."""
        environment = {**self._environment, "WALKER_WATCH": message.watch, "WALKER_CHECK": str(message.check.number)}
        try:
            process = await asyncio.create_subprocess_exec(
                *self._words, stdin=asyncio.subprocess.PIPE, env=environment, start_new_session=True
            )
        except OSError as error:
            raise Untold(f"{self._words[0]} cannot be run ({error.strerror})") from None
        try:
            async with asyncio.timeout(self._seconds):
                await process.communicate(msgspec.json.encode(message))
        except TimeoutError:
            return f"ended after {self._seconds:g} seconds"
        finally:
            if process.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                await process.wait()
        return f"exit code {process.returncode}"


async def post_signed(
    url: str,
    body: bytes,
    signed: tuple[bytes, str],
    now: Callable[[], float],
    *,
    pauses: Sequence[float] = PAUSES,
    homes: Sequence[str] = (),
) -> str:
    """Post JSON until it is taken (any status 2xx), `signed` with a key and with an identity that is the same in each try; the
    status. Private addresses are those of `homes` only. Raises `Untold`."""
    (key, identity), why = signed, ""
    async with HttpClient(*homes, page_bytes=REPLY_BYTES, page_seconds=REPLY_SECONDS, connections=1) as client:
        for pause in (*pauses, None):
            answer = await client.post_body(url, body, signed_headers(key, identity, int(now()), body))
            if isinstance(answer, HttpAnswer):
                if 200 <= answer.status < 300:
                    return str(answer.status)
                why = f"it answered {answer.status}"
            else:
                why = answer.message
            if pause is not None:
                await asyncio.sleep(pause)
    raise Untold(f"{_host(url)}: {why}")


def signed_headers(key: bytes, identity: str, moment: int, body: bytes) -> dict[str, str]:
    """The headers of Standard Webhooks 1.0: identity, time, and the HMAC-SHA256 of both with the body."""
    digest = hmac.new(key, b".".join((identity.encode(), str(moment).encode(), body)), hashlib.sha256).digest()
    return {
        "content-type": "application/json",
        "webhook-id": identity,
        "webhook-timestamp": str(moment),
        "webhook-signature": f"v1,{base64.b64encode(digest).decode()}",
    }


def key_of_secret(secret: str) -> bytes:
    """The key that a secret stands for: behind `whsec_` base64, else its own bytes."""
    if secret.startswith(PREFIX):
        with contextlib.suppress(binascii.Error):
            return base64.b64decode(secret.removeprefix(PREFIX), validate=True)
    return secret.encode()


def _host(url: str) -> str:
    """An address without what may be secret in it."""
    return urlsplit(url).netloc.rpartition("@")[2] or "it"


msgspec.json.Decoder(Message)  # described at import: docs/design/msgspec.md
