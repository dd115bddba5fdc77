"""Sets of questions about pictures, built, resumed, refreshed and run as a person does it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from evaluation.building.museum.drawing import museum_picture, named_plate
from evaluation.building.museum.pages import museum_pages
from evaluation.building.museum.server import serve_museum
from evaluation.building.visual.selector import is_named
from evaluation.dataset.files import load, save
from evaluation.dataset.question import Question
from perception.images.image import encode_picture
from perception.images.picture_file import open_picture
from tests.evaluation.building.picture_set.harbour import harbour, page
from tests.sites.held import serve_held
from tests.sites.pages_on_loopback import serve
from tests.sites.serving import Answer
from tests.walker.cli.program import kill_when, walker_here

PATIENCE = 600


def told(folder: Path, *arguments: str) -> dict[str, Any]:
    ended = walker_here("eval", "build", "--driver", "http", *arguments, "--json", folder=folder)
    assert ended.code == 0, ended.err
    said: dict[str, Any] = json.loads(ended.out)
    return said


def test_the_museum_becomes_a_set_and_a_refresh_drops_what_was_changed(tmp_path: Path) -> None:
    first = told(tmp_path, "museum", "--pictures", "--out", "museum.jsonl")
    assert first["levels"]["1"] >= 30
    assert first["levels"]["2"] >= 20
    file = tmp_path / "museum.jsonl"
    questions = load(file).questions
    for question in questions:
        assert Path(question.picture).is_file()
        assert not is_named(question.question, question.hidden)
        assert len(question.hops) >= question.level + 2
        assert len(question.sources) == len(question.evidence) == len(question.click_paths)

    one = next(
        question
        for question in questions
        if f"<td>{question.answers[0]}</td>" in museum_pages()[f"/{question.sources[-1]}"]
    )
    path, value = f"/{one.sources[-1]}", one.answers[0]
    rest_on_it = {
        question.id
        for question in questions
        if (one.sources[-1], one.evidence[-1]) in zip(question.sources, question.evidence, strict=True)
    }
    changed = {path: museum_pages()[path].replace(f"<td>{value}</td>", "<td>quite another</td>")}
    with serve_museum(changed) as root:
        site = f"museum={root.removesuffix('index.html')}"
        now = told(tmp_path, "--refresh", "museum.jsonl", "--out", "now.jsonl", "--site", site)
    assert now["dropped"] == len(rest_on_it)
    kept = {question.id for question in load(tmp_path / "now.jsonl").questions}
    assert {question.id for question in questions} - kept == rest_on_it


def test_the_same_set_twice_and_a_picture_that_was_exchanged_takes_its_questions_with_it(tmp_path: Path) -> None:
    pages = harbour()
    with serve(pages) as base:
        site = ("--site", f"harbour={base}/")
        told(tmp_path, f"{base}/", "--pictures", "--level", "1", "--out", "ships.jsonl", *site)
        before = load(tmp_path / "ships.jsonl").questions
        assert {question.answers[0] for question in before} >= {"1851", "1860"}
        told(tmp_path, f"{base}/", "--pictures", "--level", "1", "--out", "again.jsonl", *site)
        renamed = (tmp_path / "ships.jsonl").read_bytes().replace(b"ships.pictures", b"again.pictures")
        assert (tmp_path / "again.jsonl").read_bytes() == renamed
        of_bora = [question for question in before if question.hidden == ("Bora",)]
        pages["/bora.png"] = museum_picture("/pictures/lantern-hall.png") or b""
        now = told(tmp_path, "--refresh", "ships.jsonl", "--out", "now.jsonl", *site)
    assert (now["kept"], now["dropped"]) == (len(before) - len(of_bora), len(of_bora))
    assert now["added"] == now["dropped"] > 0
    assert now["reasons"] == {"no page shows its picture any more": len(of_bora)}


def test_a_build_that_was_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    pages = {
        path: body if isinstance(body, str) else Answer(body, kind="image/png") for path, body in harbour().items()
    }
    with serve_held(pages, "/cirra.html") as site:
        command = (
            "eval",
            "build",
            site.home,
            "--pictures",
            "--level",
            "1",
            "--out",
            "ships.jsonl",
            "--driver",
            "http",
            "--jobs",
            "1",
        )
        kill_when(site.holds, *command, folder=tmp_path, seconds=PATIENCE)
        site.let_go()
        ended = walker_here(*command, "--json", folder=tmp_path)
        asked = [path for path in site.asked if path.endswith(".html")]
    assert json.loads(ended.out)["questions"] >= 3
    assert {path: asked.count(path) for path in set(asked)} == {
        path: 1 + (path == "/cirra.html") for path in set(asked)
    }


def test_a_picture_in_which_another_name_is_written_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("rapidocr")
    pages = harbour()
    for slug, name in (("alba", "Bora"), ("bora", "Bora")):
        file = pages[f"/{slug}.png"]
        assert isinstance(file, bytes)
        drawn = open_picture(file).copy()
        named_plate(drawn, name)
        pages[f"/{slug}.png"] = encode_picture(drawn)
    with serve(pages) as base:
        said = told(tmp_path, f"{base}/", "--pictures", "--level", "1", "--out", "ships.jsonl")
    assert said["rejected"]["conflict: another thing of its kind is written in it:"] == 1
    asked = {question.hidden for question in load(tmp_path / "ships.jsonl").questions}
    assert asked == {("Bora",), ("Cirra",)}


@pytest.mark.parametrize(
    ("captions", "less", "line"),
    [
        ({}, (".png",), "cannot be read as a picture"),
        ({"alba": "Alba", "bora": "Alba", "cirra": "Alba"}, (), "is that of several other pictures"),
        ({"alba": "one", "bora": "two", "cirra": "three"}, (), "names a page or section of the site"),
        ({}, ("/nils.html", "/oda.html"), "no chain of relations is long enough"),
    ],
)
def test_a_site_that_gives_nothing_is_told_with_what_would_help(
    tmp_path: Path, captions: dict[str, str], less: tuple[str, ...], line: str
) -> None:
    pages = {
        path: b"no picture" if path.endswith(".png") and ".png" in less else body
        for path, body in harbour(**captions).items()
        if path not in less
    }
    with serve(pages) as base:
        ended = walker_here(
            "eval", "build", f"{base}/", "--pictures", "--out", "x.jsonl", "--driver", "http", folder=tmp_path
        )
    assert (ended.code, ended.out) == (1, "")
    assert line in ended.err.splitlines()[-1]
    assert not (tmp_path / "x.jsonl").exists()


def test_a_site_without_pictures_is_told(tmp_path: Path) -> None:
    pages: dict[str, str | bytes] = {"/": page("Words", '<a href="/a">more</a>'), "/a": page("More words", "")}
    with serve(pages) as base:
        ended = walker_here(
            "eval", "build", f"{base}/", "--pictures", "--out", "x.jsonl", "--driver", "http", folder=tmp_path
        )
    assert "none of its 2 pages shows a picture" in ended.err.splitlines()[-1]


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("museum", "--pictures", "--level", "3", "--out", "x.jsonl"), "are no levels"),
        (("museum", "--pictures", "--counts", "paper", "--out", "x.jsonl"), "cannot be combined with --pictures"),
    ],
)
def test_what_cannot_be_asked_for_is_told(tmp_path: Path, arguments: tuple[str, ...], line: str) -> None:
    ended = walker_here("eval", "build", *arguments, folder=tmp_path)
    assert ended.code == 2
    assert line in ended.err


def test_questions_that_name_a_thing_are_turned_into_questions_that_show_it(tmp_path: Path) -> None:
    with serve(harbour()) as base:
        asked = [
            Question(
                id="one", question="When was the builder of the ship Alba born?", answers=("1851",), root=f"{base}/"
            ),
            Question(id="two", question="How many ships were there?", answers=("3",), root=f"{base}/"),
            Question(id="three", question="Which ship was first, Alba or Bora?", answers=("Alba",), root=f"{base}/"),
        ]
        save(tmp_path / "qa.jsonl", asked)
        ended = walker_here(
            "eval", "to-vqa", "qa.jsonl", "--out", "v.jsonl", "--driver", "http", "--json", folder=tmp_path
        )
    assert ended.code == 0, ended.err
    made = load(tmp_path / "v.jsonl").questions
    assert [(one.question, one.hidden) for one in made] == [
        ("When was the builder of this ship in the picture born?", ("Alba",))
    ]
    assert Path(made[0].picture).read_bytes() == museum_picture("/pictures/merrow.png")
    assert set(json.loads(ended.out)["rejected"]) == {
        "it names nothing that a picture is known to show",
        "it names several things that pictures show",
    }


@pytest.mark.usefixtures("kept_chromium")
def test_a_set_is_run_with_its_pictures(tmp_path: Path) -> None:
    with serve(harbour()) as base:
        built = told(tmp_path, f"{base}/", "--pictures", "--level", "1", "--out", "ships.jsonl")
        assert built["questions"] >= 3
        first = load(tmp_path / "ships.jsonl").questions[0]
        ended = walker_here(
            "eval",
            "run",
            "ships.jsonl",
            "--out",
            "run",
            "--variant",
            "all",
            "--only",
            first.id,
            "--max-pages",
            "6",
            folder=tmp_path,
        )
    assert ended.code == 0, ended.err
    samples = [msgspec.json.decode(line) for line in (tmp_path / "run" / "samples.jsonl").read_bytes().splitlines()]
    assert [sample["question_id"] for sample in samples] == [first.id]
    assert not samples[0].get("error")
