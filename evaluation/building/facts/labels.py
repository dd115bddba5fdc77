"""Facts after a label: definition lists, lines "label: value", dated entries, defaults of options, terms by their description."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

from evaluation.building.facts.dates import dates_in
from evaluation.building.facts.fact import Dated, Default, Described, Given, Meaning
from evaluation.building.facts.lines import MOST_QUOTE_CHARS, folded, headings_of, is_answer, is_name, quote_of
from evaluation.building.tree import HarvestedPage
from evaluation.grading.match import says
from evaluation.metrics.rates import plain
from perception.observation import Record

_LINE = re.compile(r"^([^\W\d_][^:：|{}=<>\"“”\n,，;；@。]{1,38}?)\s?(?<!\d)(?:[:：](?!\d\d\b))\s?(\S[^\n]{0,59})$")
_NO_LABEL = re.compile(
    r"^(?:note|notes|tip|warning|caution|important|examples?(?:\s?\d+)?|e\.g|i\.e|see also|usage|synopsis|hint|q|a|fig\w*|table|"
    r"http\w*|hinweis|"
    r"achtung|beispiele?(?:\s?\d+)?|remarque|exemple[s]?(?:\s?\d+)?|attention|注意|例如|提示|比如|示例\s?\d*|例子?\s?\d*)$",
    re.IGNORECASE,
)
_CODE = re.compile(r"[{}();$\\]|=[>]|\bhttps?$|^\s*[-/#]")
_DEFAULT = re.compile(
    r"(?:(?<=^)|(?<=[.)] ))(?:The )?[Dd]efault(?: value)?(?:  is| is|:| =) (?:\"|“)?"
    r"(?P<value>\d[\d.,]*\d?(?: (?:seconds?|minutes?|hours?|days?|bytes?|jobs?|nodes?|[KMG]i?B|megabytes|milliseconds|per ?cent|%))?"
    r"|[A-Z][A-Z0-9_]{2,30}|(?:yes|no|on|off|true|false|none|Yes|No)\b)(?:\"|”)?(?=[.;,)]|\s*$| \()"
)
_OPTION = re.compile(r"^-{0,2}\w[\w-]+(?:=(?!yes$|no$)\S*)?$", re.IGNORECASE)
_ELSEWHERE = re.compile(r"^(?:same|only|see|as|deprecated|default|added|optional|like|not)\b", re.IGNORECASE)
_DASH = re.compile(r"^(?P<term>\S[^.:：]{0,50}?)\s?(?: - | – | — )(?P<said>\S.{35,300})$")
_SENTENCE_END = re.compile(r"(?<=[a-zà-ÿ)\]”\"])\. (?=[A-ZÀ-Þ])|(?<=。)")
_WORDS = re.compile(r"\w{3,}")
_NAMED = re.compile(r"(?<!\w)([a-zà-ÿ]+)(?: [A-ZÀ-Þ][\w.-]+){2,3}$")
_BEFORE_NAMES = frozenset(
    "a an the this by of in for from to with at on and or as via using called named under within is are"
    " der die das dem den des ein eine"
    " einer von vom im in am an auf für mit und oder bei zum zur le la les un une de du des en et ou par pour sur dans avec".split()
)
BESIDE_CHARS = 12
"""Characters beside an entry and its date: a place, the minutes that reading takes."""
FEWEST_MEANING_WORDS = 4
"""Words of a definition that explains its term; fewer give a value."""
MOST_LABELLED_WORDS = 6
MOST_LABEL_WORDS = 5
"""Words of a term that is a label; more are a title, with its author beside it."""
FEWEST_SMALL = 1 / 3
"""Share of the words of a description that begin with a small letter; fewer are names and titles ("Shi-Qing Xin, Ying He"). Of German
sentences, which have the most capitals, it is about half."""
FEWEST_CHARS, MOST_CHARS = 40, 170
"""Length of a description that a term is asked by."""


def label_facts(page: HarvestedPage) -> Iterator[Given | Dated | Default | Described | Meaning]:
    """The labelled facts of a page."""
    yield from _lines(page)
    heads = set(headings_of(page))
    labels = {way.label for way in page.ways}
    terms = _ambiguous_terms(page)
    for records in page.record_sets:
        for record in records.records:
            if records.kind == "definitions":
                for field in record.fields:
                    if plain(field.name) not in heads | terms:
                        yield from _defined(page, field.name, field.value)
            elif records.kind == "list" and (match := _DASH.match(record.text)) and not _begins(match["term"], labels):
                yield from _explained(page, match["term"], match["said"])
            if records.kind in ("list", "repeated"):
                yield from _dated(page, record)


def _begins(term: str, labels: Iterable[str]) -> bool:
    """Whether a term is only the beginning of a link's label: of a title, in which a dash explains nothing."""
    return any(label.startswith(term) and len(label) > len(term) + 1 for label in labels)


def _ambiguous_terms(page: HarvestedPage) -> frozenset[str]:
    """Terms that the page defines in several ways, in this list or in another."""
    said: dict[str, set[str]] = defaultdict(set)
    for records in page.record_sets:
        if records.kind == "definitions":
            for record in records.records:
                for field in record.fields:
                    said[plain(field.name)].add(plain(field.value))
    return frozenset(term for term, definitions in said.items() if len(definitions) > 1)


