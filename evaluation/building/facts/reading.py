"""All facts of a page that can be asked for without doubt."""

from __future__ import annotations

import re
from collections import Counter

from evaluation.building.facts.fact import Dated, Extreme, Fact, Given, Listed, asked_key
from evaluation.building.facts.labels import label_facts
from evaluation.building.facts.listed import listed_facts
from evaluation.building.facts.marked import marked_facts
from evaluation.building.facts.prose import prose_facts
from evaluation.building.facts.tables import table_facts
from evaluation.building.tree import HarvestedPage
from evaluation.metrics.rates import plain
from memory.retrieval import is_mostly_cjk

LANGUAGES = ("en", "de", "fr", "zh")
"""In which questions can be asked; of pages in others they are asked in English."""

_UPKEEP = re.compile(
    r"^(?:(?:page )?last )?(?:updated?|modified|changed|edited|revised|revision|reviewed)(?: (?:on|at|date|time))?$|"
    r"^last (?:update|change|modification|edit)$|"
    r"^(?:zuletzt|letzte) (?:aktualisiert|geändert|bearbeitet|aktualisierung|änderung|bearbeitung)(?: am)?$|"
    r"^aktualisiert(?: am)?$|^stand$|^(?:dernière )?(?:mise à jour|modification)(?: le)?$|"
    r"^(?:última )?(?:actualización|modificación)$|^(?:最后|最近)?(?:更新|修改|修订|编辑)(?:时间|日期|于)?$|"
    r"^(?:tags?|categor(?:y|ies)|(?:filed|posted) (?:in|under)|schlagw(?:ort|örter)|kategorien?|étiquettes?|catégories?|etiquetas?|"
    r"categorías?|标签|分类)$",
    re.IGNORECASE,
)
"""Labels of the day on which somebody last touched a page, and of where it is filed, which is not what it is about (8 of 200 questions
that were read)."""


def language_of(page: HarvestedPage) -> str:
    """The language in which a page is asked about: its own if there are words for it, else English."""
    if page.language in LANGUAGES:
        return page.language
    return "zh" if not page.language and is_mostly_cjk(page.text) else "en"


def facts_of(page: HarvestedPage) -> tuple[Fact, ...]:
    """The facts of a page whose value stands in their quote, and which no other fact of the page could be mistaken for."""
    language = language_of(page)
    found: list[Fact] = [*table_facts(page), *label_facts(page), *listed_facts(page), *marked_facts(page)]
    found += prose_facts(page, language)
    times = Counter(asked_key(fact) for fact in dict.fromkeys(found))
    return tuple(fact for fact in dict.fromkeys(found) if times[asked_key(fact)] == 1 and _is_askable(fact))


def _is_askable(fact: Fact) -> bool:
    if not fact.quote or not fact.value.strip():
        return False
    if isinstance(fact, Listed | Extreme):  # worked out
        return True
    if isinstance(fact, Given | Dated) and _UPKEEP.match(fact.asked[1].strip()):
        return False
    if isinstance(fact, Given) and not _is_labelled(fact):
        return False
    named = " ".join(asked_key(fact)[1:])
    value = plain(fact.value)
    return value in plain(fact.quote) and value not in named


def _is_labelled(fact: Given) -> bool:
    """Whether a label names what is given. An hour is in front of what happens then, on a day that it does not say, and a number only
    counts; a value that begins with its label explains it ("WorkQueue: Work Queue details")."""
    return not fact.label.strip()[:1].isdigit() and _bare(fact.label) not in _bare(fact.value)


def _bare(text: str) -> str:
    """The letters and digits of a text."""
    return "".join(filter(str.isalnum, plain(text)))
