"""How surely a list is the one that a question means: by the words beside it, by the kind of its entries, and by its place.

A list for which nothing speaks but its length has fit 0. Measured on the shared documentation sites and on the building sites.
"""

from __future__ import annotations

import re

import msgspec

from memory.words import lazy_re, tokens
from perception.observation import Observation, Record, RecordSet
from walker.strategies.answers.entry_names import entry_name
from walker.strategies.answers.list_question import PART_NOUNS, AskedList
from walker.strategies.question.name_match import match_title

SECTION_MATCH = 0.72
"""Match of a heading with the section that the question names, 0..1, from which the section is found."""
SAME_TITLE = 0.95
"""The same for a name in the question that need not be a section's."""
NOUN_WEIGHT, CONSTRAINT_WEIGHT, PLACE_WEIGHT, FORM_WEIGHT = 0.45, 0.2, 0.25, 0.1
NO_CONSTRAINT = 0.6
"""Fit of the constraint where the question has none."""
DOUBTFUL = 0.55
"""Most fit of a list of which something speaks against it."""
SAYS_SO = 0.7
"""Fit of the noun from which the entries or the words beside them name it."""
AGREEMENT = 0.1
"""Added where the words beside the list and the entries themselves agree."""
LEAD_IN_CHARS = 220
NAME_WORDS = 6
"""Most words of an entry's name that says what it is; longer ones are sentences."""
KIND_CHARS = 40
"""Characters of an entry in which it says what it is: "exception TimeoutError"."""
LOOKED_AT = 40
"""Entries whose words are weighed."""
_CONTENTS = lazy_re.compile(
    r"^\W*(?:(?:table of )?contents?|toc|on this page|in this (?:article|chapter|section|page)|navigation|menu|see also"
    r"|related(?: \w+)?|external links|quick links|breadcrumbs?|site ?map|share|tags?|archives?|inhalt(?:sverzeichnis)?|sommaire"
    r"|table des matières|índice|sumário|indice|目录|目次|导航|本页内容|相关链接|友情链接)\W*$",
    re.IGNORECASE,
)
_TEASER = lazy_re.compile(
    r"\b(?:latest|recent|recently|upcoming|featured|popular|highlights?|selected|trending|neueste|aktuelle|últim[ao]s|recientes)\b"
    r"|最新|近期|精选|推荐|热门",
    re.IGNORECASE,
)
_IDENTIFIER_NOUNS = frozenset(
    word
    for noun in (
        "functions methods constants macros modules commands options classes exceptions variables attributes parameters types strings"
        " keywords pragmas opcodes statements fields columns flags"
    ).split()
    for word in tokens(noun)
)
PERSON_NOUNS = frozenset(
    word
    for noun in (
        "people persons professors lecturers researchers members authors speakers students staff faculty employees fellows postdocs"
        " scientists teachers editors organizers organisers chairs directors developers contributors alumni players trainers coaches"
        " chairmen presidents secretaries treasurers winners champions laureates recipients volunteers undergraduates"
        " mitglieder personen leute trainerinnen spieler spielerinnen referenten referentinnen autoren autorinnen"
        " vorsitzende gewinner sieger preisträger helfer lehrer forscher vortragende studierende"
        " personnes membres intervenants intervenantes orateurs auteurs entraîneurs joueurs joueuses présidents gagnants lauréats"
        " bénévoles chercheurs chercheuses enseignants personnalités"
        " personas miembros ponentes autores autoras entrenadores entrenadoras jugadores jugadoras presidentes ganadores ganadoras"
        " premiados voluntarios investigadores investigadoras profesores profesoras socios"
    ).split()
    for word in tokens(noun)
) | frozenset(
    word[-2:]
    for word in "教授 讲师 成员 人员 研究员 老师 教师 博士 院士 嘉宾 讲者 作者 演讲者 志愿者 主席 获奖者 学生 教练 球员 开发者".split()
)
_PERSON = lazy_re.compile(
    r"(?:(?:prof|dr|mr|mrs|ms)\b\.?\s*)*(?:[A-ZÀ-Þ][\w'’.-]*)(?:\s+(?:(?:de|da|dos|do|van|von|der|den|la|le|bin|al)\s+)?[A-ZÀ-Þ][\w'’.-]*){1,4}(?:,.*)?"
    r"|[\u4e00-\u9fff]{2,4}(?:教授|副教授|讲师|研究员|老师|博士)?",
)
_IDENTIFIER = lazy_re.compile(r"[\w.:-]+(?:\(.*\))?")
_QUESTION_NOUNS = frozenset(tokens("questions faq fragen preguntas domande 问题"))
_NUMBER_WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split()
_STATED = lazy_re.compile(rf"\b(\d{{1,4}}|{'|'.join(_NUMBER_WORDS[2:])})\b", re.IGNORECASE)
_HAN = lazy_re.compile(r"[\u3400-\u9fff]")


