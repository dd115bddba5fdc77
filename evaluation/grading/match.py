"""Normalised match of an answer with the accepted ones."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from evaluation.dataset.question import Question
from evaluation.metrics.rates import item_f1, plain, word_f1
from evaluation.sample import Sample
from memory.url_key import without_place

READ_CHARS = 200
"""Characters of an answer that are matched: whatever comes later is a list of guesses rather than the answer."""
WRONG_ITEMS_ALLOWED = 1
"""Wrong items tolerated for a quota: a heading may be among the items."""


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a match. Without a match an answer is not yet wrong: a judge may recognise it in other words."""

    right: bool
    f1: float
    reason: str


def match_answer(question: Question, sample: Sample) -> Match:
    """Compare an answer with those accepted.

    Single and multi-source: the first 200 characters contain an accepted answer as whole words, or every part of it if the
    question has several. Quota: enough distinct accepted items, and at most one other. Exhaustive: the right number, and as many
    items if the items are known.
    """
    named = distinct(sample.items)
    if question.kind == "quota":
        return _match_quota(question, named)
    if question.kind == "multi" and question.items:
        return _match_parts(question, sample.answer[:READ_CHARS])
    found = next((form for form in question.answers if says(sample.answer[:READ_CHARS], form)), "")
    f1 = word_f1(sample.answer[:READ_CHARS], question.answers)
    if question.kind == "exhaustive" and question.items:
        enough = len(named) == len(question.items)
        reason = f"{len(named)} items of {len(question.items)}, the number is {'right' if found else 'wrong'}"
        f1 = item_f1(_as_known(named, question.items), question.items, len(question.items))
        return Match(right=bool(found) and enough, f1=f1, reason=reason)
    if found:
        return Match(right=True, f1=1.0, reason=f"it contains “{found}”")
    return Match(right=False, f1=f1, reason="it contains none of the accepted answers")


def says(text: str, wanted: str) -> bool:
    """Whether the text contains `wanted` as whole words; digits never match inside a longer number."""
    whole, part = plain(text), plain(wanted)
    if not part:
        return False
    before = r"(?<![a-z0-9.])" if part[0].isascii() and part[0].isalnum() else ""
    after = r"(?![a-z0-9])(?!\.\d)" if part[-1].isascii() and part[-1].isalnum() else ""
    return re.search(before + re.escape(part) + after, whole) is not None


def is_cited(question: Question, sample: Sample) -> bool:
    """Whether a citation is one of the question's sources, ignoring fragments."""
    urls = [without_place(citation.url) for citation in sample.citations]
    return any(is_source(url, source) for url in urls for source in question.sources)


def is_source(url: str, source: str) -> bool:
    """Whether a URL is that of a source, which may be written without a host."""
    bare = without_place(url)
    return bare == without_place(source) if "://" in source else bare.endswith("/" + source.lstrip("/"))


def distinct(items: Sequence[str]) -> tuple[str, ...]:
    """The items without duplicates, ignoring case, character width and quotes."""
    return tuple({plain(item): item for item in reversed(items)}.values())[::-1]


def _match_quota(question: Question, named: Sequence[str]) -> Match:
    accepted = {plain(item) for item in question.items}
    right = [item for item in named if plain(item) in accepted or any(says(item, known) for known in question.items)]
    others = len(named) - len(right)
    return Match(
        right=len(right) >= question.count and others <= WRONG_ITEMS_ALLOWED,
        f1=item_f1(_as_known(named, question.items), question.items, question.count),
        reason=f"{len(right)} of {question.count} items, and {others} wrong ones",
    )


def _as_known(named: Sequence[str], known: Sequence[str]) -> list[str]:
    """Each item replaced by the longest accepted name that it contains, or that contains it: “row_number” for “row_number()”."""
    longest = sorted(known, key=len, reverse=True)

    def name_of(item: str) -> str:
        return next((one for test in (says, lambda a, b: says(b, a)) for one in longest if test(item, one)), item)

    return [item if any(plain(item) == plain(one) for one in known) else name_of(item) for item in named]


def _match_parts(question: Question, said: str) -> Match:
    missing = [part for part in question.items if not says(said, part)]
    reason = f"“{missing[0]}” is missing" if missing else "it contains every part"
    return Match(right=not missing, f1=word_f1(said, question.answers), reason=reason)
