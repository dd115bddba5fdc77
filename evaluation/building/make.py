"""Builds a dataset from sites: harvest, write, check, remove duplicates, balance."""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from pathlib import Path

import msgspec

from evaluation.building.balancing import Balanced, Cell, balance
from evaluation.building.candidate import Candidate, difficulty_of, kind_of
from evaluation.building.checks import Rejected, reasons, why_not, without_duplicates
from evaluation.building.drafts import DraftFile
from evaluation.building.harvest_progress import HarvestProgress
from evaluation.building.harvesting import HarvestLimits, folder_name, harvest
from evaluation.building.rules.cloze import write_multi, write_single
from evaluation.building.sampling import sample_targets
from evaluation.building.tree import HarvestedPage, SiteTree
from evaluation.building.writing import Writer
from evaluation.dataset.question import Click, Question
from walker.errors import WalkerError

Tell = Callable[[str], None]

SPARE = 3
"""Candidates per question wanted, for balancing to choose from."""
TRIES = 4
"""Targets per question wanted that a model is asked about; most failures are due to the page."""


class Site(msgspec.Struct, frozen=True, kw_only=True):
    """A site to build from. With a name, URLs below `base` are written relative to it; without one they are absolute."""

    root: str
    domain: str = ""
    language: str = ""
    """BCP 47 primary tag of the pages that do not say theirs."""
    name: str = ""
    base: str = ""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """The specification of a dataset."""

    sites: tuple[Site, ...]
    wanted: Mapping[Cell, int]
    limits: HarvestLimits = HarvestLimits()
    seed: int = 0
    at_once: int = 1
    """Sites that are harvested side by side."""


class Built(msgspec.Struct, frozen=True, kw_only=True):
    """The resulting questions and statistics."""

    questions: tuple[Question, ...]
    pages: int
    candidates: int
    rejected: dict[str, int]
    """Number of rejected candidates by reason."""
    short: dict[str, int]
    """Shortage by kind and difficulty."""
    failed: dict[str, str] = {}
    """Root -> why its site could not be harvested."""


WriterOf = Callable[[str], Writer]
"""The writer for a domain."""


async def build(
    plan: Plan,
    store: Path,
    writer_of: WriterOf | None = None,
    *,
    keep: Sequence[Question] = (),
    trees: Mapping[str, SiteTree] = {},
    tell: Tell = lambda _: None,
) -> Built:
    """Build the questions of the plan in addition to those in `keep`. `store` is the folder for harvests and drafts; sites with a
    tree in `trees`, by root, are not harvested.

    A site that cannot be harvested is left out, and told. Raises what `harvest` raises if none can, and `EndpointUnusable`; a repeated
    call resumes.
    """
    wanted = _beyond(plan.wanted, keep)
    made: dict[str, tuple[Question, str]] = {}
    rejected: list[Rejected] = []
    pages = count = 0
    planted, failed = await harvest_sites(plan, store, trees, tell)
    for site, tree in planted:
        pages += len(tree.pages)
        accepted: list[Candidate] = []
        async for candidate, why in _candidates(tree, site, plan, store, writer_of, wanted):
            count += 1
            if why:
                rejected.append(Rejected(question=candidate.question if candidate else "", reason=why))
            elif candidate is not None:
                accepted.append(candidate)
        kept, doubles = without_duplicates(accepted)
        rejected += doubles
        for candidate in kept:
            question = question_of(candidate, tree, site)
            made[question.id] = question, candidate.form
        tell(f"{site.root}: {len(kept)} questions of {len(tree.pages)} pages")
    known = {question.id for question in keep}
    forms = {question_id: form for question_id, (_, form) in made.items()}
    new = [question for question_id, (question, _) in made.items() if question_id not in known]
    balanced: Balanced = balance(new, wanted, forms)
    return Built(
        questions=tuple(keep) + balanced.questions,
        pages=pages,
        candidates=count,
        rejected=reasons(rejected),
        short=balanced.short,
        failed=failed,
    )


async def harvest_sites(
    plan: Plan, store: Path, known: Mapping[str, SiteTree], tell: Tell
) -> tuple[list[tuple[Site, SiteTree]], dict[str, str]]:
    """The trees of the sites, in the order of the plan, and why others have none, by root; trees that are known are not harvested
    again. Raises what `harvest` raises if no site has one."""
    room = asyncio.Semaphore(plan.at_once)

    async def one(site: Site) -> SiteTree | WalkerError:
        async with room:
            try:
                return known.get(site.root) or await harvest_site(site, plan.limits, store, tell)
            except WalkerError as error:
                return error

    found = await asyncio.gather(*map(one, plan.sites))
    failed = {site.root: error for site, error in zip(plan.sites, found, strict=True) if isinstance(error, WalkerError)}
    for root, error in failed.items():
        if len(failed) == len(plan.sites):
            raise error
        tell(f"{root}: left out: {error.what}")
    planted = [(site, tree) for site, tree in zip(plan.sites, found, strict=True) if isinstance(tree, SiteTree)]
    return planted, {root: error.what for root, error in failed.items()}


