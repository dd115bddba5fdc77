"""Why a walk gave this answer and not the next one, in a few lines out of its record."""

from __future__ import annotations

from typing import Any

import msgspec

from memory.findings import Candidate, ComputedFinding, Finding
from traces.events import CodeRan, FindingsAdded, Judged, WalkEnded
from traces.reading.reader import Run
from walker.seams.picture_pages import told_address

SHOWN = 100


class AnswerReasons(msgspec.Struct, frozen=True, kw_only=True):
    """What a walk answered, what spoke for it, and what came next."""

    question: str
    answer: str
    sure: float
    """From which confidence it is one, and not the nearest that was found."""
    confidence: float
    best: tuple[Finding, ...]
    """The best finding of each part of the question."""
    next: Finding | None
    """The best one that says something else about the first part."""
    pages: tuple[str, ...]
    """Further pages that say what the best finding of the first part says."""
    verdict: str
    """What the critic said last."""
    end: str
    """Why the walk ended, and after how many pages."""
    computed: tuple[str, ...] = ()
    """What code computed, and of what, a line each."""
    not_computed: tuple[str, ...] = ()
    """Code that gave nothing, and why, a line each."""
    tied: tuple[Candidate, ...] = ()
    """Other answers that were about as likely in the end."""

    def lines(self) -> tuple[str, ...]:
        """Five lines, one more for each further part, each computation, each that failed, and each tied answer."""
        kind = "answer" if self.confidence >= self.sure else "no answer that is sure; nearest"
        said = f"{kind}: {_short(self.answer)}" if self.answer else "no answer was found"
        lines = [f"{said} (chance of being right {self.confidence:.2f})"]
        lines += [
            f"because: “{_short(one.quote)}” on {told_address(one.address)} (score {one.score:.2f})"
            for one in self.best
        ]
        if not self.best:
            lines.append("because: no finding on any page")
        lines += [f"computed: {one}" for one in self.computed]
        lines += [f"not computed: {one}" for one in self.not_computed]
        for one in self.tied:
            where = ", ".join(dict.fromkeys(told_address(source.url) for source in one.citations))
            lines.append(f"tied with: {_short(one.answer)} on {where}, about as likely")
        if self.next is None:
            lines.append("next: nothing else was found")
        else:
            lines.append(
                f"next: {_short(self.next.text)} on {told_address(self.next.address)} (score {self.next.score:.2f})"
            )
        more = f": {', '.join(self.pages[:3])}" if self.pages else ""
        lines.append(f"said by {len(self.pages)} further page{'' if len(self.pages) == 1 else 's'}{more}")
        lines.append(f"ended: {self.end}; {self.verdict}")
        return tuple(lines)


def reasons_of(run: Run) -> AnswerReasons:
    """The account of the answer of a run; of one that did not end, as far as it went."""
    found: list[Finding] = []
    failed: list[str] = []
    verdict: Judged | None = None
    end: WalkEnded | None = None
    for event in run.events:
        match event:
            case FindingsAdded():
                found += [_finding_of(one) for one in event.findings]
            case Judged():
                verdict = event
            case WalkEnded():
                end = event
            case CodeRan() if event.failure:
                failed.append(_failed(event))
            case _:
                pass
    ordered = sorted(found, key=lambda one: -one.score)
    best = tuple(
        next(one for one in ordered if one.part == part) for part in sorted({finding.part for finding in ordered})
    )
    first = best[0] if best else None
    rest = [one for one in ordered if first is not None and one.part == first.part]
    other = next((one for one in rest if first is not None and not _is_same(one, first)), None)
    pages = dict.fromkeys(one.url for one in rest if first and _is_same(one, first) and one.url != first.url)
    ended = f"{end.stop_reason} after {end.pages} pages" if end is not None else "it was interrupted"
    return AnswerReasons(
        question=run.manifest.question,
        answer=end.answer if end is not None else verdict.answer if verdict is not None else "",
        sure=run.manifest.sure,
        confidence=end.confidence if end is not None else verdict.confidence if verdict is not None else 0.0,
        best=best,
        next=other,
        pages=tuple(pages),
        verdict=verdict.reason if verdict is not None and verdict.reason else "the critic gave no reason",
        end=ended,
        tied=_tied(verdict),
        computed=tuple(_computation(one) for one in found if isinstance(one, ComputedFinding)),
        not_computed=tuple(dict.fromkeys(failed)),
    )


def _tied(verdict: Judged | None) -> tuple[Candidate, ...]:
    if verdict is None or verdict.tied is msgspec.UNSET:
        return ()
    return msgspec.convert(verdict.tied, tuple[Candidate, ...])


def _finding_of(recorded: dict[str, Any]) -> Finding:
    """A finding of the record; one that has code is computed."""
    return msgspec.convert(recorded, ComputedFinding if "code" in recorded else Finding, strict=False)


def _computation(one: ComputedFinding) -> str:
    return f"{' '.join(one.code.split())} = {_short(one.text)}, where {'; '.join(one.inputs)}"


def _failed(ran: CodeRan) -> str:
    place = f"line {ran.line}, column {ran.column}: " if ran.line else ""
    return f"{_short(ran.code)}: {place}{ran.message}"


def _is_same(one: Finding, other: Finding) -> bool:
    return " ".join(one.text.casefold().split()) == " ".join(other.text.casefold().split())


def _short(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= SHOWN else f"{plain[: SHOWN - 3]}..."
