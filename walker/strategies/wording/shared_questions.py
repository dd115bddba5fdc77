"""Divides a question whose halves share words: one verb for two question words ("In which room and on what day did they meet?"),
one question word for two things ("What are the fees for A and B?"), or a second question that leaves out what the first says."""

from __future__ import annotations

import re

from memory.words import lazy_re
from walker.strategies.wording.back_references import points_to_object
from walker.strategies.wording.shared_verbs import verb_place

FEW_WORDS = 2
"""Words of a first half with a verb of its own are more."""
WH = {
    "en": (
        r"(?:(?:at|by|for|from|in|into|of|on|since|to|under|until|with)\s+)?"
        r"(?:which|what|who|whom|whose|when|where|how(?:\s+(?:many|much|long|often|large|big|high|old|far|wide|heavy|fast|tall|deep))?)"
    ),
    "de": (
        r"(?:von wann bis wann|(?:(?:ab|an|auf|aus|bei|bis|für|in|mit|nach|seit|um|unter|von|zu|über)\s+)?"
        r"(?:welche[rnms]?|was|wer|wen|wem|wann|wo|woher|wohin|wie(?:\s*viele?n?|\s+(?:lange|oft|groß|hoch|alt|weit))?))"
    ),
    "fr": (
        r"(?:(?:à|au|dans|de|depuis|en|jusqu['’]à|par|pour|sous|sur|avec)\s+)?"
        r"(?:quel(?:le)?s?|qui|quand|où|combien|comment|lequel|laquelle)"
    ),
    "es": (
        r"¿?(?:(?:a|con|de|desde|en|hasta|para|por|sobre)\s+)?"
        r"(?:qué|cuál(?:es)?|quién(?:es)?|cuándo|dónde|cuánt[oa]s?|cómo)"
    ),
}
"""Question words with the preposition before them."""
AND = {"en": "and", "de": "und", "fr": "et", "es": "y"}
_AUXILIARY = (
    r"(?:is|are|was|were|do|does|did|has|have|had|can|could|may|might|must|shall|should|will|would"
    r"|came|comes|come|hosts?|hosted|runs?|made|makes|started|founded|won)"
)
_VERB_IN = lazy_re.compile(rf"\b{_AUXILIARY}\b", re.IGNORECASE)
_ALONE = r"(?:who|when|where|von wann bis wann|wer|wann|wo|qui|quand|où|quién|cuándo|dónde)"
_HAS_VERB = lazy_re.compile(
    rf"\b(?:{_AUXILIARY}|est|sont|était|ont|ist|sind|war|waren|hat|wird|es|son|fue|fueron|está|hay|tiene|\w{{2,}}ó|\w{{2,}}(?:aron|ieron))\b|\w-(?:t-)?(?:ils?|elles?|on|ce)\b",
    re.IGNORECASE,
)
_VERB_AND_NAME = lazy_re.compile(
    rf"\W*{_ALONE}\s(?!(?:der|die|das|den|le|la|les|el|los|las)\s)(?-i:[a-zà-ÿ])[\w-]+\s(?-i:[A-ZÀ-Ý])", re.IGNORECASE
)
_TWO_WORDS = {
    language: lazy_re.compile(
        rf"^(?P<one>{wh}(?:\s+(?!{AND[language]}\b)[^\s,?]+){{0,{4 if language == 'en' else 3}}}?)\s+{AND[language]}\s+"
        rf"(?P<two>{_ALONE}|{wh}\s+[^\s,?]+)\s+(?P<rest>.+?)[?？ .]*$",
        re.IGNORECASE,
    )
    for language, wh in WH.items()
}
_FROM_HOW_MANY = lazy_re.compile(
    r"^(?P<one>(?:how (?:many|much)|from which)\s[\w -]+?)\s(?P<two>(?:from how many|to which)\s\S+)\s(?P<rest>.+?)[?. ]*$",
    re.IGNORECASE,
)
_LEFT_OUT = tuple(
    lazy_re.compile(
        rf"^(?P<wh>{wh}(?:\s+(?!(?:{_AUXILIARY})\b)[^\s,?]+){{0,5}}?|{_ALONE})(?P<said>{said})"
        rf",?\s+{AND[language]}\s+(?P<second>(?:{wh}|from which)(?:\s+[^\s,?]+){{0,2}})[?？ .]*$",
        re.IGNORECASE,
    )
    for language, wh in WH.items()
    for said in (r"(?:(?<=who)|(?<=wer)|(?<=qui)|(?<=quién))\s.+?", rf"\s+(?:{_AUXILIARY})\b.+?")
)
"""A second question that is no more than a question word with its noun: "Who founded it, and on what date?"."""
_START_AND_END = lazy_re.compile(
    r"^(?P<said>.+\s)(?P<one>start|begin|open)\s+and\s+(?P<two>end|finish|close)[?. ]*$", re.IGNORECASE
)
_SUBJECT = lazy_re.compile(
    r"\b(?:is|are|was|were|do|does|did|has|have|had|can|may|must|should)\s+(?P<thing>(?!I\b|you\b|we\b)(?:(?:the|an?)\s+)?[^,?]+?)"
    r"(?=\s+(?:[a-z]+(?:ed|en)|held|built|made|at|in|on|by|for|from|to|with|away|back)\b|$)"
)
_OBJECT = lazy_re.compile(r"^(?:who|which|what)\b.*?\s(?P<thing>the\s[^,?]+)$", re.IGNORECASE)
_COUNTED = lazy_re.compile(r"\bhow many\s(?P<thing>[\w-]+)", re.IGNORECASE)
_NAME = lazy_re.compile(r"(?<=\s)(?:[A-Z][\w'’&-]*(?:\s+(?:of\s+(?:the\s+)?)?(?=[A-Z0-9]))?[A-Z0-9]?[\w'’&-]*)+")
_ITS = lazy_re.compile(r"\b(?:its|their|his)\b|\bher(?=\s+[a-z])")
_IT = lazy_re.compile(r"\b(?:it|they|them|he|him|she)\b")
_THEY = lazy_re.compile(r"\b(?:they|them)\b")
_PLURAL_AND_VERB = lazy_re.compile(r"(\b[\w-]{3,}s)\s[\w-]+(?<!s)$")
"""Things with a verb behind them that is not among those known: "students hand" of "must students hand in"."""
_IN_A_YEAR = lazy_re.compile(r"\s(?:in|since)\s\d{4}$", re.IGNORECASE)
_PLURAL_ASKED = lazy_re.compile(
    r"^(?P<start>(?:(?:at|by|for|from|in|on|since|to|under|with)\s+)?(?:(?:which|what)\s+(?:[\w-]+\s+){1,4}?(?<=s )(?:of\s+\w+\s+)?"
    r"(?:are|were|do|did|have|has|had|sit|stand|belong)|(?:what|who)\s+(?:are|were)|what\s+do)\s+(?!I\b|you\b|we\b))"
    r"(?P<one>[^,]+?)\s+and\s+(?P<two>[^,]+?)[?. ]*$",
    re.IGNORECASE,
)
_SAME_PREPOSITION = lazy_re.compile(
    r"^(?P<start>(?:how|what|which|where|when)\b.+?\s)(?P<one>(?P<at>of|in|at|on|for|from|with|by|to)\s[^,]+?)\s+and\s+"
    r"(?P<two>(?P=at)\s[^,]+?)[?. ]*$",
    re.IGNORECASE,
)
_TOGETHER = lazy_re.compile(
    r"\b(?:both|share|shared|common|each other|together|the same|between|differ|alike|as well as|whether|between)\b",
    re.IGNORECASE,
)
"""Words of a question that asks one thing of two things together."""
_PREPOSITION = r"(?:of|in|at|on|for|from|with|by|to|inside|during|under)"
_ARTICLE = lazy_re.compile(r"^(?:the|an?|its|their|his|her)\s", re.IGNORECASE)
_BEHIND = lazy_re.compile(rf"\s{_PREPOSITION}\s(?!.*\s{_PREPOSITION}\s)(?P<last>.+)$", re.IGNORECASE)
_NEXT = lazy_re.compile(rf"\s(?:{_PREPOSITION}|have|go|cost|take|run|start|end|use|need|hold|look)\b.*$", re.IGNORECASE)
_ONE_OF = lazy_re.compile(
    r"^(?:the\s+)?(?:first|second|third|last|smallest|largest|minimum|maximum|old|new)$", re.IGNORECASE
)


