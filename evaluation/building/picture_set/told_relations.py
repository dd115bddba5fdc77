"""Stage 3, what tables do not say: relations of a thing that a sentence of its page states. Each is taken only with a quote of the
page in which both its label and its value stand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from evaluation.building.picture_set.site_material import SiteMaterial
from evaluation.building.visual.graph import Relation, Triple
from evaluation.building.visual.knowledge import LABEL_CHARS, LEAST_USES, depends_on_the_day
from evaluation.dataset.question import Question, address_of
from evaluation.grading.match import says
from evaluation.metrics.rates import plain
from memory.url_key import key_of

VALUE_CHARS = 60
LEAST_LABEL = 2


class ToldRelation(msgspec.Struct, frozen=True, kw_only=True):
    """What is told of the thing that a page is about."""

    label: str
    value: str
    quote: str


def believed(told: Mapping[str, Sequence[ToldRelation]], site: SiteMaterial) -> tuple[Triple, ...]:
    """The relations that hold, by the keys of the pages that they are told of, under labels that several things have: a label of one
    thing tells nothing apart."""
    found = [triple for page, relations in told.items() for one in relations for triple in _held(page, one, site)]
    graph = site.knowledge.graph
    stated = (one for one in graph.triples if one.relation.kind == "stated")
    users = {(one.entity, plain(one.relation.label)) for one in (*found, *stated)}
    uses = Counter(label for _, label in users)
    return tuple(one for one in found if uses[plain(one.relation.label)] >= LEAST_USES)


def told_by(questions: Sequence[Question], site: SiteMaterial, sites: dict[str, str]) -> tuple[Triple, ...]:
    """The relations that questions rest on and no table states, as far as they still hold: a model need not be asked again."""
    graph = site.knowledge.graph
    return tuple(
        triple
        for question in questions
        for source, quote in zip(question.sources, question.evidence, strict=True)
        for hop in question.hops
        for triple in _held(str(key_of(address_of(question, source, sites))), _of_hop(hop, quote), site)
        if graph.value(triple.entity, triple.relation) is None
    )


def _of_hop(hop: str, quote: str) -> ToldRelation:
    label, _, value = hop.partition(": ")
    return ToldRelation(label=label, value=value, quote=quote)


def _held(page: str, one: ToldRelation, site: SiteMaterial) -> Iterator[Triple]:
    """The relation as a triple with its quote; none where the page does not say it."""
    holder, placed = site.knowledge.graph.entities.get(page), site.tree.page(page)
    label, value = " ".join(one.label.split()).rstrip(":："), " ".join(one.value.split())
    if holder is None or holder.form != "thing" or placed is None:
        return
    fits = LEAST_LABEL <= len(label) <= LABEL_CHARS and 0 < len(value) <= VALUE_CHARS and "\n" not in one.quote.strip()
    is_there = says(one.quote, label) and says(one.quote, value) and site.tree.says(placed, one.quote)
    is_other = plain(value) not in {plain(label), *(plain(name) for name in holder.names)}
    if not (fits and is_there and is_other) or depends_on_the_day(label) or depends_on_the_day(value):
        return
    target = site.knowledge.by_name.get(plain(value))
    is_thing = target is not None and target.language == holder.language and target.id != holder.id
    yield Triple(
        entity=holder.id,
        relation=Relation(kind="stated", label=label),
        value=value,
        quote=" ".join(one.quote.split()),
        page=page,
        target=target.id if target is not None and is_thing else "",
    )
