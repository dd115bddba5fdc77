"""Stores the coordinate calibrations of unknown vision models, for later walks."""

from __future__ import annotations

from pathlib import Path

import msgspec

from traces.store.atomic_file import write_atomically
from walker.seams.protocols import ChatModel
from walker.vision.families import UNKNOWN, family_of
from walker.vision.four_crosses import Calibration, find_calibration


class Calibrations:
    """Calibrations in a file, one line per model; without a file they last as long as the process."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._known: dict[str, Calibration] | None = None

    async def of(self, model: str, address: str, chat: ChatModel) -> Calibration | None:
        """The calibration of a model at an endpoint's address; an unknown model is shown four crosses, once. None for a model of a
        known family, and for one that does not locate the crosses."""
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
                    self._known = {}  # a truncated file: the models are calibrated again
        return self._known
