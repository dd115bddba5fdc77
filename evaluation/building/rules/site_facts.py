"""The facts of all pages of a site that have a name of their own."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence

import msgspec

from evaluation.building.candidate import Candidate
from evaluation.building.facts.dates import date_forms, number_forms, number_of_word, only_date
from evaluation.building.facts.fact import (
    Amount,
    Dated,
    Described,
    Expansion,
    Extreme,
    Fact,
    Given,
    Listed,
    Meaning,
    Stated,
    form_of,
)
from evaluation.building.facts.lines import folded
from evaluation.building.facts.reading import facts_of, language_of
from evaluation.building.rules.naming import names_of
from evaluation.building.tree import HarvestedPage, SiteTree
from evaluation.building.wording.languages import WORDINGS
from evaluation.building.wording.phrases import Wording
from evaluation.dataset.question import Modality
from evaluation.metrics.rates import plain

BOILERPLATE = 0.5
"""A labelled value that so many of the pages with the label share belongs to the site, not to a page."""
DIFFERENT, PAGES_WITH_LABEL = 2, 3
"""A label is one if so many values stand after it, on so many pages; of "Minishift: a cluster at your desk" the first word is none."""
_ARGUMENTS = re.compile(r"[=\[<,]|(?<! )\(| (?=-)")
"""Where the name of an option ends. Behind a space a bracket makes another thing of it: "Third Place (tie)"."""
_TELLING = re.compile(r"^\W{0,2}\d|@")
"""What is a value after any label. An address is not: before it stands as often what leads to it ("Issue:", "可以参考：")."""
SHOWN_BY = 3
"""What more pages say in the same words is in a box that all of them have: an entry with its date, a label with its value, a list, a
run of lines."""
BOX_LINES = 4
"""Lines in a row that make a box. Fewer are alike by chance: a label, its value and the next label."""
FEWEST_ASKED = 3
"""Entries of a list whose number is asked for; of two it is seen in the question."""


class NamedPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page, what it is called, and what it states."""

    page: HarvestedPage
    name: str
    language: str
    facts: tuple[Fact, ...]

    @property
    def wording(self) -> Wording:
        """The words of its language."""
        return WORDINGS[self.language]

    @property
    def place(self) -> str:
        """The phrase that names it in a question."""
        return self.wording.page(self.name)


def named_pages(tree: SiteTree) -> tuple[NamedPage, ...]:
    """The pages below the root that can be asked about, by level, without facts that say the same on many pages and terms that are
    explained in the same words elsewhere."""
    names = names_of(tree)
    boxes = _boxes(tree.pages)
    read = {
        page.key: _outside(page, facts_of(page), boxes)
        for page in tree.pages
        if page.key in names and page is not tree.root
    }
    every = [fact for facts in read.values() for fact in facts]
    common = _common(every)
    return tuple(
        NamedPage(
            page=page,
            name=names[page.key],
            language=language_of(page),
            facts=tuple(fact for fact in read[page.key] if _key(fact) not in common),
        )
        for page in tree.pages
        if page.key in read
    )


def _boxes(pages: Iterable[HarvestedPage]) -> frozenset[tuple[str, ...]]:
    """The runs of lines that stand on many pages: menus, boxes beside the text, what stands below it."""
    runs = Counter(run for page in pages for run in set(_runs(page)))
    return frozenset(run for run, count in runs.items() if count > SHOWN_BY)


def _runs(page: HarvestedPage) -> Iterator[tuple[str, ...]]:
    lines = [folded(line) for line in page.lines]
    return zip(*(lines[start:] for start in range(BOX_LINES)), strict=False)


def _outside(page: HarvestedPage, facts: Sequence[Fact], boxes: frozenset[tuple[str, ...]]) -> tuple[Fact, ...]:
    """The facts that a page states elsewhere than in its boxes."""
    boxed: set[int] = set()
    for start, run in enumerate(_runs(page)):
        if run in boxes:
            boxed.update(range(start, start + BOX_LINES))
    inside = {folded(page.lines[place]) for place in boxed}
    others = {folded(line) for place, line in enumerate(page.lines) if place not in boxed}
    return tuple(fact for fact in facts if not _is_held(fact, inside - others) or _is_held(fact, others))


def _is_held(fact: Fact, lines: Collection[str]) -> bool:
    """Whether one of the lines holds the quote of a fact, or is how it begins."""
    quote = plain(fact.quote)
    return any(quote in line or quote.startswith(f"{line} ") for line in lines if line)


