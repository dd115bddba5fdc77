"""Runs an experiment: questions x variants, in parallel in one browser or on a cluster. Each answer is written when its walk ends; a
repeated run asks only what is not answered yet."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path

import msgspec

from evaluation.building.harvesting import HarvestLimits
from evaluation.dataset.question import Dataset, address_of
from evaluation.experiment.folder import Experiment, ExperimentFolder, latest_samples
from evaluation.experiment.sampling import SampleTask
from evaluation.experiment.site_search import SiteSearch
from evaluation.experiment.variants import Variant
from evaluation.ledger import Ledger
from evaluation.sample import Sample
from walker.asking import start_of
from walker.batch.places import ENDS_A_BATCH, LocalPlace, WalkPlace
from walker.batch.workers import run_workers
from walker.errors import UsageError, WalkerError
from walker.recording.fault import one_line_for_a_fault
from walker.settings import Settings

Tell = Callable[[int, int, Sample], None]
SEARCHED_PAGES = 400
"""Pages per site in the index of the workflows that search instead of walking."""


class ExperimentPlan(msgspec.Struct, frozen=True, kw_only=True):
    """Questions, variants and the URLs of sites."""

    dataset: Dataset
    variants: tuple[Variant, ...]
    sites: dict[str, str]
    samples: int = 1
    jobs: int = 2
    runs: str = ""
    """Address of the store that walks are kept in, "" for the experiment's folder."""


class RunReport(msgspec.Struct, frozen=True, kw_only=True):
    """Statistics of a run."""

    wanted: int
    known: int
    """Answered by an earlier run."""
    asked: int
    failed: int
    """Failed to start; the next run retries them."""


async def run_experiment(
    asking: ExperimentPlan,
    folder: ExperimentFolder,
    settings: Settings,
    tell: Tell = lambda *_: None,
    place: WalkPlace | None = None,
) -> RunReport:
    """Answer what is not answered in the folder yet, `jobs` questions at a time, question by question over all variants; in this
    process if no `place` is given. Walks are recorded in the folder of runs that the place has, which is to be the experiment's.

    Raises `UsageError` before anything is asked: other questions or models than the folder was begun with, a site without an address
    where there is nothing to search, a variant that needs a model. A fault ends its question alone; a browser or endpoint that cannot
    be had ends the run, and what was answered stays.
    """
    roots = roots_of(asking, settings)
    if settings.model is None and any(variant.workflow != "walk" for variant in asking.variants):
        raise UsageError("variants that do not walk need a model", where="--variant", advice="Add --model NAME")
    experiment = folder.begin(asking.dataset, asking.variants, settings, asking.samples, asking.runs)
    place = place or LocalPlace(msgspec.structs.replace(settings, runs_folder=folder.runs), jobs=asking.jobs)
    limits = HarvestLimits(pages=SEARCHED_PAGES, jobs=asking.jobs, scope=settings.scope, chromium=settings.chromium)
    search = SiteSearch(folder.path / "search", limits)
    with contextlib.closing(Ledger(folder.samples_file, Sample)) as ledger:
        return await _run_all(_wanted(asking, experiment, roots, settings), ledger, search, place, tell)


def roots_of(asking: ExperimentPlan, settings: Settings) -> dict[str, str]:
    """Where each question begins, by its id; "" for one that names no page, of a site without an address, where there is a library or
    a search to answer it from, or nobody goes anywhere. Raises `UsageError` for the others."""
    may_search = settings.library is not None or settings.beyond.search is not None
    needs_none = may_search or all(variant.workflow == "direct" for variant in asking.variants)
    if may_search:
        start_of("", "", settings)
    return {
        question.id: ""
        if needs_none and not question.root and question.site not in asking.sites
        else address_of(question, question.root, asking.sites)
        for question in asking.dataset.questions
    }


def _wanted(
    asking: ExperimentPlan, experiment: Experiment, roots: dict[str, str], settings: Settings
) -> list[SampleTask]:
    library = str(settings.library.absolute()) if settings.library is not None else ""
    return [
        SampleTask(
            question=question,
            variant=variant,
            root=roots[question.id],
            number=number,
            library="" if roots[question.id] else library,
        )
        for number in range(1, experiment.samples + 1)
        for question in asking.dataset.questions
        for variant in asking.variants
    ]


async def _run_all(
    wanted: list[SampleTask], ledger: Ledger[Sample], search: SiteSearch, place: WalkPlace, tell: Tell
) -> RunReport:
    done = {sample.key for sample in latest_samples(ledger.entries) if not sample.error}
    waiting = [task for task in wanted if task.empty.key not in done]
    queue = iter(enumerate(waiting, start=1))
    failed = 0

    async def ask_on() -> None:
        nonlocal failed
        for number, task in queue:
            sample = await _sampled(task, search, place)
            sample = msgspec.structs.replace(sample, trace=_below(sample.trace))
            ledger.add(sample)
            failed += bool(sample.error)
            tell(number, len(waiting), sample)

    if waiting:
        async with place:
            await run_workers(ask_on, min(place.jobs, len(waiting)))
    return RunReport(wanted=len(wanted), known=len(wanted) - len(waiting), asked=len(waiting), failed=failed)


async def _sampled(task: SampleTask, search: SiteSearch, place: WalkPlace) -> Sample:
    """What searches a site has its library made here, once; the rest is done in the place."""
    if task.root and task.variant.workflow not in ("walk", "direct"):
        try:
            with one_line_for_a_fault(None):
                library = await search.library(task.root)
        except ENDS_A_BATCH:
            raise
        except WalkerError as error:
            return task.lost(str(error))
        task = msgspec.structs.replace(task, library=str(library.absolute()))
    return await place.do(task)


def _below(trace: str) -> str:
    """The run's path relative to the folder, so that the folder can be moved."""
    return f"runs/{Path(trace).name}" if trace else ""
