"""Questions about what lies beside what."""

from __future__ import annotations

import pytest

from walker.strategies.pictured.asked_side import Corner, corner_asked, spatial_question


@pytest.mark.parametrize(
    ("question", "side", "of"),
    [
        ("In the layout, which field lies directly to the right of the mark?", "right", ("the mark",)),
        ("Which box stands left of the gate in the picture?", "left", ("the gate in the picture",)),
        ("What stands below MySQL?", "below", ("MySQL",)),
        ("Which word is printed above the arrow, in the diagram?", "above", ("the arrow",)),
        ("Which word stands at the arrow between the model and validation?", None, ("the model", "validation")),
        ("Was steht in der Zeichnung unter dem Kran?", "below", ("dem Kran",)),
        ("Welche Zahl steht zwischen Alba und Brigg?", None, ("Alba", "Brigg")),
        ("Que lit-on à droite du phare ?", "right", ("phare",)),
        ("¿Qué hay a la izquierda de la torre?", "left", ("la torre",)),
        ("示意图中防火墙的右边是什么？", "right", ("示意图中防火墙",)),
        ("图中，甲和乙之间写着什么？", None, ("甲", "乙")),
    ],
)
def test_the_side_and_the_text_are_read(question: str, side: str | None, of: tuple[str, ...]) -> None:
    asked = spatial_question(question)
    assert asked is not None
    assert (asked.side, asked.of) == (side, of)


@pytest.mark.parametrize("question", ["How many boats are there?", "Wer leitet das Institut?", "站在哪里？"])
def test_other_questions_ask_for_no_side(question: str) -> None:
    assert spatial_question(question) is None


def test_capitals_are_asked_for_in_words() -> None:
    asked = spatial_question("Which word in capitals stands between the sketch and the hull?")
    assert asked is not None
    assert asked.in_capitals


@pytest.mark.parametrize(
    ("question", "corner"),
    [
        ("Which number is shown in the lower left corner of the screenshot?", ("below", "left")),
        ("What stands at the top-right of the poster?", ("above", "right")),
        ("Was steht unten links auf dem Plakat?", ("below", "left")),
        ("Welches Wort steht in der oberen rechten Ecke?", ("above", "right")),
        ("Que lit-on en bas à droite de l’affiche ?", ("below", "right")),
        ("¿Qué pone en la esquina superior izquierda del cartel?", ("above", "left")),
        ("截图的左下角显示的数字是多少？", ("below", "left")),
        ("Which card is the last of the upper row?", None),
        ("Which field lies to the right of the mark?", None),
    ],
)
def test_the_corner_is_told(question: str, corner: Corner | None) -> None:
    assert corner_asked(question) == corner