def _common(facts: Sequence[Fact]) -> frozenset[tuple[str, ...]]:
    """The facts of the site's frame, and those that a question could not tell apart."""
    by_label: dict[str, Counter[str]] = defaultdict(Counter)
    by_colon = {plain(fact.label) for fact in facts if isinstance(fact, Given) and fact.by == "colon"}
    described: Counter[tuple[str, ...]] = Counter()
    quoted: dict[str, set[str]] = defaultdict(set)
    shorts: dict[str, set[str]] = defaultdict(set)
    for fact in facts:
        if isinstance(fact, Given | Dated | Listed):
            quoted[plain(fact.quote)].add(fact.page)
        match fact:
            case Given(label=label, value=value):
                by_label[plain(label)][plain(value)] += 1
            case Meaning():
                described[_key(fact)] += 1
            case Described() | Dated():
                described[_key(fact)] += 1
            case Expansion(short=short, value=value):
                shorts[short].add(plain(value))
            case _:
                pass
    frame = {
        ("given", label, value)
        for label, values in by_label.items()
        for value, count in values.items()
        if values.total() >= 6 and count > BOILERPLATE * values.total()
    }
    frame |= {
        ("given", label, value)
        for label, values in by_label.items()
        for value in values
        if label in by_colon
        and not _TELLING.search(value)
        and (len(values) < DIFFERENT or values.total() < PAGES_WITH_LABEL)
    }
    doubtful = {_key(fact) for fact in facts if isinstance(fact, Expansion) and len(shorts[fact.short]) > 1}
    doubtful |= {_key(fact) for fact in facts if len(quoted[plain(fact.quote)]) > SHOWN_BY}
    often = {key for key, count in described.items() if count > (1 if key[0] == "described" else SHOWN_BY)}
    return frozenset(frame | doubtful | often)


def _key(fact: Fact) -> tuple[str, ...]:
    match fact:
        case Given(label=label, value=value):
            return "given", plain(label), plain(value)
        case Described(description=description):
            return "described", plain(description)
        case Dated(entry=entry):
            return "dated", plain(entry), plain(fact.value)
        case Meaning(term=term):
            return "meaning", plain(term), plain(fact.value)
        case Expansion(short=short, value=value):
            return "expansion", short, plain(value)
        case _:
            return form_of(fact), fact.page, *map(plain, fact.asked)


def answers_of(fact: Fact, language: str) -> tuple[str, ...]:
    """The value in the forms that are equally right."""
    value = fact.value
    if isinstance(fact, Listed):
        return number_forms(int(value), language)
    if isinstance(fact, Amount) and value.isdigit():
        return number_forms(int(value), language)
    if isinstance(fact, Amount) and (number := number_of_word(value, language)) is not None:
        return (value, str(number))
    if isinstance(fact, Described):
        bare = _ARGUMENTS.split(value)[0].strip()
        return (value, bare) if len(bare) >= 3 and bare != value else (value,)
    meant = only_date(value)
    return date_forms(value, meant) if meant is not None else (value,)


def modality_of(*facts: Stated) -> Modality:
    """Whether one of them stands in a table."""
    return (
        "table"
        if any(form_of(fact) in ("cell", "entered", "extreme") or " | " in fact.quote for fact in facts)
        else "text"
    )


def single(page: NamedPage, fact: Fact) -> Candidate:
    """The question for a fact of a page."""
    return Candidate(
        question=page.wording.ask(fact, page.place),
        answers=answers_of(fact, page.language),
        pages=(page.page.key,),
        quotes=(fact.quote,),
        language=page.language,
        modality=modality_of(fact),
        form=form_of(fact),
        answer="worked out" if isinstance(fact, Listed | Extreme) else "quoted",
    )


def mixed_by(fact: Fact) -> str:
    """What is asked for, for a mix of questions: the form of the fact, with its label where there is one."""
    match fact:
        case Given(label=label):
            return f"given {plain(label)}"
        case Amount(subject="", unit=unit):
            return f"amount {plain(unit)}"
        case _:
            return form_of(fact)


def is_single(fact: Fact) -> bool:
    """Whether a fact is worth a question of its own."""
    return not isinstance(fact, Listed) or int(fact.value) >= FEWEST_ASKED
