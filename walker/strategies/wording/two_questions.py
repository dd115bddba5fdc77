"""Divides a question that asks two things at once: "Which release does the hub need, and from which version on does it
print?"."""

from __future__ import annotations

import re

from memory.words import lazy_re
from walker.strategies.wording.back_references import pointed_back, points_to_object
from walker.strategies.wording.shared_plurals import plural_asked
from walker.strategies.wording.shared_questions import (
    left_out,
    named_again,
    names_its_own,
    one_word_asked,
    two_words_asked,
)
from walker.strategies.wording.time_shifts import in_years, with_what_first_says

_JOINED = lazy_re.compile(
    r",?\s+(?:and|und|et|y)\s+(?P<second>(?:(?:by|in|at|on|with|from|since|to|up to|for|ab|seit|mit|von"
    r"|in|auf|um|bei|an|bis|bis zu|à|de|en|under|until|depuis|dans|sur|avec|par|pour|sous|jusqu['’]à|desde|hasta"
    r"|con|para|por|sobre|a|nach|über|unter|zu)\s+)?"
    r"(?:which|what|who|when|where|how (?:many|much|long|old|high|often|large|big|far|fast|wide|soon|tall|deep|heavy|late|early)"
    r"|welche\w*|wer|wann|wo|wie ?viele?|quel(?:le)?s?|qui"
    r"|quand|où|combien|qué|cuál(?:es)?"
    r"|quién|cuándo|dónde|cuánt[oa]s?)\b.+)$",
    re.IGNORECASE,
)
_ASKING = lazy_re.compile(
    r"\b(?:which|what|who|when|where|how|welche\w*|wer|wann|wo|wie|quel(?:le)?s?|qui|quand|où|combien|qué|cuál(?:es)?"
    r"|quién|cuándo|dónde|cuánt[oa]s?)\b",
    re.IGNORECASE,
)
_BACK = lazy_re.compile(
    r"(?<!-)\b(?:it|its|they|their|them|he|his|him|she|her|that|this|those|these"
    r"|(?<!is )(?<!are )there|(?<!gab )(?<!gibt )es|er|ihn|ihm|sie|ihr\w*|sein\w*|dies\w*"
    r"|il|elle|ils|elles|son|sa|ses|leur|cela"
    r"|su|sus|él|ella|ellos|eso|esta|este)\b",
    re.IGNORECASE,
)
_INVERTED = lazy_re.compile(r"-(?:t-)?(?:ils?|elles?)\b", re.IGNORECASE)
MANY_WORDS = 5
"""Least words of the second question, so that it names what it asks of."""
FEW_WORDS = 4
"""Least words of the first, and of a French second one that ends with its pronoun."""
_ONE = lazy_re.compile(r"^(?P<wh>which) ones?\b", re.IGNORECASE)
_WHICH_THING = lazy_re.compile(r"\bwhich (?P<noun>(?!(?:is|was|are|were|of)\b)[\w-]+)\b", re.IGNORECASE)
_HAN_EACH = lazy_re.compile(
    r"^(?P<first>.{2,}?)(?:和|与|及|以及|、)(?P<second>[^，,]{2,}?)[，,]?(?P<rest>(?:的[^，,的]{1,8})?(?:各自|分别|各(?=[是在有需要叫用占含共为由支被定设])).+)$"
)
_HAN_WH = r"(?:什么|多少|几|谁|哪|多久|多长|多大|多高)"
_HAN_WH_IN = lazy_re.compile(_HAN_WH)
_HAN_TWO = tuple(
    lazy_re.compile(
        rf"^(?P<first>(?P<topic>.{{2,}}?)(?P<verb>{verb})(?P<asked>[^，、的]{{0,{most}}}{_HAN_WH}.*?))"
        rf"(?:[，,、]|以及|并且|和)(?P<second>[^，,]*{_HAN_WH}.*)$"
    )
    for verb, most in (("有|是|在|的|从|由|要|叫|姓", 2), ("", 6))
)
_TWO_SENTENCES = lazy_re.compile(r"^(?P<first>[^?？]{4,}[?？])\s*(?P<second>[^?？]{4,}[?？])\s*$")
_HAN_TOPIC = lazy_re.compile(r".{2,}?(?=有|是|叫|在|从|由|要|为)")
_HAN_AND = lazy_re.compile(r"^(?:而且?|并且|且|同时|以及|又)\s*(?=\S{4})")
_HAN_BACK = lazy_re.compile(
    r"^(?:(?P<of>其(?!中)(?=[\u3400-\u9fff]))|(?P<within>其中)|[他她它]|该[\u3400-\u9fff]{1,2}的?)"
)
"""A second question that begins with what points back to the first one's topic."""
_HAN_BOTH = lazy_re.compile(r"\s*[这那]?两(?:者|[个条种章节届场次位门篇家站][\u3400-\u9fff]{0,4}?)$")
_HAN_EACH_WORD = lazy_re.compile(r"分别|各自|各")
_NO_VERB = lazy_re.compile(
    r"^(?P<wh>who|when|where|wer|wann|wo|qui|quand|où|quién|cuándo|dónde)\s+(?P<rest>(?:(?:the|its|das|die|der|den|dem|zum|zur|la|le"
    r"|les|el|los|las|l['’])\b|(?-i:[A-ZÄÖÜÉ])).*)$",
    re.IGNORECASE,
)
"""A second question without a verb: "wer das Archiv"."""
_WHICH = (
    r"(?:(?:at|by|for|from|in|on|with|de|en|a|con|para|por|à|dans|sur|pour|an|in|auf|bei|mit|aus|von)\s+)?"
    r"(?:which|what|qué|quel(?:le)?|welche\w*)"
)
_UPPER = r"(?-i:[A-ZÁÉÍÓÚÑÄÖÜÀÈÇ])[\w'’.-]*"
_NAMED_ONLY = lazy_re.compile(
    rf"^(?P<asked>{_WHICH}\s[\w-]+)\s(?P<name>{_UPPER}(?:\s(?:(?:de|del|la|von|van|du)\s)?{_UPPER})*)[?. ]*$",
    re.IGNORECASE,
)
_WITH_NAME = lazy_re.compile(
    rf"^\W*{_WHICH}\s[\w-]+\s(?P<verb>(?:(?:did|does)\s)?(?-i:[a-zà-ÿ])[\w-]*)\s{_UPPER}", re.IGNORECASE
)
"""Two questions about two names of which only the first has the verb: "¿de qué equipo llegó Ana y de qué club Eva?"."""
_ARTICLE = lazy_re.compile(r"(?:the|its|das|die|der|den|dem|zum|zur|la|le|les|el|los|las)\s|l['’]", re.IGNORECASE)


