"""Splits questions that compare two quantities into a question for each.

The patterns are matched with quoted titles blanked, since titles contain "and" and "than" too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple, cast

from memory.words import lazy_re
from walker.strategies.wording.added_up import amounts_added
from walker.strategies.wording.changed_amounts import changed_amount
from walker.strategies.wording.choice_questions import (
    BESIDES,
    choice_question,
    european_choice,
    moment_besides,
    one_of_kind,
    place_question,
    same_question,
)
from walker.strategies.wording.comparison_patterns import CHINESE, FRENCH, GERMAN, SPANISH
from walker.strategies.wording.quantity_questions import Asked, WordingLanguage, quantity_question
from walker.strategies.wording.shared_verbs import how_many_pair, with_the_same_verb
from walker.strategies.wording.than_questions import than_question

Comparison = Literal["difference", "sum", "compare", "whether", "ratio"]

_UNITS = r"(?:years?|days?|months?|weeks?|hours?|minutes?|versions?|releases?|points?|percent)"
_AUXILIARY = r"(?:does|do|did|is|are|was|were|has|have|had)"
_MODAL = rf"(?:{_AUXILIARY[3:-1]}|may|can|must|will)"
_LARGER = r"(?:larger|greater|higher|longer|older|more|bigger|taller|heavier|wider|deeper|later|newer)"
_RANKED = (
    r"(?:more|most|fewer|less|larger|largest|higher|highest|older|oldest|earlier|first|later|longer|newer|bigger|\w+er)"
)
_SMALLER = r"(?:smaller|lower|shorter|fewer|less|earlier|younger|cheaper|lighter|slower|nearer|closer)"
_BEFORE_RANK = (
    r"(?:have|has|had|cost|take|last|need|use|contain|come|appear|begin|start|open|run|weigh|get|offer|an?|much|even|any"
    r"|slightly|launched|built"
    r"|founded|released|published|opened|written)"
)
_AND = r"\s+(?P<a>.+?)\s+and\s+(?P<b>.+?)"

_ENGLISH: tuple[tuple[Comparison, str], ...] = (
    (
        "difference",
        rf"by how many (?P<unit>[a-z-]+) (?P<verb>{_AUXILIARY})\s+(?P<a>.+?)\s+(?P<order>{_LARGER}|{_SMALLER}) than\s+(?P<b>.+)",
    ),
    (
        "difference",
        (
            rf"by how many (?P<unit>{_UNITS}) (?P<verb>{_AUXILIARY})\s+(?P<a>.+?)\s+(?P<order>before|after|ahead of)\s+"
            r"(?P<b>(?!(?:that|this|it)\b).+)"
        ),
    ),
    (
        "difference",
        rf"(?:by )?how many (?P<unit>[a-z-]+) (?P<order>more|fewer|less) than\s+(?P<b>.+?)\s+(?P<verb>{_MODAL})\s+(?P<a>.+)",
    ),
    (
        "difference",
        (
            rf"how (?:many|much) (?P<unit>[^,?]*?\b{_UNITS}) (?P<order>after|before|later than|earlier than)\s+(?P<a>.+?)\s*"
            r"(?P<b>,?\s\b(?:did|does|do)\s.+)"
        ),
    ),
    (
        "difference",
        r"(?:by )?how many (?P<unit>[\w-]+) (?P<verb>is|are|was|were|lies?) (?P<a>.+?) (?P<order>above|below|over|under) (?P<b>.+)",
    ),
    (
        "difference",
        (
            rf"by how (?:much|many (?P<unit>\w+)) (?P<verb>{_AUXILIARY})\s+(?P<a>.+?)\s+"
            rf"(?:exceeds?|surpass(?:es)?|outnumbers?|outlasts?|outscores?|beats?|differs? from"
            rf"|(?P<order>{_LARGER}|{_SMALLER}) than)\s+(?P<b>.+)"
        ),
    ),
    (
        "difference",
        r"how much (?P<order>more|less) (?P<verb>does|do|did|is|was|may|can|must|will)\s+(?P<a>.+?)\s+than\s+(?P<b>.+)",
    ),
    ("difference", r"how (?:many|much) (?P<noun>(?:more|fewer|less)\s.+?)\s+than\s+(?P<b>.+)"),
    (
        "difference",
        (
            rf"how (?:many|much) (?P<unit>[\w\s]*?{_UNITS}) "
            rf"(?:lie|lies|lay|passed|pass|elapsed|elapse|(?:are|were|is|was) there|are|were) (?P<order>between){_AND}"
        ),
    ),
    (
        "difference",
        (
            rf"how (?:many|much) (?P<unit>[^,?]*?\b{_UNITS}) (?P<order>after|before|later than|earlier than)\s+(?P<a>.+)\s*"
            rf"(?P<b>,?\s\b{_AUXILIARY}\s.+)"
        ),
    ),
    (
        "difference",
        rf"how much (?P<order>\w+er|more \w+|less \w+) (?P<verb>{_AUXILIARY})\s+(?P<a>.+?)\s+than\s+(?P<b>.+)",
    ),
    (
        "difference",
        (
            rf"(?:by )?how many (?P<unit>[\w\s]*?{_UNITS}) (?P<order>\w+er|more \w+|less \w+) (?P<verb>{_AUXILIARY})"
            r"\s+(?P<a>.+?)\s+than\s+(?P<b>.+)"
        ),
    ),
    ("difference", rf"what is the difference (?:in (?P<noun>.+?) )?between{_AND}"),
    ("sum", rf"what (?:is|was) the (?:combined|total|joint) (?P<noun>[\w-]+) of{_AND}"),
    (
        "ratio",
        rf"how many times (?:as|more) (?P<order>\w+) (?P<verb>{_AUXILIARY})\s+(?P<a>.+?)\s+(?:as|than)\s+(?P<b>.+)",
    ),
    (
        "whether",
        rf"(?:do|did|are|were|have|is|was){_AND}\s+(?:\w+\s+)??(?P<same>the same|equal|identical)\s+(?P<noun>[\w -]+)",
    ),
    ("sum", rf"(?:what is|give|compute|find) (?:the )?(?:sum|total) of{_AND}"),
    (
        "sum",
        (
            rf"how (?:many|much) (?P<unit>.+?) (?P<verb>do|does|are|have|has){_AND}\s+(?:have\s+)?"
            r"(?:together|combined|in total|altogether)\b.*"
        ),
    ),
    ("sum", rf"what do (?:the )?(?P<noun>[\w -]+?)s? of{_AND}\s+(?:add up|come|amount) to"),
    (
        "compare",
        (
            rf"(?:which|who)(?: of (?:the|these)(?: two)? [\w -]+?| [\w -]+?)?, (?P<a>[^,]+?) or (?P<b>[^,]+?), "
            rf"(?P<noun>[^,]*\b{_RANKED}\b[^,]*)"
        ),
    ),
    ("compare", rf"(?:which|who|what) (?P<noun>.*?\b{_RANKED}\b[^,:]*)[,:]\s*(?P<a>.+?),?\s+or\s+(?P<b>.+)"),
    (
        "compare",
        (
            rf"(?:(?:(?P<at>in|on|at|for|from|to|with|by|under|of) )?(?:which|what)|where|whose|when)"
            rf" (?P<noun>[^,:]*?\b{_RANKED}\b[^,:]*)"
            r"[,:]\s*(?P<a>.+?),?\s+or\s+(?P<b>.+)"
        ),
    ),
    (
        "whether",
        (
            rf"{_AUXILIARY}\s+(?P<a>.+?)\s+(?P<noun>(?:{_BEFORE_RANK}\s){{0,3}}?(?:{_LARGER}"
            rf"|{_SMALLER})\b[^,:?]*?)\s+than\s+(?P<b>\D+)"
        ),
    ),
    (
        "compare",
        rf"(?:which|who) of{_AND}\s+(?P<noun>(?:is|are|was|were|has|have|had|came|appeared|began|started)\s.+)",
    ),
)
_BY_LANGUAGE: tuple[tuple[WordingLanguage | Literal["zh"], Sequence[tuple[str, str]]], ...] = (
    ("en", _ENGLISH),
    ("de", GERMAN),
    ("fr", FRENCH),
    ("es", SPANISH),
    ("zh", CHINESE),
)
_PATTERNS: tuple[tuple[WordingLanguage | Literal["zh"], Comparison, re.Pattern[str]], ...] = tuple(
    (language, cast("Comparison", comparison), lazy_re.compile(pattern, re.IGNORECASE))
    for language, patterns in _BY_LANGUAGE
    for comparison, pattern in patterns
)
_SOURCE_FIRST = lazy_re.compile(
    r"^(?:according to|in|on|per|(?:counted|measured|expressed|given) (?:in|by))\s(?!which\b|what\b)[^,?]*?,\s+(?P<rest>.+)$",
    re.IGNORECASE,
)
_PLACE_FIRST_ELSEWHERE = lazy_re.compile(
    r"^(?:au|aux|à|pour|sur|dans|selon|chez|en|según|bei|beim|im|laut|auf)\s[^,?]*?,\s+¿?(?P<rest>(?:(?:à|de|en|para|pour|in|bei) )?"
    r"(?:quel|lequel|laquelle|qu['’]|qui\b|où|combien|qué|cuál|quién|cu[aá]nt|welche|was\b|wer\b|wie\b).+)$",
    re.IGNORECASE,
)
_SOURCE_LAST = lazy_re.compile(r",?\s+according to\s+(?:(?!\bthan\b)[^?])+\??\s*$", re.IGNORECASE)
_ANNOUNCED = lazy_re.compile(r"[^:?]{10,}:\s+(?=how (?:many|much)\b)", re.IGNORECASE)
_ABOUT = lazy_re.compile(
    r"(?:roughly|about|approximately|around|exactly|some)\s+(?=(?:by )?how (?:many|much)\b)", re.IGNORECASE
)
_SAME_THING = lazy_re.compile(
    r"(?:that|those|the (?:\w+ )?ones?)\s+(?=(?:of|on|in|for|from|at|with|by|to)\b)", re.IGNORECASE
)
_FIRST_WORDS = lazy_re.compile(r".+?(?=\s(?:of|on|in|for|from|at|with|by|to|about|that|which|who)\b)", re.IGNORECASE)
_HAN = lazy_re.compile(r"[\u3400-\u9fff]")


class Quantities(NamedTuple):
    """Two quantities as questions of their own, and where in the original question each is mentioned."""

    comparison: Comparison
    texts: tuple[str, str]
    spans: tuple[tuple[int, int], tuple[int, int]]
    things: tuple[str, str] = ("", "")
    """The two things that are compared, as the question names them."""
    first_is: Literal["", "more", "less"] = ""
    """Whether the question takes it for granted that the first value is more, or later, than the second: "longer than" does."""


def find_quantities(question: str, blanked: str) -> Quantities | None:
    """The two quantities of a one-sentence comparison, None if the question is not one.

    `blanked` is the question with quoted text replaced by marks of the same length.
    """
    body = blanked.rstrip("?？。. ")
    source = _SOURCE_FIRST.match(body) or _PLACE_FIRST_ELSEWHERE.match(body)
    offset = source.start("rest") if source else 0
    if announced := _ANNOUNCED.match(body, offset):
        offset = announced.end()
    offset += len(body[offset:]) - len(body[offset:].lstrip("¿¡ "))
    if about := _ABOUT.match(body, offset):
        offset = about.end()
    tail = _SOURCE_LAST.search(body, offset)
    core = body[offset : tail.start() if tail and tail.start() > offset else len(body)]
    if (named := _named_amounts(question[offset : offset + len(core)], core, offset)) is not None:
        return named
    first = core[: added.start()] if (added := BESIDES.search(core)) is not None else core
    than = _more_than(question[offset : offset + len(core)], core, offset)
    for language, comparison, pattern in _PATTERNS:
        if match := pattern.fullmatch(first if comparison == "compare" else core):
            if than is not None and (
                "a" not in match.groupdict() or _COSTS.search(match.groupdict().get("order") or "")
            ):
                return than
            read = _Read(question, language, comparison, match, offset)
            return read.quantities(core[len(first) :])
    return than


def _named_amounts(core: str, blanked: str, offset: int) -> Quantities | None:
    """One quantity at two times, or two that are added up."""
    if (changed := changed_amount(core, blanked)) is not None:
        one, other = ((offset + start, offset + end) for start, end in changed.spans)
        return Quantities("difference", changed.texts, (one, other), changed.things, changed.first_is)
    if (added := amounts_added(core, blanked)) is not None:
        one, other = ((offset + start, offset + end) for start, end in added.spans)
        return Quantities("sum", added.texts, (one, other), added.things)
    return None


def _more_than(core: str, blanked: str, offset: int) -> Quantities | None:
    found = than_question(core, blanked)
    if found is None:
        return None
    than, match = found
    one, other = ((offset + match.start(name), offset + match.end(name)) for name in ("a", "b"))
    return Quantities("difference", than.texts, (one, other), than.things, _first_is(than.order))


class _Read(NamedTuple):
    """A question that a pattern matches from an offset on."""

    question: str
    language: WordingLanguage | Literal["zh"]
    comparison: Comparison
    match: re.Match[str]
    offset: int

    def quantities(self, added: str) -> Quantities:
        """The two quantities; `added`: what the question wants besides."""
        groups = self.match.groupdict()
        noun = self._said("noun")
        second = self._span("b")
        if "a" not in groups:
            other = self._said("b")
            asked = re.search(rf"\s{_AUXILIARY}\s+(?P<one>.+)", noun) if _SAME_THING.match(other) else None
            texts = how_many_pair(noun, _things(asked["one"], other)[1] if asked is not None else other)
            first_is: Literal["more", "less"] = "more" if noun.lower().startswith("more") else "less"
            spans = ((self.offset, second[0]), second)
            return Quantities(self.comparison, texts, spans, first_is=first_is)
        things = _things(self._said("a"), self._said("b"))
        if self.language == "zh":
            texts = self._in_chinese(things, noun)
        elif noun.lower().startswith("wie"):
            texts = (f"{noun} {things[0]}?", f"{noun} {things[1]}?")
        elif self._said("same"):
            texts = (same_question(noun, things[0]), same_question(noun, things[1]))
        elif self.comparison in ("compare", "whether"):
            texts = (self._choice(noun, added, things[0]), self._choice(noun, added, things[1]))
        else:
            texts = self._as_questions(things, noun)
        order = self._said("order") if self.comparison == "difference" else ""
        if not order and self.comparison == "difference" and _EXCEEDS.search(self.match[0]):
            order = "above"
        if order.lower() in _TURNED and self.match.start("a") < self.match.start("order"):
            order = _TURNED[order.lower()]
        return Quantities(self.comparison, texts, (self._span("a"), second), things, first_is=_first_is(order))

    def _span(self, group: str) -> tuple[int, int]:
        return self.offset + self.match.start(group), self.offset + self.match.end(group)

    def _said(self, group: str) -> str:
        return self.question[slice(*self._span(group))] if self.match.groupdict().get(group) else ""

    def _choice(self, noun: str, added: str, thing: str) -> str:
        if self.language in ("de", "fr", "es"):
            thing = one_of_kind(self.language, noun, thing)
            return moment_besides(self.language, added, thing) or european_choice(self.language, noun, thing)
        if self._is_of_place():
            return place_question(noun, self._said("at"), thing)
        is_bare = self.comparison == "whether" and re.match(rf"(?:{_LARGER}|{_SMALLER})\b", noun)
        return choice_question(f"is {noun}" if is_bare else noun, added, thing)

    def _is_of_place(self) -> bool:
        """Whether a place or a time is chosen: "In which season do they begin earlier"."""
        start = self.question[self.offset : self.offset + 6].lower()
        return self.comparison == "compare" and ("at" in self.match.groupdict() or start.startswith(("where", "when")))

    def _as_questions(self, things: tuple[str, str], noun: str) -> tuple[str, str]:
        unit, order, verb = self._said("unit"), self._said("order"), self._said("verb")
        if self.comparison == "difference" and not order and _LIE_APART.search(self.match[0]):
            order = "between"
        language = self.language if self.language != "zh" else "en"
        if noun and language == "en" and not re.fullmatch(rf"[\w\s]*{_UNITS}", noun):
            return same_question(noun, things[0]), same_question(noun, things[1])
        asked = Asked(language=language, unit=unit or noun, order=order, verb=verb)
        one, other = things
        if language == "es" and (own := _CUANTO.match(self.match[0])) is not None:
            one, other = (_CUANTOS.sub(f"¿{own[0].capitalize()}", quantity_question(asked, thing)) for thing in things)
            return one, other
        if language == "en" and _WAITS_FOR_VERB.fullmatch(verb):
            one, other = with_the_same_verb(one, other)
        return quantity_question(asked, one), quantity_question(asked, other)

    def _in_chinese(self, things: tuple[str, str], noun: str) -> tuple[str, str]:
        if self.comparison == "compare":
            one, other = _of_one_owner(*(thing.strip(" ,，") for thing in things))
            return _han_choice(one, noun), _han_choice(other, noun)
        one, other = (thing.strip(" ,，") for thing in (things[0], _with_same_thing(*things)))
        if self.comparison != "difference":
            return one, other
        if noun:
            return f"{one}{noun}？", f"{other}{noun}？"
        asked = _han_asked(self._said("order"), self._said("unit"))
        return f"{one}{asked}", f"{other}{asked}"


_CUANTO = lazy_re.compile(r"cu[aá]nt[oa]s?(?=\s)", re.IGNORECASE)
_CUANTOS = lazy_re.compile(r"^¿Cuántos\b")
"""In the question's own gender: "¿Cuántas páginas"."""
_EXCEEDS = lazy_re.compile(r"\b(?:exceed|surpass|outnumber|outlast|outscore|beat)(?:s|es)?\b", re.IGNORECASE)
_TURNED = {"before": "after", "ahead of": "after", "after": "before"}
"""Of "did A end before B" A is the earlier one, of "before A did B end" B is."""
_COSTS = lazy_re.compile(r"dearer|cheaper|costlier|more expensive", re.IGNORECASE)
_LIE_APART = lazy_re.compile(
    r"séparent|écoul|passent|passé|separan|median|mediaron|transcurr|pasan|pasaron", re.IGNORECASE
)
"""Verbs of what lies between two moments."""
_WAITS_FOR_VERB = lazy_re.compile(r"does|do|did|may|can|must|will", re.IGNORECASE)


