"""Secret scanner for runs: planted canaries, API keys by their format, and high-entropy values of secret fields."""

from __future__ import annotations

import base64
import html
import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal
from urllib.parse import quote, quote_plus

import msgspec

from traces.errors import TraceReadError
from traces.reading.integrity import refs_in
from traces.reading.reader import Run
from traces.store.blobs import BlobRef
from traces.store.mirror import bring_whole
from traces.store.run_files import LOG_NAME, MANIFEST_NAME, SEAL_NAME
from traces.store.run_path import open_run_path

LeakKind = Literal["canary", "key", "password", "entropy"]

_FORMS: tuple[tuple[str, bytes], ...] = (
    ("OpenAI or Anthropic key", rb"\bsk-(?:ant-|proj-|or-)?[A-Za-z0-9_-]{20,}"),
    ("GitHub token", rb"\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{40,})"),
    ("AWS access key", rb"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b"),
    ("Google API key", rb"\bAIza[0-9A-Za-z_-]{35}"),
    ("Hugging Face token", rb"\bhf_[A-Za-z0-9]{30,}"),
    ("Slack token", rb"\bxox[abprs]-[A-Za-z0-9-]{10,}"),
    ("Stripe key", rb"\b[rs]k_(?:live|test)_[A-Za-z0-9]{20,}"),
    ("GitLab token", rb"\bglpat-[A-Za-z0-9_-]{20,}"),
    ("npm token", rb"\bnpm_[A-Za-z0-9]{36}"),
    ("signed web token", rb"\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}"),
    ("private key", rb"-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----"),
    ("bearer token", rb"(?i)\bbearer\s+[A-Za-z0-9._~+/-]{20,}=*"),
    ("credentials in an address", rb"://(?!\(secret\))[^/\s:@\"'<>]{1,64}:(?!\(secret\))[^/\s@\"'<>]{3,64}@"),
)
KEY_FORMS = tuple((name, re.compile(pattern)) for name, pattern in _FORMS)
_PASSWORD = re.compile(
    rb"<input\b[^>]{0,400}?\btype=\\?[\"']?password\b[^>]{0,400}?\bvalue=\\?[\"']?(?!\(secret\)|\\?[\"'])[^\s\"'>\\]{1,80}",
    re.IGNORECASE,
)
_ASSIGNED = re.compile(
    rb"(?i)(?:api_?key|secret|token|passwd|password|authorization|access_?key)[\"'\\]{0,3}\s{0,2}[:=]\s{0,2}[\"'\\]{0,3}"
    rb"([A-Za-z0-9+/_=.-]{16,200})"
)
"""The value of a field with a secret's name. High entropy alone is no sign: pages are full of hashes, ids and tracking codes."""
LEAST_BITS = 3.2
"""Entropy in bits per character from which such a value is taken for random; words and field names stay below 3."""
BEFORE, AFTER = 12, 4
"""Characters of context shown around a leak, which itself is never shown in full."""


class Leak(msgspec.Struct, frozen=True, kw_only=True):
    """One leaked secret. `shown` contains its beginning only."""

    kind: LeakKind
    name: str
    file: str
    place: int
    """Byte offset in the file or value."""
    shown: str
    where: str = ""
    """Line and kind of the event that contains or references it."""