def asked_at_once(question: str, blanked: str) -> tuple[str, str, int] | None:
    """Both questions and where the second begins; None where the second points back to what is not told, or has no words of its
    own."""
    if (each := _HAN_EACH.match(blanked)) is not None:
        return _each_in_chinese(question, each)
    for reader in (two_words_asked, _joined, left_out, one_word_asked, plural_asked, _two_in_chinese):
        if (found := reader(question, blanked)) is not None:
            return found
    return None


def asked_in_turn(question: str, blanked: str) -> tuple[str, str, int] | None:
    """Both of two sentences that each ask something; the second with what the first names where it points back. None for others."""
    match = _TWO_SENTENCES.match(blanked)
    if match is None:
        return None
    first, second = (question[slice(*match.span(name))].strip() for name in ("first", "second"))
    if _HAN_WH_IN.search(first) and _HAN_WH_IN.search(second):
        topic = _HAN_TOPIC.match(first)
        if (back := _HAN_BACK.match(second)) is not None:
            if topic is None:
                return None
            second = _with_topic(topic[0], back)
        return first, second, match.start("second")
    if not (_ASKING.search(first) and _ASKING.search(second)) or len(first.split()) < FEW_WORDS:
        return None
    if _BACK.search(second) or points_to_object(second) or _INVERTED.search(second):
        told = pointed_back(first, second) or named_again(first, second)
        if told is None:
            return None
        second = told
    return first, second, match.start("second")


def asks_twice(blanked: str) -> bool:
    """Whether a question asks a second thing behind an "and", whatever that points back to."""
    return _joint(blanked) is not None


