"""Detects the answer type of a question from its question word and the noun after it."""

from __future__ import annotations

import re
from typing import Literal

import msgspec

from memory.words import lazy_re
from walker.strategies.question.asked_kinds import asks_for_price, kind_by_words
from walker.strategies.values.abbreviations import asked_abbreviation

AnswerKind = Literal[
    "number",
    "year",
    "date",
    "time",
    "version",
    "person",
    "code",
    "email",
    "phone",
    "url",
    "place",
    "value",
    "expansion",
    "name",
    "phrase",
]


UnitKind = Literal["", "money", "duration", "length", "weight"]


class AnswerType(msgspec.Struct, frozen=True, kw_only=True):
    """`noun` is the class of the answer, what is numbered ("files", "version", 「教授」), or the abbreviation whose words are asked for;
    "" if the question names none."""

    kind: AnswerKind
    noun: str = ""
    unit: UnitKind = ""
    """The unit that a number must have, "" for any."""


_NOUN_KINDS: tuple[tuple[re.Pattern[str], AnswerKind], ...] = (
    (lazy_re.compile(r"\byears?\b|年份"), "year"),
    (lazy_re.compile(r"\b(?:date|day|deadline)s?\b|日期|截止|日子"), "date"),
    (lazy_re.compile(r"\b(?:time|hours?|o'clock)\b|时间|几点"), "time"),
    (lazy_re.compile(r"\b(?:versions?|releases?|release number)\b|版本"), "version"),
    (lazy_re.compile(r"\b(?:e-?mail|mail address)\b|邮箱|电子邮件"), "email"),
    (lazy_re.compile(r"\b(?:phone|telephone|fax|extension)\b|电话|传真|热线"), "phone"),
    (lazy_re.compile(r"\b(?:url|web address|website)\b|网址|网站"), "url"),
    (lazy_re.compile(r"\bvalues?\b|取值|默认值"), "value"),
    (lazy_re.compile(r"\b(?:PEP|RFC|ISO|issue|bug)\b"), "code"),
    (
        lazy_re.compile(
            r"\b(?:person|people|author|director|president|professor|developer|researcher|teacher|chair|head|dean|manager|founder"
            r"|speaker|editor|engineer|winner|student|scientist|lecturer|secretary|coordinator|supervisor|creator|maintainer)s?\b"
            r"|作者|主任|院长|教授|教师|老师|校长|所长|负责人|联系人|主讲人|导师|书记|人员"
        ),
        "person",
    ),
    (
        lazy_re.compile(
            r"\b(?:number|amount|size|limit|maximum|minimum|price|cost|fare|fee|offset|percentage|percent|length|count|total|area|capacity"
            r"|rate|speed|weight|height|width|depth|distance|duration|budget|population|temperature|score|tuition|deposit|fine)\b"
            r"|数量|大小|价格|费用|学费|面积|长度|金额|总数|人数|比例|温度|预算|经费"
        ),
        "number",
    ),
    (
        lazy_re.compile(
            r"\b(?:city|country|town|building|room|street|place|location|address|venue|campus|island|harbou?r)\b|地点|地址|城市|国家|教室|房间|楼"
        ),
        "place",
    ),
)
_MEASURED_HEAD = lazy_re.compile(
    r"\b(?:amount|size|limit|price|cost|fare|fee|percentage|percent|length|total|area|capacity|rate|speed|weight|height|width|depth"
    r"|distance|duration|budget|population|temperature|tuition|deposit|(?:fee|price|cost|fare|rate)s)$",
    re.IGNORECASE,
)
_HOW_MANY = lazy_re.compile(
    r"\bhow (?:many|much)\b(?: of (?:the|its|their|these|those|all))?(?: more| fewer| other)?\s*([a-z][\w-]*(?: [a-z][\w-]*){0,3})?",
    re.IGNORECASE,
)
_NO_PRICE = lazy_re.compile(r"\bhow (?:long|far|old|high up|tall|deep|wide|heavy|fast|late|early)\b", re.IGNORECASE)
_NO_NOUN = lazy_re.compile(
    r"(?:an?|the|per|of|in|at|if|it|we|you|they|i|one|does|did?|do|is|are|was|were|be|has|have|had|can|could|will|would|shall|should|may"
    r"|might|must|need|costs?|cheaper|longer|shorter|higher|lower|later|earlier|older|younger|bigger|smaller|faster|slower)\b",
    re.IGNORECASE,
)
_HOW_ADJECTIVE = lazy_re.compile(
    r"\bhow (?:long|large|big|old|far|high|tall|deep|wide|heavy|fast|expensive|late|early)\b", re.IGNORECASE
)
_ASKING = lazy_re.compile(r"\b(?:what|which|who|whom|whose|when|where|why|how)\b", re.IGNORECASE)
_NEXT_QUESTION = lazy_re.compile(r"[,;:?!，。]|\.\s|\b(?:and|or)\b")
"""Between two question words that both ask."""
_WHO = lazy_re.compile(r"\b(?:who|whom|whose)\b", re.IGNORECASE)
_WHEN = lazy_re.compile(r"\b(?:since |until )?when\b", re.IGNORECASE)
_WHERE = lazy_re.compile(r"\bwhere\b", re.IGNORECASE)
_WHICH = lazy_re.compile(
    r"\b(?:which|what)\s+((?!(?:is|are|was|were|did|does|do|has|have|had|can|will|would|should)\b)[\w-]+(?: [\w-]+){0,3})",
    re.IGNORECASE,
)
_WHAT_IS = lazy_re.compile(
    r"\b(?:what|which) (?:is|are|was|were)\s+(?:the|its|their|his|her)?\s*([\w-]+(?: [\w-]+){0,4})", re.IGNORECASE
)
_STATED = lazy_re.compile(
    r"\bthe ((?:publication |first )?(?:year|date|version|number|default value|size|value|price|name))\b", re.IGNORECASE
)
_MENTIONED = lazy_re.compile(
    r"\b(?:names?|refers? to|quotes?|mentions?|gives?|shows?|of)\s+(?:an?|some|one)\s+(?:certain\s+)?([A-Za-z][\w-]*(?: [A-Za-z][\w-]*){0,2})"
)
_CHINESE: tuple[tuple[re.Pattern[str], AnswerKind], ...] = (
    (lazy_re.compile(r"哪一?年|何年|什么年份"), "year"),
    (lazy_re.compile(r"何时|什么时候|什么时间|哪一?天|几月几?[日号]?|几号|哪一?日|截止(?:日期|时间)"), "date"),
    (lazy_re.compile(r"几点"), "time"),
    (lazy_re.compile(r"谁|哪位|何人|哪个人"), "person"),
    (lazy_re.compile(r"电话|热线|传真"), "phone"),
    (lazy_re.compile(r"邮箱|电子邮件"), "email"),
    (lazy_re.compile(r"版本"), "version"),
    (lazy_re.compile(r"多少|几[个名位人种项门篇台次年月天元层间所家条件部岁]|多[大长高久远]"), "number"),
    (lazy_re.compile(r"哪里|哪儿|何处|什么地方|在哪|哪个(?:城市|国家|楼|教室|房间|地点)|地址|地点"), "place"),
)
_CHINESE_NOUN = lazy_re.compile(r"(?:多少|几)[个名位种项门篇台次件条部家所间层]?([\u4e00-\u9fff]{1,3})")


