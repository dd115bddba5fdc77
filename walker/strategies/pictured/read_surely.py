"""How surely what a page says was read: text is certain, what stands in a picture is as certain as the OCR of its lines."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

import msgspec

from memory.findings import Finding, PictureSigns
from perception.observation import Observation
from perception.picture_lines import PictureLines, PlacedText
from walker.strategies.answers.answer_chance import finding_score, found_chance
from walker.strategies.pictured.pictured_answer import picture_fit, unsaid_names

MADE_OF = 0.5
"""Least share of a text that the lines have which it is said to be made of."""


def as_surely_as_read(
    findings: Sequence[Finding], observation: Observation, asked: str = "", pointed: float = 0.0
) -> list[Finding]:
    """The findings of a page, those that stand in its pictures only with what speaks for them, and as much less likely as they may be
    misread: text of five pixels is read with a confidence of 0.73, and "71.15" as "71.45". `pointed`, 0..1: how plainly the
    question says that a picture shows it."""
    if not observation.picture_lines:
        return list(findings)
    told = []
    for one in findings:
        signs = picture_signs(one.text, observation, asked)
        if signs is None:
            told.append(msgspec.structs.replace(one, pictured=msgspec.UNSET))
            continue
        known = signs if one.pictured is msgspec.UNSET else one.pictured
        signs = msgspec.structs.replace(signs, pointed=pointed, place=known.place, named=known.named)
        score = finding_score(signs.sure * found_chance(one.score))
        told.append(msgspec.structs.replace(one, score=score, pictured=signs))
    return told


def picture_signs(text: str, observation: Observation, asked: str = "") -> PictureSigns | None:
    """How surely the lines were read that hold a text, or that it is made of, and how well their picture fits the question; None where
    the page says the text itself, or no line does. Of two lines that hold it the surer one counts, of those that it is made of the
    least sure one."""
    wanted = _bare(text)
    if not wanted or any(wanted in _bare(block.text) for block in observation.blocks if not block.pictured):
        return None
    lines = [(_bare(line.text), line, picture) for picture in observation.picture_lines for line in picture.lines]
    if holding := [(line, picture) for bare, line, picture in lines if wanted in bare]:
        return _signs(*max(holding, key=lambda pair: pair[0].confidence), asked, observation.title)
    parts = [(line, picture) for bare, line, picture in lines if bare and bare in wanted]
    # A stroke that was read as a letter is in many a text.
    if sum(len(_bare(line.text)) for line, _ in parts) < MADE_OF * len(wanted):
        return None
    return _signs(*min(parts, key=lambda pair: pair[0].confidence), asked, observation.title)


def _signs(line: PlacedText, picture: PictureLines, asked: str, title: str) -> PictureSigns:
    return PictureSigns(
        sure=line.confidence,
        clear=round(median(one.confidence for one in picture.lines), 3),
        pixels=0.0 if line.pixels is msgspec.UNSET else line.pixels,
        fit=round(picture_fit(asked, picture), 3),
        unsaid=round(unsaid_names(asked, picture, title), 3),
    )


def _bare(text: str) -> str:
    return "".join(text.split()).casefold()