def _things(one: str, other: str) -> tuple[str, str]:
    """The two things, each with what the other one names for both: "that of version 4" is the collection of version 4."""
    one, other = one.strip(" ,"), other.strip(" ,")
    if (again := _SAME_THING.match(other)) and (named := _FIRST_WORDS.match(one)):
        other = f"{named[0]} {other[again.end() :]}"
    elif again and (owner := _OWNER.match(one)):
        other = f"the {owner['thing']} {other[again.end() :]}"
    elif (again := _SAME_THING.match(one)) and (named := _FIRST_WORDS.match(other)):
        one = f"{named[0]} {one[again.end() :]}"
    elif (bare := _BARE_ORDINAL.fullmatch(one)) and (named := _AFTER_ORDINAL.match(other)):
        one = f"{bare[0]} {named['rest']}"
    elif (again := _SAME_ELSEWHERE.match(other)) and (named := _FIRST_ELSEWHERE.match(one)):
        other = f"{named[0]} {other[again.end() :]}"
    elif (place := _PLACE_FIRST.match(other)) and (same := re.search(rf"\s{re.escape(place['at'])}\s", one)):
        # "as a guard in 2019 than in 2020", "nach dem Kader der Profis ... als nach dem der U19"
        rest = other
        if (bare := _BARE_ARTICLE.match(other)) and (
            noun := re.match(r"\s*(?P<noun>\w+)", one[same.start() :].replace(bare["start"], "", 1))
        ):
            rest = f"{bare['start']} {noun['noun']} {bare['of']} {other[bare.end() :]}"
        other = f"{one[: same.start()]} {rest}"
    return one, other


