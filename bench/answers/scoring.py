"""Whether the answer of a walk is right."""

from __future__ import annotations

import re

from answers.question_set import Question
from answers.walks import Ended
from evaluation.grading.match import READ_CHARS, WRONG_ITEMS_ALLOWED, distinct, says

_BETWEEN = re.compile(r"[;,\n；，、]")
_BRACKETED = re.compile(r"\([^()]*\)|（[^（）]*）")
_JOINING = re.compile(r"\s+(?:to|and|bis|und|à|et|a|y|e)\s+|\s*(?:[,;→，；、至到和]|\s[-–]\s)\s*")


def is_right(question: Question, ended: Ended) -> bool:
    """Single, multi, visual: a form stands in the answer as whole words; of multi the values of one, in its order, are enough.
    Quota: enough acceptable items and at most one other. Exhaustive: the right number, and as many items if any are named. None:
    there is no answer."""
    said = ended.answer[:READ_CHARS]
    if question.kind == "none":
        return not said.strip()
    named = distinct(ended.items)
    has_form = any(says(said, form) for form in question.forms)
    if question.kind == "quota":
        parts = [part.strip() for part in _BETWEEN.split(_BRACKETED.sub("", ended.answer))]
        named = named or distinct([part for part in parts if part])
        right = [name for name in named if any(says(name, item) for item in question.items)]
        return len(right) >= question.n and len(named) - len(right) <= WRONG_ITEMS_ALLOWED
    if question.kind == "exhaustive":
        return has_form and len(named) in (0, len(question.items))
    if question.kind == "multi":
        return has_form or any(_says_in_order(said, form) for form in question.forms)
    return has_form


def _says_in_order(said: str, form: str) -> bool:
    """Whether all values that a form joins stand in the answer one after the other: "from version 2 to version 5" for "2 to 5"."""
    values = [value for value in _JOINING.split(form) if value]
    if len(values) < 2:
        return False
    rest = said
    for value in values:
        if not says(rest, value):
            return False
        rest = rest[rest.casefold().find(value.casefold()) + len(value) :]
    return True
