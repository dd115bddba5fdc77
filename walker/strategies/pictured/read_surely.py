"""How surely what a page says was read: text is certain, what stands in a picture is as certain as the OCR of its lines."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from memory.findings import Finding
from perception.observation import Observation
from walker.strategies.answers.answer_chance import finding_score, found_chance


def as_surely_as_read(findings: Sequence[Finding], observation: Observation) -> list[Finding]:
    """The findings of a page, those that stand in its pictures only as much less likely as they may be misread: text of five pixels
    is read with a confidence of 0.73, and "71.15" as "71.45"."""
    if not observation.picture_lines:
        return list(findings)
    told = []
    for one in findings:
        surely = reading_confidence(one.text, observation)
        chance = found_chance(one.score)
        told.append(one if surely == 1.0 else msgspec.structs.replace(one, score=finding_score(surely * chance)))
    return told


def reading_confidence(text: str, observation: Observation) -> float:
    """OCR confidence 0..1 of the lines that hold a text, or that it is made of; 1 where the page says it itself, or no line does. Of
    two lines that hold it the surer one counts, of those that it is made of the least sure one."""
    wanted = _bare(text)
    if not wanted or any(wanted in _bare(block.text) for block in observation.blocks if not block.pictured):
        return 1.0
    lines = [(_bare(line.text), line.confidence) for picture in observation.picture_lines for line in picture.lines]
    holding = [confidence for line, confidence in lines if wanted in line]
    if holding:
        return max(holding)
    return min((confidence for line, confidence in lines if line and line in wanted), default=1.0)


def _bare(text: str) -> str:
    return "".join(text.split()).casefold()