class _Words(msgspec.Struct, frozen=True, kw_only=True):
    """The words beside a list, as stems."""

    lead_in: str
    heading: str
    close: frozenset[str]
    wide: frozenset[str]
    entries: tuple[frozenset[str], ...]


def fit_of(records: RecordSet, observation: Observation, asked: AskedList) -> float:
    """0..1: how surely these are the things that the question counts; 0 for navigation, contents, and what fits in nothing."""
    if records.region in ("nav", "footer", "header") or len(records.records) < 2:
        return 0.0
    words = _words(records, observation)
    if not asked.stems & PART_NOUNS and (_is_contents(records, words) or _are_groups(records, observation, asked)):
        return 0.0
    place = _place(records, asked, words)
    if place <= 0:
        return 0.0
    named, kind = _noun(records, observation, asked, words), _kind(records, asked)
    noun = max(named, kind) + AGREEMENT * bool(named and kind)
    in_place = place >= 1
    if noun <= 0 and not in_place:
        return 0.0
    if named <= 0 and kind < SAYS_SO and not (in_place or asked.is_placed or _is_about(asked, words)):
        return 0.0  # persons or identifiers, and nothing says which
    if not in_place and noun < SAYS_SO and (_is_link_list(records) or _is_made_of_headings(records, observation)):
        return 0.0
    fit = NOUN_WEIGHT * min(1.0, noun) + PLACE_WEIGHT * place + FORM_WEIGHT * _form(records, asked)
    fit += CONSTRAINT_WEIGHT * _constraint(asked, words)
    most = _most(records, asked, words)
    if noun < SAYS_SO and not (in_place or asked.is_placed):
        most = DOUBTFUL  # only the page's title or a heading further up has the noun
    return round(max(0.0, min(most, fit)), 4)


def list_traits(
    records: RecordSet, observation: Observation, asked: AskedList
) -> tuple[float, float, float, bool, bool, bool]:
    """How surely the words beside a list, and its entries, are of the counted noun, 0..1; its place; whether it is a table of
    contents, only links, made of the page's headings."""
    words = _words(records, observation)
    return (
        _noun(records, observation, asked, words),
        _kind(records, asked),
        _place(records, asked, words),
        _is_contents(records, words),
        _is_link_list(records),
        _is_made_of_headings(records, observation),
    )


def words_beside(records: RecordSet, observation: Observation) -> frozenset[str]:
    """Stems of the words that hold for the list as a whole: its lead-in, headings and columns, and the page's title and address."""
    return _words(records, observation).wide


def _words(records: RecordSet, observation: Observation) -> _Words:
    lead_in = _last_sentence(records.caption)
    heading = records.headings[-1] if records.headings else ""
    close = frozenset(tokens(f"{lead_in} {heading} {' '.join(records.columns)}"))
    path = observation.url.partition("://")[2].partition("/")[2]
    wide = close | frozenset(
        tokens(f"{' '.join(records.headings)} {observation.title} {re.sub(r'[^a-zA-Z0-9]+', ' ', path)}")
    )
    entries = tuple(frozenset(tokens(record.text[:300])) for record in records.records[:LOOKED_AT])
    return _Words(lead_in=lead_in, heading=heading, close=close, wide=wide, entries=entries)


def _last_sentence(text: str) -> str:
    """The sentence that introduces a list: the last one of the text before it."""
    return re.split(r"(?<=[.!?。！？])\s+|(?<=[。！？])", text.strip())[-1][-LEAD_IN_CHARS:] if text else ""


