"""The folder of an experiment, which refuses to mix results of different setups."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import msgspec

from evaluation.dataset.files import load, save
from evaluation.dataset.question import Dataset
from evaluation.experiment.consistency import grade_check, sample_check
from evaluation.experiment.variants import Variant
from evaluation.ledger import Ledger, read_lines
from evaluation.sample import Grade, Sample
from traces.errors import TraceError
from traces.store.mirror import mirror_at
from walker.errors import UsageError
from walker.files.atomic_output import write_output
from walker.library.opening import opened_library
from walker.settings import Limits, Settings, code_kind

BUILT_IN = "built-in"


class Setup(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that must be equal for two samples to be comparable; one per experiment."""

    dataset: str
    """Digest of the questions."""
    model: str
    """Name and URL, "built-in" for the strategies without a model."""
    vision: str
    limits: Limits
    threshold: float
    look_threshold: float
    page_tokens: int
    order: str = ""
    """Of the model's calls; "" for the strategies without a model."""
    analysis: str = ""
    """Who analyses the question; "" for the strategies without a model."""
    temperature: float = 0.0
    top_p: float | None = None
    thinking: str | None = None
    ocr: str
    scope: str
    summaries: bool = False
    """Whether pages are summarised."""
    code: str = ""
    """Kind of interpreter that the model is offered, "" for none."""
    library: str = ""
    """What questions without a root are answered from: name and pages of a library, "" for none."""
    search: str = ""
    """Address of the search that walks have, "" for none."""
    picture_search: str = ""
    """Address of the service that is sent the pictures of questions, "" for none."""
    picture_model: str = ""
    """Name of the encoder's folder by which pictures of the library are compared besides, "" for none."""
    tools: tuple[str, ...] = ()
    """Tools that the model is offered besides."""


