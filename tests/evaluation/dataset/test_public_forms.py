"""Public sets about pictures, five records each in the form in which they are published: read, written back, and refused by line and
field where they are wrong."""

from __future__ import annotations

import base64
import json
import shutil
from pathlib import Path

import msgspec
import pytest

from evaluation.dataset.conversion import convert
from evaluation.dataset.files import load, load_placed, save
from evaluation.dataset.pictures import name_of_address
from evaluation.dataset.question import AnswerType, Question
from evaluation.dataset.records import FormatName
from tests.sites.museum import pictures
from tests.walker.cli.program import walker_here
from walker.errors import UsageError

FORMS = Path(__file__).parent / "public_forms"
FILES: dict[str, FormatName] = {
    "browsecomp_vl.jsonl": "browsecomp-vl",
    "infoseek.jsonl": "infoseek",
    "evqa.csv": "evqa",
    "mmsearch.jsonl": "mmsearch",
    "vstar.jsonl": "choices",
    "hr_bench.tsv": "choices",
    "mme_realworld.json": "choices",
    "webwatcher.jsonl": "webwatcher",
}


ADDRESS = "http://pictures.example/a%2Fmill.jpeg"


def folder(tmp_path: Path) -> Path:
    """A folder with the five-line files and the pictures that they name, one as it is fetched from its address."""
    shutil.copytree(FORMS, tmp_path / "sets")
    for place in (tmp_path / "sets" / "images", tmp_path / "sets"):
        place.mkdir(exist_ok=True)
        (place / "mill.png").write_bytes(pictures()["/mill.png"])
    for name in ("bridge", name_of_address(ADDRESS)):
        (tmp_path / "sets" / "images" / f"{name}.png").write_bytes(pictures()["/mill.png"])
    return tmp_path / "sets"


def without_path(question: Question) -> Question:
    return msgspec.structs.replace(question, picture=Path(question.picture).name)


@pytest.mark.parametrize(("name", "form"), FILES.items())
def test_five_records_are_read_and_written_back(tmp_path: Path, name: str, form: FormatName) -> None:
    here = folder(tmp_path)
    loaded = load_placed(here / name)
    questions = loaded.dataset.questions
    assert (loaded.form, len(questions)) == (form, 5)
    assert {question.site for question in questions} == {"web"}
    assert convert(loaded, form, {}).lost == {}
    columns = form == "evqa"
    again = here / ("again.csv" if columns else "again.jsonl")
    save(again, questions, form)
    save(here / "ours.jsonl", questions)
    read = load_placed(again)
    assert read.form == form
    assert [*map(without_path, read.dataset.questions)] == [*map(without_path, questions)]
    assert load(here / "ours.jsonl").questions == questions


def first(tmp_path: Path, name: str, place: int = 0) -> Question:
    return load(folder(tmp_path) / name).questions[place]


@pytest.mark.parametrize(
    ("name", "place", "answers", "kind"),
    [
        ("browsecomp_vl.jsonl", 1, ("Ostrava", "Ostrau"), ""),
        ("browsecomp_vl.jsonl", 4, ("4",), ""),
        ("webwatcher.jsonl", 1, ("Ostrava", "Ostrau"), ""),
        ("webwatcher.jsonl", 4, ("4",), ""),
        ("infoseek.jsonl", 0, ("Tomas Brek", "T. Brek"), "text"),
        ("infoseek.jsonl", 1, ("41.0", "[36.9, 45.1]"), "interval"),
        ("evqa.csv", 0, ("Tomas Brek", "Brek"), "text"),
        ("evqa.csv", 4, ("red&&green", "red&&dark green"), "set"),
        ("mmsearch.jsonl", 2, ("2 crowns", "two crowns", "CZK 2"), ""),
        ("vstar.jsonl", 0, ("B", "green"), "choice"),
        ("hr_bench.tsv", 1, ("B", "12"), "choice"),
        ("mme_realworld.json", 2, ("E", "This image doesn't feature the count."), "choice"),
    ],
)
def test_what_is_right_is_read_with_its_type(
    tmp_path: Path, name: str, place: int, answers: tuple[str, ...], kind: AnswerType
) -> None:
    question = first(tmp_path, name, place)
    assert (question.answers, question.answer_type) == (answers, kind)