def _noun(records: RecordSet, observation: Observation, asked: AskedList, words: _Words) -> float:
    """How surely the words beside the list name the counted noun, 0..1."""
    seen = [
        _named_in(words.heading, asked, 1.0, 0.7),
        _named_in(words.lead_in, asked, 1.0 if _introduces(words.lead_in) else 0.7, 0.6),
        max((_named_in(column, asked, 1.0, 1.0) for column in records.columns[:1]), default=0.0),
        max((_named_in(column, asked, 0.5, 0.5) for column in records.columns[1:]), default=0.0),
        _named_in(" ".join(records.headings[:-1]), asked, 0.6, 0.5),
        _named_in(observation.title, asked, 0.6, 0.5),
        0.5 * asked.is_generic,
    ]
    return max(seen) * (0.6 + 0.4 * _share_held(asked.modifiers, words) if asked.modifiers else 1.0)


def _named_in(text: str, asked: AskedList, plural: float, singular: float) -> float:
    """`plural` if the text has the noun as the question writes it, `singular` if only in its other form, else 0."""
    if not text:
        return 0.0
    if _has(text, asked.plurals):
        return plural
    return singular if _has(text, asked.singulars) else 0.0


def _has(text: str, nouns: tuple[str, ...]) -> bool:
    low = text.lower()
    return any(
        noun in low and (_HAN.search(noun) or re.search(rf"(?<!\w){re.escape(noun)}(?!\w)", low)) for noun in nouns
    )


def _introduces(sentence: str) -> bool:
    return (
        len(sentence) < 80
        or re.search(r"[:：]\s*$|\b(?:following|below|include|these|are)\b|如下|以下|包括", sentence) is not None
    )


def _kind(records: RecordSet, asked: AskedList) -> float:
    """Whether the entries themselves say that they are of the asked kind."""
    names = [entry_name(record, records.kind) for record in records.records[:LOOKED_AT]]
    nouns = (*asked.plurals, *asked.singulars)
    named = sum(_has(name, nouns) for name in names if len(name.split()) <= NAME_WORDS) / len(names)
    said = sum(_has(record.text[:KIND_CHARS], nouns) for record in records.records[:LOOKED_AT]) / len(names)
    if asked.stems & _QUESTION_NOUNS:
        named = max(named, sum(name.rstrip().endswith(("?", "？")) for name in names) / len(names))
    if named >= 0.5:
        return 0.9
    if said >= 0.8:
        return SAYS_SO
    if asked.stems & PERSON_NOUNS and sum(_PERSON.fullmatch(name) is not None for name in names) >= 0.8 * len(names):
        return 0.6
    if asked.stems & _IDENTIFIER_NOUNS and _identifiers(names) >= 0.8:
        return 0.5
    return SAYS_SO if asked.stems & PART_NOUNS and records.kind == "repeated" else 0.0


def _identifiers(names: list[str]) -> float:
    return sum(_IDENTIFIER.fullmatch(name) is not None for name in names) / len(names) if names else 0.0


def _holds(word: str, words: _Words) -> float:
    """How surely a word is true of the list: it stands beside it, above it, or in most of its entries."""
    if word in words.close:
        return 1.0
    if word in words.wide:
        return 0.8
    share = sum(word in entry for entry in words.entries) / len(words.entries) if words.entries else 0.0
    return 0.8 if share >= 0.5 else 0.3 * (share > 0)


def _share_held(wanted: frozenset[str], words: _Words) -> float:
    return sum(_holds(word, words) for word in wanted) / len(wanted) if wanted else 0.0


def _constraint(asked: AskedList, words: _Words) -> float:
    """How well the rest of the question holds; names that only some entries have single these out (`narrowed`)."""
    if not asked.constraint:
        return NO_CONSTRAINT
    told = [1.0 if word in asked.specific and _holds(word, words) else _holds(word, words) for word in asked.constraint]
    return sum(told) / len(told)


def _is_about(asked: AskedList, words: _Words) -> bool:
    """Whether the words beside the list hold half of what narrows it down."""
    return bool(asked.constraint) and 2 * len(asked.constraint & words.close) >= len(asked.constraint)