def _defined(page: HarvestedPage, term: str, said: str) -> Iterator[Given | Default | Described | Meaning]:
    """What one entry of a definition list tells."""
    if not (is_name(term) and is_answer(said) and _is_value(said) and len(term) >= 3 and not _CODE.search(said)):
        yield from _explained(page, term, said)
        return
    quote = f"{term} {said}" if page.has(f"{term} {said}") else quote_of(page, said, term)
    if not says(quote, term):
        return
    if term.endswith((":", "：")) and len(said.split()) <= MOST_LABELLED_WORDS:
        yield Given(page=page.key, value=said, quote=quote, label=term.rstrip(":： "))
    elif len(said.split()) >= FEWEST_MEANING_WORDS and _is_prose(said) and not _ELSEWHERE.match(said):
        yield Meaning(page=page.key, value=said, quote=quote, term=term)
    elif (
        len(said.split()) < FEWEST_MEANING_WORDS
        and len(term.split()) <= MOST_LABEL_WORDS
        and not term.endswith((".", "。"))
    ):
        yield Given(page=page.key, value=said, quote=quote, label=term.rstrip(":： "))


def _dated(page: HarvestedPage, record: Record) -> Iterator[Dated]:
    """An entry with one date beside its name; right behind it where the name is a heading, which may be that of the whole list."""
    dates = dict(dates_in(record.text))
    if len(dates) != 1 or dates_in(record.name) or not is_name(record.name) or len(record.text) > MOST_QUOTE_CHARS:
        return
    (written,) = dates
    span = _span(page, record.name, written)
    beside = len(span) - len(record.name) - len(written)
    headed = any(passage.kind == "heading" and passage.text == record.name for passage in page.passages)
    if "date" not in plain(record.name) and span and beside <= (1 if headed else BESIDE_CHARS):
        yield Dated(page=page.key, value=written, quote=span, entry=record.name)


def _lines(page: HarvestedPage) -> Iterator[Given]:
    labels = {way.label for way in page.ways}
    for passage in page.passages:
        if passage.text in labels:
            continue  # the title of a page, in which a colon makes no label
        match = _LINE.match(passage.text) if passage.kind in ("paragraph", "item") else None
        if match is None or _NO_LABEL.match(match[1].strip()) or _CODE.search(match[1]) or _CODE.search(match[2]):
            continue
        label, value = match[1].strip(), match[2].strip()
        if len(label.split()) <= 5 and is_name(label) and is_answer(value) and _is_value(value):
            yield Given(page=page.key, value=value, quote=passage.text, label=label, by="colon")


def _is_value(text: str) -> bool:
    """Whether a text is a name, number or date rather than a clause."""
    return (
        len(text.split()) <= 8
        and not text.rstrip().endswith((":", "：", "?", "？", ",", ";", "(", "。", ".", "!", "！", "，"))
        and text.count("(") == text.count(")")
        and ": " not in text
    )


def _explained(page: HarvestedPage, term: str, said: str) -> Iterator[Default | Described]:
    """What the description of a term tells: the default value, and which term it is."""
    if not is_name(term) or "|" in term or len(term) > 60 or _NO_LABEL.match(term.rstrip(":： ")):
        return
    defaults = list(_DEFAULT.finditer(said))
    if len(defaults) == 1 and len(re.findall(r"[Dd]efault", said)) <= 2 and _OPTION.match(term):
        value = defaults[0]["value"].rstrip(".,")
        quote = quote_of(page, defaults[0][0], term)
        if quote:
            yield Default(page=page.key, value=value, quote=quote, option=term)
    first = _SENTENCE_END.split(said.strip())[0].rstrip(". 。")
    known = [word for word in _WORDS.findall(plain(term)) if word in _WORDS.findall(plain(first))]
    if (
        FEWEST_CHARS <= len(first) <= MOST_CHARS
        and not known
        and not says(first, term)
        and _is_prose(first)
        and not _ELSEWHERE.match(first)
    ):
        quote = quote_of(page, first, term)
        if quote and says(quote, term):
            yield Described(page=page.key, value=term, quote=quote, description=first)
        elif page.has(f"{term} {first}"):
            yield Described(page=page.key, value=term, quote=f"{term} {first}", description=first)


def _is_prose(text: str) -> bool:
    letters = sum(character.isalpha() or character in " ,'’-" for character in text)
    words = [word for word in _WORDS.findall(text) if word[0].isupper() or word[0].islower()]
    small = sum(word[0].islower() for word in words)
    if small and (named := _NAMED.search(text)) and named[1] not in _BEFORE_NAMES:
        return False  # a title with its author behind it
    whole = not text.endswith((":", "：")) and "[" not in text and text.count("(") == text.count(")")
    return whole and letters >= 0.9 * len(text) and small >= FEWEST_SMALL * len(words)


def _span(page: HarvestedPage, name: str, wanted: str) -> str:
    """The text from the name to the wanted words, which follow in the same line or in one of the next four; "" if they do not."""
    for number, line in enumerate(page.lines):
        if plain(name) in folded(line):
            for end in range(number, min(number + 5, len(page.lines))):
                if wanted in page.lines[end]:
                    return " ".join(page.lines[number : end + 1])[:600]
    return ""
