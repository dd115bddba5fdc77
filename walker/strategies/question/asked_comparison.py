"""What a comparing question asks of two values: which of the named things comes first in which order, or yes or no."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from memory.words import lazy_re

Order = Literal["more", "less", "earlier", "later"]
Check = Literal["is_more", "is_less", "is_at_least", "is_at_most", "is_equal"]


class Bound(NamedTuple):
    """A number or date in the question with which what is found is compared."""

    check: Check
    text: str


_OPTIONS = lazy_re.compile(
    r"[,，:：]\s*(.{1,60}?)\s+or\s+(.{1,60}?)\s*(?:\?|,\s+and\s+(?:\w+\s+)?(?:which|what|how|when|where)\b)|(.{1,20}?)(?:和"
    r"|与|跟)(.{1,20}?)(?:相比|[,，]|哪|谁|中)",
    re.IGNORECASE,
)
_ORDERS: tuple[tuple[re.Pattern[str], Order, Order], ...] = (
    (
        lazy_re.compile(
            r"\b(?:older|oldest|elder|älter|ältest\w+)\b|plus (?:ancien(?:ne)?|vieux|vieille|âgée?)\b|más (?:antigu"
            r"|viej)[oa]\b|更[老旧]|较[老旧]",
            re.IGNORECASE,
        ),
        "earlier",
        "more",
    ),
    (
        lazy_re.compile(r"\b(?:younger|youngest|jünger|jüngst\w+)\b|plus jeune\b|más joven\b|更年轻", re.IGNORECASE),
        "later",
        "less",
    ),
    (
        lazy_re.compile(
            r"\b(?:newer|newest|later|latest|last|more recent|neuer|später|zuletzt|derni(?:er|ère)|últim[oa]"
            r"|después)\b|plus (?:récente?|tard|nouveau|nouvelle)\b"
            r"|más (?:reciente|nuev[oa]|tarde)\b|[更较][晚新迟]|后",
            re.IGNORECASE,
        ),
        "later",
        "more",
    ),
    (
        lazy_re.compile(
            r"\b(?:earlier|earliest|first|früher|zuerst|premi(?:er|ère)|d['’]abord|avant|primer[oa]|antes)\b|plus tôt\b"
            r"|más temprano\b|[更较]早|先",
            re.IGNORECASE,
        ),
        "earlier",
        "less",
    ),
    (
        lazy_re.compile(
            r"\b(?:shorter|smaller|cheaper|lower|fewer|less|lighter|slower|nearer|closer|narrower|thinner|before)"
            r"(?:est)?\b|\b(?:shortest|smallest|cheapest|lowest|fewest|least|lightest|nearest|closest"
            r"|kürzer|kleiner|billiger|günstiger|niedriger|weniger|leichter|langsamer|näher|moins|menos|menor)\b"
            r"|plus (?:courte?|petite?|basse?|légère?)\b|más (?:cort[oa]|pequeñ[oa]|baj[oa]|barat[oa]|liger[oa])\b"
            r"|[更较][短小低少轻慢近]|便宜",
            re.IGNORECASE,
        ),
        "less",
        "less",
    ),
)
_IS_YES_NO = lazy_re.compile(
    r"^(?:(?:according to|in|on|per)\s[^,?]*,\s*)?(?:is|are|was|were|does|do|did|has|have|had|can|could|will|would)\s",
    re.IGNORECASE,
)
_CHECKS: tuple[tuple[Check, str], ...] = (
    ("is_at_least", r"(?:\bat least|不少于|至少)"),
    ("is_at_most", r"(?:\bat most|\bno more than|\bup to|不超过|至多|最多)"),
    (
        "is_less",
        (
            r"(?:\b(?:less|fewer|shorter|smaller|lower|cheaper|younger|earlier|lighter|slower|nearer) than|\bunder|\bbelow"
            r"|\bbefore|少于|小于|低于|不到|早于)"
        ),
    ),
    ("is_more", r"(?:\b(?:\w+er|more(?: \w+)?) than|\bover|\babove|\bafter|\bsince|超过|大于|高于|多于|晚于)"),
    ("is_equal", r"(?:\bexactly|\bequal to|正好|等于)"),
)
_BOUNDS: tuple[tuple[Check, re.Pattern[str]], ...] = tuple(
    (check, lazy_re.compile(rf"{words}\s*(?P<bound>[^?？,，吗]*\d[^?？,，吗]*?)\s*[吗嗎]?\s*[?？]?\s*$", re.IGNORECASE))
    for check, words in _CHECKS
)


_SAME = lazy_re.compile(r"\b(?:the same|equal(?:ly)?|identical)\b", re.IGNORECASE)


def options_of(question: str) -> tuple[str, ...]:
    """The two things that a question offers to choose from ("..., A or B?"), () if it offers none."""
    found = _OPTIONS.search(question)
    return tuple(name for name in found.groups() if name) if found is not None else ()


def orders_of(question: str) -> tuple[Order, Order]:
    """Which end a question asks for: for dates, and for other values."""
    for pattern, of_dates, of_numbers in _ORDERS:
        if pattern.search(question):
            return of_dates, of_numbers
    return "more", "more"


def checks_of(question: str) -> tuple[Check, ...]:
    """The check of a yes or no question that compares two things ("is A longer than B?"): for dates, and for other values."""
    if _SAME.search(question):
        return ("is_equal",)
    names: dict[Order, Check] = {"more": "is_more", "later": "is_more", "less": "is_less", "earlier": "is_less"}
    return tuple(dict.fromkeys(names[order] for order in orders_of(question)))


def bound_of(question: str) -> Bound | None:
    """The bound of a yes or no question that compares with a number or a date of its own ("longer than 30 m?"), None for
    others."""
    is_asked = _IS_YES_NO.match(question.strip()) is not None or re.search(r"[吗嗎]\s*[?？]?\s*$", question) is not None
    if not is_asked:
        return None
    for check, pattern in _BOUNDS:
        if found := pattern.search(question):
            return Bound(check, found["bound"].strip())
    return None
