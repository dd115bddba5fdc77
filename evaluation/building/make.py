"""Builds a dataset from sites: harvest, write, check, remove duplicates, balance."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from pathlib import Path

import msgspec

from evaluation.building.balancing import Balanced, Cell, balance
from evaluation.building.candidate import Candidate, difficulty_of, kind_of
from evaluation.building.checks import Rejected, reasons, why_not, without_duplicates
from evaluation.building.cloze import write_multi, write_single
from evaluation.building.drafts import DraftFile
from evaluation.building.harvest_progress import HarvestProgress
from evaluation.building.harvesting import HarvestLimits, folder_name, harvest
from evaluation.building.sampling import sample_targets
from evaluation.building.tree import HarvestedPage, SiteTree
from evaluation.building.writing import Writer
from evaluation.dataset.question import Click, Question

Tell = Callable[[str], None]

SPARE = 3
"""Candidates per question wanted, for balancing to choose from."""
TRIES = 4
"""Targets per question wanted that a model is asked about; most failures are due to the page."""


class Site(msgspec.Struct, frozen=True, kw_only=True):
    """A site to build from. With a name, URLs below `base` are written relative to it; without one they are absolute."""

    root: str
    domain: str = ""
    name: str = ""
    base: str = ""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """The specification of a dataset."""

    sites: tuple[Site, ...]
    wanted: Mapping[Cell, int]
    limits: HarvestLimits = HarvestLimits()
    seed: int = 0


class Built(msgspec.Struct, frozen=True, kw_only=True):
    """The resulting questions and statistics."""

    questions: tuple[Question, ...]
    pages: int
    candidates: int
    rejected: dict[str, int]
    """Number of rejected candidates by reason."""
    short: dict[str, int]
    """Shortage by kind and difficulty."""


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

    Raises `RootUnreachable`, `BrowserUnavailable`, `EndpointUnusable`; a repeated call resumes.
    """
    wanted = _beyond(plan.wanted, keep)
    made: list[Question] = []
    rejected: list[Rejected] = []
    pages = count = 0
    for site in plan.sites:
        tree = trees.get(site.root) or await harvest_site(site, plan.limits, store, tell)
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
        made += [question_of(candidate, tree, site) for candidate in kept]
        tell(f"{site.root}: {len(kept)} questions of {len(tree.pages)} pages")
    known = {question.id for question in keep}
    balanced: Balanced = balance([question for question in made if question.id not in known], wanted)
    return Built(
        questions=tuple(keep) + balanced.questions,
        pages=pages,
        candidates=count,
        rejected=reasons(rejected),
        short=balanced.short,
    )


async def harvest_site(site: Site, limits: HarvestLimits, store: Path, tell: Tell) -> SiteTree:
    """Harvest one site, with progress lines. Raises what `harvest` raises."""
    return await harvest(site.root, store, limits, HarvestProgress(tell))


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
