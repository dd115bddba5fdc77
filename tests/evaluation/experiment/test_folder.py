from __future__ import annotations

from pathlib import Path

import pytest

from evaluation.dataset.question import Dataset, Question
from evaluation.experiment.folder import ExperimentFolder
from evaluation.experiment.variants import EIGHT
from evaluation.ledger import Ledger
from evaluation.sample import Sample
from walker.errors import UsageError
from walker.settings import Limits, ModelSettings, Settings, VisionSettings

QUESTION = Question(id="a", question="How deep?", answers=("1.8 m",), root="https://a.example/")
DATASET = Dataset(name="set", questions=(QUESTION,))


def test_an_experiment_is_taken_up_with_new_variants_and_more_samples(tmp_path: Path) -> None:
    folder = ExperimentFolder(tmp_path / "one")
    folder.begin(DATASET, EIGHT[:2], Settings(), 1)
    found = folder.begin(DATASET, EIGHT[1:4], Settings(), 3)
    assert [variant.name for variant in found.variants] == [variant.name for variant in EIGHT[:4]]
    assert found.samples == 3
    assert folder.experiment == found
    assert folder.dataset == DATASET
    assert found.setup.model == "built-in"


OTHERS = [
    (
        DATASET,
        Settings(model=ModelSettings(name="qwen3", base_url="http://h/v1")),
        "model “built-in”, and this is “qwen3",
    ),
    (DATASET, Settings(vision=VisionSettings(name="eye")), "vision “built-in”, and this is “eye at"),
    (DATASET, Settings(limits=Limits(pages=5)), "limits 30 pages.*and this is 5 pages"),
    (DATASET, Settings(threshold=10), "tau 70, and this is 10"),
    (Dataset(name="set", questions=()), Settings(), "the questions “"),
]


@pytest.mark.parametrize(("dataset", "settings", "what"), OTHERS)
def test_questions_models_and_limits_are_never_mixed(
    tmp_path: Path, dataset: Dataset, settings: Settings, what: str
) -> None:
    folder = ExperimentFolder(tmp_path)
    before = folder.begin(DATASET, EIGHT, Settings(), 1)
    with pytest.raises(UsageError, match=what) as raised:
        folder.begin(dataset, EIGHT, settings, 1)
    assert "--out" in str(raised.value)
    assert folder.experiment == before


def test_a_key_is_never_written(tmp_path: Path) -> None:
    folder = ExperimentFolder(tmp_path)
    folder.begin(DATASET, EIGHT, Settings(model=ModelSettings(name="m", key="sk-secret")), 1)
    assert b"sk-secret" not in b"".join(path.read_bytes() for path in tmp_path.iterdir())


def test_questions_that_were_changed_afterwards_are_found_out(tmp_path: Path) -> None:
    folder = ExperimentFolder(tmp_path)
    folder.begin(DATASET, EIGHT, Settings(), 1)
    path = tmp_path / "questions.jsonl"
    path.write_text(path.read_text().replace("1.8 m", "2 m"))
    with pytest.raises(UsageError, match="questions were changed"):
        _ = folder.dataset


def test_a_folder_without_an_experiment_says_how_to_begin_one(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="walker eval run"):
        _ = ExperimentFolder(tmp_path / "none").experiment


def test_the_last_sample_of_a_key_counts(tmp_path: Path) -> None:
    folder = ExperimentFolder(tmp_path)
    ledger = Ledger(folder.samples_file, Sample)
    ledger.add(Sample(question_id="a", variant="all", error="no page"))
    ledger.add(Sample(question_id="b", variant="all", answer="other"))
    ledger.add(Sample(question_id="a", variant="all", answer="1.8 m"))
    ledger.close()
    assert [(sample.question_id, sample.answer) for sample in folder.samples] == [("a", "1.8 m"), ("b", "other")]
