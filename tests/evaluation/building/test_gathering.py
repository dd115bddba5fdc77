"""Lists of roots, sets joined into one, and questions drawn by lot."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluation.building.joining import join
from evaluation.building.make import Site
from evaluation.building.roots import read_roots
from evaluation.dataset.drawing import draw
from evaluation.dataset.question import Dataset, Question
from walker.errors import UsageError, WalkerError

SITES = (
    Site(root="http://a.example/x", domain="game", language="zh", name="a", base="http://a.example/"),
    Site(root="http://b.example/"),
)
TSV = "root\tdomain\tlanguage\tname\tbase\nhttp://a.example/x\tgame\tzh\ta\thttp://a.example/\n# later\nhttp://b.example/\n"
YAML = "- {root: http://a.example/x, domain: game, language: zh, name: a, base: http://a.example/}\n- root: http://b.example/\n"
LINES = (
    '{"root": "http://a.example/x", "domain": "game", "language": "zh", "name": "a", "base": "http://a.example/"}\n\n'
    '{"root": "http://b.example/"}\n'
)


@pytest.mark.parametrize(
    ("name", "text"),
    [("r.tsv", TSV), ("r.tsv", TSV.partition("\n")[2]), ("r.yaml", YAML), ("r.jsonl", LINES)],
)
def test_a_list_of_roots_has_three_forms(tmp_path: Path, name: str, text: str) -> None:
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    assert read_roots(file) == SITES


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("r.tsv", "", "names no root"),
        ("r.tsv", "ftp://a.example/", "r.tsv"),
        ("r.tsv", "http://a.example/\nhttp://a.example/", "there twice"),
        ("r.yaml", "- {root: http://a.example/, depth: '3'}", "r.yaml:1"),
        ("r.yaml", "- {root: http://a.example/, name: a}", "belong together"),
        ("r.yaml", "- [", "cannot be read as yaml"),
        ("r.jsonl", '{"root": 3}', "r.jsonl:1"),
        ("r.jsonl", "{", "cannot be read as jsonl"),
    ],
)
def test_a_bad_list_is_told_with_its_line(tmp_path: Path, name: str, text: str, told: str) -> None:
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    with pytest.raises(WalkerError) as raised:
        read_roots(file)
    assert told in str(raised.value)


def question(number: int, **more: object) -> Question:
    said = {
        "id": f"q{number}",
        "question": f"How high is hall {number}?",
        "answers": (f"{number} m",),
        "root": "http://a.example/",
    }
    return Question(**(said | more))  # type: ignore[arg-type]


def test_sets_are_joined_without_what_was_asked_before() -> None:
    one = Dataset(name="one", questions=(question(1), question(2)))
    again = question(9, question="how high is  hall 2?", answers=("2 m",), root="http://mirror.example/")
    other = Dataset(name="other", questions=(again, question(2), question(3), question(4, answers=("5 m",))))
    joined = join([one, other])
    assert [one.id for one in joined.questions] == ["q1", "q2", "q3", "q4"]
    assert joined.taken == {"one": 2, "other": 2}
    assert joined.doubles == ("q9 of other: q2", "q2 of other: q2")


def test_the_same_words_about_another_picture_are_another_question() -> None:
    asked = [question(n, question="In which country is it?", answers=("Italy",), picture_digest=f"{n}") for n in (1, 2)]
    other = question(3, question="In which country is it?", answers=("Italy",), picture_digest="2")
    joined = join([Dataset(name="one", questions=tuple(asked)), Dataset(name="other", questions=(other,))])
    assert [one.id for one in joined.questions] == ["q1", "q2"]
    assert joined.doubles == ("q3 of other: q2",)


def test_an_id_that_names_two_questions_is_refused() -> None:
    one, other = (
        Dataset(name="one", questions=(question(1),)),
        Dataset(name="other", questions=(question(1, question="Why?"),)),
    )
    with pytest.raises(UsageError, match='the id "q1" names two questions'):
        join([one, other])


def test_a_draw_depends_on_the_seed_alone() -> None:
    many = tuple(question(number) for number in range(50))
    drawn = draw(Dataset(name="a", questions=many), 10, seed=3)
    assert {one.id for one in drawn} == {one.id for one in draw(Dataset(name="b", questions=many[::-1]), 10, seed=3)}
    assert {one.id for one in drawn} != {one.id for one in draw(Dataset(name="a", questions=many), 10, seed=4)}
    assert [one.id for one in drawn] == [one.id for one in many if one in drawn]
    assert len(draw(Dataset(name="a", questions=many), 99)) == 50