_BY_WORDS: dict[str, AnswerKind] = {
    "number": "number",
    "date": "date",
    "time": "time",
    "person": "person",
    "place": "place",
    "name": "name",
}
"""Of the kinds that the question words of German, French, Spanish and Japanese tell, those that are types."""


def read_answer_type(question: str, language: str = "en") -> AnswerType:
    """The answer type of a question; a phrase if nothing in it names one."""
    if abbreviation := asked_abbreviation(question):
        return AnswerType(kind="expansion", noun=abbreviation)
    if (elsewhere := _by_words(question, language) or _chinese_type(question)) is not None:
        return elsewhere
    whole, question = question, _up_to_its_clauses(question)
    if (number := _number_type(question, whole)) is not None:
        return number
    if match := _WHICH.search(question):
        return _from_noun(_before_preposition(match.group(1)), otherwise="name")
    if "?" in question and _WHO.search(question):
        role = _ROLE.search(question)
        return AnswerType(kind="person", noun=_before_preposition(role.group(1)) if role else "")
    if match := _WHAT_IS.search(question):
        return _from_noun(_before_preposition(match.group(1)), otherwise="phrase")
    if _WHEN.search(question):
        return AnswerType(kind="time" if _BY_THE_CLOCK.search(whole) else "date")
    if _WHERE.search(question):
        return AnswerType(kind="place")
    if match := _STATED.search(question) or _MENTIONED.search(question):
        return _from_noun(_before_preposition(match.group(1)), otherwise="name")
    return AnswerType(kind="phrase")


def _number_type(question: str, whole: str) -> AnswerType | None:
    """The type of "how many", "how long" and "what does it cost"; None for other questions. `whole`: with its clauses."""
    if match := _HOW_MANY.search(question):
        if "much" in match.group(0).lower():
            return AnswerType(kind="number", unit=_unit(_much_of_what(match) or whole))
        counted = _head(match.group(1) or "")
        return AnswerType(kind="number", noun=counted, unit=_unit(whole) if not counted else "")
    if _HOW_ADJECTIVE.search(question) or _WHAT_DOES_COST.search(question):
        return AnswerType(kind="number", unit=_unit(whole, is_price=_NO_PRICE.search(question) is None))
    return None


