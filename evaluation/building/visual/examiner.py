"""Stage 9: with the picture the thing can be named, without it the answer cannot be reached; and all that a question must hold."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from evaluation.building.tree import SiteTree
from evaluation.building.visual.composing import PictureCandidate
from evaluation.building.visual.graph import SiteGraph, Triple
from evaluation.building.visual.hops import LEAST_HOPS
from evaluation.building.visual.selector import is_named, why_not_selected
from evaluation.grading.match import says
from evaluation.metrics.rates import plain

SEARCHED = 5
"""Pages that a search for the question without its picture gives; none of them may be a source that it tells from others."""
FEWEST_ALIKE = 4
"""Things of one kind that a search has to find together before it tells none of them: a guess is right one time in four. The name of a
kind with few pages finds them all, and the picture alone says which is meant."""


class PictureHits(msgspec.Struct, frozen=True, kw_only=True):
    """What a search by the picture, smaller than its file, found: how sure it is, and what is told of sure hits."""

    score: float
    told: tuple[str, ...]


def why_not_sound(candidate: PictureCandidate, tree: SiteTree, graph: SiteGraph) -> str:
    """Why a question does not hold on the site, "" for one that does."""
    if candidate.steps < LEAST_HOPS[candidate.level]:
        return f"its chain has fewer than {LEAST_HOPS[candidate.level]} hops"
    for triple in candidate.triples:
        page = tree.page(triple.page)
        if page is None or not tree.says(page, triple.quote):
            return "a quote is not on its page"
        if tree.walks(tree.click_path(triple.page)) is not page:
            return "no click path leads to a source"
        known = graph.value(triple.entity, triple.relation)
        if known is None or plain(known.value) != plain(triple.value):
            return "a relation has several values on the site"
    if any(
        says(candidate.question, answer) or plain(answer) in plain(candidate.question) for answer in candidate.answers
    ):
        return "the question contains its answer"
    if candidate.level == 1 and _is_guessed(candidate, graph):
        return "most other things of its kind have the same answer"
    if any(plain(answer) == plain(name) for answer in candidate.answers for name in candidate.hidden):
        return "the answer is what the picture shows"
    return ""


def _is_guessed(candidate: PictureCandidate, graph: SiteGraph) -> bool:
    """Whether the same chain from most other things of the kind ends at the same value, so that the picture tells little."""
    start = candidate.entity
    like = [
        entity.id
        for entity in graph.entities.values()
        if (entity.category, entity.form, entity.language) == (start.category, start.form, start.language)
        and entity.id != start.id
    ]
    ends = [end for one in like if (end := _end(graph, one, candidate))]
    return bool(ends) and 2 * sum(plain(end) == plain(candidate.answers[0]) for end in ends) > len(ends)


def _end(graph: SiteGraph, entity: str, candidate: PictureCandidate) -> str:
    value = ""
    for triple in candidate.triples:
        known = graph.value(entity, triple.relation) if entity else None
        if known is None:
            return ""
        entity, value = known.target, known.value
    return value


def why_not_examined(candidate: PictureCandidate, hits: PictureHits, found: Sequence[str], graph: SiteGraph) -> str:
    """Why the examiner refuses, "" for a pass. `found` are keys of the pages that a search for the question finds, best first."""
    if why := why_not_selected(candidate.named, candidate.question, candidate.hidden, hits.score):
        return why
    if not any(is_named(told, candidate.entity.names) for told in hits.told):
        return "with the picture the thing cannot be named"
    first = frozenset(found[:SEARCHED])
    met = [triple for triple in candidate.triples if triple.page in first]
    if any(candidate.level > 1 or len(_alike(graph, triple) & first) < FEWEST_ALIKE for triple in met):
        return "without the picture a search finds a source"
    if met and _chance(candidate, graph, first) > 1 / FEWEST_ALIKE:
        return "without the picture a guess among what a search finds is too often right"
    return ""


def _alike(graph: SiteGraph, triple: Triple) -> frozenset[str]:
    """The pages of all things of a kind of which the same is said, that of the triple among them; none where it is of a section."""
    about = graph.entities[triple.entity]
    if about.form != "thing" or about.page != triple.page:
        return frozenset()
    return frozenset(
        entity.page
        for entity in graph.entities.values()
        if (entity.category, entity.form, entity.language) == (about.category, about.form, about.language)
        and graph.value(entity.id, triple.relation) is not None
    )


def _chance(candidate: PictureCandidate, graph: SiteGraph, found: frozenset[str]) -> float:
    """The share of the things found that the question could be about of which it has the same answer."""
    first = candidate.triples[0]
    if first.page not in found:
        return 0.0
    there = _alike(graph, first) & found
    ends = [
        _end(graph, entity.id, candidate)
        for entity in graph.entities.values()
        if entity.form == "thing" and entity.page in there
    ]
    return sum(plain(end) == plain(candidate.answers[0]) for end in ends) / len(ends)
