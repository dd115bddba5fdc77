"""How far the confidence of answers can be trusted: predictions of a batch compared with the answers that are known."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from memory.findings import Finding
from traces.errors import TraceReadError
from traces.events import FindingsAdded
from traces.reading.reader import read_run
from walker.calibration.logistic_fit import SignalExample, fit_logistic, held_out, reliability
from walker.errors import UsageError
from walker.strategies.answers.answer_chance import Logistic
from walker.strategies.builtin.answer_confidence import ANSWER_SIGNALS, answer_signals

SURELY = 0.8
RIDGE = 1.0
LEAST = 20
"""Least recorded walks that weights are fitted on."""


class KnownAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the file of questions; other fields are allowed. The site does not answer where `answer` is ""."""

    id: str
    answer: str = ""
    accept: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    n: int = 0
    site: str = ""


class SaidAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the predictions, as far as it is used."""

    id: str
    answer: str = ""
    nearest: str = ""
    confidence: float = 0.0
    trace: str = ""
    error: str = ""
    """Why the walk failed, or was stopped: the question is asked again, and the line counts for nothing."""


class Trusted(msgspec.Struct, frozen=True, kw_only=True):
    """What confidence is worth, and weights that fit these walks where they were recorded."""

    questions: int
    right: int
    """Of the best answers, given or not."""
    table: tuple[str, ...]
    """Bands of confidence: how many, what was said, what was right."""
    surely: int
    """Answers with a confidence of at least `SURELY`."""
    surely_right: int
    unanswerable: int
    declined: int
    """Of the unanswerable questions."""
    walks: int = 0
    """Recorded walks of which the signals were read."""
    fitted: Logistic | None = None
    fitted_table: tuple[str, ...] = ()
    """The same bands by weights that were fitted on the other sites."""


_Line = TypeVar("_Line", KnownAnswer, SaidAnswer)


def weigh_answers(known: Sequence[KnownAnswer], said: Sequence[SaidAnswer], *, sure: float) -> Trusted:
    """Compare. Raises `UsageError` where no prediction belongs to a question."""
    by_id = {one.id: one for one in known}
    pairs = [(by_id[one.id], one) for one in said if one.id in by_id and not one.error]
    if not pairs:
        raise UsageError("no prediction has the id of a question", advice="Give the file that the batch was asked with")
    right = [is_right(question, one.answer or one.nearest) for question, one in pairs]
    surely = [good for good, (_, one) in zip(right, pairs, strict=True) if one.confidence >= SURELY]
    unanswerable = [one for question, one in pairs if not question.answer and not question.items]
    examples = [
        SignalExample(signals=signals, right=good, group=question.site)
        for good, (question, one) in zip(right, pairs, strict=True)
        if (signals := _signals_of(one.trace)) is not None
    ]
    is_enough = len(examples) >= LEAST and len({one.right for one in examples}) == 2
    chances = held_out(ANSWER_SIGNALS, examples, ridge=RIDGE) if is_enough else []
    return Trusted(
        questions=len(pairs),
        right=sum(right),
        table=reliability([one.confidence for _, one in pairs], right),
        surely=len(surely),
        surely_right=sum(surely),
        unanswerable=len(unanswerable),
        declined=sum(one.confidence < sure or not (one.answer or one.nearest) for one in unanswerable),
        walks=len(examples),
        fitted=fit_logistic(ANSWER_SIGNALS, examples, ridge=RIDGE) if is_enough else None,
        fitted_table=reliability(chances, [one.right for one in examples]) if is_enough else (),
    )


def is_right(question: KnownAnswer, said: str) -> bool:
    """Whether an answer holds an accepted form as whole words, or enough of the items that a quota asks for."""
    if question.n and question.items:
        return sum(_holds(said, item) for item in question.items) >= question.n
    return any(_holds(said, form) for form in (question.answer, *question.accept) if form)


def read_lines(path: Path, kind: type[_Line]) -> tuple[_Line, ...]:
    """The lines of a JSONL file. Raises `UsageError` with the number of a line that is none."""
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise UsageError(f"cannot be read ({error})", where=str(path), advice="Give a JSON Lines file") from None
    found = []
    for number, line in enumerate(lines, start=1):
        try:
            found += [msgspec.json.decode(line, type=kind)] if line.strip() else []
        except msgspec.DecodeError as error:
            raise UsageError(str(error), where=f"{path}:{number}", advice="A line is one JSON object") from None
    return tuple(found)


def _holds(text: str, form: str) -> bool:
    plain = _plain(form)
    edge = r"\w" if plain.isascii() else r"(?!)."
    return bool(plain) and re.search(rf"(?<!{edge}){re.escape(plain)}(?!{edge})", _plain(text)) is not None


def _plain(text: str) -> str:
    return " ".join(re.findall(r"[\w.,%€$]+", text.casefold())).strip(" .,")


def _signals_of(trace: str) -> tuple[float, ...] | None:
    """The signals of the best answer of a recorded walk; None where there is no record or no finding."""
    if not trace:
        return None
    try:
        run = read_run(Path(trace), frozenset(("findings",)))
    except TraceReadError:
        return None
    told = [one for event in run.events if isinstance(event, FindingsAdded) for one in event.findings]
    return answer_signals([msgspec.convert(one, Finding, strict=False) for one in told], 0)


msgspec.json.Decoder(KnownAnswer)  # described at import: docs/design/msgspec.md
msgspec.json.Decoder(SaidAnswer)  # described at import: docs/design/msgspec.md
