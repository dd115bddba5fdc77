"""Finds where a question says that its answer is: titles of pages, sections on them, and the documents that contain them.

Uses grammar alone: quotation marks, and nouns that name a place in a site ("the TH3 page", "the chapter on
memory", 「招生简章」, "X 页面").
"""

from __future__ import annotations

import re
from typing import Literal

import msgspec

from memory.words import lazy_re
from walker.strategies.question.place_words import (
    BOUNDARY,
    CONTAINER,
    GENERIC,
    PAGE,
    PART_OF_COMPOUND,
    SECTION,
    SELF_NAMED,
    TOPIC,
)

HintLevel = Literal["page", "container", "topic", "section", "literal"]


class Hint(msgspec.Struct, frozen=True, kw_only=True):
    """A name in a question, and what it names.

    `page`: a page; `container`: a manual or a part of the site; `topic`: a thing that has a page of its own, most
    likely; `section`: a place on a page; `literal`: something quoted that is none of these.
    """

    text: str
    level: HintLevel
    start: int
    """Offset in the question."""


_QUOTED = lazy_re.compile(
    r"(?<!\w)'(?P<a>\S(?:.*?\S)??)'(?!\w)|\"(?P<b>[^\"]+)\"|“(?P<c>[^”]+)”|(?<!\w)‘(?P<d>.+?)’(?!\w)"
    r"|《(?P<e>[^》]+)》|「(?P<f>[^」]+)」|『(?P<g>[^』]+)』|«(?P<h>[^»]+)»|`(?P<i>[^`]+)`"
)
_KINDS: tuple[tuple[HintLevel, str], ...] = (
    ("page", PAGE),
    ("container", CONTAINER),
    ("topic", TOPIC),
    ("section", SECTION),
)
_KIND = lazy_re.compile("|".join(rf"\b(?P<{level}>{words})\b(?!['’]s)" for level, words in _KINDS), re.IGNORECASE)
_ANY_KIND = "|".join(words for _, words in _KINDS)
_KIND_AFTER = lazy_re.compile(rf"\W{{0,2}}(?P<kind>{_ANY_KIND})\b", re.IGNORECASE)
_KIND_BEFORE = lazy_re.compile(
    rf"\b(?P<kind>{_ANY_KIND})(?:\s+(?:titled|called|named|entitled))?,?\s+(?:the\s+)?$", re.IGNORECASE
)
_UNDER = lazy_re.compile(r"\b(?:under|below|beneath)\s+(?:the\s+)?$", re.IGNORECASE)
_SOURCE_BEFORE = lazy_re.compile(
    r"\b(?:according to|per|in|on|from|of|see|and|than|by)\s+(?:the\s+)?(?:[\w-]+\s+)?$", re.IGNORECASE
)
_ABOUT = lazy_re.compile(
    r"\s+(?P<link>of|on|about|for|titled|called|named|entitled|describing|concerning|to)\s+(?P<rest>[^,;:?!()]+)",
    re.IGNORECASE,
)
_PHRASE_END = lazy_re.compile(
    r"\s(?:which|who|whom|what|that|how|is|are|was|were|does|do|did|has|have|had|says?|states?|shows?|gives?|names?|lists?"
    r"|as|when|where|in|on|and|than|did|cited|refers?|describes?|documents?|mentions?|quotes?|contains|holds|links?)\b.*",
    re.IGNORECASE | re.DOTALL,
)
_COUNTED = lazy_re.compile(r"\bhow (?:many|much)(?: more| fewer| other)?\s+(?:[\w-]+\s+){0,3}$", re.IGNORECASE)
_NESTED_KIND = lazy_re.compile(rf"^(?:{_ANY_KIND})$|\b(?:{_ANY_KIND})\s+(?:of|on|about|for)\s", re.IGNORECASE)
"""A phrase that contains another place, which is parsed separately."""
_LEADING_KIND = lazy_re.compile(rf"^(?:{_ANY_KIND})\s+(?:of|on|about|for)\s+(?:the\s+)?", re.IGNORECASE)
_HAN_NAMED = lazy_re.compile(
    r"(?P<name>[^，。？！、；：\s《》「」“”（）()的在从于]{2,16}?)(?:的)?(?P<kind>页面|网页|主页|栏目|专栏|版块|频道|介绍页|页|一章|章节|章|一节|部分|表格|列表|一栏)"
)
_HAN_SOURCE = lazy_re.compile(
    r"(?:根据|按照|依据|参照|据|见|在)(?P<name>[^，。？！；：《》「」“”]{2,20}?)(?:[，,]|的规定|的介绍|的说明|中的?|上的?|里的?)"
)
_HAN_SECTION = frozenset(("一节", "部分", "表格", "列表", "一栏"))
_HAN = lazy_re.compile(r"[\u3400-\u9fff]")
NAME_WORDS = 6
"""Most words of a name before "page" or "module"."""


def find_hints(question: str) -> tuple[Hint, ...]:
    """Names of places in the question, in its order; each text once a level."""
    found = [_quoted_hint(question, match) for match in _QUOTED.finditer(question)]
    masked = _QUOTED.sub(lambda match: "\x01" * len(match[0]), question)
    for match in _KIND.finditer(masked):
        found.extend(_around_kind(question, masked, match))
    if _HAN.search(question):
        found.extend(_chinese_hints(masked))
    unique: dict[tuple[str, HintLevel], Hint] = {}
    for hint in sorted(found, key=lambda hint: hint.start):
        if hint.text:
            unique.setdefault((hint.text.casefold(), hint.level), hint)
    return tuple(unique.values())


def quoted_spans(question: str) -> tuple[tuple[int, int], ...]:
    """Offsets of quoted texts, quotation marks included: they are not part of the question's grammar."""
    return tuple(match.span() for match in _QUOTED.finditer(question))


