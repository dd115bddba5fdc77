"""What a question that points to a picture makes of a page: texts of its pictures before its prose, and what lies where it says."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from memory.findings import Finding, PictureSigns
from perception.observation import Observation
from walker.rules.pictures.picture_words import Pointing, asks_for_writing, how_question_points
from walker.strategies.answers.answer_chance import finding_score, found_chance
from walker.strategies.builtin.part_reading import PageAnswer
from walker.strategies.pictured.labelled_answer import labelled_answers
from walker.strategies.pictured.outstanding_text import corner_answers, written_answers
from walker.strategies.pictured.pictured_answer import PicturedAnswer
from walker.strategies.pictured.spatial_answer import spatial_answers
from walker.strategies.question.answer_type import AnswerType

POINTED: dict[Pointing, float] = {"plain": 1.0, "loose": 0.5, "": 0.0}
"""How plainly a question says that a picture shows what it asks for, as a signal."""
PROSE_SHARE: dict[Pointing, float] = {"plain": 0.3, "loose": 0.4, "": 1.0}
"""Worth of what the page says itself, as a share, where the question says that a picture shows it."""

UNPOINTED_SHARE, NAMED_SHARE = 0.3, 0.7
"""Worth of what stands at a label of a picture where the question points to none; of what stands at one for what is asked for."""
MOST = 3
"""Most answers of either sort from one page."""
ELSEWHERE_SHARE = 0.3
"""The same of any other text where the question asks what lies beside a text of a picture, and that was found."""
SHOWN_FROM, TOLD_BESIDE = 0.6, 0.3
"""Chance of a text of a picture from which it is likely what a question means that points to a picture; worth of the prose of
its page then, as a further share."""


def pictured_first(
    answers: Sequence[PageAnswer],
    asked: str,
    observation: Observation,
    *,
    beside: Sequence[Finding] = (),
    at_labels: Sequence[Finding] = (),
) -> list[PageAnswer]:
    """The answers of a page, its prose worth less where the question points to a picture; a loose pointer counts only where one was
    read. All are worth less where what lies `beside` is known, and prose where that or what stands `at_labels` is likely."""
    points = how_question_points(asked)
    prose = PROSE_SHARE[points] if points == "plain" or observation.picture_lines else 1.0
    pictured = ELSEWHERE_SHARE if beside else 1.0
    prose = min(prose, pictured)
    if points and any(found_chance(one.score) >= SHOWN_FROM for one in (*beside, *at_labels)):
        prose *= TOLD_BESIDE
    if prose == pictured == 1.0:
        return list(answers)
    shares = ((one, pictured if one.weighed.passage.pictured else prose) for one in answers)
    weighed = (msgspec.structs.replace(one, chance=share * one.chance) for one, share in shares)
    return sorted(weighed, key=lambda one: -one.chance)


def beside_findings(asked: str, observation: Observation, part: int, step: int) -> list[Finding]:
    """What lies beside, above, below or between the texts that a question about a picture names, in the corner that it names, or is
    written largest where it asks for that, likeliest first."""
    if not observation.picture_lines or not how_question_points(asked):
        return []
    found = spatial_answers(asked, observation) or corner_answers(asked, observation)
    if not found and asks_for_writing(asked):
        found = written_answers(asked, observation)
    return [_finding(one, observation.url, part, step) for one in found[:MOST]]


def label_findings(asked: str, wanted: AnswerType, observation: Observation, part: int, step: int) -> list[Finding]:
    """What stands at the labels that a question names, likeliest first; worth less where it points to no picture."""
    if not observation.picture_lines:
        return []
    is_pointed = bool(how_question_points(asked))
    weighed = []
    for one in labelled_answers(asked, wanted, observation):
        share = 1.0 if is_pointed else NAMED_SHARE if one.named else UNPOINTED_SHARE
        weighed.append(msgspec.structs.replace(one, chance=share * one.chance))
    weighed.sort(key=lambda one: -one.chance)
    return [_finding(one, observation.url, part, step) for one in weighed[:MOST]]


def _finding(answer: PicturedAnswer, url: str, part: int, step: int) -> Finding:
    score = finding_score(answer.chance)
    signs = PictureSigns(place=answer.place, named=answer.named)
    quote = answer.quote or answer.text
    return Finding(text=answer.text, quote=quote, url=url, step=step, score=score, part=part, pictured=signs)