def two_words_asked(question: str, blanked: str) -> tuple[str, str, int] | None:
    """Both questions of one with two question words and one verb, and where the second begins; None for any other."""
    for pattern in (*_TWO_WORDS.values(), _FROM_HOW_MANY):
        match = pattern.match(blanked)
        if match is None:
            continue
        one, two, rest = (question[slice(*match.span(name))].strip(" ,¿") for name in ("one", "two", "rest"))
        whole = f"{two} {rest}"
        has_verbs = len(one.split()) > FEW_WORDS and _VERB_AND_NAME.match(whole) is not None
        if (
            _VERB_IN.search(one)
            or len(rest.split()) < 2
            or _ends_with_verb(two)
            or points_to_object(whole)
            or has_verbs
        ):
            continue
        return f"{_upper(one)} {rest}?", f"{_upper(two.removeprefix('from '))} {rest}?", match.start("two")
    return None


def left_out(question: str, blanked: str) -> tuple[str, str, int] | None:
    """The same of a question whose second half is a question word alone."""
    if (ends := _START_AND_END.match(blanked)) is not None:
        said = question[: ends.end("said")]
        return f"{said}{ends['one']}?", f"{said}{ends['two']}?", ends.start("two")
    for pattern in _LEFT_OUT:
        match = pattern.match(blanked)
        if (
            match is None
            or len(match["said"].split()) < 2
            or _HAS_VERB.search(match["second"])
            or names_its_own(match["second"])
        ):
            continue
        first = question[: match.end("said")].strip(" ,¿")
        said = question[slice(*match.span("said"))].strip(" ,")
        second = question[slice(*match.span("second"))].strip(" ,¿")
        return f"{_upper(first)}?", f"{_upper(second)} {said}?", match.start("second")
    return None


