"""Stage 3: what a site states of its things, as triples with quotes, and the order of its sections."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from evaluation.building.facts.fact import Cell, Given
from evaluation.building.facts.reading import facts_of
from evaluation.building.tree import SiteTree
from evaluation.building.visual.graph import Entity, Relation, SiteGraph, Triple
from evaluation.building.visual.naming import entities_of, section_id
from evaluation.building.visual.numbering import Numbered, numbered
from evaluation.building.visual.site_pages import SitePage
from evaluation.metrics.rates import plain

LEAST_USES = 2
"""Things of which a label tells something, before it is a relation of the site and no accident of one page."""
LABEL_CHARS = 30
_DAILY = re.compile(
    r"\b(?:age|aged|today|tomorrow|yesterday|now|currently|current|latest|next|upcoming|last (?:update|change)|updated|ago|so far"
    r"|to date|visitors|views|price|weather|status)\b|今天|明天|昨天|目前|现任|最新|年龄|更新|下一|即将|票价|访问",
    re.IGNORECASE,
)
_PAGE_NOUN = {"en": "page", "zh": "页面"}


class Knowledge(msgspec.Struct, frozen=True, kw_only=True):
    """The things of a site by their names, and all that it says of them."""

    graph: SiteGraph
    by_name: dict[str, Entity]
    """Things by their plain names; sections are not among them, as many have one name."""


def know(tree: SiteTree, pages: Sequence[SitePage], told: Sequence[Triple] = ()) -> Knowledge:
    """Read the graph of a site. Every quote stands on its page, also of what was `told` of it."""
    entities = entities_of(pages, tree.root.key)
    by_name = {plain(entity.name): entity for entity in entities if entity.form == "thing"}
    by_id = {entity.id: entity for entity in entities}
    triples = (*_stated(pages, by_id, by_name), *_inside_pages(pages, by_id), *_between_pages(pages, by_id), *told)
    kept = [one for one in triples if _is_said(one, tree) and _is_of_one_language(one, by_id)]
    return Knowledge(graph=SiteGraph(entities, kept), by_name=by_name)


def _is_said(triple: Triple, tree: SiteTree) -> bool:
    page = tree.page(triple.page)
    return page is not None and tree.says(page, triple.quote)


def _is_of_one_language(triple: Triple, by_id: Mapping[str, Entity]) -> bool:
    return not triple.target or by_id[triple.target].language == by_id[triple.entity].language


def _stated(pages: Sequence[SitePage], by_id: Mapping[str, Entity], by_name: Mapping[str, Entity]) -> Iterator[Triple]:
    """Definitions on the page of a thing, and cells of rows that are named like one, under labels that several things have."""
    titles = {plain(numbered(one.title).text) for one in pages} | {plain(one.title) for one in pages}
    found = [triple for one in pages for triple in _of_page(one, by_id, by_name)]
    uses = Counter({label: len(things) for label, things in _users(found).items()})
    for triple in found:
        label = triple.relation.label
        if uses[plain(label)] < LEAST_USES or plain(label) in titles or len(label) > LABEL_CHARS:
            continue
        if not depends_on_the_day(label) and not depends_on_the_day(triple.value):
            yield triple


def depends_on_the_day(text: str) -> bool:
    """Whether a label or value is another one on another day."""
    return _DAILY.search(text) is not None


def _users(triples: Sequence[Triple]) -> dict[str, set[str]]:
    users: dict[str, set[str]] = defaultdict(set)
    for triple in triples:
        users[plain(triple.relation.label)].add(triple.entity)
    return users


def _of_page(one: SitePage, by_id: Mapping[str, Entity], by_name: Mapping[str, Entity]) -> Iterator[Triple]:
    linked = {plain(link.label): link.key for link in one.links}
    own = by_id.get(one.page.key)
    for fact in facts_of(one.page):
        match fact:
            case Given(label=label):
                holder = own
            case Cell(row=row, column=label):
                holder = by_name.get(plain(row))
            case _:
                continue
        if holder is None or holder.form != "thing" or not label or holder.language != _language(own, holder):
            continue
        yield _triple(holder, label.rstrip(":："), fact, linked, by_id)


def _language(own: Entity | None, holder: Entity) -> str:
    """Tables of a page in another language tell the same in other words."""
    return own.language if own is not None else holder.language


def _triple(
    holder: Entity, label: str, fact: Given | Cell, linked: Mapping[str, str], by_id: Mapping[str, Entity]
) -> Triple:
    target = by_id.get(linked.get(plain(fact.value), ""))
    is_thing = target is not None and target.form == "thing" and plain(target.name) == plain(fact.value)
    return Triple(
        entity=holder.id,
        relation=Relation(kind="stated", label=label),
        value=fact.value,
        quote=fact.quote,
        page=fact.page,
        target=target.id if target is not None and is_thing and target.id != holder.id else "",
    )


def _inside_pages(pages: Sequence[SitePage], by_id: Mapping[str, Entity]) -> Iterator[Triple]:
    """Which section follows which under one heading, and what it is part of, by the levels of headings."""
    for one in pages:
        above: list[tuple[int, str]] = []
        before: dict[tuple[str, int], str] = {}
        for place, heading in enumerate(one.headings):
            here = section_id(one.page.key, place)
            if here not in by_id:
                continue
            while above and above[-1][0] >= heading.level:
                above.pop()
            parent = above[-1][1] if above else one.page.key
            if parent in by_id:
                yield _structural("part", here, by_id[parent], _heading_of(by_id[parent], one))
            if (earlier := before.get((parent, heading.level))) is not None:
                yield _structural("next", earlier, by_id[here], heading.text)
            before[parent, heading.level] = here
            above.append((heading.level, here))


def _heading_of(entity: Entity, page: SitePage) -> str:
    """The heading by which an entity stands on its page."""
    return entity.aliases[0] if entity.aliases else page.title if entity.id == page.page.key else entity.name


def _between_pages(pages: Sequence[SitePage], by_id: Mapping[str, Entity]) -> Iterator[Triple]:
    """The same by the numbers of pages' titles, where each number is had by one page."""
    told = [(one, numbered(one.title)) for one in pages if one.page.key in by_id]
    by_number: dict[tuple[str, str, str], list[SitePage]] = defaultdict(list)
    for one, title in told:
        if title.number:
            by_number[_folder(one), *_rank(title)].append(one)

    def only(page: SitePage, number: str, top: str) -> SitePage | None:
        found = by_number.get((_folder(page), top, number), [])
        return found[0] if len(found) == 1 else None

    for one, title in told:
        if not title.number or only(one, title.number, _rank(title)[0]) is None:
            continue
        above = next((only(one, title.above, top) for top in ("top", "inner") if only(one, title.above, top)), None)
        if title.above and above is not None:
            yield _structural("part", one.page.key, by_id[above.page.key], above.title)
        following = only(one, title.following, _rank(title)[0])
        if following is not None and numbered(following.title).unit == title.unit:
            yield _structural("next", one.page.key, by_id[following.page.key], following.title)


def _rank(title: Numbered) -> tuple[str, str]:
    """Chapters apart from sections, whose numbers may begin again in a preface."""
    return ("inner" if title.unit == "section" else "top"), title.number


def _folder(one: SitePage) -> str:
    """Documents lie in folders of their own."""
    return one.page.url.rpartition("/")[0]


def _structural(kind: str, entity: str, target: Entity, quote: str) -> Triple:
    noun = target.category if target.form == "section" else _PAGE_NOUN[target.language]
    relation = Relation(kind="part" if kind == "part" else "next", label=noun)
    return Triple(entity=entity, relation=relation, value=target.name, quote=quote, page=target.page, target=target.id)