def _joint(blanked: str) -> re.Match[str] | None:
    """The first "and" before a question that has another before it."""
    return next((match for match in _JOINED.finditer(blanked) if _ASKING.search(blanked[: match.start()])), None)


def _joined(question: str, blanked: str) -> tuple[str, str, int] | None:
    """Two questions side by side, the second with words of its own."""
    joined = _joint(blanked)
    if joined is None:
        return None
    start = joined.start("second")
    first, second = question[: joined.start()].strip(" ,"), question[start:].strip()
    if len(first.split()) < FEW_WORDS:
        return None
    second = in_years(first, second)
    if (whole := with_what_first_says(first, second)) is not None:
        return f"{first.rstrip('?')}?", whole, start
    second = _with_verb(first, second)
    if (
        _BACK.search(second)
        or points_to_object(second)
        or (_INVERTED.search(second) and len(second.split()) >= FEW_WORDS)
    ):
        told = pointed_back(first, second) or named_again(first, second)
        if told is None:
            return None
        second = told
    elif len(second.split()) < MANY_WORDS and second == question[start:].strip() and not names_its_own(second):
        return None
    if (named := _WHICH_THING.search(first)) is not None:
        second = _ONE.sub(rf"\g<wh> {named['noun']}", second)
    return f"{first.rstrip('?')}?", f"{second[0].upper()}{second[1:]}", start


def _with_verb(first: str, second: str) -> str:
    """The second question with the verb that only the first one has, where both begin with one question word."""
    named, whole = _NAMED_ONLY.match(second), _WITH_NAME.match(first)
    if named is not None and whole is not None:
        return f"{named['asked']} {whole['verb']} {named['name']}"
    bare, words = _NO_VERB.match(second), first.strip("¿ ").split()
    if bare is None or len(words) < FEW_WORDS or bare["wh"].casefold() != words[0].casefold():
        return second
    rest = bare["rest"]
    if not _ARTICLE.match(rest):
        count = len(rest.split())
        return f"{' '.join(words[:-count])} {rest}" if count < len(words) - 1 else second
    places = [place for place, word in enumerate(words) if place > 1 and _ARTICLE.match(f"{word} ")]
    return f"{' '.join(words[: places[-1]] if places else words[:2])} {rest}"


def _two_in_chinese(question: str, blanked: str) -> tuple[str, str, int] | None:
    """甲有多少人、多少书？: each asked of 甲."""
    match = next((found for pattern in _HAN_TWO if (found := pattern.match(blanked)) is not None), None)
    if match is None:
        return None
    first, second = (question[slice(*match.span(name))].strip("，, ") for name in ("first", "second"))
    topic, verb = question[slice(*match.span("topic"))].strip("，, "), match["verb"] or ""
    second = _HAN_AND.sub("", second)
    if (back := _HAN_BACK.match(second)) is not None:
        second = _with_topic(topic, back)
    elif _HAN_WH_IN.match(second):
        second = f"{topic}{verb}{second}"
    elif not set(second).issuperset(topic) and len(second) < len(topic) + len(match["asked"]):
        second = f"{topic}{second}" if verb in ("", "姓", "叫") or topic.endswith("的") else f"{topic}的{second}"
    return f"{first}？", second, match.start("second")


def _with_topic(topic: str, back: re.Match[str]) -> str:
    """A second question with the topic in place of what points back to it."""
    link = "的" if back["of"] else "中" if back["within"] else ""
    return f"{topic}{link}{back.string[back.end() :]}"


def _each_in_chinese(question: str, each: re.Match[str]) -> tuple[str, str, int]:
    """甲和乙分别…: 甲…, 乙…; what is said of both behind 的 belongs to each."""
    first, second = (question[slice(*each.span(name))].strip() for name in ("first", "second"))
    second = _HAN_BOTH.sub("", second).strip()
    rest = _HAN_EACH_WORD.sub("", question[each.start("rest") :], count=1)
    if "的" in first and (own := re.match(r"的.{1,8}?(?=各自|分别|各)", each["rest"])) is not None:
        second, rest = f"{second}{own[0]}", rest[own.end() :]
    if "的" in second and "的" not in first:
        first = f"{first}的{second.rpartition('的')[2]}"
    return f"{first}{rest}", f"{second}{rest}", each.start("second")
