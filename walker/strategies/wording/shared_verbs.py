"""Gives the second of two things what an English question says only of the first one: its verb and what follows it."""

from __future__ import annotations

import re

VERBS = frozenset(
    (
        "accept add advise allow appear ask assign attend award be become begin belong bring build call carry change charge"
        " coach collect come consist contain contribute cost"
        " cover create define deliver demand describe design develop die direct divide draw earn edit employ end enter execute exist"
        " explain fall find finish found fund get give"
        " go govern grow happen have head help hold host implement include introduce invent join keep know last lead"
        " learn leave lie like list live love make"
        " manage mean measure meet mention monitor move name need occur offer open organise organize own pass pay perform"
        " place play present produce provide"
        " publish reach read receive recommend record release report require return run say score see sell send serve set"
        " share show sign sit speak spend"
        " stand start stay store study suggest support take teach tell train travel use visit want wear weigh win work write"
    ).split()
)
"""Verbs in their first form, as they follow "did", "may" or "can"; frequent ones, and few that are nouns as often."""
_AUXILIARY = r"(?:does|do|did|is|are|was|were|has|have|had)"
_PREPOSITIONS = frozenset(
    ("in", "on", "at", "by", "for", "from", "with", "between", "among", "under", "during", "before", "after")
)
_WITHIN = frozenset(
    "that which who whose whom where when to a an the of in on at by for from with its their his her".split()
)
"""Words after which a word is no verb of the question: "the right to run"."""


def verb_place(text: str) -> int | None:
    """Where the verb stands that "did" or "may" waits for: the last of a text that can be one; None if it has none."""
    words = list(re.finditer(r"[\w'’-]+", text))
    places = [
        word.start()
        for before, word in zip([None, *words], words, strict=False)
        if before is not None
        and word[0] in VERBS
        and before[0].lower() not in _WITHIN
        and not before[0].endswith(("'s", "’s"))
    ]
    return places[-1] if places else None


def with_the_same_verb(one: str, other: str) -> tuple[str, str]:
    """Both with the verb that only one of them has.

    >>> with_the_same_verb("a paper about tides have at Kiel", "a report")
    ('a paper about tides have at Kiel', 'a report have at Kiel')
    """
    first, second = verb_place(one), verb_place(other)
    if first is not None and second is None:
        return one, f"{other} {one[first:]}"
    if second is not None and first is None:
        return f"{one} {other[second:]}", other
    return one, other


def how_many_pair(noun: str, second: str) -> tuple[str, str]:
    """From "more columns does A have" and "B": "How many columns does A have?", "How many columns does B have?"."""
    what = re.sub(r"^(?:more|fewer|less)\s+", "", noun, flags=re.IGNORECASE).strip(" ,")
    other = second.strip(" ,")
    head = re.split(rf"\s(?:{_AUXILIARY}|can|will)\s", what)[0]
    first_word = other.split(" ")[0].lower()
    if there := re.match(r"there (?:are|were|is|was)\s+", other, re.IGNORECASE):
        rest = other[there.end() :]
    elif first_word in _PREPOSITIONS:
        place = f" {what} ".find(f" {first_word} ")
        rest = f"{what[:place] if place > 0 else head + ' '}{other}"
    else:
        rest = f"{head} does {re.sub(rf' {_AUXILIARY}$', '', other)} have"
    return f"How many {what}?", f"How many {rest}?"
