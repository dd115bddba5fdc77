"""Finds candidate answers in a passage: every span of text that has the form of the wanted answer type."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import msgspec

from memory.words import lazy_re, tokens
from walker.strategies.question.answer_type import AnswerKind, AnswerType
from walker.strategies.values.abbreviations import FEW, expansions_in
from walker.strategies.values.periods import periods_in
from walker.strategies.values.value_kinds import Clock, Days, Measure, Version
from walker.strategies.values.written_dates import dates_in, days_in_words
from walker.strategies.values.written_values import TEXT_CHARS, found_values

Finder = Callable[[str], "Iterator[Span]"]
DATE_FIT, DAY_FIT, WORDS_FIT = 0.95, 0.85, 0.5
"""Fit of a date, of a day or month without its year, and of a weekday or an hour where a date is asked for."""
SPELLED_FIT = (0.8, 1.0)
"""Fit of words that spell the abbreviation that is asked for, and of those beside which it stands, if it has more than two letters."""
_VALUE_KINDS = frozenset(("number", "date", "time", "version"))


class Span(msgspec.Struct, frozen=True, kw_only=True):
    """A candidate: its text, its offsets in the passage, and how well its form fits, 0..1."""

    text: str
    start: int
    end: int
    fit: float


_MONTH = r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)"
_YEAR = r"(?:1[5-9]|20|21)\d\d"
_NUMBER_WORD = (
    r"(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen"
    r"|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|a hundred|one hundred|a dozen|dozens)(?:-(?:one|two|three|four|five|six|seven|eight|nine))?"
)
_DATE = lazy_re.compile(
    rf"(?<![\d-]){_YEAR}-\d\d?-\d\d?(?![\d-])|(?<!\d){_YEAR}/\d\d?/\d\d?(?!\d)|\b\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH},? {_YEAR}\b"
    rf"|\b{_MONTH}\.? \d{{1,2}}(?:st|nd|rd|th)?(?:\s*[-–]\s*\d{{1,2}})?,? {_YEAR}\b|\b(?:early |mid-?|late )?{_MONTH},? {_YEAR}\b"
    rf"|{_YEAR}\s*年\s*\d{{1,2}}\s*月(?:\s*\d{{1,2}}\s*[日号])?|\d{{1,2}}\s*月\s*\d{{1,2}}\s*[日号]|\b(?:early|mid|late) {_YEAR}\b"
    rf"|\b\d{{1,2}}(?:st|nd|rd|th)? {_MONTH}\b|\b{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?\b(?!,? ?\d)",
    re.IGNORECASE,
)
_YEAR_ALONE = lazy_re.compile(rf"(?<![\d.-]){_YEAR}(?![\d.]\d|\d)(?:\s*年)?")
_TIME = lazy_re.compile(
    r"\b\d{1,2}[:.]\d\d\s*(?:[ap]\.?m\.?)?(?:\s*(?:-|–|to)\s*\d{1,2}[:.]\d\d\s*(?:[ap]\.?m\.?)?)?|\b\d{1,2}\s*[ap]\.?m\.?\b|[上下]午\s*\d{1,2}\s*[点时：:]\d{0,2}|\b(?:noon|midnight)\b",
    re.IGNORECASE,
)
_VERSION = lazy_re.compile(
    r"(?<![\w.])v?\d+(?:\.\d+)+(?:[a-z]+\d*|-?rc\d+)?(?![\w])(?:\s*(?:thru|through|to|–|-)\s*v?\d+(?:\.\d+)+)?"
)
_UNITS = (
    r"(?:%|percent|per cent|[KMGT]i?B\b|bytes?|bits?|kilobytes?|megabytes?|gigabytes?|seconds?|minutes?|hours?|days?|weeks?|months?|years?|ms|µs|km|cm|mm|kg|"
    r"metres?|meters?|euros?|dollars?|pounds?|yuan|kron(?:or|er|ur)\b|rupees?|kr\b\.?|zł|Kč|°C|characters?|lines?|元|万元|亿元|欧元|美元|英镑|日元|港元|海里|吨|千米|厘米|毫米|学时|课时|周|分|度|平方米|亩|人|名|个|位|篇|项|年|天|小时|分钟|公里|米|台|本|门|种|册|间|层|岁|学分)"
)
_NUMBER = lazy_re.compile(
    rf"(?<![A-Za-z0-9_.,/-])(?:[$€£¥₹₽₺₩]\s?)?(?:\d{{1,3}}(?: \d{{3}})* 000(?!\d)|\d[\d,]*(?:\.\d+)?)(?:\s?(?:million|billion|thousand|hundred|万|亿))?(?:\s?{_UNITS})?(?![\w]*\.\d)(?!\d)"
    rf"|\b{_NUMBER_WORD}\b(?:\s(?:million|billion|thousand|hundred))?(?:\s{_UNITS})?|[一二两三四五六七八九十百千万]{{1,6}}(?:余)?[个名位人篇项年天台门种所间层本]",
    re.IGNORECASE,
)
_PERSON = lazy_re.compile(
    r"(?:(?:Dr|Prof|Professor|Mr|Mrs|Ms|Sir|Dame)\.?\s+)?\b[A-Z][a-zà-öø-ÿ'’]+(?:-[A-Z][a-zà-öø-ÿ]+)?(?:\s+(?:[A-Z]\.|van|von|de|der|den|da|di|du|la|le|el|al|bin|ibn|[A-Z][\w'’à-öø-ÿ]+(?:-[A-Z]?[a-zà-öø-ÿ]+)*)){1,4}"
    r"|\b[A-Z]\.\s+[A-Z][a-z]+(?:\s+[A-Z][a-z]+)*"
)
_CHINESE_PERSON = lazy_re.compile(
    r"(?:[：:由是为请]|负责人|联系人|作者|主讲人|导师|主任|院长|所长)\s*([\u4e00-\u9fff]{2,4})(?=[，。；、\s（(]|教授|博士|老师|研究员|主任|院长|先生|女士|担任|主持|主讲|$)"
    r"|([\u4e00-\u9fff]{2,3})(?=(?:教授|副教授|博士|老师|研究员|主任|院长|所长|先生|女士))"
)
_NO_NAME = lazy_re.compile(r"[一二三四五六七八九十两几数每各某该其此这那本个种类些]")
"""No Chinese name begins with one of these."""
_BARE_TRIGGERS = "：:由是为请"
_SURNAMES = frozenset(
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖"
    "邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易武乔贺赖龚文庞樊兰殷施陶洪翟颜倪严牛温芦季俞章鲁葛伍韦申尤毕聂焦向柳邢路岳"
    "齐沿梅莫庄辛管祝左涂谷祁时舒耿牟卜詹关苗凌费纪靳盛童欧甄项曲成游阳裴席卫查屈鲍位覃霍翁隋植甘景薄单包司柏宁柯阮桂闵解强柴华车冉房边"
)
"""The most frequent surnames; after a bare "是" or "为" only one of these begins a name."""
_PLACE_NUMBER = lazy_re.compile(
    r"(?:[表图例第节章卷]|\b(?:chapter|section|table|figure|fig|sec|part|appendix|step|example|listing|note|page)s?\.?)\s*$",
    re.IGNORECASE,
)
_OUTLINE_NUMBER = lazy_re.compile(r"\s*(?:\d+\.)+\d*\.?\s+(?=\D)")
"""The number of a heading or a caption, which is never an answer."""
_EMAIL = lazy_re.compile(r"[\w.+-]+\s?(?:@|\(at\)|\[at\]| at )\s?[\w-]+(?:\s?(?:\.|\(dot\)| dot )\s?[\w-]+)+")
_PHONE = lazy_re.compile(r"(?<!\d)(?:\+\d{1,3}[\s-]?)?(?:\(?\d{2,4}\)?[\s-]?){2,4}\d{2,4}(?!\d)")
_URL = lazy_re.compile(r"https?://[^\s<>\"]+|\bwww\.[^\s<>\"]+")
_CODE = lazy_re.compile(r"\b(?:PEP|RFC|ISO|bpo|CVE|BCP)[\s-]?[\d-]+\b|#\d+")
_QUOTED = lazy_re.compile(r"[\"“”‘'「『《]([^\"“”‘’'」』》]{1,60})[\"“”’'」』》]")
_CAPITALISED = lazy_re.compile(r"\b[A-Z][\w.+#-]*(?:\s+(?:(?:of|the|and|for|de|van|von)\s+)?[A-Z][\w.+#-]*){0,5}")
_IDENTIFIER = lazy_re.compile(
    r"\b[A-Za-z]\w*(?:[._]\w{2,})+(?:\(\))?|\b[A-Z][A-Z0-9_]{2,}\b|[A-Z]:\\[\w\\ ]*\w|(?<!\w)/[\w/.-]+\w|\b[a-z]+[A-Z]\w+\b"
)
_LEAD = lazy_re.compile(
    r"\b(?:is|are|was|were|be|called|named|titled|known as|defaults? to|set to|equals?|means|consists? of|namely|include[sd]?|located (?:in|at|on)|by|in|at|to)\s+(?:the\s+|an?\s+)?([^,.;:()]{2,60})",
    re.IGNORECASE,
)
_CHINESE_LEAD = lazy_re.compile(r"(?:是|为|叫做?|名为|称为|位于|设在|在|：|:)\s*([^，。；,;]{2,30})")
_KEY_VALUE = lazy_re.compile(r"^([^:：|]{2,60})[:：]\s*(\S.{0,119})$")
_BEHIND_NAME = lazy_re.compile(r"\s*(?:[|:=：–—]|\s-\s)\s*([^|]{2,120}?)\s*(?:$|\|)")
_NOT_PERSON = frozenset(
    [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
        "Monday",
        "Tuesday",
        "Wednesday",
        "Thursday",
        "Friday",
        "Saturday",
        "Sunday",
        "The",
        "This",
        "That",
        "These",
        "Those",
        "In",
        "On",
        "At",
        "For",
        "From",
        "With",
        "See",
        "New",
        "Python",
        "University",
        "Institute",
        "Department",
        "Center",
        "Centre",
        "Library",
        "Module",
        "Chapter",
        "Section",
        "Table",
        "Figure",
        "Version",
        "Windows",
        "Linux",
        "Unix",
        "Mac",
        "Release",
        "Standard",
        "Reference",
        "North",
        "South",
        "East",
        "West",
    ]
)


UNIT_FORMS: dict[str, re.Pattern[str]] = {
    "money": lazy_re.compile(
        r"[$€£¥￥₹₽₺₩]|\b(?:euros?|dollars?|pounds?|yuan|francs?|cents?|kron(?:or|er|ur|a|e)|rupees?|reais"
        r"|EUR|USD|GBP|CNY|RMB|AUD|CAD|CHF|SEK|NOK|DKK|ISK|PLN|CZK|INR|BRL|kr|Rs|zł|Kč|pesos?)\b|元|円|欧元|美元|英镑|원",
        re.IGNORECASE,
    ),
    "duration": lazy_re.compile(
        r"\b(?:ms|seconds?|minutes?|hours?|days?|weeks?|months?|years?|semesters?|terms?)\b|秒|分钟|小时|天|周|个月|年|学期",
        re.IGNORECASE,
    ),
    "length": lazy_re.compile(
        r"\b(?:mm|cm|m|km|metres?|meters?|kilomet(?:re|er)s?|centimet(?:re|er)s?|feet|foot|miles?|inch(?:es)?)\b|米|公里|海里",
        re.IGNORECASE,
    ),
    "weight": lazy_re.compile(
        r"\b(?:kg|g|t|tons?|tonnes?|kilos?|kilograms?|grams?|pounds?)\b|公斤|千克|吨|克", re.IGNORECASE
    ),
}
"""Units in or directly after a number, by measure."""


def candidate_spans(text: str, wanted: AnswerType, asked: frozenset[str], language: str = "en") -> Iterator[Span]:
    """Spans of a passage that could be the answer; `asked` are the words of the question, `language` its language."""
    yield from _values_of(text, wanted.kind, language)
    if wanted.kind == "expansion":
        yield from _spelled(text, wanted.noun)
    if wanted.kind == "number" and wanted.unit == "duration":
        yield from (
            Span(text=one.written, start=one.start, end=one.end, fit=0.95)
            for one in periods_in(text, language)
            if one.length
        )
    finder = _FINDERS.get(wanted.kind)
    if finder is not None:
        yield from finder(text)
    if wanted.kind in ("name", "phrase", "place", "code", "value"):
        dimmed = 0.6 if wanted.kind == "value" else 1.0
        yield from (msgspec.structs.replace(span, fit=dimmed * span.fit) for span in _named(text))
    if wanted.kind in ("phrase", "place"):
        yield from _led(text)
    if wanted.kind in ("name", "phrase", "place", "value", "person") and (match := _KEY_VALUE.match(text)):
        key = frozenset(tokens(match.group(1)))
        if key and key <= asked | frozenset(tokens(wanted.noun)):
            yield Span(text=match.group(2).strip(), start=match.start(2), end=match.end(2), fit=0.95)


def _spelled(text: str, abbreviation: str) -> Iterator[Span]:
    """Words that spell an abbreviation; else what stands behind it in its row or line."""
    found = False
    for one in expansions_in(text, abbreviation):
        found = True
        fit = SPELLED_FIT[one.is_beside and len(abbreviation) > FEW]
        yield Span(text=text[one.start : one.end], start=one.start, end=one.end, fit=fit)
    behind = _BEHIND_NAME.match(text, len(abbreviation)) if text.startswith(abbreviation) and not found else None
    if behind is not None:
        yield Span(text=behind[1], start=behind.start(1), end=behind.end(1), fit=SPELLED_FIT[False])


def _values_of(text: str, kind: AnswerKind, language: str) -> Iterator[Span]:
    """Numbers with units, dates, times and versions as six languages write them."""
    if kind not in _VALUE_KINDS:
        return
    if kind == "date":
        yield from _dates_in(text)
        return
    dated = frozenset((one.start, one.end) for one in dates_in(text[:TEXT_CHARS])) if kind == "number" else frozenset()
    for found in found_values(text, language):
        if (found.start, found.end) in dated:
            continue  # "25 mai" is no number, though no year is told
        value = found.value
        match value:
            case Measure():
                # A lone Chinese numeral is mostly a part of a word.
                is_part = not value.unit and len(value.written) == 1 and not value.written.isascii()
                fits = kind == "number" and not value.digits.startswith("-") and not is_part
            case Clock():
                fits = kind == "time"
            case Version():
                fits = kind == "version"
            case _:
                fits = kind == "number"
        if fits:
            yield Span(text=value.written, start=found.start, end=found.end, fit=0.95)


def _dates_in(text: str) -> Iterator[Span]:
    """Dates, those without a year too; where there is none, what says when in other words."""
    found = dates_in(text[:TEXT_CHARS])
    for one in found:
        written = text[one.start : one.end]
        yield Span(text=written, start=one.start, end=one.end, fit=DATE_FIT if isinstance(one.value, Days) else DAY_FIT)
    if not found and _DATE.search(text) is None:
        for start, end in days_in_words(text):
            yield Span(text=text[start:end], start=start, end=end, fit=WORDS_FIT)


def _of(pattern: re.Pattern[str], fit: float) -> Finder:
    def find(text: str) -> Iterator[Span]:
        for match in pattern.finditer(text):
            found = match.group(0)
            yield Span(text=found.strip(), start=match.start(), end=match.end(), fit=fit)

    return find


def _dates(text: str) -> Iterator[Span]:
    found = False
    for match in _DATE.finditer(text):
        found = True
        whole = any(character.isdigit() for character in match.group(0)) and len(match.group(0)) >= 8
        yield Span(text=match.group(0).strip(), start=match.start(), end=match.end(), fit=1.0 if whole else 0.8)
    if not found:
        yield from (Span(text=s.text, start=s.start, end=s.end, fit=0.6) for s in _years(text))


def _years(text: str) -> Iterator[Span]:
    for match in _YEAR_ALONE.finditer(text):
        yield Span(text=match.group(0).strip(), start=match.start(), end=match.end(), fit=1.0)
    for match in re.finditer(rf"(?<!\d)({_YEAR})-\d\d-\d\d", text):
        yield Span(text=match.group(1), start=match.start(), end=match.start() + 4, fit=0.95)


def _versions(text: str) -> Iterator[Span]:
    for match in _VERSION.finditer(text):
        yield Span(text=match.group(0).strip(), start=match.start(), end=match.end(), fit=1.0)
    for match in re.finditer(r"(?<=[Vv]ersion )\d+\b(?!\.)", text):
        yield Span(text=match.group(0), start=match.start(), end=match.end(), fit=0.7)


def _values(text: str) -> Iterator[Span]:
    yield from _versions(text)
    for match in _NUMBER.finditer(text):
        yield Span(text=match.group(0).strip(), start=match.start(), end=match.end(), fit=0.9)


def _persons(text: str) -> Iterator[Span]:
    for match in _PERSON.finditer(text):
        words = match.group(0).split()
        if (
            words[0] in _NOT_PERSON
            or words[-1] in _NOT_PERSON
            or any(len(word) > 2 and word.isupper() for word in words)
        ):
            continue
        # "Institute of Tidal Science", "in New Orleans": a name after these prepositions is seldom a person.
        before = text[max(0, match.start() - 4) : match.start()]
        fit = 0.4 if before.endswith((" of ", " in ", " at ")) else 0.9
        yield Span(text=match.group(0).strip(), start=match.start(), end=match.end(), fit=fit)
    for match in _CHINESE_PERSON.finditer(text):
        group = 1 if match.group(1) else 2
        name = match.group(group)
        if _NO_NAME.match(name) or (match.group(0)[0] in _BARE_TRIGGERS and name[0] not in _SURNAMES):
            continue
        yield Span(text=match.group(group), start=match.start(group), end=match.end(group), fit=0.9)


def _named(text: str) -> Iterator[Span]:
    for match in _QUOTED.finditer(text):
        yield Span(text=match.group(1).strip(), start=match.start(1), end=match.end(1), fit=0.9)
    for match in _IDENTIFIER.finditer(text):
        yield Span(text=match.group(0).strip(), start=match.start(), end=match.end(), fit=0.75)
    for match in _CAPITALISED.finditer(text):
        if match.start() or " " in match.group(0):
            yield Span(text=match.group(0).strip(), start=match.start(), end=match.end(), fit=0.65)


def _led(text: str) -> Iterator[Span]:
    for pattern in (_LEAD, _CHINESE_LEAD):
        for match in pattern.finditer(text):
            yield Span(text=match.group(1).strip(), start=match.start(1), end=match.end(1), fit=0.6)


def _numbers(text: str) -> Iterator[Span]:
    outline = _OUTLINE_NUMBER.match(text)
    values_from = outline.end() if outline else 0
    for match in _NUMBER.finditer(text):
        if match.start() < values_from or _PLACE_NUMBER.search(text[max(0, match.start() - 12) : match.start()]):
            continue
        yield Span(text=match.group(0).strip(), start=match.start(), end=match.end(), fit=0.9)


_FINDERS: dict[AnswerKind, Finder] = {
    "number": _numbers,
    "year": _years,
    "date": _dates,
    "time": _of(_TIME, 0.9),
    "version": _versions,
    "person": _persons,
    "code": _of(_CODE, 1.0),
    "email": _of(_EMAIL, 1.0),
    "phone": _of(_PHONE, 0.9),
    "url": _of(_URL, 1.0),
    "value": _values,
}
