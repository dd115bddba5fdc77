"""What a question asks for, by rules."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.counting.requirement import Requirement, read_requirement
from walker.seams.task_analysis import AnswerKind, TaskAnalysis, TaskOperation
from walker.strategies.question.question_analysis import NAMES_KEPT, analyse_question


def analysed(question: str, language: str = "en") -> TaskAnalysis:
    return analyse_question(question, language, read_requirement(question, language))


@pytest.mark.parametrize(
    ("question", "language", "kind"),
    [
        ("Who founded the club?", "en", "person"),
        ("When was the bridge opened?", "en", "date"),
        ("How high is the tower in metres?", "en", "number"),
        ("Where does the ferry land?", "en", "place"),
        ("Which version introduced the flag?", "en", "value"),
        ("Is the museum open on Mondays?", "en", "yes/no"),
        ("According to the FAQ, can tickets be returned?", "en", "yes/no"),
        ("Is the café on the first or on the second floor?", "en", "passage"),
        ("Say whether dogs are allowed.", "en", "yes/no"),
        ("List all professors of the institute.", "en", "list"),
        ("How many professors are listed on the staff page?", "en", "count"),
        ("Name three boats of the station.", "en", "list"),
        ("Which is older, the Old Mill or the New Mill?", "en", "comparison"),
        ("谁创办了这个俱乐部？", "zh", "person"),
        ("图书馆周一开放吗？", "zh", "yes/no"),
        ("列出五位教授", "zh", "list"),
        ("师资队伍页面上有多少位教授？", "zh", "count"),
        ("大桥是哪一年建成的？", "zh", "date"),
        ("A楼和B楼哪个更高？", "zh", "comparison"),
        ("Wann wurde der Verein gegründet?", "de", "date"),
        ("Gibt es am Montag eine Führung?", "de", "yes/no"),
        ("Ist der Eingang im Norden oder im Süden?", "de", "passage"),
        ("Wie hoch ist der Turm?", "de", "number"),
        ("Wer leitet das Museum?", "de", "person"),
        ("Combien coûte l'entrée du musée ?", "fr", "number"),
        ("Le musée est-il ouvert le lundi ?", "fr", "yes/no"),
        ("Quand la gare a-t-elle été construite ?", "fr", "date"),
        ("Qui a fondé le club ?", "fr", "person"),
        ("¿Cuándo se fundó el club?", "es", "date"),
        ("¿Hay aparcamiento en el museo?", "es", "yes/no"),
        ("¿Dónde está la entrada?", "es", "place"),
        ("館長は誰ですか？", "ja", "person"),
        ("図書館は月曜日に開いていますか？", "ja", "yes/no"),
        ("入場料はいくらですか？", "ja", "number"),
        ("いつ開館しましたか？", "ja", "date"),
    ],
)
def test_the_kind_of_answer_is_read(question: str, language: str, kind: AnswerKind) -> None:
    assert analysed(question, language).kind == kind


@pytest.mark.parametrize(
    ("question", "language", "operation"),
    [
        ("How many more students does Physics have than Chemistry?", "en", "difference"),
        ("How many days lie between the opening of the harbour and the launch of the ship?", "en", "days_between"),
        ("What is the sum of the fee for adults and the fee for children?", "en", "sum"),
        ("What is the average of the fees for adults and children?", "en", "average"),
        ("How many times as heavy is the Mantis as the Plover?", "en", "ratio"),
        ("Which boat is longer, the Mantis or the Plover?", "en", "more"),
        ("Which boat is cheaper, the Mantis or the Plover?", "en", "less"),
        ("Which boat was launched first, the Mantis or the Plover?", "en", "earlier"),
        ("Which boat is newer, the Mantis or the Plover?", "en", "later"),
        ("Are the tickets for adults and children the same price?", "en", "is_equal"),
        ("Is the museum open on Mondays?", "en", "yes/no"),
        ("What is the average temperature of the reef?", "en", "none"),
        ("物理系比化学系多多少名学生？", "zh", "difference"),
        ("开港和首航之间相隔多少天？", "zh", "days_between"),
        ("成人票和儿童票的价格一样吗？", "zh", "is_equal"),
        ("A楼和B楼哪个更早？", "zh", "earlier"),
        ("Wer leitet das Museum?", "de", "none"),
    ],
)
def test_the_operation_that_joins_the_parts_is_read(question: str, language: str, operation: TaskOperation) -> None:
    assert analysed(question, language).operation == operation


def test_a_part_that_needs_the_answer_of_another_one_says_so() -> None:
    made = analysed("The chapter on 'Reefs' names a vessel. According to 'Boats', how long is that vessel?")
    assert [part.needs for part in made.parts] == [0, 1]
    assert made.operation == "none"


def test_the_halves_of_a_comparison_need_nothing_of_each_other() -> None:
    made = analysed("How many more students does Physics have than Chemistry?")
    assert [part.needs for part in made.parts] == [0, 0]


def test_a_short_form_in_brackets_is_another_spelling() -> None:
    made = analysed("Does the European Space Agency (ESA) have an office in Reykjavik?")
    assert made.spellings == ("ESA",)
    assert [name.name for name in made.names] == ["European Space Agency", "Reykjavik"]
    assert analysed("欧洲航天局（ESA）在哪里？", "zh").spellings == ("ESA",)


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("2022 年软件自由日（SFD）的讲者表里一共有几位讲者？", "软件自由日"),
        ("请问第12届软件自由日（SFD）在哪里举行？", "软件自由日"),
        ("列举三个关于软件自由日（SFD）的活动", "软件自由日"),
        ("去年秋天在西校区图书馆报告厅里举行了软件自由日（SFD）吗？", ""),
    ],
)
def test_a_clause_before_a_short_form_is_no_part_of_the_name(question: str, name: str) -> None:
    assert [one.name for one in analysed(question, "zh").names if one.spellings] == ([name] if name else [])


def test_a_longer_name_stands_in_place_of_its_parts() -> None:
    made = analysed("How many students does the Physics Department have?")
    assert [name.name for name in made.names] == ["Physics Department"]


def test_what_is_counted_is_that_of_the_requirement() -> None:
    asked = Requirement(mode="quota", target=3, noun="boats")
    assert analyse_question("Name three boats.", "en", asked).requirement == asked


@pytest.mark.parametrize(
    ("question", "language", "is_meant"),
    [
        ("What does the sign in the photo of the harbour say?", "en", True),
        ("Welche Farbe hat das Boot auf dem Bild?", "de", True),
        ("地图上的码头叫什么？", "zh", True),
        ("Who founded the club?", "en", False),
    ],
)
def test_a_picture_that_is_meant_is_named_in_the_words_of_the_question(
    question: str, language: str, is_meant: bool
) -> None:
    picture = analysed(question, language).picture
    assert bool(picture) == is_meant
    assert picture in question


@given(st.text(max_size=200), st.sampled_from(["en", "zh", "de", "fr", "es", "ja", "ko", ""]))
def test_any_text_gives_an_analysis_of_the_closed_sets(question: str, language: str) -> None:
    made = analysed(question, language)
    assert made.by == "rules"
    assert made.kind in get_args(AnswerKind)
    assert made.operation in get_args(TaskOperation)
    assert made.parts
    assert all(part.needs < number for number, part in enumerate(made.parts, start=1))
    assert len(made.names) <= NAMES_KEPT
    assert made == analysed(question, language)
