"""Saved logins on disk: a file for each, readable by its owner only, encrypted where there is a key."""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import os
import re
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from platformdirs import user_data_path

from traces.store.file_lock import lock_exclusively
from walker.errors import MissingExtra, OutputUnwritable, UsageError
from walker.files.atomic_output import write_output
from walker.seams.web.storage_state import StorageState

KEY_NAME = "WALKER_PROFILE_KEY"
"""The environment variable with the key that logins are encrypted with."""
ENDING = ".login"
_SEALED = b"walker login, encrypted 1\n"
_SALT_BYTES = 16
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


class SavedLogin(msgspec.Struct, frozen=True, kw_only=True):
    """A session of a person at some hosts."""

    name: str
    url: str
    """Where it was made."""
    hosts: tuple[str, ...]
    """Who get its cookies, with the hosts below them where a cookie says so."""
    saved_at: float
    """Seconds since the epoch."""
    check: str = ""
    """What shows on `page` that one is logged in: a text, or a selector; "" for a page that asks for no password."""
    page: str = ""
    """Where that shows; "" for `url`."""
    state: StorageState = StorageState()

    @property
    def ends_at(self) -> float:
        """When its last cookie expires, in seconds since the epoch; 0 where the server alone knows."""
        if not self.state.cookies or any(one.expires < 0 for one in self.state.cookies):
            return 0.0
        return max(one.expires for one in self.state.cookies)


class LoginStore:
    """The saved logins of a user."""

    def __init__(self, folder: Path | None = None, *, key: str = "") -> None:
        """`folder` None: the user's own. `key` "": logins are not encrypted, and those that are cannot be read."""
        self.folder = folder if folder is not None else user_data_path("walker", appauthor=False) / "logins"
        self._key = key

    def names(self) -> tuple[str, ...]:
        """In the order of the alphabet."""
        return tuple(sorted(one.name.removesuffix(ENDING) for one in self.folder.glob(f"*{ENDING}")))

    def read(self, name: str) -> SavedLogin:
        """Raises `UsageError` where there is none of that name, it is damaged, or the key is another."""
        path = self._path(name)
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            known = ", ".join(self.names())
            advice = f"There are: {known}" if known else f"Make it: walker login URL --save {name}"
            raise UsageError(f"there is no saved login {name}", advice=advice) from None
        except OSError as error:
            raise UsageError(f"it cannot be read ({error.strerror})", where=str(path)) from None
        try:
            return msgspec.json.decode(self._opened(data, name), type=SavedLogin, strict=False)
        except (msgspec.DecodeError, UnicodeDecodeError):
            advice = f"Make it again: walker login URL --save {name}"
            raise UsageError("the saved login is damaged", where=str(path), advice=advice) from None

    def is_encrypted(self, name: str) -> bool:
        """Whether a login needs the key. Raises `UsageError` where it cannot be read."""
        try:
            return self._path(name).read_bytes().startswith(_SEALED)
        except OSError as error:
            raise UsageError(f"it cannot be read ({error.strerror})", where=str(self._path(name))) from None

    def write(self, login: SavedLogin) -> Path:
        """Save it atomically, for its owner's eyes only; returns its file. Raises `OutputUnwritable`."""
        path = self._path(login.name)
        self._make_folder()
        write_output(path, self._sealed(msgspec.json.encode(login)), mode=0o600)
        return path

    def remove(self, name: str) -> None:
        """Raises `UsageError` where there is none of that name."""
        path = self._path(name)
        try:
            path.unlink()
        except FileNotFoundError:
            raise UsageError(f"there is no saved login {name}", advice="List them: walker logins list") from None
        self._lock_path(name).unlink(missing_ok=True)

    @contextlib.contextmanager
    def locked(self, name: str) -> Iterator[None]:
        """Nobody else writes this login within the block; the lock ends with the process too. Raises `UsageError` where another has
        it."""
        self._path(name)
        self._make_folder()
        file = os.open(self._lock_path(name), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            if not lock_exclusively(file):
                raise UsageError(
                    f"the login {name} is being made in another browser",
                    advice="End that one first, or use another name",
                )
            yield
        finally:
            os.close(file)

    def _make_folder(self) -> None:
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self.folder.chmod(0o700)
        except OSError as error:
            raise OutputUnwritable(f"it cannot be made ({error.strerror})", where=str(self.folder)) from None

    def _path(self, name: str) -> Path:
        if not _NAME.fullmatch(name):
            raise UsageError(f"{name!r} is no name of a login", advice="Use letters, digits, dots, hyphens and _")
        return self.folder / f"{name}{ENDING}"

    def _lock_path(self, name: str) -> Path:
        return self.folder / f".{name}.lock"

    def _sealed(self, data: bytes) -> bytes:
        if not self._key:
            return data
        salt = os.urandom(_SALT_BYTES)
        sealed: bytes = _cipher(self._key, salt).encrypt(data)
        return _SEALED + salt + sealed

    def _opened(self, data: bytes, name: str) -> bytes:
        if not data.startswith(_SEALED):
            return data
        if not self._key:
            raise UsageError(f"the login {name} is encrypted", advice=f"Set {KEY_NAME} to the key it was saved with")
        rest = data[len(_SEALED) :]
        cipher = _cipher(self._key, rest[:_SALT_BYTES])
        try:
            opened: bytes = cipher.decrypt(rest[_SALT_BYTES:])
        except importlib.import_module("cryptography.fernet").InvalidToken:
            raise UsageError(
                f"{KEY_NAME} does not open the login {name}", advice="Set the key it was saved with"
            ) from None
        return opened


def _cipher(key: str, salt: bytes) -> Any:
    """Raises `MissingExtra`."""
    try:
        fernet = importlib.import_module("cryptography.fernet")
    except ImportError:
        raise MissingExtra(
            f"{KEY_NAME} is set, and encryption needs a package", advice="pip install 'gemwalker[logins]', or unset it"
        ) from None
    derived = hashlib.scrypt(key.encode(), salt=salt, n=2**14, r=8, p=1, dklen=32)
    return fernet.Fernet(urlsafe_b64encode(derived))


msgspec.json.Decoder(SavedLogin)  # described at import: docs/design/msgspec.md