def _much_of_what(match: re.Match[str]) -> str:
    """The noun of "how much space", "" where a verb or a measure follows: "how much does it", "how much a day"."""
    noun = _head(match.group(1) or "")
    return "" if not noun or _NO_NOUN.match(noun) else noun


def _up_to_its_clauses(question: str) -> str:
    """The question up to a clause that begins with a question word itself: "What do I get when I pipe it?" asks for no date."""
    words = list(_ASKING.finditer(question))
    for word in words[1:]:
        if not _NEXT_QUESTION.search(question, words[0].end(), word.start()):
            return f"{question[: word.start()].rstrip()}?"
    return question


def _by_words(question: str, language: str) -> AnswerType | None:
    kind = kind_by_words(question, language)
    if asks_for_price(question, language, kind):
        return AnswerType(kind="number", unit="money")
    return AnswerType(kind=_BY_WORDS.get(kind, "value")) if kind is not None else None


def _chinese_type(question: str) -> AnswerType | None:
    for pattern, kind in _CHINESE:
        if pattern.search(question):
            noun = _CHINESE_NOUN.search(question) or _CHINESE_SUBJECT.search(question)
            unit = _unit(question) if kind == "number" else ""
            return AnswerType(kind=kind, noun=noun.group(1) if noun else "", unit=unit)
    return None


_WHAT_DOES_COST = lazy_re.compile(r"\bwhat (?:does|do|did|would|will)\b.*\b(?:cost|weigh|measure)\b", re.IGNORECASE)
_ROLE = lazy_re.compile(r"\bwho (?:is|was|are|were) (?:the |an? )?((?:[\w-]+ ?){1,4})", re.IGNORECASE)
_BY_THE_CLOCK = lazy_re.compile(
    r"\b(?:opens?|closes?|leaves?|departs?|arrives?|office hours|breakfast|lunch|dinner)\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\bdaily\b",
    re.IGNORECASE,
)
_CHINESE_SUBJECT = lazy_re.compile(r"([\u4e00-\u9fff]{2,6})(?:是|为|有)?(?:多少|几)")
_UNIT_WORDS: tuple[tuple[re.Pattern[str], UnitKind], ...] = (
    (
        lazy_re.compile(
            r"\b(?:money|cost|price|fares?|fees?|pay|paid|worth|(?<!of )(?<!without )charge|tuition|salary|budget|expensive|rent|fine|deposit)\b|钱|费|价|薪|奖金|经费|预算",
            re.IGNORECASE,
        ),
        "money",
    ),
    (
        lazy_re.compile(
            r"\bhow long\b.*\b(?:last|take|stay|run|open|wait|valid|continue|work|need|keep)|\bduration\b|多久|多长时间|时长",
            re.IGNORECASE,
        ),
        "duration",
    ),
    (
        lazy_re.compile(
            r"\bhow (?:far|high|tall|deep|wide)\b|\b(?:depth|height|width|distance)\b|多[高深宽远]|长度|高度|深度",
            re.IGNORECASE,
        ),
        "length",
    ),
    (lazy_re.compile(r"\bhow heavy\b|\bweigh|多重|重量", re.IGNORECASE), "weight"),
)


def _unit(question: str, *, is_price: bool = True) -> UnitKind:
    told = (unit for pattern, unit in _UNIT_WORDS if pattern.search(question))
    return next((unit for unit in told if is_price or unit != "money"), "")


_LONG = lazy_re.compile(r"\s+(?:long|wide|high|tall|deep|old|large|big|thick|far|apart|away|ago)$", re.IGNORECASE)
_STOP = lazy_re.compile(
    r"\s+(?:of|in|on|at|for|by|from|to|with|that|which|is|are|was|were|did|does|do|has|have|had|can|may|must|will|the|a|an|and|according)\b.*",
    re.IGNORECASE,
)


def _before_preposition(phrase: str) -> str:
    return _STOP.sub("", phrase).strip()


def _head(phrase: str) -> str:
    """The words before the first preposition, verb or adjective of measure: "bytes" of "bytes on 64-bit platforms", "characters" of
    "characters long", "" of "does the table attempt"."""
    return _LONG.sub("", _before_preposition(f" {phrase}"))


def _from_noun(noun: str, otherwise: AnswerKind) -> AnswerType:
    if _MEASURED_HEAD.search(noun):  # "student registration fee" asks for no student
        return AnswerType(kind="number", noun=noun, unit=_unit(noun))
    for pattern, kind in _NOUN_KINDS:
        # The head noun is the last word: "release number" is a number of a release, "file name" a name.
        if pattern.search(noun.rsplit(maxsplit=1)[-1] if noun.split() else "") or pattern.search(noun):
            return AnswerType(kind=kind, noun=noun, unit=_unit(noun) if kind == "number" else "")
    return AnswerType(kind=otherwise, noun=noun)
