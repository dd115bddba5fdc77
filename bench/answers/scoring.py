"""Whether the answer of a walk is right."""

from __future__ import annotations

import re

from answers.question_set import Question
from answers.walks import Ended
from evaluation.grading.match import READ_CHARS, WRONG_ITEMS_ALLOWED, distinct, says

_BETWEEN = re.compile(r"[;,\n；，、]")


def is_right(question: Question, ended: Ended) -> bool:
    """Single, multi, visual: a form stands in the answer as whole words. Quota: enough acceptable items and at most one other.
    Exhaustive: the right number, and as many items if any are named. None: there is no answer."""
    said = ended.answer[:READ_CHARS]
    if question.kind == "none":
        return not said.strip()
    named = distinct(ended.items)
    has_form = any(says(said, form) for form in question.forms)
    if question.kind == "quota":
        parts = [part.strip() for part in _BETWEEN.split(ended.answer)]
        named = named or distinct([part for part in parts if part])
        right = [name for name in named if any(says(name, item) for item in question.items)]
        return len(right) >= question.n and len(named) - len(right) <= WRONG_ITEMS_ALLOWED
    if question.kind == "exhaustive":
        return has_form and len(named) in (0, len(question.items))
    return has_form
