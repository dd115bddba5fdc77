"""Refreshes a set of questions about pictures: drops those whose pages or pictures changed, renews the others, adds as many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from evaluation.building.checks import Rejected
from evaluation.building.harvesting import HarvestLimits
from evaluation.building.make import Site, Tell
from evaluation.building.picture_set.building import Folders, site_material, with_files
from evaluation.building.picture_set.making import candidates_of, choose, pictures_shown
from evaluation.building.picture_set.site_material import SiteMaterial
from evaluation.building.picture_set.stage_file import StageFile
from evaluation.building.picture_set.told_relations import told_by
from evaluation.building.refreshing import renewed
from evaluation.building.visual.verify import Verified
from evaluation.dataset.question import Dataset, Question, address_of

Told = tuple[int, str, tuple[str, ...]]
"""What makes a question: level, digest of its picture, and hops."""


class PictureRefreshing(msgspec.Struct, frozen=True, kw_only=True):
    """The dataset, the current URLs of its sites, and how they are read."""

    old: Dataset
    sites: dict[str, str]
    limits: HarvestLimits = HarvestLimits()
    seed: int = 0


class RefreshedPictures(msgspec.Struct, frozen=True, kw_only=True):
    """The questions now, and what happened to the old ones."""

    questions: tuple[Question, ...]
    kept: int
    dropped: tuple[Rejected, ...]

    @property
    def added(self) -> int:
        """How many are new."""
        return len(self.questions) - self.kept


async def refresh_picture_set(
    refreshing: PictureRefreshing, folders: Folders, *, tell: Tell = lambda _: None
) -> RefreshedPictures:
    """Refresh the questions about pictures. `folders.store` must be new, since an older harvest would be reused. Raises what `harvest`
    raises."""
    old, sites = refreshing.old, refreshing.sites
    questions: list[Question] = []
    dropped: list[Rejected] = []
    kept = 0
    for root, asked in _by_root(old, sites).items():
        place = Site(root=root, domain=asked[0].domain, name=asked[0].site, base=sites.get(asked[0].site, ""))
        async with site_material(place, refreshing.limits, folders.store, tell) as site:
            site.learn(told_by(asked, site, sites))
            now, gone = _renewed(asked, site, place, sites)
            for one in gone:
                tell(f"dropped: {one.question} ({one.reason})")
            added = await _added(asked, now, site, place, (refreshing, folders))
            questions += (*now, *added)
            dropped += gone
            kept += len(now)
    return RefreshedPictures(questions=tuple(questions), kept=kept, dropped=tuple(dropped))


def _by_root(old: Dataset, sites: dict[str, str]) -> dict[str, list[Question]]:
    found: dict[str, list[Question]] = {}
    for question in old.questions:
        found.setdefault(address_of(question, question.root, sites), []).append(question)
    return found


def _renewed(
    asked: Sequence[Question], site: SiteMaterial, place: Site, sites: dict[str, str]
) -> tuple[list[Question], list[Rejected]]:
    """The questions that still hold, and those that do not, with the reasons."""
    shown = {picture.digest for picture in site.pictures.values()}
    known = {told for one in pictures_shown(site).verified for told in _told_of(site, one)}
    kept: list[Question] = []
    dropped: list[Rejected] = []
    for question in asked:
        now = renewed(question, site.tree, place, sites)
        if isinstance(now, Rejected):
            dropped.append(now)
        elif question.picture_digest not in shown:
            dropped.append(Rejected(question=question.question, reason="no page shows its picture any more"))
        elif (question.level, question.picture_digest, question.hops) not in known:
            reason = "its picture shows something else, or its chain is no longer the only one"
            dropped.append(Rejected(question=question.question, reason=reason))
        else:
            kept.append(now)
    return kept, dropped


def _told_of(site: SiteMaterial, one: Verified) -> set[Told]:
    return {
        (candidate.level, candidate.located.digest, candidate.hops) for candidate in candidates_of(site, one, (1, 2))
    }


async def _added(
    asked: Sequence[Question],
    now: Sequence[Question],
    site: SiteMaterial,
    place: Site,
    how: tuple[PictureRefreshing, Folders],
) -> list[Question]:
    """As many new questions of each level as were dropped, as far as the site gives them."""
    refreshing, folders = how
    short = Counter(question.level for question in asked)
    short.subtract(question.level for question in now)
    known = {(question.question, question.picture_digest) for question in (*asked, *now)}
    with StageFile(site.folder / "stages.jsonl", site.digest) as stages:
        levels = tuple(level for level in (1, 2) if short[level] > 0)
        chosen = choose(site, pictures_shown(site).verified, levels, refreshing.seed, stages).candidates
    wanted = []
    for one in chosen:
        if short[1 if one.level == 1 else 2] > 0 and (one.question, one.located.digest) not in known:
            short[1 if one.level == 1 else 2] -= 1
            wanted.append(one)
    questions, _ = await with_files(wanted, site, place, folders.pictures)
    return questions
