"""The file of answers of a batch: a line is added when a walk ends, so that a stopped batch goes on where it was."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from memory.findings import Citation
from walker.errors import TraceUnwritable, UsageError
from walker.outcome import Outcome, Usage


class Prediction(msgspec.Struct, frozen=True, kw_only=True):
    """One answered question, in the form that graders read."""

    id: str
    question: str = ""
    answer: str = ""
    items: tuple[str, ...] = ()
    confidence: float = 0.0
    citations: tuple[Citation, ...] = ()
    stop_reason: str = ""
    pages: int = 0
    steps: int = 0
    usage: Usage = Usage()
    trace: str = ""
    error: str = ""


def prediction_of(question_id: str, outcome: Outcome) -> Prediction:
    """The line for an outcome."""
    return Prediction(
        id=question_id,
        question=outcome.question,
        answer=outcome.answer,
        items=outcome.items,
        confidence=outcome.confidence,
        citations=outcome.citations,
        stop_reason=outcome.stop_reason.value,
        pages=outcome.pages,
        steps=outcome.steps,
        usage=outcome.usage,
        trace=outcome.trace,
    )


class PredictionFile:
    """Append-only; a last line that a crash cut off is dropped, its question is asked again."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.done = self._read()

    def _read(self) -> frozenset[str]:
        if not self._path.exists():
            return frozenset()
        data = self._path.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        decoder = msgspec.json.Decoder(Prediction)
        done = set()
        for number, line in enumerate(whole.splitlines(), start=1):
            try:
                prediction = decoder.decode(line)
            except msgspec.DecodeError as error:
                raise UsageError(
                    f"not a prediction ({error})",
                    where=f"{self._path}:{number}",
                    advice="Give --out a new file, or the file of an earlier run of this batch",
                ) from None
            if not prediction.error:
                done.add(prediction.id)
        if len(whole) < len(data):
            os.truncate(self._path, len(whole))
        return frozenset(done)

    def add(self, prediction: Prediction) -> None:
        """Write a line; it is on disk when this returns."""
        line = msgspec.json.encode(prediction) + b"\n"
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("ab") as file:
                file.write(line)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise TraceUnwritable(
                f"the answers cannot be written ({error.strerror})",
                where=str(self._path),
                advice="Free some space, then run the same command again",
            ) from None