def _place(records: RecordSet, asked: AskedList, words: _Words) -> float:
    """1 in the section that is named, 0 outside it; less where the question names only a page, or nothing."""
    if _in_section(asked.names, records.headings[1:], SAME_TITLE):
        return 1.0
    places = (*records.headings, words.lead_in) if asked.sections or asked.maybe_sections else ()
    if asked.sections:
        return 1.0 if _in_section(asked.sections, places) else 0.0
    if asked.maybe_sections:
        return 1.0 if _in_section(asked.maybe_sections, places) else 0.3
    return 0.8 if asked.is_placed else 0.4


def _in_section(sections: tuple[str, ...], places: tuple[str, ...], least: float = SECTION_MATCH) -> bool:
    nothing: frozenset[str] = frozenset()
    return any(match_title(place, section, nothing) >= least for section in sections for place in places)


def _form(records: RecordSet, asked: AskedList) -> float:
    """What the shape of the list says: a lead-in that states its length, enough entries, names of the right form."""
    if states_length(records):
        return 1.0
    names = [entry_name(record, records.kind) for record in records.records[:LOOKED_AT]]
    shape = _identifiers(names) if asked.stems & _IDENTIFIER_NOUNS else 0.5
    return 0.7 * shape + 0.3 * min(1.0, len(records.records) / 10)


def _most(records: RecordSet, asked: AskedList, words: _Words) -> float:
    """The greatest fit that what speaks against the list allows."""
    most = 1.0
    if records.nested and not _has(words.lead_in, (*asked.plurals, *asked.singulars)):
        most = DOUBTFUL
    if records.region == "aside" or (asked.in_code and records.id):
        most = DOUBTFUL
    if asked.is_exhaustive and _TEASER.search(f"{words.heading} {words.lead_in}") and not asked.sections:
        most = DOUBTFUL
    if not asked.sections and (_lacks(asked.specific, words) or _lacks(asked.modifiers, words)):
        most = DOUBTFUL
    if asked.constraint and not (asked.is_placed or asked.sections) and _constraint(asked, words) < 0.3:
        most = DOUBTFUL
    if asked.target > len(records.records) and not asked.is_placed:
        most = min(most, DOUBTFUL)
    return most


def _lacks(wanted: frozenset[str], words: _Words) -> bool:
    return any(not _holds(word, words) for word in wanted)


def _is_contents(records: RecordSet, words: _Words) -> bool:
    """Whether the entries are the parts of one page: links to places within it, or a list that says so."""
    if _CONTENTS.match(words.heading) or _CONTENTS.match(words.lead_in):
        return True
    urls = [record.url for record in records.records if record.url]
    within = len(urls) == len(records.records) and all("#" in url for url in urls)
    return within and len({url.partition("#")[0] for url in urls}) == 1 and _is_link_list(records)


def _is_made_of_headings(records: RecordSet, observation: Observation) -> bool:
    titles = {block.text for block in observation.blocks if block.kind == "heading"}
    return records.kind == "repeated" and all(record.name in titles for record in records.records)


def _are_groups(records: RecordSet, observation: Observation, asked: AskedList) -> bool:
    """Whether the entries are headings that name many of what is counted ("Papers of 2024"), with lists of these below."""
    if not _is_made_of_headings(records, observation):
        return False
    filled = {one.headings[-1] for one in observation.record_sets if one.headings and one.id != records.id}
    many = tuple(noun for noun in asked.plurals if noun not in asked.singulars)
    return all(record.name in filled and _has(record.name, many) for record in records.records)


def _is_link_list(records: RecordSet) -> bool:
    """Whether the entries are links and nothing else."""
    return all(record.url and len(record.text) <= len(record.name) + 3 for record in records.records)


def states_length(records: RecordSet) -> bool:
    """Whether the sentence that introduces the list states the right number of entries."""
    for match in _STATED.finditer(records.caption):
        text = match.group(1).lower()
        if (int(text) if text.isdigit() else _NUMBER_WORDS.index(text)) == len(records.records):
            return True
    return False


def narrowed(records: tuple[Record, ...], asked: AskedList, beside: frozenset[str]) -> tuple[Record, ...]:
    """The records of which the names and numbers of the question are true; all of them where these hold for the whole list.

    "How many of the talks are in French" means the rows that say so. A name that no record has singles none out.
    """
    held = [frozenset(tokens(record.text)) for record in records]
    open_words = (asked.specific - beside).intersection(*[frozenset[str]().union(*held)])
    kept = tuple(record for record, words in zip(records, held, strict=True) if open_words <= words)
    return kept or records
