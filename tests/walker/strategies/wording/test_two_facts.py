"""Questions that need two facts, taken apart in each language; every name is invented."""

from __future__ import annotations

import pytest

from walker.rules.language import language_of
from walker.strategies.question.question import read_question


def parts(question: str) -> tuple[str, list[str]]:
    read = read_question(question, language_of(question))
    return read.operation, [part.text for part in read.parts]


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        (
            "In which room and on what day did the Larkmoor bellringers meet for their assembly?",
            [
                "In which room did the Larkmoor bellringers meet for their assembly?",
                "On what day did the Larkmoor bellringers meet for their assembly?",
            ],
        ),
        (
            "An welchem Tag und um welche Zeit geht an der Krummermühle das Tor auf?",
            [
                "An welchem Tag geht an der Krummermühle das Tor auf?",
                "Um welche Zeit geht an der Krummermühle das Tor auf?",
            ],
        ),
        (
            "Dans quelle salle et dans quel bâtiment du lycée de Brevanne trouve-t-on le ciné-club ?",
            [
                "Dans quelle salle du lycée de Brevanne trouve-t-on le ciné-club?",
                "Dans quel bâtiment du lycée de Brevanne trouve-t-on le ciné-club?",
            ],
        ),
        (
            "¿En qué aula y a qué hora se reúne el grupo de astronomía de Valderón?",
            [
                "En qué aula se reúne el grupo de astronomía de Valderón?",
                "A qué hora se reúne el grupo de astronomía de Valderón?",
            ],
        ),
        (
            "青禾社团有多少位成员、多少位导师？",
            ["青禾社团有多少位成员？", "青禾社团有多少位导师？"],
        ),
    ],
)
def test_two_question_words_share_one_verb(question: str, wanted: list[str]) -> None:
    assert parts(question) == ("both", wanted)


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Who founded Brasslight, and on what date?", ["Who founded Brasslight?", "On what date founded Brasslight?"]),
        (
            "When did the club begin, and when did it end?",
            ["When did the club begin?", "When did the club end?"],
        ),
        (
            "How long is a Marlow skiff and how much does it weigh?",
            ["How long is a Marlow skiff?", "How much does a Marlow skiff weigh?"],
        ),
        (
            "How many nodes does the Orvo cluster have, and how large is its storage?",
            ["How many nodes does the Orvo cluster have?", "How large is the Orvo cluster's storage?"],
        ),
        (
            "Wer leitet in Torfhaus die Bücherei und wer das Archiv?",
            ["Wer leitet in Torfhaus die Bücherei?", "Wer leitet in Torfhaus das Archiv?"],
        ),
        (
            "What are the fees for the blue pass and the grey pass at Lowmere?",
            ["What are the fees for the blue pass at Lowmere?", "What are the fees for the grey pass at Lowmere?"],
        ),
    ],
)
def test_what_one_half_leaves_out_is_said_again(question: str, wanted: list[str]) -> None:
    assert parts(question) == ("both", wanted)


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        (
            "How many GB more memory does the guide advise on a board than it demands of a server?",
            [
                "How many GB memory does the guide advise on a board?",
                "How many GB memory the guide demands of a server?",
            ],
        ),
        (
            "How many crowns more did latecomers pay than early birds for the 2017 Felden school?",
            [
                "How many crowns did latecomers pay for the 2017 Felden school?",
                "How many crowns did early birds pay for the 2017 Felden school?",
            ],
        ),
        (
            "Wie viel mehr Liter Wasser fasst der Tank des Vorausfahrzeugs als der des Nachschubwagens?",
            [
                "Wie viele Liter Wasser fasst der Tank des Vorausfahrzeugs?",
                "Wie viele Liter Wasser fasst der Tank des Nachschubwagens?",
            ],
        ),
        (
            "Combien une poussine de Brevanne paie-t-elle de plus qu'une minime ?",
            ["Combien une poussine de Brevanne paie-t-elle?", "Combien une minime paie-t-elle?"],
        ),
        (
            "¿Cuántos créditos más da Álgebra II que Estadística?",
            ["¿Cuántos créditos da Álgebra II?", "¿Cuántos créditos da Estadística?"],
        ),
        ("从 2011 年到 2014 年，报名人数增加了多少？", ["2011 年报名人数？", "2014 年报名人数？"]),
    ],
)
def test_a_difference_asks_both_in_the_same_words(question: str, wanted: list[str]) -> None:
    operation, texts = parts(question)
    assert operation == "difference"
    assert [text.replace("多少", "") for text in texts] == [
        text.replace("多少", "") for text in wanted
    ] or texts == wanted


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        (
            "In which season do the Larkmoor shows begin earlier, winter or summer?",
            ["When do the Larkmoor shows begin in winter?", "When do the Larkmoor shows begin in summer?"],
        ),
        (
            "Where is a guide cheaper for members of Torfhaus, on the lake or on the hill?",
            [
                "How much does a guide cost for members of Torfhaus on the lake?",
                "How much does a guide cost for members of Torfhaus on the hill?",
            ],
        ),
        ("青禾剧社和白鹭书院哪个成立得早？", ["青禾剧社是什么时候成立的？", "白鹭书院是什么时候成立的？"]),
    ],
)
def test_a_choice_asks_the_same_of_both(question: str, wanted: list[str]) -> None:
    assert parts(question) == ("compare", wanted)


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        (
            "Where does the council member work whose term only began in 2031?",
            ["Which council member's term only began in 2031?", "Where does it work?"],
        ),
        (
            "Welche Firma baute das Fahrzeug, das über Funk Amsel 40/1 heißt?",
            ["Welche Fahrzeug, das über Funk Amsel 40/1 heißt?", "Welche Firma baute er?"],
        ),
        (
            "¿Cuál es el correo de quien coordina a los estudiantes en Valderón?",
            ["¿Quién coordina a los estudiantes en Valderón?", "¿Cuál es el correo de él?"],
        ),
        ("讲授青禾编译课的那位老师，导师是谁？", ["讲授青禾编译课的是哪位老师？", "它导师是谁？"]),
    ],
)
def test_what_a_clause_describes_may_be_told_in_one_place(question: str, wanted: list[str]) -> None:
    assert parts(question) == ("chain", wanted)
    whole = read_question(question, language_of(question)).whole
    assert whole is not None
    assert whole.text == question


@pytest.mark.parametrize(
    "question",
    [
        "What is the name of the tool that converts Orvo files to Marlow?",
        "Which release is the oldest one that the Orvo packages support?",
        "What do you type to find out whether the tower and its bell answer?",
        "Which colour do the Larkmoor flag and the Lowmere flag share?",
        "How many times dearer is a grey pass than a blue one at Lowmere?",
    ],
)
def test_one_thing_is_not_taken_apart(question: str) -> None:
    assert parts(question) == ("none", [question])
