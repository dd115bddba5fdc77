"""What an experiment's folder holds, and what it refuses to mix."""

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
from walker.errors import UsageError
from walker.files.atomic_output import write_output
from walker.settings import Limits, Settings

BUILT_IN = "built-in"


class Setup(msgspec.Struct, frozen=True, kw_only=True):
    """All that makes two samples comparable; one experiment has one."""

    dataset: str
    """Digest of the questions."""
    model: str
    """Name and address, "built-in" for the minds without a model."""
    vision: str
    limits: Limits
    threshold: float
    look_threshold: float
    page_tokens: int
    ocr: str
    scope: str


class Experiment(msgspec.Struct, frozen=True, kw_only=True):
    """experiment.json: what was asked of whom."""

    name: str
    dataset_name: str
    setup: Setup
    variants: tuple[Variant, ...]
    samples: int
    """Of each question by each variant."""
    created: str
    """ISO 8601, UTC."""
    package: str
    """Version that began it."""


class Answers(msgspec.Struct, frozen=True, kw_only=True):
    """What was asked, and what was answered so far; all of it is of one experiment."""

    experiment: Experiment
    dataset: Dataset
    samples: tuple[Sample, ...]
    """The last of each key: one that came to no walk may have been asked again."""


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

    def begin(self, dataset: Dataset, variants: tuple[Variant, ...], settings: Settings, samples: int) -> Experiment:
        """Write what the experiment is, or take up the one that is there with the variants that are new.

        Raises `UsageError` naming what differs where the one that is there has other questions, models or limits.
        """
        setup = setup_of(dataset, settings)
        if self._manifest.exists():
            known = self.experiment
            if differing := _differences(known.setup, setup):
                raise UsageError(
                    f"this experiment was begun with {differing}",
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
            )
            save(self._questions, dataset.questions)
        write_output(self._manifest, msgspec.json.format(msgspec.json.encode(found)) + b"\n")
        return found

    @property
    def experiment(self) -> Experiment:
        """What is known of it. Raises `UsageError` where the folder holds none."""
        try:
            return msgspec.json.decode(self._manifest.read_bytes(), type=Experiment)
        except OSError:
            raise UsageError(
                "there is no experiment", where=str(self.path), advice="Begin one: walker eval run DATASET --out FOLDER"
            ) from None
        except msgspec.DecodeError as error:
            raise UsageError(
                f"it cannot be read ({error})", where=str(self._manifest), advice="Take it from a backup"
            ) from None

    def read_answers(self) -> Answers:
        """All of it, read once. Raises `UsageError` naming the line of a sample that is not of this experiment."""
        known = self.experiment
        dataset = self._dataset_of(known)
        questions = {question.id for question in dataset.questions}
        check = sample_check(questions, {variant.name for variant in known.variants}, known.samples)
        samples = latest_samples(read_lines(self.samples_file, Sample, check))
        return Answers(experiment=known, dataset=dataset, samples=samples)

    def _dataset_of(self, known: Experiment) -> Dataset:
        """The questions, which are the ones it was begun with."""
        found = msgspec.structs.replace(load(self._questions), name=known.dataset_name)
        if found.digest != known.setup.dataset:
            raise UsageError(
                f"its questions were changed (digest {found.digest}, begun with {known.setup.dataset})",
                where=str(self._questions),
                advice="Take the file from a backup, or begin a new experiment",
            )
        return found

    def open_grades(self, samples: Iterable[Sample]) -> Ledger[Grade]:
        """The file of these samples' grades, to write to. Raises `UsageError` naming the line of one that cannot be."""
        return Ledger(self.grades_file, Grade, grade_check({sample.key: sample for sample in samples}))

    def read_grades(self, samples: Iterable[Sample]) -> tuple[Grade, ...]:
        """The last grade of each of these samples. Raises `UsageError` naming the line of one that cannot be."""
        answered = {sample.key: sample for sample in samples}
        found = {grade.key: grade for grade in read_lines(self.grades_file, Grade, grade_check(answered))}
        changed = [grade for grade in found.values() if grade.of and grade.of != answered[grade.key].digest]
        if changed:
            raise UsageError(
                f"answers changed after they were graded: {len(changed)}, the first {changed[0].variant} to "
                f"{changed[0].question_id}",
                where=str(self.samples_file),
                advice=f"Run walker eval grade {self.path} again, or take the file from a backup",
            )
        return tuple(found.values())


def latest_samples(samples: Iterable[Sample]) -> tuple[Sample, ...]:
    """The last of each key, in the order of their first."""
    return tuple({sample.key: sample for sample in samples}.values())


def setup_of(dataset: Dataset, settings: Settings) -> Setup:
    """What must be equal in one experiment."""
    model, vision = settings.model, settings.vision
    return Setup(
        dataset=dataset.digest,
        model=f"{model.name} at {model.base_url or 'the default endpoint'}" if model else BUILT_IN,
        vision=f"{vision.name} at {vision.folder or vision.base_url or 'the default endpoint'}" if vision else BUILT_IN,
        limits=settings.limits,
        threshold=settings.threshold,
        look_threshold=settings.look_threshold,
        page_tokens=model.page_tokens if model else 0,
        ocr=settings.ocr,
        scope=settings.scope,
    )


def _differences(known: Setup, given: Setup) -> str:
    words = {"dataset": "the questions", "page_tokens": "page tokens", "look_threshold": "tau2", "threshold": "tau"}
    return "; ".join(
        f"{words.get(name, name)} {_told(getattr(known, name))}, and this is {_told(getattr(given, name))}"
        for name in Setup.__struct_fields__
        if getattr(known, name) != getattr(given, name)
    )


def _told(value: object) -> str:
    if isinstance(value, Limits):
        return f"{value.pages} pages, {value.seconds:g} s, depth {value.depth}"
    return f"“{value}”" if isinstance(value, str) else f"{value:g}" if isinstance(value, float) else str(value)
