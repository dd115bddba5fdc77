"""How surely what a page says was read: text is certain, what stands in a picture is as certain as the OCR of its lines."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from memory.findings import Finding
from perception.observation import Observation
from walker.strategies.answers.answer_chance import finding_score, found_chance


def as_surely_as_read(findings: Sequence[Finding], observation: Observation) -> list[Finding]:
    """The findings of a page, those that stand in its pictures only marked so, and as much less likely as they may be misread: text of
    five pixels is read with a confidence of 0.73, and "71.15" as "71.45"."""
    if not observation.picture_lines:
        return list(findings)
    told = []
    for one in findings:
        surely = reading_confidence(one.text, observation)
        if surely is None:
            told.append(one)
        else:
            score = finding_score(surely * found_chance(one.score))
            told.append(msgspec.structs.replace(one, score=score, pictured=True))
    return told


def reading_confidence(text: str, observation: Observation) -> float | None:
    """OCR confidence 0..1 of the lines that hold a text, or that it is made of; None where the page says it itself, or no line does.
    Of two lines that hold it the surer one counts, of those that it is made of the least sure one."""
    wanted = _bare(text)
    if not wanted or any(wanted in _bare(block.text) for block in observation.blocks if not block.pictured):
        return None
    lines = [(_bare(line.text), line.confidence) for picture in observation.picture_lines for line in picture.lines]
    holding = [confidence for line, confidence in lines if wanted in line]
    if holding:
        return max(holding)
    return min((confidence for line, confidence in lines if line and line in wanted), default=None)


def _bare(text: str) -> str:
    return "".join(text.split()).casefold()