class Experiment(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """experiment.json: the setup and variants."""

    name: str
    dataset_name: str
    setup: Setup
    variants: tuple[Variant, ...]
    samples: int
    """Samples per question and variant."""
    created: str
    """ISO 8601, UTC."""
    package: str
    """Version of Walker that created it."""
    runs: str = ""
    """Address of the store that its walks are kept in, "" for the folder `runs` beside this."""


class Answers(msgspec.Struct, frozen=True, kw_only=True):
    """Questions, and the answers so far, of one experiment."""

    experiment: Experiment
    dataset: Dataset
    samples: tuple[Sample, ...]
    """The last sample of each key, since failed ones are retried."""


class ExperimentFolder:
    """An experiment on disk: experiment.json, questions.jsonl, samples.jsonl, grades.jsonl, ablation.json, report.html,
    and the recorded walks in runs/."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.runs = path / "runs"
        self.samples_file = path / "samples.jsonl"
        self.grades_file = path / "grades.jsonl"
        self.ablation_file = path / "ablation.json"
        self.report_file = path / "report.html"
        self.figures = path / "figures"
        self._manifest = path / "experiment.json"
        self._questions = path / "questions.jsonl"

    def begin(
        self, dataset: Dataset, variants: tuple[Variant, ...], settings: Settings, samples: int, runs: str = ""
    ) -> Experiment:
        """Create the experiment, or resume an existing one, adding new variants. `runs` is the address of a store for its walks.

        Raises `UsageError` naming the differences if the existing one has other questions, models, limits or store.
        """
        setup = setup_of(dataset, settings)
        if self._manifest.exists():
            known = self.experiment
            if runs not in ("", known.runs):
                raise UsageError(
                    f"the walks of this experiment are kept in {known.runs or self.runs}",
                    where=str(self.path),
                    advice="Leave out --runs, or give another folder with --out",
                )
            if differing := _differences(known.setup, setup):
                raise UsageError(
                    f"this experiment was started with {differing}",
                    where=str(self.path),
                    advice="Give another folder with --out; one experiment never mixes them",
                )
            names = {variant.name for variant in known.variants}
            added = tuple(variant for variant in variants if variant.name not in names)
            found = msgspec.structs.replace(known, variants=known.variants + added, samples=max(samples, known.samples))
        else:
            found = Experiment(
                name=self.path.resolve().name,
                dataset_name=dataset.name,
                setup=setup,
                variants=variants,
                samples=samples,
                created=datetime.now(UTC).isoformat(timespec="seconds"),
                package=version("gemwalker"),
                runs=runs,
            )
            save(self._questions, dataset.questions)
        write_output(self._manifest, msgspec.json.format(msgspec.json.encode(found)) + b"\n")
        self._mirror(found)
        return found

    def _mirror(self, known: Experiment) -> None:
        """Make `runs/` a mirror of the store that holds the walks, if one does."""
        if not known.runs:
            return
        try:
            mirror_at(known.runs, self.runs).marked()
        except TraceError as error:
            raise UsageError(error.what, where=error.where, advice="Check the folder, and experiment.json") from None

    @property
    def experiment(self) -> Experiment:
        """The experiment's description. Raises `UsageError` if the folder has none."""
        try:
            known = msgspec.json.decode(self._manifest.read_bytes(), type=Experiment)
        except OSError:
            raise UsageError(
                "there is no experiment", where=str(self.path), advice="Start one: walker eval run DATASET --out FOLDER"
            ) from None
        except msgspec.DecodeError as error:
            raise UsageError(
                f"it cannot be read ({error})", where=str(self._manifest), advice="Restore it from a backup"
            ) from None
        self._mirror(known)
        return known

    def read_answers(self) -> Answers:
        """All questions and samples. Raises `UsageError` naming the line of a sample that does not belong to this experiment."""
        known = self.experiment
        dataset = self._dataset_of(known)
        questions = {question.id for question in dataset.questions}
        check = sample_check(questions, {variant.name for variant in known.variants}, known.samples)
        samples = latest_samples(read_lines(self.samples_file, Sample, check))
        return Answers(experiment=known, dataset=dataset, samples=samples)

    def _dataset_of(self, known: Experiment) -> Dataset:
        """The questions, verified to be the ones it was started with."""
        found = msgspec.structs.replace(load(self._questions), name=known.dataset_name)
        if found.digest != known.setup.dataset:
            raise UsageError(
                f"its questions were changed (digest {found.digest}, started with {known.setup.dataset})",
                where=str(self._questions),
                advice="Restore the file from a backup, or start a new experiment",
            )
        return found

    def open_grades(self, samples: Iterable[Sample]) -> Ledger[Grade]:
        """The ledger of these samples' grades, for writing. Raises `UsageError` naming the line of an invalid grade."""
        return Ledger(self.grades_file, Grade, grade_check({sample.key: sample for sample in samples}))

    def read_grades(self, samples: Iterable[Sample]) -> tuple[Grade, ...]:
        """The last grade of each of these samples. Raises `UsageError` naming the line of an invalid grade."""
        answered = {sample.key: sample for sample in samples}
        found = {grade.key: grade for grade in read_lines(self.grades_file, Grade, grade_check(answered))}
        changed = [grade for grade in found.values() if grade.of and grade.of != answered[grade.key].digest]
        if changed:
            raise UsageError(
                f"answers changed after they were graded: {len(changed)}, the first {changed[0].variant} to "
                f"{changed[0].question_id}",
                where=str(self.samples_file),
                advice=f"Run walker eval grade {self.path} again, or restore the file from a backup",
            )
        return tuple(found.values())


def latest_samples(samples: Iterable[Sample]) -> tuple[Sample, ...]:
    """The last sample of each key, in order of the first one."""
    return tuple({sample.key: sample for sample in samples}.values())


def setup_of(dataset: Dataset, settings: Settings) -> Setup:
    """The setup for a dataset and settings."""
    model, vision = settings.model, settings.vision
    return Setup(
        dataset=dataset.digest,
        model=f"{model.name} at {model.base_url or 'the default endpoint'}" if model else BUILT_IN,
        vision=f"{vision.name} at {vision.folder or vision.base_url or 'the default endpoint'}" if vision else BUILT_IN,
        limits=settings.limits,
        threshold=settings.threshold,
        look_threshold=settings.look_threshold,
        page_tokens=model.page_tokens if model else 0,
        order=model.order if model else "",
        analysis=model.analysis if model else "",
        temperature=model.temperature if model else 0.0,
        top_p=model.top_p if model else None,
        thinking=model.thinking if model else None,
        ocr=settings.ocr,
        scope=settings.scope,
        summaries=bool(settings.summaries),
        code=code_kind(settings.code) or "",
        library=_named(settings.library) if settings.library is not None else "",
        search=settings.beyond.search.url if settings.beyond.search is not None else "",
        picture_search=settings.picture_search.url if settings.picture_search is not None else "",
        picture_model=settings.picture_model.absolute().name if settings.picture_model is not None else "",
        tools=tuple(sorted(settings.tools)),
    )


def _named(library: Path) -> str:
    """A library as it is told: it may lie elsewhere on another machine. Raises `LibraryFailed`."""
    with opened_library(library) as opened:
        return f"{library.name}, {opened.info().pages} pages"


def _differences(known: Setup, given: Setup) -> str:
    words = {
        "dataset": "the questions",
        "page_tokens": "page tokens",
        "look_threshold": "tau2",
        "threshold": "tau",
        "top_p": "top-p",
    }
    return "; ".join(
        f"{words.get(name, name)} {_formatted(getattr(known, name))}, and this is {_formatted(getattr(given, name))}"
        for name in Setup.__struct_fields__
        if getattr(known, name) != getattr(given, name)
    )


def _formatted(value: object) -> str:
    if isinstance(value, Limits):
        return f"{value.pages} pages, {value.seconds:g} s, depth {value.depth}, {value.looks} looks"
    if value is None:
        return "of the server"
    return f"“{value}”" if isinstance(value, str) else f"{value:g}" if isinstance(value, float) else str(value)


msgspec.json.Decoder(Experiment)  # described at import: docs/design/msgspec.md