def _quoted_hint(question: str, match: re.Match[str]) -> Hint:
    text = next(group for group in match.groups() if group is not None).strip(" ,.")
    return Hint(text=text, level=_quoted_level(question, match, text), start=match.start())


def _quoted_level(question: str, match: re.Match[str], text: str) -> HintLevel:
    before, after = question[: match.start()], question[match.end() :]
    if match["e"] is not None:
        return "page"
    if (kind := _KIND_AFTER.match(after)) or (kind := _KIND_BEFORE.search(before)):
        return _level(kind["kind"])
    if _HAN.search(text):
        named = re.match(r"(?:页面|网页|栏目|专栏|频道|一章|章)", after)
        return "page" if named or re.search(r"(?:根据|按照|在|见)$", before) else "literal"
    if _UNDER.search(before):
        return "section"
    words = [word for word in re.findall(r"[^\W\d_][\w'’-]*", text) if len(word) > 3]
    titled = bool(words) and sum(word[0].isupper() for word in words) * 2 > len(words)
    if titled and (len(text.split()) > 1 or _SOURCE_BEFORE.search(before)):
        return "page"
    return "literal"


def _around_kind(question: str, masked: str, match: re.Match[str]) -> list[Hint]:
    level: HintLevel = next(level for level, _ in _KINDS if match[level])
    if match[0].isupper() and len(match[0]) > 3:
        return []  # CREATE TABLE is code
    if PART_OF_COMPOUND.match(masked, match.start()):
        return []
    if _COUNTED.search(masked[: match.start()]):
        return []  # "how many software packages": what is counted is not a place
    name, start = _name_before(masked, match.start())
    if match[0].lower() in SELF_NAMED:
        name = f"{name} {match[0]}".strip()
    elif level == "page" and re.match(r"\s+\x01", masked[match.end() :]):
        level = "container"  # the distutils chapter 'X': the name in front holds the page
    named = len(name) > 1 and not re.fullmatch(r"[\d\W]+", name)
    hints = [Hint(text=name, level=level, start=start)] if named else []
    about = _ABOUT.match(masked, match.end())
    if about and level == "topic" and match[0][0].isupper() and about["rest"][:1].isupper():
        whole = _PHRASE_END.sub("", f"{match[0]}{about[0]} ").strip(" \x01.")
        whole = re.sub(r"(?:\s+[a-z][\w-]*)+$", "", whole)
        return [Hint(text=f"{name} {whole}".strip(), level=level, start=start)]
    if about and level != "topic":
        phrase = _PHRASE_END.sub("", " " + about["rest"]).strip()
        phrase = re.sub(r"^(?:the|a|an)\s+", "", phrase, flags=re.IGNORECASE).strip("\x01 .")
        phrase = _bare_name(_LEADING_KIND.sub("", phrase))
        if phrase and "\x01" not in phrase and len(phrase.split()) <= 10 and not _NESTED_KIND.search(phrase):
            place = question.find(phrase, about.start("rest"))
            outer = bool(name) or "\x01" in masked[max(0, match.start() - 2) : match.start()]
            hints.append(Hint(text=phrase, level=_phrase_level(level, about["link"], named=outer), start=place))
    return hints


def _bare_name(phrase: str) -> str:
    """The name in "Python's crypt module" "crypt", as links have it."""
    owned = re.sub(r"^(?:[\w.-]+\s+){0,2}[\w.-]+['’]s\s+(?=\S)", "", phrase)
    return re.sub(rf"(?<=\S)\s+(?:{TOPIC})$", "", owned)


def _phrase_level(level: HintLevel, link: str, *, named: bool) -> HintLevel:
    """What the words after "page of" or "page about" name: the page itself, its topic, or its container."""
    if named:
        return "topic" if level == "page" and link in ("about", "on", "concerning", "describing") else "container"
    return "page" if level in ("page", "container") else "topic"


def _name_before(masked: str, end: int) -> tuple[str, int]:
    """The name in front of a noun of place, and its offset: words back to the nearest function word or mark."""
    start, words = end, 0
    for word in reversed(list(re.finditer(r"\S+", masked[:end]))):
        bare = word[0].strip("\"'“”‘’()")
        if (
            bare.lower() in BOUNDARY
            or words >= NAME_WORDS
            or "\x01" in bare
            or bare.endswith((",", ".", ";", ":", "?"))
        ):
            break
        if bare.lower().endswith(("'s", "’s", "s'")) and words:
            break
        start, words = word.start(), words + 1
    kept = masked[start:end].strip()
    while kept and kept.split()[0] in GENERIC:
        start = masked.index(kept, start) + len(kept.split()[0])
        kept = kept.partition(" ")[2].strip()
    return re.sub(r"['’]s$", "", kept), start


def _chinese_hints(masked: str) -> list[Hint]:
    hints: list[Hint] = []
    for match in _HAN_NAMED.finditer(masked):
        name = re.sub(r"^.*(?:根据|按照|依据|参照|在|从)", "", match["name"]).strip("\x01")
        level: HintLevel = "section" if match["kind"] in _HAN_SECTION else "page"
        if len(name) >= 2 and "\x01" not in name:
            hints.append(Hint(text=name, level=level, start=match.start("name")))
    hints.extend(
        Hint(
            text=re.sub(r"(?:的)?(?:页面|网页|主页|栏目|页)$", "", match["name"]),
            level="topic",
            start=match.start("name"),
        )
        for match in _HAN_SOURCE.finditer(masked)
        if "\x01" not in match["name"]
    )
    return hints


def _level(kind: str) -> HintLevel:
    match = _KIND.match(kind)
    return next((level for level, _ in _KINDS if match and match[level]), "page")
