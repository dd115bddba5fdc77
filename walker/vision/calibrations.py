"""What is known of how unknown models say where things are, kept from walk to walk."""

from __future__ import annotations

from pathlib import Path

import msgspec

from traces.store.atomic_file import write_atomically
from walker.seams.protocols import ChatModel
from walker.vision.families import UNKNOWN, family_of
from walker.vision.four_crosses import Calibration, find_calibration


class Calibrations:
    """One file, a model a line of it; without a file they last as long as the process."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._known: dict[str, Calibration] | None = None

    async def of(self, model: str, address: str, chat: ChatModel) -> Calibration | None:
        """The calibration of a model at an address; an unknown one is shown four crosses, once. None for a model whose family
        is known, and for one that does not say where the crosses are."""
        if family_of(model) is not UNKNOWN:
            return None
        known = self._read()
        key = f"{model} at {address}"
        if key not in known:
            found = await find_calibration(chat, model)
            if isinstance(found, str):
                return None
            known[key] = found
            if self._file is not None:
                self._file.parent.mkdir(parents=True, exist_ok=True)
                write_atomically(self._file, msgspec.json.format(msgspec.json.encode(known)))
        return known[key]

    def _read(self) -> dict[str, Calibration]:
        if self._known is None:
            self._known = {}
            if self._file is not None and self._file.is_file():
                try:
                    self._known = msgspec.json.decode(self._file.read_bytes(), type=dict[str, Calibration])
                except msgspec.DecodeError:
                    self._known = {}  # a file that was cut off: the crosses are shown again
        return self._known
