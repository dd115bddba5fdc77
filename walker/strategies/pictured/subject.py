"""What a question about a picture is about: "this" or "these" with its noun, else the object of a preposition, else the last noun.

The three rules are those of ReAG. There is no tagger behind them: a noun phrase ends where a word stands that can be none of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from memory.words import lazy_re
from walker.strategies.pictured.noun_phrases import GRAMMARS, place_of_subject

SubjectRule = Literal["this", "alone", "object", "noun", "none"]
"""`alone`: "this" without a noun, which is all that the picture shows."""


RULED = frozenset(("en", "zh"))
"""Languages of questions that the rules of this module take apart."""


class Subject(msgspec.Struct, frozen=True, kw_only=True):
    """The words of the subject without its determiner, and its place in the question, `text[start:end]`, with it."""

    words: str = ""
    start: int = 0
    end: int = 0
    rule: SubjectRule = "none"


_WORD = lazy_re.compile(r"[^\W_]+(?:[-’'][^\W_]+)*|[^\s\w]", re.UNICODE)
_POSSESSIVE = lazy_re.compile(r"[’']s?$")
_THIS = frozenset(("this", "these", "that", "those"))
_KINDS = frozenset("kind type sort species breed piece pair variety style form group part name model".split())
_PICTURES = frozenset(
    "picture photo photograph image photos images pictures photographs screenshot foreground background"
    " front left right middle center centre top bottom corner box".split()
)
"""Where in the picture something is, not what it is."""
_DETERMINERS = frozenset("the a an his her its their our your my".split())
_PREPOSITIONS = frozenset(
    "of in on at by from for with about near inside above below behind under beside into over through during after"
    " before around between within to along across against next".split()
)
_AUXILIARIES = frozenset(
    "is are was were be been being am do does did has have had can could will would shall should may might must".split()
)
_ASKING = frozenset("who whom whose what which when where why how".split())
_OTHERS = frozenset(
    "and or but if than as it he she they you we i me him them us there here so not no also still now ever first"
    " originally then today currently called named known located situated said made built found used born held kept"
    " written sold drawn grown worn seen shown taken given won cast laid hung set put cut spoken eaten bred lit"
    " come comes came go goes went look looks stand stands belong belongs mean means say says depict depicts show"
    " shows represent represents live lives die dies weigh weighs cost costs happen happens begin begins"
    " eat eats out up down off away back that's it's".split()
)
_STOPS = _PREPOSITIONS | _AUXILIARIES | _ASKING | _OTHERS | _THIS
_DO = frozenset("do does did can could will would shall should may might must".split())
_BE = frozenset("is are was were".split())
_SINGULAR = frozenset(("this", "that"))
_NO_PLURAL = lazy_re.compile(r"(?:ss|us|is|series|species|means|news|lens|gas)$")
_TIMES = frozenset(("last", "next", "again"))
_ADJECTIVE = lazy_re.compile(
    r"(?:ous|able|ible|ful|ive|ish|less|tall|old|open|big|high|rare|alive|free|safe|deep|long|wide)$"
)
_PARTICIPLE = lazy_re.compile(r"(?:ed|ing)$")
_ADVERB = lazy_re.compile(r"..ly$")

_CHINESE = lazy_re.compile(r"[\u4e00-\u9fff]")
_MEASURE = "个座幅张只条棵辆件尊种栋幢间艘架朵位匹头块本部把支枚处道家台所名份副套片根颗株首栏款"
_ZH_END = (
    r"(?=是|在|有|由|被|为|叫|名|建|修|属|位|来|的|谁|什么|哪|何|多|几|怎|吗|呢|能|会|可|用|最|出|产|生|画|"
    r"长|高|重|代|表|象|吃|喝|住|活|飞|拍|价|[，。？！?!,.\s]|$)"
)
_ZH_NOUN = r"(?P<noun>(?![是在有由被为叫的])[\u4e00-\u9fffA-Za-z0-9]+?)"
_ZH_THIS = lazy_re.compile(rf"[这那此该](?:些|一?[{_MEASURE}])?(?:{_ZH_NOUN}{_ZH_END})?")
_ZH_FIRST = lazy_re.compile(rf"^{_ZH_NOUN}{_ZH_END}")
_ZH_MEASURED = lazy_re.compile(rf"[这那](?:些|一?[{_MEASURE}])(?P<noun>[\u4e00-\u9fff])(?=[，。？！?!,.\s]|$)")
_ZH_PLACE = lazy_re.compile(r"^(?:请问)?(?:在)?(?:这[张幅]?)?(?:图片|照片|图像|图|画面)(?:[中里上内]的?|的)")
_ZH_OF = lazy_re.compile(r"(?P<noun>[\u4e00-\u9fff]{2,8}?)的(?=[\u4e00-\u9fff])")
_ZH_LAST = lazy_re.compile(r"(?P<noun>[\u4e00-\u9fff]{2,8}?)(?=是|在|有|由|叫|建|位|属|被|[？?]|$)")


class _Token(msgspec.Struct, frozen=True):
    text: str
    start: int
    end: int

    @property
    def low(self) -> str:
        return self.text.lower()


def subject_of(question: str, language: str = "en") -> Subject:
    """The subject of a question; of one in a language whose phrases nothing here can tell, none."""
    if _CHINESE.search(question):
        return _chinese_subject(question)
    if language in GRAMMARS:
        found = place_of_subject(question, language)
        return Subject(words=found.words, start=found.start, end=found.end, rule=found.rule) if found else Subject()
    if language not in RULED:
        return Subject()
    tokens = [_Token(found[0], found.start(), found.end()) for found in _WORD.finditer(question)]
    return _after_this(tokens) or _object(tokens) or _last_noun(tokens) or Subject()


def with_name(question: str, name: str, language: str = "en") -> str:
    """The question with its subject by name: "this bridge" as "the bridge Old Span", "diese Brücke" as "diese Brücke Old Span".
    Without a subject the name stands at its end."""
    name = " ".join(name.split())
    if not name:
        return question
    subject = subject_of(question, language)
    if subject.rule == "none":
        return f"{question} ({name})"
    put = name
    if subject.words and language in GRAMMARS:
        # Its determiner is that of its case and gender.
        put = f"{question[subject.start : subject.end]} {name}"
    elif subject.words and subject.words.lower() not in name.lower():
        is_chinese = _CHINESE.search(subject.words) is not None
        put = f"{name}{subject.words}" if is_chinese else f"the {subject.words} {name}"
    return f"{question[: subject.start]}{put}{question[subject.end :]}"


def _after_this(tokens: Sequence[_Token]) -> Subject | None:
    """The first rule. A "this" that points to nothing but the picture is passed over where another one has a noun."""
    alone: Subject | None = None
    for at, token in enumerate(tokens):
        if token.low not in _THIS or (token.low == "that" and at and not _may_point(tokens[at - 1])):
            continue
        phrase = _phrase(tokens, at + 1, before=tokens[at - 1].low if at else "")
        if not phrase:
            alone = alone or Subject(start=token.start, end=token.end, rule="alone")
        elif phrase[-1].low not in _PICTURES:
            return _subject(phrase, token.start, "this")
    return alone


def _object(tokens: Sequence[_Token]) -> Subject | None:
    """The second rule: the object of the last preposition that has one, other than the picture itself."""
    for at in reversed(range(len(tokens))):
        if tokens[at].low not in _PREPOSITIONS:
            continue
        first = at + 1
        while first < len(tokens) and tokens[first].low in _DETERMINERS:
            first += 1
        phrase = _phrase(tokens, first, before="")
        if phrase and phrase[-1].low not in _PICTURES and not phrase[0].text.isdigit():
            return _subject(phrase, tokens[at + 1].start, "object")
    return None


def _last_noun(tokens: Sequence[_Token]) -> Subject | None:
    """The third rule: the last phrase with a determiner, else the last run of words that can be nouns."""
    runs = [run for run in _runs(tokens) if run[-1].low not in _PICTURES]
    marked = [run for run in runs if run[0].start and _before(tokens, run[0]).low in _DETERMINERS]
    chosen = (marked or runs or [[]])[-1]
    if not chosen:
        return None
    before = _before(tokens, chosen[0]) if chosen[0].start else None
    start = before.start if before is not None and before.low in _DETERMINERS else chosen[0].start
    return _subject(chosen, start, "noun")


def _runs(tokens: Sequence[_Token]) -> Iterator[list[_Token]]:
    at = 0
    while at < len(tokens):
        if _ends(tokens, at) or tokens[at].low in _DETERMINERS:
            at += 1
            continue
        before = tokens[at - 1].low if at else ""
        if before in _DETERMINERS and at > 1:
            before = tokens[at - 2].low
        run = _phrase(tokens, at, before=before)
        if run:
            yield run
        at += max(1, len(run))


def _phrase(tokens: Sequence[_Token], first: int, *, before: str) -> list[_Token]:
    """The noun phrase that begins at a token; `before` is the word before its determiner, which tells whether a verb ends it."""
    run: list[_Token] = []
    at = first
    while at < len(tokens):
        if tokens[at].low == "of" and run and run[-1].low in _KINDS:
            run, at = [], at + 1
            continue
        if _ends(tokens, at) or (run and tokens[at].low in _DETERMINERS):
            break
        run.append(tokens[at])
        at += 1
        if _POSSESSIVE.search(run[-1].text):
            break
    is_verb_next = at < len(tokens) and tokens[at].low in _OTHERS
    is_verb_last = before in _DO and not is_verb_next
    if len(run) > 1 and (is_verb_last or (before in _BE and _ADJECTIVE.search(run[-1].low))):
        run.pop()
    while len(run) > 1 and run[-1].low in _TIMES:
        run.pop()
    points_to_one = first > 0 and tokens[first - 1].low in _SINGULAR
    if len(run) > 1 and points_to_one and run[-1].low.endswith("s") and not _NO_PLURAL.search(run[-1].low):
        run.pop()  # "this drawing illustrates": one thing has no plural, so that is a verb
    return run


def _ends(tokens: Sequence[_Token], at: int) -> bool:
    """Whether a token can be no part of a noun phrase: punctuation, a word of grammar, or a participle that no noun follows."""
    low = tokens[at].low
    if not low[0].isalnum() or low in _STOPS or _ADVERB.search(low):
        return True
    if _PARTICIPLE.search(low) and len(low) > 4:
        follows = tokens[at + 1].low if at + 1 < len(tokens) else ""
        is_followed = bool(follows) and follows[0].isalnum() and follows not in _STOPS | _DETERMINERS
        # "building" and "painting" are nouns where nothing follows them.
        return not is_followed and not low.endswith("ing")
    return False


def _may_point(before: _Token) -> bool:
    """Whether "that" behind this word is a demonstrative, not a conjunction."""
    return before.low in _STOPS - {"that"} or not before.low[0].isalnum()


def _before(tokens: Sequence[_Token], token: _Token) -> _Token:
    return tokens[max(0, tokens.index(token) - 1)]


def _subject(run: Sequence[_Token], start: int, rule: SubjectRule) -> Subject:
    last = run[-1]
    owner = _POSSESSIVE.search(last.text)
    end = last.start + (owner.start() if owner is not None else len(last.text))
    words = [*(token.text for token in run[:-1]), _POSSESSIVE.sub("", last.text)]
    return Subject(words=" ".join(words), start=start, end=end, rule=rule)


def _chinese_subject(question: str) -> Subject:
    place = _ZH_PLACE.match(question)
    offset = place.end() if place is not None else 0
    text = question[offset:]
    found = _ZH_MEASURED.search(text) or _ZH_THIS.search(text)
    if found is not None:
        noun = found["noun"] or ""
        start, end = offset + found.start(), offset + found.end()
        return Subject(words=noun, start=start, end=end, rule="this" if noun else "alone")
    patterns: tuple[tuple[re.Pattern[str], SubjectRule], ...] = (
        *(((_ZH_FIRST, "noun"),) if offset else ()),
        (_ZH_OF, "object"),
        (_ZH_LAST, "noun"),
    )
    for pattern, rule in patterns:
        found = pattern.search(text)
        if found is not None:
            start, end = offset + found.start("noun"), offset + found.end("noun")
            return Subject(words=found["noun"], start=start, end=end, rule=rule)
    return Subject()
