"""py3langid's statistics of languages with their large tables left in a file, of which a text needs a few rows."""

from __future__ import annotations

import lzma
import os
import shutil
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray
from py3langid.langid import MODEL_DIR, MODEL_FILE, LanguageIdentifier

_CHUNK = 1 << 20
_MOVES = 256
"""Moves of a state of the automaton, one for each byte."""
_ROWS_KEPT = 8192


def open_in_file() -> tuple[LanguageIdentifier, Callable[[], None]]:
    """The model, which takes 14 MB instead of 87 MB, and what gives its file back. It says the same as the whole one."""
    path = Path(MODEL_DIR) / MODEL_FILE
    unpacked = _Unpacked(path)
    if not unpacked.is_plain:
        return LanguageIdentifier.from_model_file(path), unpacked.close
    identifier = LanguageIdentifier(
        unpacked.rows("ptc"),
        unpacked.whole("pc"),
        unpacked.whole("classes").tolist(),
        unpacked.rows("nextmove", _MOVES),
        unpacked.whole("out_feat").tolist(),
        tk_row=unpacked.whole("nextmove_row").tolist(),
    )
    return identifier, unpacked.close


class _Unpacked:
    """py3langid's model unpacked into a file without a name. Its two large tables, 68 MB, stay there: a text touches few rows."""

    def __init__(self, path: Path) -> None:
        self._file = tempfile.TemporaryFile(suffix=".npz")  # noqa: SIM115 - it is read as long as the model is kept
        with lzma.open(path) as packed:
            shutil.copyfileobj(packed, self._file, _CHUNK)
        self._archive = zipfile.ZipFile(self._file)

    @property
    def is_plain(self) -> bool:
        """Whether its tables are stored as they are."""
        return all(member.compress_type == zipfile.ZIP_STORED for member in self._archive.infolist())

    def close(self) -> None:
        """Nothing can be read of it any more."""
        self._archive.close()
        self._file.close()

    def whole(self, name: str) -> NDArray[Any]:
        """A table that is small."""
        with self._archive.open(f"{name}.npy") as file:
            array: NDArray[Any] = np.lib.format.read_array(file, allow_pickle=False)
        return array

    def rows(self, name: str, width: int = 0) -> _Rows:
        """A table that is read by rows, of `width` or as wide as it is. It is stored as it is."""
        with self._archive.open(f"{name}.npy") as file:
            start = self._start_of(file)
            version = np.lib.format.read_magic(file)
            is_first = version == (1, 0)
            read = np.lib.format.read_array_header_1_0 if is_first else np.lib.format.read_array_header_2_0
            shape, _, dtype = read(file)
            return _Rows(self._file, start + file.tell(), width or shape[-1], dtype)

    def _start_of(self, file: IO[bytes]) -> int:
        """Where in the file the member begins that was just opened: opening has read its header."""
        assert not file.tell()
        return self._file.tell()


class _Rows:
    """Rows of a table in a file; read when they are asked for."""

    def __init__(self, file: IO[bytes], start: int, width: int, dtype: np.dtype[Any]) -> None:
        self._file, self._start, self._dtype = file, start, dtype
        self._bytes = width * dtype.itemsize
        self._kept: dict[int, NDArray[Any]] = {}

    def __getitem__(self, asked: Any) -> Any:
        """For a number, that place of all rows in a line; for several, these rows."""
        if isinstance(asked, int):
            return int(self._row(asked // _MOVES)[asked % _MOVES])
        return np.stack([self._row(int(number)) for number in asked])

    def _row(self, number: int) -> NDArray[Any]:
        row = self._kept.get(number)
        if row is None:
            if len(self._kept) >= _ROWS_KEPT:
                self._kept.clear()
            read = os.pread(self._file.fileno(), self._bytes, self._start + number * self._bytes)
            row = self._kept[number] = np.frombuffer(read, dtype=self._dtype)
        return row