def names_its_own(second: str) -> bool:
    """Whether a short second question has a verb and a name of its own: "qui préside Larkmoor"."""
    return _VERB_AND_NAME.match(second) is not None


def one_word_asked(question: str, blanked: str) -> tuple[str, str, int] | None:
    """The same of a question that asks one thing of two things, in the plural."""
    match = _PLURAL_ASKED.match(blanked) or _SAME_PREPOSITION.match(blanked)
    if match is None or _TOGETHER.search(blanked):
        return None
    start, one, two = (question[slice(*match.span(name))] for name in ("start", "one", "two"))
    if re.search(r"\band\b", two):
        return None
    before, rest = "", ""
    if (again := re.match(rf"(?P<at>{_PREPOSITION})\s", two, re.IGNORECASE)) is not None:
        place = f" {one.lower()}".rfind(f" {again['at'].lower()} ")
        if place < 0:
            return None
        before, one = one[:place], one[place:]
    elif (behind := _BEHIND.search(f" {one}")) is not None and (
        not _ARTICLE.match(two) or _ARTICLE.match(behind["last"])
    ):
        before, one = one[: len(one) - len(behind["last"])], behind["last"]
    if (behind := _NEXT.search(two, 3)) is not None:
        two, rest = two[: behind.start()], behind.group()
    if _ONE_OF.match(one.strip()):
        one = f"{one} {two.split(' ', 2)[-1]}"
    return f"{start}{before}{one}{rest}?", f"{start}{before}{two}{rest}?", match.start("two")


def named_again(first: str, second: str) -> str | None:
    """The second question with what the first one asks about in place of the word that points back to it; None where it cannot be
    told."""
    told = first.rstrip("?")
    counted = _COUNTED.search(told) if _THEY.search(second) else None
    if counted is not None and _ITS.search(second) is None:
        return _THEY.sub(counted["thing"], second, count=1)
    subject = _SUBJECT.search(told)
    if subject is not None:
        thing = _before_verb(subject["thing"].strip())
        if _THEY.search(second) or re.search(r"\btheir\b", second, re.IGNORECASE):
            thing = _PLURAL_AND_VERB.sub(r"\1", thing)
    elif (behind := _OBJECT.match(told)) is not None:
        thing = behind["thing"]
    else:
        names = _NAME.findall(told)
        thing = names[-1].strip() if names else ""
    thing = _IN_A_YEAR.sub("", thing)
    if not thing or len(thing.split()) > 8:
        return None
    if _IT.search(second):
        return _IT.sub(lambda _: thing, second, count=1)
    return _ITS.sub(lambda _: f"{thing}'s", second, count=1) if _ITS.search(second) else None


def _before_verb(thing: str) -> str:
    place = verb_place(thing)
    return thing[:place].strip() if place else thing


def _ends_with_verb(two: str) -> bool:
    words = two.split()
    return len(words) > 1 and _VERB_IN.fullmatch(words[-1]) is not None


def _upper(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"
