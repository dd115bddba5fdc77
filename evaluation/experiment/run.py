"""Runs an experiment: questions x variants, in parallel in one browser. Each answer is written when its walk ends; a repeated run
asks only what is not answered yet."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable
from pathlib import Path

import msgspec

from evaluation.building.harvesting import HarvestLimits
from evaluation.dataset.pictures import picture_asked
from evaluation.dataset.question import Dataset, Question, address_of
from evaluation.experiment.folder import Experiment, ExperimentFolder, latest_samples
from evaluation.experiment.site_search import SiteSearch
from evaluation.experiment.tool_calls import ToolCalls
from evaluation.experiment.variants import Variant
from evaluation.experiment.workflows import answer_without_walk
from evaluation.ledger import Ledger
from evaluation.sample import Sample
from evaluation.workers import run_workers
from walker.asking import ask_in
from walker.assembly import WalkResources
from walker.errors import BrowserUnavailable, EndpointUnusable, TraceUnwritable, UsageError, WalkerError
from walker.models.meter import money_of
from walker.recording.fault import one_line_for_a_fault
from walker.run_setup import make_redactor
from walker.seams.chat import Spent
from walker.seams.outcome import Outcome
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
    asking: ExperimentPlan, folder: ExperimentFolder, settings: Settings, tell: Tell = lambda *_: None
) -> RunReport:
    """Answer what is not answered in the folder yet, `jobs` questions at a time, question by question over all variants.

    Raises `UsageError` before anything is asked: other questions or models than the folder was begun with, a site without
    an address, a variant that needs a model. A fault ends its question alone; a browser or endpoint that cannot be had ends
    the run, and what was answered stays.
    """
    for question in asking.dataset.questions:
        address_of(question, question.root, asking.sites)
    if settings.model is None and any(variant.workflow != "walk" for variant in asking.variants):
        raise UsageError("variants that do not walk need a model", where="--variant", advice="Add --model NAME")
    experiment = folder.begin(asking.dataset, asking.variants, settings, asking.samples, asking.runs)
    with contextlib.closing(Ledger(folder.samples_file, Sample)) as ledger:
        return await _run_all(asking, experiment, folder, ledger, settings, tell)


async def _run_all(
    asking: ExperimentPlan,
    experiment: Experiment,
    folder: ExperimentFolder,
    ledger: Ledger[Sample],
    settings: Settings,
    tell: Tell,
) -> RunReport:
    done = {sample.key for sample in latest_samples(ledger.entries) if not sample.error}
    wanted = [
        (question, variant, number)
        for number in range(1, experiment.samples + 1)
        for question in asking.dataset.questions
        for variant in asking.variants
    ]
    waiting = [(q, variant, number) for q, variant, number in wanted if (variant.name, q.id, number) not in done]
    queue = iter(enumerate(waiting, start=1))
    failed = 0
    limits = HarvestLimits(pages=SEARCHED_PAGES, jobs=asking.jobs, scope=settings.scope, chromium=settings.chromium)
    walking = WalkResources(msgspec.structs.replace(settings, runs_folder=folder.runs))
    async with walking as resources:
        search = SiteSearch(folder.path / "search", limits)
        crews = {
            variant.name: resources.with_settings(variant.settings_of(resources.settings))
            for variant in asking.variants
        }

        async def ask_on() -> None:
            nonlocal failed
            for place, (question, variant, number) in queue:
                empty = Sample(question_id=question.id, variant=variant.name, number=number)
                sample = await _ask(crews[variant.name], question, variant, asking.sites, search, empty)
                sample = msgspec.structs.replace(sample, trace=_below(sample.trace))
                ledger.add(sample)
                failed += bool(sample.error)
                tell(place, len(waiting), sample)

        await run_workers(ask_on, min(asking.jobs, len(waiting)))
    return RunReport(wanted=len(wanted), known=len(wanted) - len(waiting), asked=len(waiting), failed=failed)


async def _ask(
    resources: WalkResources,
    question: Question,
    variant: Variant,
    sites: dict[str, str],
    search: SiteSearch,
    empty: Sample,
) -> Sample:
    root = address_of(question, question.root, sites)
    try:
        if variant.workflow != "walk":
            runs = resources.settings.runs_folder
            with one_line_for_a_fault(runs / _traceback_name(empty), make_redactor(resources.settings, runs)):
                return await answer_without_walk(resources, question, root, variant.workflow, empty, search)
        calls = ToolCalls()
        picture = picture_asked(question)
        outcome = await ask_in(
            resources, root, question.question, language=question.language, progress=calls, picture=picture
        )
    except (BrowserUnavailable, EndpointUnusable, TraceUnwritable):
        raise
    except WalkerError as error:
        return msgspec.structs.replace(empty, error=str(error), stop_reason="failed")
    return sample_of(empty, outcome, calls, resources.settings)


def _traceback_name(sample: Sample) -> str:
    """Beside the runs: what is answered without a walk has none of its own."""
    return re.sub(r"[^\w.-]+", "-", f"traceback-{sample.variant}-{sample.question_id}-{sample.number}.txt")


def sample_of(empty: Sample, outcome: Outcome, calls: ToolCalls, settings: Settings) -> Sample:
    """Complete a sample from the outcome of its walk. `empty` has its identity (question, variant, number), `calls` counted what the
    walk did, `settings` give the prices for its cost."""
    usage = outcome.usage
    spent = Spent(prompt_tokens=usage.prompt_tokens, completion_tokens=usage.completion_tokens)
    return msgspec.structs.replace(
        empty,
        answer=outcome.answer,
        items=outcome.items,
        confidence=outcome.confidence,
        citations=outcome.citations,
        stop_reason=outcome.stop_reason.value,
        pages=outcome.pages,
        steps=outcome.steps,
        looks=calls.looked,
        tools=calls.by_tool,
        usage=usage,
        money=money_of(spent, settings.model) if settings.model is not None else None,
        trace=outcome.trace,
    )


def _below(trace: str) -> str:
    """The run's path relative to the folder, so that the folder can be moved."""
    return f"runs/{Path(trace).name}" if trace else ""