_FIRST_MORE = lazy_re.compile(
    r"^(?:larger|greater|higher|longer|more|bigger|taller|heavier|wider|deeper|later|newer|dearer|costlier|stronger|older|before|above|over|mehr|größer|länger|höher|schwerer"
    r"|älter|teurer|breiter|später|vor|(?:de |en )?plus|supérieure?s?|avant|más|antes|多|晚|长|高|大|贵|重|之前|以前|前)$",
    re.IGNORECASE,
)
_FIRST_LESS = lazy_re.compile(
    r"^(?:smaller|lower|shorter|fewer|less|earlier|sooner|cheaper|lighter|younger|weaker|after|below|under|weniger|kleiner|kürzer|niedriger|leichter|jünger|billiger"
    r"|günstiger|früher|nach"
    r"|(?:de |en )?moins|inférieure?s?|après|menos|después|少|早|短|低|小|便宜|轻|之后|以后|后)$",
    re.IGNORECASE,
)


def _first_is(order: str) -> Literal["", "more", "less"]:
    """By the comparative: "how many years after A did B" takes A for the earlier one."""
    if _FIRST_MORE.match(order):
        return "more"
    return "less" if _FIRST_LESS.match(order) else ""


_SAME_ELSEWHERE = lazy_re.compile(
    r"(?:celui|celle|ceux|celles|el|la|los|las|l|der|die|das|dem|den)\s+(?=(?:de|del|du|des|d['’]|en|à|in|von|aus|bei|auf)\b)",
    re.IGNORECASE,
)
_FIRST_ELSEWHERE = lazy_re.compile(r".+?(?=\s(?:de|del|du|des|en|à|in|von|aus|bei|auf)\s|\sd['’])", re.IGNORECASE)
_PLACE_FIRST = lazy_re.compile(
    r"(?P<at>in|on|at|by|for|from|with|under|during|nach|laut|im|bei|auf|mit|dans|en|selon|según|con)\s", re.IGNORECASE
)
_OWNER = lazy_re.compile(r"(?:[^,]+?['’]s|[^,]+s['’])\s+(?P<thing>[\w -]+)$")
_BARE_ORDINAL = lazy_re.compile(
    r"the (?:first|second|third|fourth|last|cheapest|smallest|largest|old|new)", re.IGNORECASE
)
_AFTER_ORDINAL = lazy_re.compile(r"the \w+ (?P<rest>.+)", re.IGNORECASE)
_BARE_ARTICLE = lazy_re.compile(r"(?P<start>\w+ (?:dem|der|den|die|das))\s+(?P<of>der|des)\s", re.IGNORECASE)
_HAN_ONE_OF = r"哪(?:个|一个|所|位|门|家|场|届|次|款|种|者|篇|样|一?\w)|谁"
_HAN_WHEN = {"年": "是哪一年？", "天": "是哪一天？", "小时": "是几点？", "分钟": "是几点？"}
_HAN_TIME = lazy_re.compile(r"早|晚|相隔|间隔|隔|前|后|过了|相差|差")