def test_two_hops_have_two_sources_and_a_question_may_lack_a_picture(tmp_path: Path) -> None:
    questions = load(folder(tmp_path) / "evqa.csv").questions
    assert (questions[2].kind, len(questions[2].sources)) == ("multi", 2)
    assert questions[0].evidence == ("The mill was built by Tomas Brek, a carpenter.",)
    assert Path(questions[0].picture).name == "mill.png", "the first of its pictures"
    assert load(tmp_path / "sets" / "mmsearch.jsonl").questions[1].picture == ""


def test_objects_of_several_lines_one_behind_the_other_are_read_too(tmp_path: Path) -> None:
    file = folder(tmp_path) / "browsecomp_vl.jsonl"
    records = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    before = load(file).questions
    file.write_text("\n".join(json.dumps(record, indent=1) for record in records), encoding="utf-8")
    assert load(file).questions == before
    assert load_placed(file).places[before[1].id].endswith("browsecomp_vl.jsonl:7")
    file.write_text(file.read_text(encoding="utf-8").replace("In which town", "In which\ntown"), encoding="utf-8")
    assert load(file).questions[1].question == "In which\ntown is this bridge?"
    file.write_text(file.read_text(encoding="utf-8")[:-5], encoding="utf-8")
    with pytest.raises(UsageError, match=r"browsecomp_vl\.jsonl:1: not JSON"):
        load(file)


def test_pictures_are_found_as_the_published_folders_are_unpacked(tmp_path: Path) -> None:
    here = folder(tmp_path)
    (here / "images" / "level1").mkdir()
    (here / "images" / "level1" / "tower.png").write_bytes(pictures()["/mill.png"])
    record = {"question": "What is it?", "image_path": "image/level1/tower.png", "answers": ["a mill"], "domain": ""}
    (here / "one.jsonl").write_text(json.dumps(record) + "\n", encoding="utf-8")
    assert load(here / "one.jsonl").questions[0].picture == str(here / "images" / "level1" / "tower.png")


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("browsecomp_vl.jsonl", "Unpack the set's pictures beside the file, or below images there"),
        ("mixed.jsonl", "Correct 6 of 6 records (read as browsecomp-vl)"),
    ],
)
def test_a_set_without_its_pictures_says_where_to_put_them(tmp_path: Path, name: str, advice: str) -> None:
    shutil.copy(FORMS / "browsecomp_vl.jsonl", tmp_path)
    lines = (FORMS / "browsecomp_vl.jsonl").read_text(
        encoding="utf-8"
    ) + '{"question": "", "image_path": "", "answers": []}\n'
    (tmp_path / "mixed.jsonl").write_text(lines, encoding="utf-8")
    with pytest.raises(UsageError, match="there is no such file") as told:
        load(tmp_path / name)
    assert told.value.advice == advice


def test_choices_are_written_out_in_the_question(tmp_path: Path) -> None:
    assert first(tmp_path, "hr_bench.tsv").question == "What number is on the gate?\n(A) 12\n(B) 21\n(C) 17\n(D) 71"


