"""Where records of a crawl go, named by one text: a file, a table of a DuckDB file or of a Postgres database, objects of an S3 store.

`rows.parquet`, `rows.duckdb#books`, `postgresql://user@host/database?table=books`, `s3://bucket/rows.parquet` (one object),
`s3://bucket/rows.parquet/` (parts and a manifest).
"""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote, urlsplit

import msgspec

DEFAULT_TABLE = "records"
LONGEST_NAME = 63
"""Bytes of a name in Postgres; it would cut a longer one silently."""
HIDDEN = "***"
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")
_MANGLED = re.compile(r"(s3|postgres(?:ql)?):/")
_DUCKDB = re.compile(r"(?P<path>.*\.duckdb)(?:#(?P<table>.*))?", re.DOTALL)
_SECRET_PARAMETERS = ("password", "sslpassword")
_FORMS = "expected a file, FILE.duckdb#TABLE, s3://BUCKET/KEY or postgresql://HOST/DATABASE?table=NAME"


class BadDestination(ValueError):
    """A text that names no destination; the message repeats nothing of it that may be secret."""


class DuckDbTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table of a DuckDB file."""

    path: Path
    table: str

    def __str__(self) -> str:
        return f"{self.path}#{self.table}"


class PostgresTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table of a Postgres database. Its texts hide the password."""

    url: str
    """As libpq takes it, with the password if there is one."""
    table: tuple[str, ...]
    """Its name, with the schema in front if one is named."""

    def __str__(self) -> str:
        return f"{_without_password(self.url)}{'&' if '?' in self.url else '?'}table={'.'.join(self.table)}"

    def __repr__(self) -> str:
        return f"PostgresTable({str(self)!r})"

    @property
    def secrets(self) -> tuple[str, ...]:
        """Passwords in the address, as they stand there and as they are meant."""
        login, _, _ = urlsplit(self.url).netloc.rpartition("@")
        found = [
            login.partition(":")[2],
            *(value for name, value in _parameters(self.url) if name in _SECRET_PARAMETERS),
        ]
        return tuple(dict.fromkeys(one for text in found for one in (text, unquote(text)) if one))


class S3Object(msgspec.Struct, frozen=True, kw_only=True):
    """One object of an S3 store; the ending of its key says the format."""

    bucket: str
    key: str

    @property
    def suffix(self) -> str:
        """The ending of the key, such as ".parquet"."""
        return PurePosixPath(self.key).suffix

    def __str__(self) -> str:
        return f"s3://{self.bucket}/{self.key}"


class S3Parts(msgspec.Struct, frozen=True, kw_only=True):
    """Objects `part-000001...` below a prefix of an S3 store, with a manifest; the ending of the prefix says their format."""

    bucket: str
    prefix: str
    """Without a slash at its end."""

    @property
    def suffix(self) -> str:
        """The ending of the prefix, such as ".parquet"."""
        return PurePosixPath(self.prefix).suffix

    def __str__(self) -> str:
        return f"s3://{self.bucket}/{self.prefix}/"


Destination = Path | DuckDbTable | PostgresTable | S3Object | S3Parts


def destination_of(value: Any) -> Destination:
    """What a text or a path names; a destination is itself. Raises `BadDestination`."""
    if isinstance(value, DuckDbTable | PostgresTable | S3Object | S3Parts):
        return value
    if not isinstance(value, str | Path):
        raise BadDestination(f"not a path or an address; {_FORMS}")
    text = str(value)
    found = _SCHEME.match(text)
    scheme = found[1].lower() if found else ""
    if found is None and (mangled := _MANGLED.match(text)):
        raise BadDestination(f"an address {mangled[1]}://... is a text, not a path")
    match scheme:
        case "":
            return _file_or_duckdb(text)
        case "s3":
            return _s3(text)
        case "postgresql" | "postgres":
            return _postgres(text)
    raise BadDestination(f"{scheme}:// is not known; {_FORMS}")


def secrets_in(destination: Destination) -> tuple[str, ...]:
    """What of a destination must not be shown."""
    return destination.secrets if isinstance(destination, PostgresTable) else ()


def without_secrets(text: str, destination: Destination) -> str:
    """A text about a destination, such as an error, without its password."""
    for secret in sorted(secrets_in(destination), key=len, reverse=True):
        text = text.replace(secret, HIDDEN)
    return text


def _file_or_duckdb(text: str) -> Path | DuckDbTable:
    found = _DUCKDB.fullmatch(text)
    if found is None:
        return Path(text)
    if found["table"] == "":
        raise BadDestination("no table is named behind #; expected FILE.duckdb#TABLE")
    return DuckDbTable(path=Path(found["path"]), table=found["table"] or DEFAULT_TABLE)


def _s3(text: str) -> S3Object | S3Parts:
    bucket, _, key = text[len("s3://") :].partition("/")
    if not bucket or not key.strip("/"):
        raise BadDestination(
            "a bucket and a key are needed; expected s3://BUCKET/KEY.parquet, or s3://BUCKET/KEY.parquet/"
        )
    if key.endswith("/"):
        return S3Parts(bucket=bucket, prefix=key.strip("/"))
    return S3Object(bucket=bucket, key=key.lstrip("/"))


def _postgres(text: str) -> PostgresTable:
    if "${" in text:
        raise BadDestination(
            "${...} is allowed in the text of a step only; libpq reads PGPASSWORD and ~/.pgpass by itself"
        )
    head, mark, query = text.partition("?")
    parameters = query.split("&") if mark else []
    named = [unquote(one.partition("=")[2]) for one in parameters if one.partition("=")[0] == "table"]
    table = tuple((named or [DEFAULT_TABLE])[-1].split("."))
    if len(table) > 2 or not all(0 < len(name.encode()) <= LONGEST_NAME and "\0" not in name for name in table):
        raise BadDestination(f"table is no name; expected NAME or SCHEMA.NAME, each of at most {LONGEST_NAME} bytes")
    kept = "&".join(one for one in parameters if one and one.partition("=")[0] != "table")
    return PostgresTable(url=f"{head}?{kept}" if kept else head, table=table)


def _parameters(url: str) -> list[tuple[str, str]]:
    pairs = [one.partition("=") for one in url.partition("?")[2].split("&")]
    return [(name, value) for name, _, value in pairs]


def _without_password(url: str) -> str:
    head, mark, query = url.partition("?")
    scheme, _, rest = head.partition("://")
    login, at, place = rest.rpartition("@")
    user, colon, _ = login.partition(":")
    shown = [
        f"{name}={HIDDEN}" if name in _SECRET_PARAMETERS else f"{name}={value}"
        for name, value in _parameters(url)
        if name
    ]
    return f"{scheme}://{user}{f':{HIDDEN}' if colon else ''}{at}{place}{mark}{'&'.join(shown) if query else ''}"
