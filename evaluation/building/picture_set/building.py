"""Builds a set of questions about the pictures of sites: harvest, stages, choice, and the files of the pictures."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path

import msgspec

from evaluation.building.checks import Rejected, reasons
from evaluation.building.harvest_progress import HarvestProgress
from evaluation.building.harvesting import HarvestLimits, harvest_with_pictures
from evaluation.building.make import Site, Tell
from evaluation.building.picture_set.making import Shown, choose, pictures_shown
from evaluation.building.picture_set.picture_files import PictureFiles
from evaluation.building.picture_set.questions import picture_question
from evaluation.building.picture_set.relation_reader import RelationReader, learn
from evaluation.building.picture_set.site_material import SiteMaterial
from evaluation.building.picture_set.smoothing import Smoother, smoothed
from evaluation.building.picture_set.stage_file import StageFile
from evaluation.building.visual.composing import PictureCandidate
from evaluation.dataset.question import Question
from walker.errors import WalkerError
from walker.library.opening import opened_library
from walker.seams.protocols import ChatModel

LEVELS = (1, 2)


class PicturePlan(msgspec.Struct, frozen=True, kw_only=True):
    """What is built: levels of questions about the pictures of these sites."""

    sites: tuple[Site, ...]
    levels: tuple[int, ...] = LEVELS
    limits: HarvestLimits = HarvestLimits()
    seed: int = 0


class PictureSet(msgspec.Struct, frozen=True, kw_only=True):
    """The questions, and what came of pictures and candidates."""

    questions: tuple[Question, ...]
    pages: int
    pictures: int
    """Different pictures that the pages show."""
    verified: int
    """Of which it is known what they show."""
    rejected: dict[str, int]
    """Number of pictures and candidates that were refused, by reason."""


class Folders(msgspec.Struct, frozen=True, kw_only=True):
    """Where harvests and stages are kept, and the pictures of the questions."""

    store: Path
    pictures: Path


class Helpers(msgspec.Struct, frozen=True, kw_only=True):
    """What a model does for a set: it reads relations out of sentences, and puts questions into smoother words."""

    reader: RelationReader
    smoother: Smoother

    @classmethod
    def of(cls, chat: ChatModel, model: str) -> Helpers:
        """Both by one model."""
        return cls(reader=RelationReader(chat, model), smoother=Smoother(chat, model))


class NoPictureQuestions(WalkerError):
    """A site from which no question about a picture can be built; it says what would help."""


async def build_picture_set(
    plan: PicturePlan, folders: Folders, helpers: Helpers | None = None, *, tell: Tell = lambda _: None
) -> PictureSet:
    """Build the questions of the plan, with a model's help if any; a repeated call resumes. Raises `NoPictureQuestions`, and what
    `harvest` raises."""
    made: list[Question] = []
    rejected: list[Rejected] = []
    pages = pictures = verified = 0
    for place in plan.sites:
        async with site_material(place, plan.limits, folders.store, tell) as site:
            if helpers is not None:
                with StageFile(site.folder / "stages.jsonl", site.digest) as stages:
                    await learn(site, stages, helpers.reader)
            shown = pictures_shown(site)
            check_pictures(shown, place, len(site.pages))
            with StageFile(site.folder / "stages.jsonl", site.digest) as stages:
                chosen = choose(site, shown.verified, plan.levels, plan.seed, stages)
                check_chains(chosen.candidates, chosen.rejected, plan, place)
                smoother = helpers.smoother if helpers is not None else None
                candidates = [await smoothed(one, site, stages, smoother) for one in chosen.candidates]
            questions, lost = await with_files(candidates, site, place, folders.pictures)
            made += questions
            rejected += (*shown.rejected, *chosen.rejected, *lost)
            pages, pictures, verified = (
                pages + len(site.pages),
                pictures + shown.pictures,
                verified + len(shown.verified),
            )
            tell(f"{place.root}: {len(questions)} questions about {len(shown.verified)} of {shown.pictures} pictures")
    return PictureSet(
        questions=tuple(made), pages=pages, pictures=pictures, verified=verified, rejected=reasons(rejected)
    )


@contextlib.asynccontextmanager
async def site_material(place: Site, limits: HarvestLimits, store: Path, tell: Tell) -> AsyncIterator[SiteMaterial]:
    """Harvest a site, and open what was harvested. Raises what `harvest` raises."""
    can_read = find_spec("rapidocr") is not None
    if not can_read:
        tell("what is written in pictures is not read: OCR is not installed (pip install 'gemwalker[ocr]')")
    harvested = await harvest_with_pictures(place.root, store, limits, HarvestProgress(tell), read=can_read)
    with opened_library(harvested.library) as library:
        yield SiteMaterial(harvested, library)


async def with_files(
    candidates: Iterable[PictureCandidate], site: SiteMaterial, place: Site, folder: Path
) -> tuple[list[Question], list[Rejected]]:
    """The questions of candidates whose pictures' files can be had, and the others."""
    known = tuple(candidates)
    wanted = [(one.located.digest, one.located.url) for one in known]
    files = await PictureFiles(folder).fetched(place.root, wanted)
    questions = [
        picture_question(one, site.tree, place, files[one.located.digest])
        for one in known
        if one.located.digest in files
    ]
    lost = [
        Rejected(question=one.question, reason="its picture's file could not be fetched again, or has changed")
        for one in known
        if one.located.digest not in files
    ]
    return questions, lost


def check_pictures(shown: Shown, place: Site, pages: int) -> None:
    """Raises `NoPictureQuestions` where it is known of no picture what it shows."""
    if shown.verified:
        return
    if not shown.pictures:
        raise NoPictureQuestions(
            f"none of its {pages} pages shows a picture",
            where=place.root,
            advice="Name a root whose pages have pictures, read more with --max-pages, or render them with --driver playwright",
        )
    why = _main_reason(shown.rejected)
    advice = "Captions or alternative texts that name pages of the site, each picture its own, would help"
    if "cannot be read" in why:
        advice = "Check that the pictures are JPEG, PNG, WebP or GIF files, and that robots.txt allows them"
    elif "kind of thing" in why:
        advice = "Pages that say what they are about would help: “Alba is a ship”, or a row “Type: ship”"
    raise NoPictureQuestions(
        f"of none of its {shown.pictures} pictures it is known what it shows: {why}", where=place.root, advice=advice
    )


def check_chains(
    found: Sequence[PictureCandidate], rejected: Sequence[Rejected], plan: PicturePlan, place: Site
) -> None:
    """Raises `NoPictureQuestions` where no chain leads from a picture to an answer."""
    if found:
        return
    levels = " or ".join(map(str, plan.levels))
    if rejected:
        what = f"no question of level {levels} is left: {_main_reason(rejected)}"
        raise NoPictureQuestions(
            what, where=place.root, advice="Read more pages with --max-pages, so that more things are told apart"
        )
    raise NoPictureQuestions(
        f"no chain of relations is long enough for a question of level {levels}",
        where=place.root,
        advice="Read more pages with --max-pages; tables whose values link to other pages, or headings of sections, make chains",
    )


def _main_reason(rejected: Sequence[Rejected]) -> str:
    """The most frequent one; decorations are on every site, and say nothing."""
    told = Counter(one.reason for one in rejected if "icon" not in one.reason and "design" not in one.reason)
    return told.most_common(1)[0][0] if told else "all are icons or belong to the site's design"
