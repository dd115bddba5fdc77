"""A prefix of an S3 bucket, through `obstore` (the extra `s3`).

Credentials, region and endpoint are those of AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION,
AWS_ENDPOINT_URL and the others that the library reads.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from traces.errors import StoreError

if TYPE_CHECKING:
    from obstore.store import S3Store

SCHEME = "s3://"
INSTALL = "Install it with: pip install 'gemwalker[s3]'"
RETRIED = dt.timedelta(seconds=60)
"""A crawl's output, and whatever is asked for by a person, waits so long for a store that stumbles."""
_ADDRESS = re.compile(r"s3://?([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:/(.*))?")
"""With one slash where it was a path for a while."""
_CODE = re.compile(r"<Code>(\w+)</Code>(?:.*?<Message>([^<]*)</Message>)?", re.DOTALL)
_ASKED = re.compile(r"Error performing [A-Z]+ (https?://[^/\s]+)")
_METADATA = re.compile(r"169\.254\.169\.254|/latest/(?:api/token|meta-data)")
"""Where a machine of a cloud asks for credentials, if there are none in the environment."""
_TRIED = "1s"
"""As long as Amazon's own libraries wait for a metadata service (AWS_METADATA_SERVICE_TIMEOUT)."""
_WITH_CREDENTIALS: set[str] = set()
"""Buckets for which credentials were found; they are not looked for again."""
_KEYS = "Check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION"


def bucket_and_prefix(address: str) -> tuple[str, str]:
    """Bucket and prefix of `s3://BUCKET/PREFIX`, the prefix without slashes at its ends. Raises `StoreError`, which repeats nothing of
    an address that may hold a password."""
    found = _ADDRESS.fullmatch(address)
    prefix = (found[2] or "").strip("/") if found else ""
    if found is None or any(part in ("", ".", "..") for part in prefix.split("/") if prefix) or "\0" in prefix:
        advice = "Write it as s3://BUCKET/PREFIX; keys come from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
        raise StoreError("this is not the address of a place in an S3 store", f"{SCHEME}...", advice)
    return found[1], prefix


@contextlib.contextmanager
def opened_bucket(
    bucket: str, where: str, retried: dt.timedelta = RETRIED, *, is_used: bool = True
) -> Iterator[S3Store]:
    """A bucket; `where` is what errors name. What the library raises within the block becomes one line, `StoreError`. Where the bucket
    `is_used` within the block, missing credentials are told before."""
    try:
        import obstore  # noqa: PLC0415 - an extra
        from obstore.store import S3Store  # noqa: PLC0415
    except ImportError:
        raise StoreError("S3 needs obstore", where, INSTALL) from None
    try:
        if is_used and (error := _why_no_credentials(bucket)):
            raise _unusable(bucket, where, error)
        yield S3Store(
            bucket,
            client_options={"allow_http": True, "connect_timeout": "10s", "timeout": "5m"},
            retry_config={"max_retries": 4, "retry_timeout": retried},
        )
    except (obstore.exceptions.BaseError, FileNotFoundError, NotImplementedError) as error:
        # What is not there, or not supported, is an error of Python's own.
        raise _unusable(bucket, where, str(error)) from None


def _why_no_credentials(bucket: str) -> str:
    """What the library says where it finds no credentials, "" for anything else. Asked without patience, as it would wait a minute for
    a metadata service that is not there."""
    if bucket in _WITH_CREDENTIALS:
        return ""
    import obstore  # noqa: PLC0415
    from obstore.store import S3Store  # noqa: PLC0415

    store = S3Store(
        bucket,
        client_options={"allow_http": True, "connect_timeout": _TRIED, "timeout": _TRIED},
        retry_config={"max_retries": 2, "retry_timeout": dt.timedelta(seconds=3)},
    )
    try:
        obstore.head(store, "walker-looks-whether-there-are-credentials")
    except (obstore.exceptions.BaseError, FileNotFoundError, NotImplementedError) as error:
        if _METADATA.search(str(error)):
            return str(error)
    _WITH_CREDENTIALS.add(bucket)
    return ""


def _unusable(bucket: str, where: str, said: str) -> StoreError:
    code, message = found.groups() if (found := _CODE.search(said)) else ("", "")
    if code == "NoSuchBucket":
        return StoreError(f"there is no bucket {bucket}", where, "Make it, or name another")
    if _METADATA.search(said):
        return StoreError("there are no credentials", where, "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY")
    if "error sending request" in said and (asked := _ASKED.search(said)):
        return StoreError(f"{asked[1]} does not answer", where, "Check AWS_ENDPOINT_URL and the network")
    shown = f"{code}: {message}" if message else code or " ".join(said.partition("\n")[0].split())[:200]
    return StoreError(f"it cannot be used ({shown})", where, _KEYS)


class BucketPlace:
    """Objects below a prefix of a bucket. `retried`: how long a call tries again."""

    def __init__(self, address: str, retried: dt.timedelta = RETRIED) -> None:
        """Nothing is asked yet. Raises `StoreError` for an address that is none, and without the library."""
        self._bucket, self._prefix = bucket_and_prefix(address)
        self._address = f"{SCHEME}{self._bucket}/{self._prefix}".rstrip("/")
        self._retried = retried
        with opened_bucket(self._bucket, self._address, retried, is_used=False) as store:
            self._store = store

    def __str__(self) -> str:
        return self._address

    def put(self, name: str, data: bytes, *, new: bool = False) -> bool:
        """See `ObjectPlace`."""
        import obstore  # noqa: PLC0415

        with self._opened():
            try:
                obstore.put(self._store, self._key(name), data, mode="create" if new else "overwrite")
            except obstore.exceptions.AlreadyExistsError:
                return False
        return True

    def get(self, name: str) -> bytes | None:
        """See `ObjectPlace`."""
        import obstore  # noqa: PLC0415

        with self._opened():
            try:
                return bytes(obstore.get(self._store, self._key(name)).bytes())
            except (FileNotFoundError, obstore.exceptions.NotFoundError) as error:
                if "NoSuchBucket" in str(error):
                    raise
                return None

    def sizes(self, folder: str) -> dict[str, int]:
        """See `ObjectPlace`."""
        import obstore  # noqa: PLC0415

        with self._opened():
            listed = obstore.list(self._store, prefix=self._key(folder) or None, chunk_size=1_000)
            return {self._name(one["path"]): one["size"] for chunk in listed for one in chunk}

    def folders(self) -> tuple[str, ...]:
        """See `ObjectPlace`."""
        import obstore  # noqa: PLC0415

        with self._opened():
            listed = obstore.list_with_delimiter(self._store, prefix=self._prefix or None)
            return tuple(sorted(self._name(one) for one in listed["common_prefixes"]))

    def remove(self, name: str) -> None:
        """See `ObjectPlace`."""
        import obstore  # noqa: PLC0415

        with self._opened(), contextlib.suppress(FileNotFoundError, obstore.exceptions.NotFoundError):
            obstore.delete(self._store, self._key(name))

    def _opened(self) -> contextlib.AbstractContextManager[S3Store]:
        return opened_bucket(self._bucket, self._address, self._retried)

    def _key(self, name: str) -> str:
        return "/".join(part for part in (self._prefix, name) if part)

    def _name(self, key: str) -> str:
        return key.removeprefix(f"{self._prefix}/") if self._prefix else key