def _han_choice(thing: str, noun: str) -> str:
    """What is asked of one of two things to choose from: of "哪个更早建成" 是什么时候建成的."""
    said = re.sub(rf"(?P<before>.*?)(?:{_HAN_ONE_OF})", r"\g<before>", noun).strip("？?，, ")
    if when := re.match(r"(?:是)?(?:更|比较|最)?(?:早|晚|先|新|旧|老)(?P<rest>.*)", said):
        return f"{thing}是什么时候{when['rest'].rstrip('的')}的？" if when["rest"] else f"{thing}是什么时候？"
    if size := re.match(r"(?:更|比较|最)(?P<rest>长|高|大|重|远|深|宽|久)", said):
        return f"{thing}有多{size['rest']}？"
    if when := re.match(r"(?P<said>.*?)得?(?:更|比较|最)?(?:早|晚|先)(?P<rest>.*)", said):
        return f"{thing}是什么时候{when['said']}{when['rest'].rstrip('的')}的？"
    bare = re.sub(r"得?(?:更|比较|最)?(?:多|少|长|短|高|低|大|小(?!时)|贵|便宜|难|强|快|慢)", "", said).rstrip("的")
    return f"{thing}{bare}是多少？"


def _han_asked(order: str, unit: str) -> str:
    """What is asked of each of two things in Chinese: 甲的人数 "是多少人？"."""
    if _HAN_TIME.search(order) and unit in (*_HAN_WHEN, "个月", "月"):
        return _HAN_WHEN.get(unit, "是哪个月？")
    return f"是多少{unit}？"


def _of_one_owner(one: str, other: str) -> tuple[str, str]:
    """Two Chinese things to choose from, each with what only the other one has: 甲校的泳馆和餐厅 are 甲校的泳馆 and
    甲校的餐厅, 甲校和乙校的课程 are 甲校的课程 and 乙校的课程."""
    if "的" in one and "的" not in other:
        return one, f"{one.rpartition('的')[0]}的{other}"
    if "的" in other and "的" not in one and _HAN.search(one[-1:]):
        return f"{one}的{other.rpartition('的')[2]}", other
    return one, other


def _with_same_thing(one: str, other: str) -> str:
    """A Chinese quantity with what is compared, which the second one leaves out: 甲的人数比乙多 compares
    甲的人数 and 乙的人数; 甲的初级会员比高级会员多
    compares 甲的高级会员."""
    last = re.split("[，,]", one)[-1]
    if not _HAN.search(one) or "的" not in last or "的" in other:
        return other
    owner, _, said = last.rpartition("的")
    if other.endswith(said[-2:]):
        return f"{owner}的{other}"
    return f"{other}的{said}"