async def harvest_site(site: Site, limits: HarvestLimits, store: Path, tell: Tell) -> SiteTree:
    """Harvest one site, with progress lines. Raises what `harvest` raises."""
    tree = await harvest(site.root, store, limits, HarvestProgress(tell))
    if not site.language:
        return tree
    said = (page if page.language else msgspec.structs.replace(page, language=site.language) for page in tree.pages)
    return SiteTree(said)


async def _candidates(
    tree: SiteTree,
    site: Site,
    plan: Plan,
    store: Path,
    writer_of: WriterOf | None,
    wanted: Mapping[Cell, int],
) -> AsyncIterator[tuple[Candidate | None, str]]:
    """Candidates, each with the reason for its rejection ("" for none), until there are enough of every kind and difficulty."""
    enough = _Enough(wanted)
    if not any(wanted.values()):  # a refresh that dropped nothing
        return
    if writer_of is None:
        for write in (write_single, write_multi):
            for candidate in write(tree, seed=plan.seed):
                levels = _levels(candidate, tree)
                if enough.wants(levels):
                    why = why_not(candidate, tree)
                    enough.note(levels, accepted=not why)
                    yield candidate, why
        return
    with DraftFile(store / f"{folder_name(site.root)}.drafts.jsonl", writer_of(site.domain)) as drafts:
        for count in (1, 2):
            for pages in sample_targets(tree, count, seed=plan.seed):
                levels = tuple(page.level for page in pages)
                if enough.wants(levels):
                    drafted, why = await drafts.draft(pages)
                    why = why or (why_not(drafted, tree) if drafted else "")
                    enough.note(levels, accepted=not why)
                    yield drafted, why


class _Enough:
    """Tracks which kinds and difficulties are still wanted."""

    def __init__(self, wanted: Mapping[Cell, int]) -> None:
        self._wanted = wanted
        self._accepted: Counter[Cell] = Counter()
        self._tried: Counter[Cell] = Counter()

    def wants(self, levels: tuple[int, ...]) -> bool:
        cell = _cell(levels)
        wanted = self._wanted.get(cell, 0)
        return self._accepted[cell] < SPARE * wanted and self._tried[cell] < SPARE * TRIES * wanted

    def note(self, levels: tuple[int, ...], *, accepted: bool) -> None:
        self._accepted[_cell(levels)] += accepted
        self._tried[_cell(levels)] += 1


def question_of(candidate: Candidate, tree: SiteTree, site: Site) -> Question:
    """The dataset question for an accepted candidate."""
    pages = [page for key in candidate.pages if (page := tree.page(key)) is not None]
    levels = tuple(page.level for page in pages)
    said = "\n".join(
        (candidate.question, candidate.answers[0], *(relative_to_base(page.place, site) for page in pages))
    )
    return Question(
        id=f"b-{hashlib.sha256(said.encode()).hexdigest()[:10]}",
        question=candidate.question,
        answers=candidate.answers,
        root=relative_to_base(site.root, site),
        site=site.name,
        sources=tuple(relative_to_base(page.place, site) for page in pages),
        click_paths=tuple(_path(tree, page, site) for page in pages),
        kind=kind_of(candidate.pages),
        difficulty=difficulty_of(levels),
        domain=site.domain,
        language=candidate.language,
        modality=candidate.modality,
        items=candidate.parts,
        depths=levels,
        evidence=candidate.quotes,
        created=max(page.seen for page in pages),
    )


def _path(tree: SiteTree, page: HarvestedPage, site: Site) -> tuple[Click, ...]:
    return tuple(Click(label=click.label, url=relative_to_base(click.url, site)) for click in tree.click_path(page.key))


def relative_to_base(url: str, site: Site) -> str:
    """The URL as written in the dataset: relative if the site has a name and the URL is below its base."""
    base = site.base.rstrip("/") + "/"
    return url.removeprefix(base) if site.name and url.startswith(base) else url


def _levels(candidate: Candidate, tree: SiteTree) -> tuple[int, ...]:
    return tuple(page.level for key in candidate.pages if (page := tree.page(key)) is not None)


def _cell(levels: tuple[int, ...]) -> Cell:
    return ("single" if len(levels) == 1 else "multi"), difficulty_of(levels)


def _beyond(wanted: Mapping[Cell, int], keep: Sequence[Question]) -> dict[Cell, int]:
    there = Counter((question.kind, question.difficulty) for question in keep)
    return {cell: max(0, count - there[cell]) for cell, count in wanted.items()}