class LeakReport(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a scan."""

    files: int
    bytes: int
    leaks: tuple[Leak, ...]
    unread: tuple[str, ...] = ()
    """Values that could not be searched because they are damaged or missing."""


def scan_run(run: Run, canaries: Sequence[str] = ()) -> LeakReport:
    """Scan every file of a run, blobs decompressed. A canary is searched in all common encodings."""
    planted = [(canary, form) for canary in canaries for form in encodings_of(canary)]
    leaks: list[Leak] = []
    unread: list[str] = []
    files = size = 0
    for file, where, data in _contents(run, unread):
        files, size = files + 1, size + len(data)
        leaks += _canaries(data, planted, file, where)
        leaks += _keys(data, file, where)
    return LeakReport(files=files, bytes=size, leaks=tuple(leaks), unread=tuple(unread))


def encodings_of(secret: str) -> tuple[bytes, ...]:
    """A secret as plain text, in HTML, URL and JSON escapes, in base64 at each of three offsets, in hexadecimal and reversed."""
    plain = secret.encode()
    forms = {plain, plain[::-1], plain.hex().encode(), html.escape(secret).encode()}
    forms |= {quote(secret, safe="").encode(), quote_plus(secret).encode(), json.dumps(secret)[1:-1].encode()}
    for shift in range(3):
        coded = base64.b64encode(b"\0" * shift + plain)
        # The first and last characters of an encoded piece depend on the text around it.
        core = coded[(0, 2, 3)[shift] : len(coded) - (4 if (len(plain) + shift) % 3 else 0)]
        if len(core) >= 8:
            forms |= {core, core.replace(b"+", b"-").replace(b"/", b"_")}
    return tuple(sorted(form for form in forms if len(form) >= 4))


def entropy_bits(text: bytes) -> float:
    """Shannon entropy in bits per character."""
    counts = Counter(text)
    return -sum(count / len(text) * math.log2(count / len(text)) for count in counts.values()) if text else 0.0


def _contents(run: Run, unread: list[str]) -> Iterator[tuple[str, str, bytes]]:
    """Every file: its name, what references it, its content. The log line by line."""
    bring_whole(run.folder)
    place = open_run_path(run.folder)
    for name in (MANIFEST_NAME, SEAL_NAME):
        if (place / name).exists():
            yield name, "", (place / name).read_bytes()
    if (place / LOG_NAME).exists():
        for number, line in enumerate((place / LOG_NAME).read_bytes().splitlines(), start=1):
            yield LOG_NAME, f"line {number}", line
    store, seen = run.blobs, set()
    for envelope in run.envelopes:
        pending = list(refs_in(msgspec.json.decode(envelope.d)))
        while pending:
            plain = pending.pop()
            if plain["$b"] in seen or "n" not in plain:
                continue
            seen.add(plain["$b"])
            where = f"line {envelope.seq + 1} ({envelope.k})"
            try:
                data = store.get(msgspec.convert(plain, BlobRef))
            except (TraceReadError, msgspec.MsgspecError):
                unread.append(f"{where}: blob {str(plain['$b'])[7:19]}")
                continue
            yield f"blob {str(plain['$b'])[7:19]}", where, data


def _canaries(data: bytes, planted: Iterable[tuple[str, bytes]], file: str, where: str) -> Iterator[Leak]:
    reported = set()
    for canary, form in planted:
        place = data.find(form)
        if place >= 0 and canary not in reported:
            reported.add(canary)
            shown = f"{canary[:3]}… ({len(canary)} characters)"
            yield Leak(kind="canary", name=shown, file=file, place=place, shown=_around(data, place, 0), where=where)


def _keys(data: bytes, file: str, where: str) -> Iterator[Leak]:
    if data.startswith((b"\x89PNG", b"RIFF", b"\xff\xd8")):
        return
    for name, form in KEY_FORMS:
        for match in form.finditer(data):
            yield _leak("key", name, match, data, file, where)
    for match in _PASSWORD.finditer(data):
        yield _leak("password", "value of a password field", match, data, file, where)
    for match in _ASSIGNED.finditer(data):
        value = match[1]
        mixed = any(48 <= one <= 57 for one in value) and re.search(rb"[A-Za-z]", value)
        if mixed and entropy_bits(value) >= LEAST_BITS and b"secret:" not in match[0]:
            yield _leak("entropy", f"{entropy_bits(value):.1f} bits a character", match, data, file, where)


def _leak(kind: LeakKind, name: str, match: re.Match[bytes], data: bytes, file: str, where: str) -> Leak:
    shown = _around(data, match.start(), min(AFTER, len(match[0]) // 4))
    return Leak(kind=kind, name=name, file=file, place=match.start(), shown=shown, where=where)


def _around(data: bytes, place: int, after: int) -> str:
    text = data[max(0, place - BEFORE) : place + after].decode("utf-8", "replace")
    return f"…{' '.join(text.split())}…"


def read_canaries(path: Path) -> tuple[str, ...]:
    """Read a file with one canary per line. Raises `TraceReadError`."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise TraceReadError(f"the canaries cannot be read ({error})", str(path)) from None
    return tuple(line.strip() for line in lines if line.strip())
