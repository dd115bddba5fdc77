"""Stage 2: what a picture shows, where two of its words, a search by picture and OCR agree, and what OCR reads names nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

import msgspec

from evaluation.building.checks import Rejected
from evaluation.building.visual.graph import Entity
from evaluation.building.visual.knowledge import Knowledge
from evaluation.building.visual.locate import Located
from evaluation.building.visual.naming import section_id
from evaluation.building.visual.numbering import without_figure_number
from evaluation.building.visual.selector import folded_words
from evaluation.building.visual.site_pages import SitePage
from evaluation.metrics.rates import plain

Witness = Literal["words", "search", "ocr"]
WITNESSES = 2
SURE = 0.5
"""Chance from which a hit of a picture search shows the picture."""
LEAST_NAME = 2
A_CATEGORY = 3
"""Most pictures of one category, as ReFACT has them; sections of one page count as one."""


class SeenLike(msgspec.Struct, frozen=True, kw_only=True):
    """A hit of the search by a picture: the address of the picture found, and how likely it is the same, 0..1."""

    url: str
    score: float


class Verified(msgspec.Struct, frozen=True, kw_only=True):
    """A picture, what it shows, and who says so."""

    located: Located
    entity: Entity
    by: tuple[Witness, ...]


class Names:
    """Tells by its words what a located picture shows."""

    def __init__(self, pages: Sequence[SitePage], knowledge: Knowledge) -> None:
        self._pages = {one.page.key: one for one in pages}
        self._knowledge = knowledge
        self._things = tuple(
            (entity, name)
            for entity in knowledge.by_name.values()
            if len(entity.name) > LEAST_NAME and (name := folded_words(entity.name)).strip()
        )

    def shown(self, located: Located) -> Entity | None:
        """The thing of the site that caption or alternative text names, else the section under whose heading it stands, where no
        other section is called so; None for neither."""
        things = (self._thing(without_figure_number(text), located) for text in (located.caption, located.alt))
        return next((thing for thing in things if thing is not None), None) or self._section(located)

    def in_text(self, text: str) -> tuple[Entity, ...]:
        """The things that a text names, as whole words."""
        words = folded_words(text)
        return tuple(entity for entity, name in self._things if name in words)

    def on_lines(self, text: str) -> tuple[Entity, ...]:
        """The things whose names are whole lines of a text, as on plates, signs and covers."""
        lines = {folded_words(line) for line in text.splitlines()}
        return tuple(entity for entity, name in self._things if name in lines)

    def _thing(self, text: str, located: Located) -> Entity | None:
        if (exact := self._knowledge.by_name.get(plain(text))) is not None:
            return exact
        named = [entity for entity in self.in_text(text) if entity.id in self._near(located)]
        own = [entity for entity in named if entity.id == located.page]
        return own[0] if own else named[0] if len(named) == 1 else None

    def _near(self, located: Located) -> frozenset[str]:
        """The page itself and those that it links to."""
        return frozenset((located.page, *(link.key for link in self._pages[located.page].links)))

    def _section(self, located: Located) -> Entity | None:
        page = self._pages[located.page]
        heading = plain(located.heading)
        entities = self._knowledge.graph.entities
        places = [place for place, one in enumerate(page.headings) if plain(one.text) == heading]
        if len(places) != 1:
            return None
        found = entities.get(section_id(located.page, places[0]))
        if found is None and places[0] == 0:
            found = entities.get(located.page)
        return found if found is not None and found.form == "section" else None


def what_is_shown(
    located: Located,
    others: Mapping[str, Sequence[Located]],
    names: Names,
    hits: Sequence[SeenLike],
) -> Verified | Rejected:
    """What a picture shows, or why that is not sure. `others` are the located pictures by address, `hits` what a search by the picture
    found."""
    by_words = names.shown(located)
    found = tuple(_by_search(others, names, hits))
    if len(found) > 1:
        return Rejected(
            question=located.url, reason=f"conflict: pictures like it are of “{found[0].name}” and “{found[1].name}”"
        )
    said: list[tuple[Witness, Entity]] = [("words", by_words)] if by_words is not None else []
    said += [("search", entity) for entity in found]
    written = names.in_text(located.text)
    said += [("ocr", entity) for entity in _by_ocr(written, [entity for _, entity in said])]
    if not said:
        return Rejected(
            question=located.url, reason="no caption, alternative text or heading names a page or section of the site"
        )
    counts = Counter(entity.id for _, entity in said)
    best, votes = counts.most_common(1)[0]
    if votes < WITNESSES:
        reason = (
            "conflict: its words and its look name different things"
            if len(counts) > 1
            else "only one of words, look and text names it"
        )
        return Rejected(question=located.url, reason=reason)
    entity = next(entity for _, entity in said if entity.id == best)
    if entity not in written and (other := _written_instead(entity, names.on_lines(located.text))) is not None:
        reason = (
            f"conflict: another thing of its kind is written in it: “{other.name}”, and its words name “{entity.name}”"
        )
        return Rejected(question=located.url, reason=reason)
    if entity.form == "thing" and not entity.category:
        return Rejected(question=located.url, reason="the site does not say what kind of thing it shows")
    if entity.form == "section" and _stands_elsewhere(entity, located, others, names, hits):
        return Rejected(question=located.url, reason="it stands under other headings too")
    return Verified(located=located, entity=entity, by=tuple(witness for witness, one in said if one.id == best))


def _stands_elsewhere(
    section: Entity,
    located: Located,
    others: Mapping[str, Sequence[Located]],
    names: Names,
    hits: Sequence[SeenLike],
) -> bool:
    """Whether a picture that a heading alone tells also stands where that heading does not: on another page, or at another address."""
    urls = {located.url, *(hit.url for hit in hits if hit.score >= SURE)}
    return any(names.shown(other) != section for url in urls for other in others.get(url, ()))


def _by_ocr(written: Sequence[Entity], named: Sequence[Entity]) -> tuple[Entity, ...]:
    """The thing that what is written in a picture names: one that other witnesses name too, else the only one."""
    told = [entity for entity in written if entity in named] or written
    return tuple(told) if len(told) == 1 else ()


def _written_instead(entity: Entity, lines: Sequence[Entity]) -> Entity | None:
    """The thing of the same kind among those whose names are lines in the picture. Names of other kinds of things say nothing: on a
    ship stands the name of its port."""
    if entity.form != "thing":
        return None
    kind = plain(entity.category), entity.language
    return next((one for one in lines if (plain(one.category), one.language) == kind), None)


def few_a_category(
    verified: Sequence[Verified], most: int = A_CATEGORY
) -> tuple[tuple[Verified, ...], tuple[Rejected, ...]]:
    """At most so many pictures of one category, those of different things first; no thing twice."""
    kept: list[Verified] = []
    rejected: list[Rejected] = []
    taken: Counter[str] = Counter()
    things: set[str] = set()
    for one in verified:
        entity = one.entity
        category = f"{entity.language} {entity.page if entity.form == 'section' else plain(entity.category)}"
        if entity.id in things:
            rejected.append(Rejected(question=one.located.url, reason="another picture shows the same"))
        elif taken[category] >= most:
            rejected.append(
                Rejected(question=one.located.url, reason=f"there are {most} pictures of its category already")
            )
        else:
            taken[category] += 1
            things.add(entity.id)
            kept.append(one)
    return tuple(kept), tuple(rejected)


def _by_search(others: Mapping[str, Sequence[Located]], names: Names, hits: Sequence[SeenLike]) -> Iterator[Entity]:
    """What the pictures show that are surely like it, each thing once."""
    shown: dict[str, Entity] = {}
    for hit in hits:
        for other in others.get(hit.url, ()) if hit.score >= SURE else ():
            entity = names.shown(other)
            if entity is not None and entity.id not in shown:
                shown[entity.id] = entity
                yield entity
