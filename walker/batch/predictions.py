"""The file of answers of a batch: a line is added when a walk ends, so that a stopped batch goes on where it was."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from memory.findings import Citation
from traces.file_lock import hold
from walker.errors import TraceUnwritable, UsageError
from walker.outcome import Outcome, Usage

_LINE_START = b'{"id":"'
_ANOTHER_FILE = "Give --out a new file, or the file of an earlier run of this batch"


class Prediction(msgspec.Struct, frozen=True, kw_only=True):
    """One answered question, in the form that graders read."""

    id: str
    question: str = ""
    answer: str = ""
    items: tuple[str, ...] = ()
    confidence: float = 0.0
    citations: tuple[Citation, ...] = ()
    stop_reason: str
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
    """Append-only, held by one batch at a time; a last line that a crash cut off is dropped, its question asked again."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._held = self._hold()
        try:
            self.done = self._read()
        except UsageError:
            self.close()
            raise

    def close(self) -> None:
        """Let another batch write to it."""
        os.close(self._held)

    def _hold(self) -> int:
        """The file, open and locked; the lock ends with this process, however that ends."""
        where = str(self.path)
        if self.path.exists() and not self.path.is_file():
            raise UsageError("the answers need a file", where=where, advice=_ANOTHER_FILE)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        except OSError as error:
            reason = f"the answers cannot be written ({error.strerror})"
            raise UsageError(reason, where=where, advice="Name a file that can be written with --out") from None
        if not hold(file):
            os.close(file)
            raise UsageError(
                "another batch writes its answers there", where=where, advice="Wait for it to end, or end it"
            )
        return file

    def _read(self) -> frozenset[str]:
        data = self.path.read_bytes()
        *lines, last = data.split(b"\n")
        if last and _is_json(last):  # only its end of line is not there
            done = self._decode([*lines, last])
            os.write(self._held, b"\n")
            return done
        start = last[: len(_LINE_START) + 1].replace(b" ", b"")
        if not _LINE_START.startswith(start) and not start.startswith(_LINE_START):
            raise UsageError("its last line is not a prediction", where=str(self.path), advice=_ANOTHER_FILE)
        done = self._decode(lines)
        os.ftruncate(self._held, len(data) - len(last))
        return done

    def _decode(self, lines: list[bytes]) -> frozenset[str]:
        """The questions that these lines answer."""
        decoder = msgspec.json.Decoder(Prediction)
        done = set()
        for number, line in enumerate(lines, start=1):
            try:
                prediction = decoder.decode(line)
            except msgspec.DecodeError as error:
                raise UsageError(
                    f"not a prediction ({error})", where=f"{self.path}:{number}", advice=_ANOTHER_FILE
                ) from None
            if not prediction.error:
                done.add(prediction.id)
        return frozenset(done)

    def add(self, prediction: Prediction) -> None:
        """Write a line; it is on disk when this returns."""
        line = msgspec.json.encode(prediction) + b"\n"
        try:
            with self.path.open("ab") as file:
                file.write(line)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise TraceUnwritable(
                f"the answers cannot be written ({error.strerror})",
                where=str(self.path),
                advice="Free some space, then run the same command again",
            ) from None


def _is_json(line: bytes) -> bool:
    try:
        msgspec.json.decode(line)
    except msgspec.DecodeError:
        return False
    return True
