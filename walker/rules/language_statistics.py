"""The likeliest language of a text by the statistics of its letters; the model is loaded when asked, and given back soon after."""

from __future__ import annotations

import lzma
import os
import shutil
import tempfile
import threading
import zipfile
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray
from py3langid.langid import MODEL_DIR, MODEL_FILE, LanguageIdentifier

KEPT_SECONDS = 30.0
"""Seconds after the last question for which the model is kept: it holds 15 MB, and loading it takes 0.3 s."""
_CHUNK = 1 << 20
_MOVES = 256
"""Moves of a state of the automaton, one for each byte."""
_ROWS_KEPT = 8192


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


def _open_model(path: Path) -> tuple[LanguageIdentifier, _Unpacked | None]:
    """The model, and the file that it reads from, if any."""
    unpacked = _Unpacked(path)
    if not unpacked.is_plain:
        unpacked.close()
        return LanguageIdentifier.from_model_file(path), None
    identifier = LanguageIdentifier(
        unpacked.rows("ptc"),
        unpacked.whole("pc"),
        unpacked.whole("classes").tolist(),
        unpacked.rows("nextmove", _MOVES),
        unpacked.whole("out_feat").tolist(),
        tk_row=unpacked.whole("nextmove_row").tolist(),
    )
    return identifier, unpacked


class _Model:
    """The statistical model, for whichever thread asks."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._identifier: LanguageIdentifier | None = None
        self._unpacked: _Unpacked | None = None
        self._end: threading.Timer | None = None

    def classify(self, text: str) -> str:
        """BCP 47 primary tag."""
        with self._lock:
            if self._end is not None:
                self._end.cancel()
            if self._identifier is None:
                self._identifier, self._unpacked = _open_model(Path(MODEL_DIR) / MODEL_FILE)
            self._end = threading.Timer(KEPT_SECONDS, self.give_back)
            self._end.daemon = True
            self._end.start()
            return str(self._identifier.classify(text)[0])

    def give_back(self) -> None:
        """Drop it; the next question loads it again."""
        with self._lock:
            self._identifier = None
            if self._unpacked is not None:
                self._unpacked.close()
                self._unpacked = None

    @property
    def is_loaded(self) -> bool:
        return self._identifier is not None


MODEL = _Model()


def likeliest_language(text: str) -> str:
    """BCP 47 primary tag, right for most texts from a sentence on."""
    return MODEL.classify(text)
