"""The file of answers of a batch: a line is appended when a walk ends, so that a stopped batch can be resumed."""

from __future__ import annotations

from pathlib import Path

import msgspec

from memory.findings import Candidate, Citation
from walker.errors import UsageError
from walker.files.locked_jsonl import LockedJsonl
from walker.seams.outcome import Outcome, StopReason, Usage

_LINE_START = b'{"id":"'
_ANOTHER_FILE = "Give --out a new file, or the file of an earlier run of this batch"


class Prediction(msgspec.Struct, frozen=True, kw_only=True):
    """One answered question, in the form that graders read."""

    id: str
    question: str = ""
    answer: str = ""
    """"" where the question is not answered."""
    answered: bool = True
    partial: bool = False
    """Whether the walk ended before it was over; what is told is what was found until then."""
    nearest: str = ""
    """The best that was found, where it is no answer."""
    tied: tuple[Candidate, ...] = ()
    """Of a tie the other answers."""
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
        answered=outcome.answered,
        partial=outcome.partial,
        nearest=outcome.nearest,
        tied=outcome.tied,
        items=outcome.items,
        confidence=outcome.confidence,
        citations=outcome.citations,
        stop_reason=outcome.stop_reason.value,
        pages=outcome.pages,
        steps=outcome.steps,
        usage=outcome.usage,
        trace=outcome.trace,
        error=outcome.error if outcome.stop_reason is StopReason.STOPPED else "",
    )


class PredictionFile:
    """Append-only, locked by one batch at a time; a truncated last line is dropped, and its question asked again."""

    def __init__(self, path: Path) -> None:
        self.path = path
        if path.exists() and not path.is_file():
            raise UsageError("the answers need a file", where=str(path), advice=_ANOTHER_FILE)
        self._lines = LockedJsonl(path)
        try:
            self.done = self._read()
        except UsageError:
            self.close()
            raise

    def close(self) -> None:
        """Let another batch write to it."""
        self._lines.close()

    def _read(self) -> frozenset[str]:
        data = self.path.read_bytes()
        *lines, last = data.split(b"\n")
        if last and _is_json(last):  # only the newline is missing
            done = self._decode([*lines, last])
            self._lines.add(b"")
            return done
        start = last[: len(_LINE_START) + 1].replace(b" ", b"")
        if not _LINE_START.startswith(start) and not start.startswith(_LINE_START):
            raise UsageError("its last line is not a prediction", where=str(self.path), advice=_ANOTHER_FILE)
        done = self._decode(lines)
        self._lines.cut(len(data) - len(last))
        return done

    def _decode(self, lines: list[bytes]) -> frozenset[str]:
        """The ids of the questions answered in these lines."""
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
        """Write a line; it is on disk when this returns. Raises `TraceUnwritable`."""
        self._lines.add(msgspec.json.encode(prediction))


def _is_json(line: bytes) -> bool:
    try:
        msgspec.json.decode(line)
    except msgspec.DecodeError:
        return False
    return True
