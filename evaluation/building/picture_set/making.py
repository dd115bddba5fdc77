"""Makes a set of questions about the pictures of a site: the nine stages, one after the other, and a choice among what passes them."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from evaluation.building.checks import Rejected
from evaluation.building.picture_set.site_material import SiteMaterial
from evaluation.building.picture_set.stage_file import StageFile
from evaluation.building.visual.composing import PictureCandidate, compose
from evaluation.building.visual.examiner import why_not_examined, why_not_sound
from evaluation.building.visual.hops import level_one, level_two
from evaluation.building.visual.locate import Located, located_pictures
from evaluation.building.visual.verify import Names, Verified, few_a_category, what_is_shown
from evaluation.metrics.rates import plain

A_PICTURE = {1: 4, 2: 4}
"""Most questions of a level about one picture."""
ALIKE = 3
"""Different pictures of which the same is told, before it counts as a placeholder."""
TRIES = 60
"""Candidates of a picture that are examined for each question."""


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """The pictures of a site that are known to show something, and those that are not, with the reasons."""

    verified: tuple[Verified, ...]
    rejected: tuple[Rejected, ...]
    pictures: int
    """Pictures that the pages show, readable or not."""


class Chosen(msgspec.Struct, frozen=True, kw_only=True):
    """Candidates that passed everything, and the others."""

    candidates: tuple[PictureCandidate, ...]
    rejected: tuple[Rejected, ...]


def pictures_shown(site: SiteMaterial) -> Shown:
    """Stages 1 and 2. A picture that is on several pages is taken once."""
    located, left_out = located_pictures(site.pages, site.pictures)
    by_url: dict[str, list[Located]] = defaultdict(list)
    for one in located:
        by_url[one.url].append(one)
    names = Names(site.pages, site.knowledge)
    verified: list[Verified] = []
    rejected = list(left_out)
    files: set[str] = set()
    alike = _alike(located)
    for one in located:
        if one.digest in files:
            continue
        if alike[_said(one)] >= ALIKE:
            reason = "its caption or alternative text is that of several other pictures"
            rejected.append(Rejected(question=one.url, reason=reason))
            continue
        found = what_is_shown(one, by_url, names, site.seen_like(one.url))
        if isinstance(found, Rejected):
            rejected.append(found)
        else:
            files.add(one.digest)
            verified.append(found)
    kept, beyond = few_a_category(verified)
    shown = len({picture.url for page in site.pages for picture in page.pictures})
    return Shown(verified=kept, rejected=(*rejected, *beyond), pictures=shown)


def _alike(located: Sequence[Located]) -> Counter[str]:
    """How many different pictures each caption or alternative text is told of."""
    told = Counter(said for said, _ in {(_said(one), one.digest) for one in located})
    del told[""]
    return told


def _said(one: Located) -> str:
    return plain(one.caption or one.alt)


def candidates_of(site: SiteMaterial, one: Verified, levels: Iterable[int]) -> Iterator[PictureCandidate]:
    """Stages 3 to 7: all questions about a picture."""
    graph = site.knowledge.graph
    for level in levels:
        chains = level_one(graph, one.entity) if level == 1 else level_two(graph, one.entity)
        yield from (compose(chain, one, graph) for chain in chains)


def choose(
    site: SiteMaterial, verified: Sequence[Verified], levels: Sequence[int], seed: int, stages: StageFile
) -> Chosen:
    """Stages 8 and 9 over the candidates of each picture in turn; next comes the shape that was chosen least."""
    chance = random.Random(seed)  # noqa: S311 - a sample, no secret
    shapes: Counter[str] = Counter()
    chosen: list[PictureCandidate] = []
    rejected: dict[tuple[str, str], Rejected] = {}
    asked: set[tuple[str, str]] = set()
    for level in levels:
        waiting: dict[str, list[PictureCandidate]] = {}
        for one in verified:
            waiting[one.located.digest] = list(candidates_of(site, one, (level,)))
            chance.shuffle(waiting[one.located.digest])
        for _ in range(A_PICTURE[level]):
            for pool in waiting.values():
                picked, refused = _next(site, pool, shapes, asked, stages)
                rejected |= {(one.question, one.reason): one for one in refused}
                if picked is not None:
                    shapes[picked.shape] += 1
                    asked.add((picked.question, picked.answers[0]))
                    chosen.append(picked)
    return Chosen(candidates=tuple(chosen), rejected=tuple(rejected.values()))


def why_not(site: SiteMaterial, candidate: PictureCandidate, stages: StageFile) -> str:
    """Why a candidate is refused, "" for a good one."""
    return why_not_sound(candidate, site.tree, site.knowledge.graph) or stages.said(
        "examiner",
        _given(candidate),
        lambda: why_not_examined(
            candidate,
            site.picture_hits(candidate.located.url),
            site.pages_for(candidate.question),
            site.knowledge.graph,
        ),
    )


def _next(
    site: SiteMaterial,
    pool: list[PictureCandidate],
    shapes: Counter[str],
    asked: set[tuple[str, str]],
    stages: StageFile,
) -> tuple[PictureCandidate | None, list[Rejected]]:
    """Take the first candidate out of the pool that passes, of the shapes that were chosen least; those before it leave it too."""
    refused: list[Rejected] = []
    for _ in range(min(TRIES, len(pool))):
        place = min(range(len(pool)), key=lambda place: shapes[pool[place].shape])
        candidate = pool.pop(place)
        is_double = (candidate.question, candidate.answers[0]) in asked
        why = "it is a duplicate" if is_double else why_not(site, candidate, stages)
        if not why:
            return candidate, refused
        refused.append(Rejected(question=candidate.question, reason=why))
    return None, refused


class _Given(msgspec.Struct, frozen=True, kw_only=True):
    """What the examiner is given of a candidate, without addresses."""

    named: str
    question: str
    hidden: tuple[str, ...]
    picture: str
    values: tuple[str, ...]


def _given(candidate: PictureCandidate) -> _Given:
    return _Given(
        named=candidate.named,
        question=candidate.question,
        hidden=candidate.hidden,
        picture=candidate.located.digest,
        values=tuple(triple.value for triple in candidate.triples),
    )
