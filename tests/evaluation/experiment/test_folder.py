from __future__ import annotations

import json
import shutil
import uuid
from pathlib import Path

import msgspec
import pytest

from evaluation.dataset.question import Dataset, Question
from evaluation.experiment.folder import ExperimentFolder
from evaluation.experiment.variants import EIGHT
from evaluation.grading.grader import Graders, grade_one
from evaluation.grading.visited import read_visited
from evaluation.ledger import Ledger
from evaluation.sample import Grade, Sample
from tests.fixtures.s3_server import S3Server
from traces.store.mirror import mirror_at
from traces.store.run_copy import copy_run
from walker.errors import UsageError
from walker.settings import Limits, ModelSettings, Settings, VisionSettings

RECORDINGS = Path(__file__).parents[2] / "recordings"
QUESTION = Question(id="a", question="How deep?", answers=("1.8 m",), root="https://a.example/")
DATASET = Dataset(name="set", questions=(QUESTION,))


def test_an_experiment_is_taken_up_with_new_variants_and_more_samples(tmp_path: Path) -> None:
    folder = ExperimentFolder(tmp_path / "one")
    folder.begin(DATASET, EIGHT[:2], Settings(), 1)
    found = folder.begin(DATASET, EIGHT[1:4], Settings(), 3)
    assert [variant.name for variant in found.variants] == [variant.name for variant in EIGHT[:4]]
    assert found.samples == 3
    assert folder.experiment == found
    assert folder.read_answers().dataset == DATASET
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
    (DATASET, Settings(summaries=True), "summaries False, and this is True"),
    (DATASET, Settings(code="http://h/run"), "code “”, and this is “http”"),
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


def test_experiments_from_before_there_were_summaries_and_code_go_on(tmp_path: Path) -> None:
    folder = ExperimentFolder(tmp_path)
    folder.begin(DATASET, EIGHT, Settings(), 1)
    manifest = tmp_path / "experiment.json"
    written = json.loads(manifest.read_text())
    del written["setup"]["summaries"], written["setup"]["code"]
    manifest.write_text(json.dumps(written))
    folder.begin(DATASET, EIGHT, Settings(summaries=False), 1)


def test_answers_of_two_temperatures_are_never_mixed(tmp_path: Path) -> None:
    folder = ExperimentFolder(tmp_path)
    model = ModelSettings(name="m", temperature=0.6)
    folder.begin(DATASET, EIGHT, Settings(model=model), 1)
    with pytest.raises(UsageError, match=r"temperature 0\.6, and this is 0\."):
        folder.begin(DATASET, EIGHT, Settings(model=ModelSettings(name="m")), 1)
    with pytest.raises(UsageError, match=r"top-p of the server, and this is 0\.9"):
        folder.begin(DATASET, EIGHT, Settings(model=ModelSettings(name="m", temperature=0.6, top_p=0.9)), 1)
    with pytest.raises(UsageError, match=r"thinking of the server, and this is “off”"):
        folder.begin(DATASET, EIGHT, Settings(model=ModelSettings(name="m", temperature=0.6, thinking="off")), 1)


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
        _ = folder.read_answers().dataset


def test_a_folder_without_an_experiment_says_how_to_begin_one(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="walker eval run"):
        _ = ExperimentFolder(tmp_path / "none").experiment


def test_the_last_sample_of_a_key_counts(tmp_path: Path) -> None:
    folder = ExperimentFolder(tmp_path)
    other = Question(id="b", question="How wide?", answers=("2 m",), root="https://a.example/")
    folder.begin(Dataset(name="set", questions=(QUESTION, other)), EIGHT, Settings(), 1)
    ledger = Ledger(folder.samples_file, Sample)
    ledger.add(Sample(question_id="a", variant="all", error="no page"))
    ledger.add(Sample(question_id="b", variant="all", answer="other"))
    ledger.add(Sample(question_id="a", variant="all", answer="1.8 m"))
    ledger.close()
    assert [(sample.question_id, sample.answer) for sample in folder.read_answers().samples] == [
        ("a", "1.8 m"),
        ("b", "other"),
    ]


def begun(path: Path, *samples: Sample, grades: tuple[Grade, ...] = ()) -> ExperimentFolder:
    folder = ExperimentFolder(path)
    folder.begin(DATASET, EIGHT, Settings(), 2)
    for file, kind, entries in ((folder.samples_file, Sample, samples), (folder.grades_file, Grade, grades)):
        ledger: Ledger[Sample] | Ledger[Grade] = Ledger(file, kind)  # type: ignore[assignment]
        for entry in entries:
            ledger.add(entry)  # type: ignore[arg-type]
        ledger.close()
    return folder


