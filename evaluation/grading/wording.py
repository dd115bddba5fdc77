"""One form for what is written in several: contractions in full, number words as digits, a choice as its letter and its text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

SMALL_NUMBERS = {
    word: value
    for value, word in enumerate(
        (
            "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
            " eighteen nineteen twenty"
        ).split()
    )
}
TENS = {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "hundred": 100}
"""Values of number words below a thousand; those up to twenty are in `SMALL_NUMBERS`."""
SCALES = {"thousand": 1000, "million": 10**6, "billion": 10**9}
_APOSTROPHE = "['\u2018\u2019\u02bc`]"
_VERBS = "do does did is are was were has have had would could should must might need".split()
_NOT = re.compile(rf"\b([a-z]+)n{_APOSTROPHE}t\b", re.IGNORECASE)
_NOT_UNMARKED = re.compile(rf"\b({'|'.join(_VERBS)}|ca|wo)nt\b", re.IGNORECASE)
"""Written without its apostrophe; only after verbs, as "went" and "plant" end so too."""
_STEMS = {"ca": "can", "wo": "will", "sha": "shall"}
_CANNOT = re.compile(r"\bcan not\b", re.IGNORECASE)
_VERB_ENDING = re.compile(rf"(?<=[a-z]){_APOSTROPHE}(re|ll|ve|d|m)\b", re.IGNORECASE)
_VERB_OF_ENDING = {"re": "are", "ll": "will", "ve": "have", "d": "would", "m": "am"}
_IS = re.compile(
    rf"\b(it|he|she|that|this|there|here|what|who|where|when|how|why){_APOSTROPHE}s\b|\b(it)s\b", re.IGNORECASE
)
_POSSESSIVE = re.compile(rf"(?<=[^\W\d]){_APOSTROPHE}s\b", re.IGNORECASE)
_CHOICE = re.compile(r"\s*(?:\(([A-H])\)|\[([A-H])\]|([A-H])\)|([A-H])\.?\s*$)\s*(.*)", re.IGNORECASE | re.DOTALL)
_SCALED = re.compile(r"(?<![\d.])(\d+(?:\.\d+)?)\s+(thousand|million|billion)\b")
_DIGIT, _TENS_WORD = (
    "|".join(list(SMALL_NUMBERS)[1:10]),
    "|".join(["twenty", *(word for word in TENS if TENS[word] < 100)]),
)
_BELOW_100 = rf"(?:(?:{_TENS_WORD})(?:\s*-\s*|\s+)(?:{_DIGIT})\b|(?:{'|'.join((*SMALL_NUMBERS, _TENS_WORD))})\b)"
_BELOW_1000 = rf"(?:(?:{_BELOW_100}\s+)?hundred\b(?:\s+(?:and\s+)?{_BELOW_100})?|{_BELOW_100})"
_GROUP = rf"(?:{_BELOW_1000}\s+)?(?:thousand|million|billion)\b"
_NUMBER = re.compile(rf"\b(?:{_GROUP}(?:\s+(?:and\s+)?{_GROUP})*(?:\s+(?:and\s+)?{_BELOW_1000})?|{_BELOW_1000})")


def written_out(text: str) -> str:
    """Contractions in full: "isn't" is "is not", "they'll" is "they will". A possessive 's goes."""
    text = _NOT.sub(_negated, text)
    text = _NOT_UNMARKED.sub(_negated, text)
    text = _CANNOT.sub("cannot", text)
    text = _VERB_ENDING.sub(lambda found: f" {_VERB_OF_ENDING[found[1].lower()]}", text)
    text = _IS.sub(lambda found: f"{found[1] or found[2]} is", text)
    return _POSSESSIVE.sub("", text)


def digits_for_words(text: str) -> str:
    """English number words of a lower-case text as digits: "two hundred and five" is "205", "3.5 million" is "3500000"."""
    scaled = _SCALED.sub(lambda found: _plain(Decimal(found[1]) * SCALES[found[2]]), text)
    return _NUMBER.sub(lambda found: _plain(_value(re.findall(r"[a-z]+", found[0]))), scaled)


def choice_of(text: str) -> tuple[str, str]:
    """Lower-case letter and text of a choice such as "(B) Paris"; ("", the text) for anything else."""
    found = _CHOICE.fullmatch(text)
    if found is None:
        return "", text
    return next(letter for letter in found.groups()[:4] if letter).lower(), found[5].strip()


def _negated(found: re.Match[str]) -> str:
    stem = found[1]
    return f"{_STEMS.get(stem.lower(), stem)} not"


def _value(words: Sequence[str]) -> Decimal:
    """The number that these words make up together."""
    total, part = 0, 0
    for word in words:
        if word in SCALES:
            total, part = total + max(part, 1) * SCALES[word], 0
        elif word == "hundred":
            part = max(part, 1) * TENS[word]
        else:
            part += SMALL_NUMBERS.get(word, TENS.get(word, 0))
    return Decimal(total + part)


def _plain(value: Decimal) -> str:
    return f"{value.normalize():f}"
