"""Error classes of wrong answers, decided without a model wherever the text or the recording proves them.

1. No answer, or an answer that nothing was found: refusal.
2. A figure or name of the answer is on no visited page: hallucination.
3. No source of the question was opened: not reached, since the walk ended too early.
4. The answer is part of what was asked for: missing key info, or imprecise where one date or number is merely coarser. A count
   that is too low has missed items; one that is too high, or of nothing, is totally incorrect.
5. One of several sources was never opened: not reached too.
6. All of the answer is on the visited pages, and the sources were read: totally incorrect, the wrong thing was chosen.
The rest (no recording, or an answer in other words) is left to a model.
"""

from __future__ import annotations

import re

import msgspec

from evaluation.dataset.question import Question
from evaluation.grading.granularity import is_coarser
from evaluation.grading.match import distinct, is_source, says
from evaluation.grading.visited import Visited
from evaluation.metrics.rates import plain
from evaluation.sample import ErrorClass, Sample

_DECLINED = re.compile(
    r"\b(?:i (?:do not|don't|cannot|can't|could not|couldn't) (?:know|find|answer|determine)"
    r"|(?:could|was|were) not (?:be )?(?:found|able)|unable to (?:find|answer|determine)"
    r"|no (?:information|answer) (?:was |is )?(?:found|available|given)|not (?:found|available|mentioned))\b"
    r"|无法(?:找到|回答|确定)|没有找到|未找到|找不到|不知道|未提及|沒有找到",
    re.IGNORECASE,
)
_FIGURE = re.compile(r"\d+(?:[.,:/-]\d+)*")
_NAME = re.compile(r"\b[A-Z][\w'’&-]*[a-z0-9][\w'’-]*(?:\s+(?:of|the|de|van|von)\s+[A-Z][\w'’-]+|\s+[A-Z][\w'’-]+)*")
_HAN_RUN = re.compile(r"[\u3400-\u9fff]{2,}")
_COMPUTED = re.compile(r"-?\d[\d.,]*\s*(?=\([^()]*\d\s*[-+−–×*/÷]\s*\d[^()]*\))")
"""A figure with its calculation, “7 (2000 - 1993)”: it is on no page, but is not a hallucination."""
_FIRST_WORD = re.compile(r"(?:^|[.!?]\s+)([A-Z][a-z]+)\b")
SHORT_CHARS = 80
"""Most characters of an answer without figures and names that is taken as a quote if a page contains it verbatim."""
_PART_WORDS = frozenset(("and", "or", "the", "a", "an", "in", "on", "of", "at", "is", "was", "are", "were", "to", "by"))


class Classified(msgspec.Struct, frozen=True, kw_only=True):
    """An error class and how it was determined."""

    error_class: ErrorClass
    by: str
    reason: str


def is_refusal(answer: str) -> bool:
    """Whether the answer says that no answer was found."""
    return not answer.strip() or (len(answer) < 300 and _DECLINED.search(answer) is not None)


def classify_error(question: Question, sample: Sample, visited: Visited | None) -> Classified | None:
    """The provable error class of a wrong answer; None where a model has to decide."""
    if is_refusal(sample.answer):
        return Classified(error_class="refusal", by="match", reason="it gives no answer")
    if visited is None:
        return _by_words(question, sample)
    seen = plain(visited.text)
    stated = facts_of(sample, question)
    unseen = [fact for fact in stated if not _stands(fact, seen)]
    if unseen and not _is_count(question, sample):
        reason = f"“{unseen[0]}” is on none of the {len(visited.urls)} pages that were opened"
        return Classified(error_class="hallucination", by="trace", reason=reason)
    if question.sources and not any(is_source(url, source) for url in visited.urls for source in question.sources):
        return Classified(error_class="not reached", by="trace", reason="no page with the answer was opened")
    by_words = _by_words(question, sample)
    if by_words is not None:
        return by_words
    unopened = [source for source in question.sources if not any(is_source(url, source) for url in visited.urls)]
    if unopened and question.kind == "multi":
        reason = f"the needed source {unopened[0]} was never opened"
        return Classified(error_class="not reached", by="trace", reason=reason)
    said = sample.answer.strip()
    chosen = stated or ((said,) if len(said) <= SHORT_CHARS and _stands(said, seen) else ())
    if chosen and not unseen:
        reason = f"“{chosen[0]}” is on a visited page, but is not what was asked"
        return Classified(error_class="totally incorrect", by="trace", reason=reason)
    return None


def facts_of(sample: Sample, question: Question) -> tuple[str, ...]:
    """Figures and names in the answer that are not in the question."""
    said = "; ".join(sample.items) if sample.items else _COMPUTED.sub("", sample.answer[:600])
    opening = {match[1] for match in _FIRST_WORD.finditer(said) if match[1].lower() in _COMMON_OPENINGS}
    found = [match[0] for pattern in (_FIGURE, _NAME, _HAN_RUN) for match in pattern.finditer(said)]
    asked = plain(question.question)
    return tuple(dict.fromkeys(fact for fact in found if fact not in opening and not _stands(fact, asked)))


_COMMON_OPENINGS = frozenset(
    "the a an it its this that there they he she we in on at by for from yes no both all about at least according".split()
)


def _is_count(question: Question, sample: Sample) -> bool:
    """Whether the answer is a count, which is on no page, but is not a hallucination."""
    return question.kind in ("exhaustive", "quota") or bool(sample.items)


def _stands(fact: str, folded: str) -> bool:
    part = plain(fact)
    if not part.isascii():
        return part in folded
    return re.search(rf"(?<![a-z0-9]){re.escape(part)}(?![a-z0-9])", folded) is not None


def _by_words(question: Question, sample: Sample) -> Classified | None:
    """The class that the texts of answer and reference alone prove."""
    if question.kind == "exhaustive" and question.items and not sample.items:
        return _by_count(len(question.items), sample.answer)
    listed = sample.items or (tuple(re.split(r"[;；、,，\n]", sample.answer)) if question.kind == "quota" else ())
    if question.items and listed:
        named = distinct([item for item in map(str.strip, listed) if item])
        wanted = question.count or len(question.items)
        right = [item for item in named if any(says(item, known) or says(known, item) for known in question.items)]
        if len(right) == len(named) and len(right) < wanted:
            reason = f"{len(right)} of {wanted} items, all of them right"
            return Classified(error_class="missing key info", by="match", reason=reason)
        return None
    for accepted in question.answers:
        if is_coarser(sample.answer, accepted):
            reason = f"“{sample.answer.strip()[:60]}” is coarser than “{accepted[:60]}”"
            return Classified(error_class="imprecise", by="match", reason=reason)
    given = _content(sample.answer)
    for accepted in question.answers:
        wanted_words = _content(accepted)
        missing = wanted_words - given - _content(question.question)
        told = (given & wanted_words) - _content(question.question)
        if told and missing and given <= wanted_words | _content(question.question):
            reason = f"nothing of it is wrong, and “{min(missing)}” is missing"
            return Classified(error_class="missing key info", by="match", reason=reason)
    return None


def _by_count(wanted: int, answer: str) -> Classified | None:
    """The class that a wrong count proves."""
    told = re.match(r"\D{0,40}(\d+)\b", answer)
    if told is None or int(told[1]) == wanted:
        return None
    missed = 0 < int(told[1]) < wanted
    reason = f"it counts {told[1]}, and there are {wanted}"
    return Classified(error_class="missing key info" if missed else "totally incorrect", by="match", reason=reason)


def _content(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[\u3400-\u9fff]|\d+(?:\.\d+)*|\w+", plain(text))) - _PART_WORDS