GOOD = Sample(question_id="a", variant="all", answer="1.8 m")


@pytest.mark.parametrize(
    ("sample", "what"),
    [
        (Sample(question_id="z", variant="all"), 'its question "z" is not in this experiment'),
        (Sample(question_id="a", variant="best"), 'its variant "best" is not in this experiment'),
        (Sample(question_id="a", variant="all", number=3), "its number is 3, of 2"),
    ],
)
def test_a_sample_of_another_experiment_is_named_by_its_line(tmp_path: Path, sample: Sample, what: str) -> None:
    folder = begun(tmp_path, GOOD, sample)
    with pytest.raises(UsageError, match=rf"samples\.jsonl:2.*{what}"):
        _ = folder.read_answers().samples


@pytest.mark.parametrize(
    ("grade", "what"),
    [
        (Grade(question_id="a", variant="stack", right=True), 'there is no answer of "stack" to "a"'),
        (Grade(question_id="a", variant="all", right=True, f1=5.0), "its F1 is 5, not from 0 to 1"),
        (Grade(question_id="a", variant="all", right=True, error_class="refusal"), "but is not wrong"),
    ],
)
def test_a_grade_that_was_edited_by_hand_is_named_by_its_line(tmp_path: Path, grade: Grade, what: str) -> None:
    folder = begun(tmp_path, GOOD, grades=(Grade(question_id="a", variant="all", right=False), grade))
    with pytest.raises(UsageError, match=rf"grades\.jsonl:2.*{what}"):
        _ = folder.read_grades(folder.read_answers().samples)


@pytest.mark.parametrize(
    ("given", "flipped"),
    [
        ('"right":false', '"right":true'),
        ('"f1":0.25', '"f1":0.75'),
        ('"by":"a judge"', '"by":"b judge"'),
        ('"of":', '"of_":'),
    ],
)
async def test_a_grade_that_was_flipped_by_hand_is_found_out(tmp_path: Path, given: str, flipped: str) -> None:
    graded = await grade_one(QUESTION, msgspec.structs.replace(GOOD, answer="deep water"), Graders())
    folder = begun(
        tmp_path, GOOD, grades=(msgspec.structs.replace(graded, f1=0.25, by="a judge", of=GOOD.digest).sealed,)
    )
    samples = folder.read_answers().samples
    assert [grade.right for grade in folder.read_grades(samples)] == [False]
    written = folder.grades_file.read_text()
    assert given in written
    folder.grades_file.write_text(written.replace(given, flipped))
    with pytest.raises(UsageError, match=r"grades\.jsonl:1: it was edited after grading \(delete the line"):
        folder.read_grades(samples)
    with pytest.raises(UsageError, match="edited after grading"):
        folder.open_grades(samples)


async def test_every_grade_that_is_given_bears_its_seal() -> None:
    for answer in ("1.8 m", "deep water", ""):
        given = await grade_one(QUESTION, msgspec.structs.replace(GOOD, answer=answer), Graders())
        assert given.seal
        assert given == given.sealed


def test_an_answer_that_was_changed_after_its_grade_is_found_out(tmp_path: Path) -> None:
    graded = Grade(question_id="a", variant="all", right=True, of=GOOD.digest)
    folder = begun(tmp_path, GOOD, grades=(graded,))
    assert folder.read_grades(folder.read_answers().samples) == (graded,)
    folder.samples_file.write_text(folder.samples_file.read_text().replace("1.8", "2.8"))
    with pytest.raises(UsageError, match="changed after they were graded: 1, the first all to a"):
        _ = folder.read_grades(folder.read_answers().samples)


def test_an_experiment_finds_its_walks_in_the_store_they_were_kept_in(
    tmp_path: Path, s3: S3Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    store = f"s3://{s3.make_bucket(f'b{uuid.uuid4().hex[:8]}')}/set"
    folder = ExperimentFolder(tmp_path / "one")
    assert folder.begin(DATASET, EIGHT, Settings(), 1, store).runs == store
    copy_run(RECORDINGS / "single", mirror_at(store).place)
    shutil.rmtree(folder.runs)
    again = ExperimentFolder(tmp_path / "one")
    assert again.begin(DATASET, EIGHT, Settings(), 1).runs == store, "who goes on with it need not name the store"
    shutil.rmtree(folder.runs)
    assert ExperimentFolder(tmp_path / "one").experiment.runs == store
    visited = read_visited("runs/single", again.path)
    assert visited is not None
    assert visited.text == (read_visited(str(RECORDINGS / "single")) or visited).text
    with pytest.raises(UsageError, match=f"the walks of this experiment are kept in {store}"):
        again.begin(DATASET, EIGHT, Settings(), 1, f"{store}-2")
