"""Questions about a picture in datasets: found beside the file, known by the digest, handed to the walk."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from evaluation.dataset.files import load, save
from evaluation.dataset.pictures import picture_asked
from evaluation.dataset.question import Dataset
from tests.sites.museum import pictures
from walker.errors import UsageError

LINE = {
    "id": "mill",
    "question": "Who built this?",
    "answers": ["Tomas Brek"],
    "root": "https://museum.example/",
    "picture": "pictures/mill.png",
    "boxes": [[0.2, 0.1, 0.8, 0.9], [0, 0, 1, 1]],
}


def written(folder: Path, **changed: object) -> Path:
    (folder / "pictures").mkdir(parents=True, exist_ok=True)
    (folder / "pictures" / "mill.png").write_bytes(pictures()["/mill.png"])
    file = folder / "questions.jsonl"
    file.write_text(json.dumps(LINE | changed) + "\n", encoding="utf-8")
    return file


def test_the_picture_is_found_beside_the_file_and_given_to_the_walk(tmp_path: Path) -> None:
    (question,) = load(written(tmp_path / "a")).questions
    assert question.picture_digest == hashlib.sha256(pictures()["/mill.png"]).hexdigest()
    asked = picture_asked(question)
    assert asked is not None
    assert asked.about.box == (0.2, 0.1, 0.8, 0.9), "the first of its boxes"
    assert (asked.about.width, asked.about.height) == (640, 480)


def test_a_dataset_has_the_same_digest_wherever_its_pictures_lie(tmp_path: Path) -> None:
    one, other = load(written(tmp_path / "a")), load(written(tmp_path / "b"))
    assert one.questions != other.questions
    assert one.digest == other.digest
    bare = Dataset(name="x", questions=load(written(tmp_path / "c", boxes=[])).questions)
    assert bare.digest != one.digest


def test_it_is_written_with_the_way_from_its_new_file(tmp_path: Path) -> None:
    dataset = load(written(tmp_path / "a"))
    target = tmp_path / "elsewhere" / "deep" / "again.jsonl"
    target.parent.mkdir(parents=True)
    save(target, dataset.questions)
    assert json.loads(target.read_text(encoding="utf-8"))["picture"] == "../../a/pictures/mill.png"
    assert load(target).digest == dataset.digest
    with pytest.raises(UsageError, match="no questions about a picture"):
        save(target, dataset.questions, "webwalkerqa")


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"picture": "absent.png"}, "the picture cannot be read"),
        ({"picture": "questions.jsonl"}, "not a PNG, JPEG, WebP or GIF file"),
        ({"boxes": [[0, 0, 2, 1]]}, "is not a box within the picture"),
        ({"picture_digest": "00"}, "is not the picture that was written down"),
        ({"picture": ""}, "boxes or a digest without a picture"),
    ],
)
def test_what_cannot_be_asked_is_told_with_its_line(changed: dict[str, object], why: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=why) as refused:
        load(written(tmp_path, **changed))
    assert "questions.jsonl:1" in str(refused.value)


def test_a_question_without_a_picture_is_as_before(tmp_path: Path) -> None:
    plain = {name: value for name, value in LINE.items() if name not in ("picture", "boxes")}
    file = tmp_path / "plain.jsonl"
    file.write_text(json.dumps(plain) + "\n", encoding="utf-8")
    (question,) = load(file).questions
    assert picture_asked(question) is None
    save(tmp_path / "again.jsonl", [question])
    assert "picture" not in json.loads((tmp_path / "again.jsonl").read_text(encoding="utf-8"))