def test_pictures_in_base64_are_unpacked_beside_the_file(tmp_path: Path) -> None:
    packed = base64.b64encode(pictures()["/mill.png"]).decode()
    file = tmp_path / "hr.tsv"
    rows = ["index\tquestion\tanswer\tA\tB\timage", f"7\tWhat is it?\tA\ta mill\ta boat\t{packed}"]
    file.write_text("\n".join(rows) + "\n", encoding="utf-8")
    (question,) = load(file).questions
    assert question.picture == str(tmp_path / "hr.tsv.pictures" / "7.png")
    assert Path(question.picture).read_bytes() == pictures()["/mill.png"]
    file.write_text("\n".join([rows[0], "7\tWhat is it?\tA\ta mill\ta boat\t" + "QUJD" * 40]) + "\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r'hr\.tsv:2: "image" is base64 of no PNG'):
        load(file)


@pytest.mark.parametrize(
    ("name", "line", "changed", "why"),
    [
        ("browsecomp_vl.jsonl", 2, {"answers": []}, '"answers" is empty'),
        ("browsecomp_vl.jsonl", 2, {"answers": {"a": 1}}, '"answers" is {"a":1}'),
        ("browsecomp_vl.jsonl", 3, {"image_path": 7.5}, "7.5: "),
        ("webwatcher.jsonl", 2, {"answers": []}, '"answers" is empty'),
        ("webwatcher.jsonl", 2, {"file_path": "http://pictures.example/b.png"}, "was not fetched yet"),
        ("infoseek.jsonl", 2, {"answer_eval": [{"wikidata": 1, "range": [1]}]}, '"range" of "answer_eval" is [1]'),
        (
            "infoseek.jsonl",
            2,
            {"answer_eval": [{"wikidata": "x", "range": [1, 2]}]},
            '"wikidata" of "answer_eval" is "x"',
        ),
        ("infoseek.jsonl", 5, {"data_id": "infoseek_val_00000001"}, "occurs twice"),
        ("infoseek.jsonl", 4, {"image_id": "castle"}, "castle: the picture cannot be read"),
        ("mmsearch.jsonl", 1, {"query_image": 3}, '"query_image" is 3'),
        ("mmsearch.jsonl", 3, {"query_image": {"bytes": "x"}}, '"query_image" has no "path"'),
        ("mmsearch.jsonl", 4, {"gt_answer": None}, '"gt_answer" is null'),
        ("vstar.jsonl", 1, {"label": "Z"}, '"label" is "Z"; expected the letter of a choice'),
        ("vstar.jsonl", 3, {"label": "F"}, '"label" is "F", and the choices are A, B'),
    ],
)
def test_a_wrong_record_is_named_by_line_and_field(
    tmp_path: Path, name: str, line: int, changed: dict[str, object], why: str
) -> None:
    file = folder(tmp_path) / name
    lines = file.read_text(encoding="utf-8").splitlines()
    lines[line - 1] = json.dumps(json.loads(lines[line - 1]) | changed)
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with pytest.raises(UsageError) as raised:
        load(file)
    assert f"{name}:{line}: " in str(raised.value)
    assert why in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("cell", "value", "why"),
    [
        ("question_type", "3_hop", '"question_type" is "3_hop"; expected one of templated'),
        ("answer", "", '"answer" is null; expected a text'),
    ],
)
def test_a_wrong_row_is_named_by_line_and_column(tmp_path: Path, cell: str, value: str, why: str) -> None:
    file = folder(tmp_path) / "evqa.csv"
    lines = file.read_text(encoding="utf-8").splitlines()
    place = lines[0].split(",").index(cell)
    row = lines[2].split(",")
    row[place] = value
    lines[2] = ",".join(row)
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with pytest.raises(UsageError) as raised:
        load(file)
    assert f"evqa.csv:3: {why}" in str(raised.value)


def test_a_row_of_another_length_is_named(tmp_path: Path) -> None:
    file = folder(tmp_path) / "evqa.csv"
    file.write_text(file.read_text(encoding="utf-8") + "one,two\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"evqa\.csv:7: the row has 2 fields, and the first line names 11"):
        load(file)


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("mmsearch.parquet", "PAR1", "Parquet files are not read. Export it as JSON Lines"),
        ("empty.csv", "question,answer,dataset_image_ids\n", "the file contains no question"),
        ("other.csv", "a,b\n1,2\n", "no questions in a known format (fields: a, b)"),
        ("open.csv", 'question,answer\n"never closed,2\n', "the row has 1 fields, and the first line names 2"),
    ],
)
def test_a_file_that_is_no_set_is_one_line(tmp_path: Path, name: str, content: str, why: str) -> None:
    (tmp_path / name).write_text(content, encoding="utf-8")
    ended = walker_here("eval", "convert", name, "x.jsonl", folder=tmp_path)
    assert (ended.code, ended.out) == (2, "")
    assert why in ended.line


def test_the_command_converts_and_says_what_a_form_cannot(tmp_path: Path) -> None:
    here = folder(tmp_path)
    done = walker_here("eval", "convert", "infoseek.jsonl", "ours.jsonl", folder=here)
    assert (done.code, done.out) == (0, "5 questions, read as infoseek, written as walker: ours.jsonl\n")
    back = walker_here("eval", "convert", "ours.jsonl", "evqa.new.csv", "--form", "evqa", "--skip", folder=here)
    assert back.code == 0
    assert "3 questions, read as walker, written as evqa" in back.out
    assert "the answer is of type interval" in back.out
    assert back.out.count("skipped: ours.jsonl:") == 2
    refused = walker_here("eval", "convert", "demo", "x.csv", "--form", "evqa", folder=here)
    assert refused.code == 2
    assert "this format has only questions about a picture" in refused.line
