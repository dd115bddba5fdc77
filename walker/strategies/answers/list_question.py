"""What a counting question says about the list that it means: the noun, its constraints, and where the list stands."""

from __future__ import annotations

import re

import msgspec

from memory.counting.counting_english import plural_head
from memory.words import lazy_re, tokens
from walker.strategies.question.question import Part

_SAME_KIND = (
    ("people", "persons", "person", "staff", "members", "team", "employees", "personnel", "colleagues", "crew"),
    ("professors", "faculty"),
    ("papers", "publications", "articles"),
    ("talks", "presentations", "lectures"),
    ("photos", "photographs", "pictures", "images"),
    ("options", "flags", "switches"),
    ("functions", "routines"),
    ("arguments", "parameters"),
    ("labs", "laboratories"),
    ("questions", "faq", "faqs"),
    ("centers", "centres"),
)
_HAN_KIND = (
    ("人", "成员", "人员", "团队", "员工"),
    ("教授", "教师", "师资"),
    ("论文", "文章", "发表"),
    ("研究室", "实验室"),
)
"""Nouns that pages use for one another in headings."""
_GENERIC = frozenset(
    word
    for noun in (
        "items entries things names titles examples strings values elements points facts results rows lines words terms types kinds"
        " categories ones objects reasons tips steps rules conditions features topics advantages benefits"
    ).split()
    for word in tokens(noun)
)
"""Nouns that say little of what an entry is."""
PART_NOUNS = frozenset(
    word
    for noun in "sections chapters parts topics questions headings subsections sub-sections entries steps reasons tips items".split()
    for word in tokens(noun)
) | frozenset(("章节", "部分", "问题", "小节", "主题", "章", "节"))
"""Nouns for which a table of contents may be meant."""
_ASKING = frozenset(
    word
    for noun in (
        "name list give state tell show find identify mention describe document provide enumerate count many much"
        " number total altogether page section chapter table list site website web according listed described documented named shown"
        " mentioned contain contained include included appear one two three four five six seven eight nine ten different distinct"
        " belong exist take place work available following currently every each all any least same count counts once please say says"
    ).split()
    for word in tokens(noun)
)
"""Words that phrase a counting question."""
_NOT_A_PLACE = frozenset(
    word
    for noun in "example list table section listing page article sample code entry".split()
    for word in tokens(noun)
)
_SPECIFIC = lazy_re.compile(
    r"(?<![.?!]\s)(?<!^)\b[A-Z][\w'’&-]*(?:\s+(?:(?:of|the|and|for)\s+)?(?:[A-Z][\w'’&-]*|\d{4}\b))*|\b\d{4}\b|\b\d+\.\d+\S*\b|[\"“'‘][^\"”'’]{2,40}[\"”'’]",
    re.MULTILINE,
)
_WHO = lazy_re.compile(
    r"^\W*(?:[\w'’-]+\s+){0,2}?(?:who|whom|wer|wem|wen|qui|qui[ée]n(?:es)?)\b|[.;,]\s*who\b|谁|哪[几些]?位|几位",
    re.IGNORECASE,
)
_WHEN = lazy_re.compile(
    r"^\W*(?:when|wann|quand|cuándo)\b|\b(?:which|what|how many|name \w+|give \w+|welche[nrms]?|wie viele|quelles|combien d['’e]\s?"
    r"|qué|cuánt[oa]s|nenne \w+)\s?(?:years?|seasons?|dates?|days?|jahren?|saisons?|tagen?|années?|jours?|años?|días?|fechas?)\b"
    r"|何时|什么时候|哪[几些]?[年天]",
    re.IGNORECASE,
)
_FORMER = lazy_re.compile(r"\b(?:former|past|previous)\b", re.IGNORECASE)
"""What is said of those who are listed as alumni."""
SHORT_NOUN = 4
_QUOTES = "\"'“”‘’「」『』《》"
_HAN = lazy_re.compile(r"[\u3400-\u9fff]")


class AskedList(msgspec.Struct, frozen=True, kw_only=True):
    """The list that a question counts or names entries of, as stems of words."""

    stems: frozenset[str]
    """Stems of the counted noun's last word."""
    plurals: tuple[str, ...] = ()
    """The noun as the question writes it, lower case, and nouns that pages use for it."""
    singulars: tuple[str, ...] = ()
    """Their other forms."""
    modifiers: frozenset[str] = frozenset()
    """What stands before the noun: "gold" of "gold sponsors"."""
    constraint: frozenset[str] = frozenset()
    """Other words of the question that narrow the list down."""
    specific: frozenset[str] = frozenset()
    """Of these the names and numbers."""
    sections: tuple[str, ...] = ()
    """Sections that the question names; the list stands in one of them."""
    maybe_sections: tuple[str, ...] = ()
    """Phrases that may name a section, and may as well be no place."""
    names: tuple[str, ...] = ()
    """Names in the question that are no page; a section may be titled with one."""
    is_placed: bool = False
    """The question names the page."""
    is_generic: bool = False
    """The noun fits entries of any list."""
    is_exhaustive: bool = False
    target: int = 0
    in_code: bool = False
    """The question counts something in an example or a listing."""
    asks_person: bool = False
    """The question asks who."""
    asks_time: bool = False
    """The question asks when, or for years, seasons, dates or days."""
    told: frozenset[str] = frozenset()
    """Stems of all words of the question but the noun itself, those that phrase it, and the site's name; of Chinese the pairs too."""

    @property
    def words(self) -> frozenset[str]:
        """Stems of all that the question says about the list."""
        places = " ".join((*self.sections, *self.maybe_sections, *self.names))
        return self.stems | self.modifiers | self.constraint | self.specific | self.told | frozenset(tokens(places))


