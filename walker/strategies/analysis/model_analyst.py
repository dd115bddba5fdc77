"""The analyst with a language model: one call at the start of a walk, checked against the question and joined with the rules."""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

from memory.counting.requirement import Requirement, may_be_stated
from memory.words import tokens
from perception.document.visible import visible_text
from perception.observation import Observation
from walker.models.replies import AnalysisReply
from walker.rules.language import language_of_page
from walker.rules.pictures.picture_words import means_picture_only
from walker.seams.protocols import Analyst
from walker.seams.searches import is_own_page, roots_of
from walker.seams.task import Task
from walker.seams.task_analysis import SiteName, TaskAnalysis, TaskOperation, TaskPart
from walker.strategies.analysis.spellings import SeenWords, words_seen
from walker.strategies.model.model_talk import ModelTalk, NoUsableReply
from walker.strategies.question.task_words import picture_line

PARTS_KEPT, NAMES_KEPT, SPELLINGS_KEPT = 6, 8, 4
"""Most parts and names of an analysis, and most other spellings of a name."""
TEXT_CHARS, NAME_CHARS = 200, 60
FULLY_PARSED = frozenset(("en", "zh"))
"""Languages whose parser knows what is counted better than a model does."""
_JOINING: frozenset[TaskOperation] = frozenset(("none", "yes/no"))
"""Operations that join nothing."""


class ModelAnalyst:
    """Implements `walker.seams.protocols.Analyst`. If the model gives no usable reply, the analysis of `fallback` stands, with a
    note."""

    def __init__(self, talk: ModelTalk, fallback: Analyst, *, may_count: bool = True) -> None:
        """`may_count`: whether a walk has the counter, which the model may then switch on and off."""
        self._talk, self._fallback, self._may_count = talk, fallback, may_count

    async def analyse(self, task: Task, observation: Observation) -> TaskAnalysis:
        """The model's analysis within the bounds of the rules."""
        rules = await self._fallback.analyse(task, observation)

        def build(_tokens: int) -> dict[str, object]:
            # A page of our own says nothing of the site, and is in our language.
            is_ours = is_own_page(observation.url)
            return {
                "question": task.question,
                "root": " ".join(roots_of(task.root_url)) or ("" if is_ours else task.root_url),
                "title": "" if is_ours else visible_text(observation.title)[:TEXT_CHARS],
                "site_language": "" if is_ours else language_of_page(observation),
                "picture": visible_text(picture_line(task)) if task.picture is not None else "",
            }

        try:
            return await self._talk.ask(
                "analysis",
                task.language,
                1,
                build,
                AnalysisReply,
                lambda said: combined(rules, said, task, observation, may_count=self._may_count),
            )
        except NoUsableReply as failure:
            return msgspec.structs.replace(rules, note=f"the model's analysis cannot be used: {failure}"[:TEXT_CHARS])


def combined(
    rules: TaskAnalysis, said: AnalysisReply, task: Task, observation: Observation, *, may_count: bool
) -> TaskAnalysis:
    """A model's analysis joined with that of the rules, which stands where the model says nothing; but of a picture that may as well
    be a thing ("the painting") a model that names none knows better. `observation`: the first page."""
    parts, operation = _parts_and_operation(rules, said)
    requirement = _requirement(rules.requirement, said, task) if may_count else rules.requirement
    return TaskAnalysis(
        by="model",
        kind=rules.kind if said.kind == "other" else said.kind,
        unit=_text(said.unit, NAME_CHARS) or rules.unit,
        parts=parts,
        operation=operation,
        names=_names(rules.names, said, words_seen(task, observation)),
        requirement=requirement,
        constraint=_text(said.which) if requirement.mode != "none" else "",
        each=_text(said.each, NAME_CHARS) if requirement.mode != "none" else "",
        picture=_text(said.picture) or (rules.picture if means_picture_only(task.question) else ""),
        proof=_text(said.proof) or rules.proof,
    )


def _parts_and_operation(rules: TaskAnalysis, said: AnalysisReply) -> tuple[tuple[TaskPart, ...], TaskOperation]:
    """The model's parts; those of the rules where it names none, or does not see that the rules join several."""
    parts = tuple(
        TaskPart(text=text, needs=part.needs if 0 < part.needs < number else 0)
        for number, part in enumerate(said.parts[:PARTS_KEPT], start=1)
        if (text := _text(part.ask))
    )
    operation = said.operation
    if operation in _JOINING and rules.operation not in _JOINING:
        operation = rules.operation
        parts = parts if len(parts) > 1 else ()
    return parts or rules.parts, rules.operation if operation == "none" else operation


def _names(by_rules: tuple[SiteName, ...], said: AnalysisReply, known_words: SeenWords) -> tuple[SiteName, ...]:
    """The names of the question that the model found, with the spellings that it may bring in, then what only the rules saw; each
    once, the short forms of both together."""
    spelled: dict[str, tuple[str, ...]] = {}
    for one in said.names:
        name = _text(one.name, NAME_CHARS)
        if name and known_words.hold(name):
            spellings = filter(None, (_text(other, NAME_CHARS) for other in one.also))
            others = (other.name for other in said.names if other is not one)
            strange = known_words.other_names(name, others)
            spelled[name] = tuple(one for one in spellings if known_words.allow(one, name, strange))
    said_words = [frozenset(tokens(name)) for name in spelled]
    for known in by_rules:
        if known.spellings or not any(frozenset(tokens(known.name)) <= words for words in said_words):
            spelled[known.name] = (*known.spellings, *spelled.get(known.name, ()))
    return tuple(
        SiteName(name=name, spellings=_distinct(spellings, name)[:SPELLINGS_KEPT])
        for name, spellings in spelled.items()
    )[:NAMES_KEPT]


def _distinct(spellings: Iterable[str], name: str) -> tuple[str, ...]:
    """Each spelling once, without the name itself."""
    by_key = {spelling.casefold(): spelling for spelling in reversed(tuple(spellings))}
    by_key.pop(name.casefold(), None)
    return tuple(reversed(by_key.values()))


def _requirement(by_rules: Requirement, said: AnalysisReply, task: Task) -> Requirement:
    """What is counted. The model may switch off a count of what may be stated, or of a number in words; and switch one on where the
    parser does not know the language. A number in digits is the question's own."""
    digits = {int(number) for number in re.findall(r"\d{1,9}", task.question)}
    if said.counts == "stated":
        is_open = by_rules.mode == "exhaustive" and may_be_stated(task.question)
        in_words = by_rules.mode == "quota" and by_rules.target not in digits
        return Requirement() if is_open or in_words else by_rules
    noun = _text(said.noun, NAME_CHARS)
    if said.counts != "listed" or by_rules.mode != "none" or task.language in FULLY_PARSED or not noun:
        return by_rules
    if said.target > 1:
        return Requirement(mode="quota", target=said.target, noun=noun) if said.target in digits else by_rules
    return Requirement(mode="exhaustive", noun=noun) if said.kind in ("list", "count") else by_rules


def _text(said: str, chars: int = TEXT_CHARS) -> str:
    return visible_text(said)[:chars].strip()