def read_asked_list(part: Part, noun: str, target: int, site: frozenset[str] = frozenset()) -> AskedList:
    """What the part of a question says about the list of `noun`; `target` is 0 for a whole list, `site` are the words of the site's
    name, which narrow nothing down on it."""
    noun = plural_head(noun)
    last = noun.rsplit(maxsplit=1)[-1].lower() if noun.split() else ""
    if of := re.match(r"(?:[\w-]+\s+)*?(?:types|kinds|sorts|forms|categories)\s+of\s+(.+)", noun, re.IGNORECASE):
        last = of[1].rsplit(maxsplit=1)[-1].lower()
    last = last[-2:] if _HAN.search(last) else last
    head = frozenset(tokens(last))
    plurals = (*_with_kin(last), *(("alumni",) if _FORMER.search(noun) else ()))
    whole = frozenset(tokens(noun))
    places = (*part.page_hints, *part.section_hints, *part.containers)
    placed = frozenset(word for place in places for word in tokens(place))
    strict = tuple(hint for hint in part.section_hints if _is_strict(hint, part.text))
    words = frozenset(tokens(part.text)) - whole - placed - _ASKING - _NOT_A_PLACE - site - {str(target)}
    # A name of which a part is the site's own ("FOSSASIA Summit" on the site of FOSSASIA) is another name of the site.
    names = tuple(
        name for match in _SPECIFIC.finditer(part.text) if not site & frozenset(tokens(name := match[0].strip(_QUOTES)))
    )
    specific = frozenset(word for name in names for word in tokens(name))
    return AskedList(
        stems=head,
        plurals=plurals,
        singulars=tuple(form for plural in plurals for form in _singulars(plural)),
        modifiers=whole - head - site - _ASKING if not _HAN.search(last) else frozenset(),
        constraint=frozenset(word for word in words if not _HAN.search(word)),
        specific=frozenset(word for word in specific & words if not _HAN.search(word)),
        sections=strict,
        names=tuple(name for name in names if frozenset(tokens(name)) & words),
        maybe_sections=tuple(
            hint for hint in part.section_hints if hint not in strict and not frozenset(tokens(hint)) <= _NOT_A_PLACE
        ),
        is_placed=bool(part.page_hints),
        is_generic=bool(head & _GENERIC),
        is_exhaustive=not target,
        target=target,
        in_code=re.search(r"\b(?:example|listing|snippet|code|sample|transcript|session)\b|示例|例子|代码", part.text)
        is not None,
        asks_person=_WHO.search(part.text) is not None,
        asks_time=_WHEN.search(part.text) is not None,
        told=frozenset(tokens(part.text)) - head - _ASKING - _NOT_A_PLACE - site,
    )


def _is_strict(hint: str, question: str) -> bool:
    """Whether the hint surely names a section: it is quoted, or written as a title."""
    place = question.find(hint)
    quoted = place > 0 and question[place - 1] in _QUOTES
    return quoted or (hint[:1].isupper() and len(hint.split()) > 1)


def _with_kin(noun: str) -> tuple[str, ...]:
    kin = [other for group in _SAME_KIND if noun in group for other in group]
    kin += [other for group in _HAN_KIND if noun.endswith(group) for other in group]
    return tuple(dict.fromkeys((noun, *kin))) if noun else ()


def _singulars(plural: str) -> tuple[str, ...]:
    """The forms that the other number of a noun may have, in English and its neighbours; () for other scripts."""
    if _HAN.search(plural) or len(plural) < SHORT_NOUN:
        return ()
    forms = []
    if plural.endswith("ies"):
        forms.append(plural.removesuffix("ies") + "y")
    if plural.endswith("es") and len(plural) > SHORT_NOUN + 1:
        forms.append(plural.removesuffix("es"))
    if plural.endswith("s") and not plural.endswith("ss"):
        forms.append(plural.removesuffix("s"))
    if plural[-1] in "nrei" and len(plural) > SHORT_NOUN + 2:
        forms += [plural[:-1], plural[:-2]]
    return tuple(forms)
