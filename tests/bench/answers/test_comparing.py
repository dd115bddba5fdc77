"""Two texts say the same where only what nobody sees differs: link numbers, marks of lists, forms of a character."""

import pytest
from answers.comparing import holds


@pytest.mark.parametrize(
    ("text", "piece"),
    [
        (
            "- Ada Renn, harbour master ⭐💫",
            "Ada Renn, harbour master ⭐️💫",
        ),  # one says which form of the sign is drawn
        ("Read the log [12 seen] of 1904", "the log of 1904"),
        ("### The pilots\n- Oda | Salt Quay", "The pilots Oda Salt Quay"),
    ],
)
def test_a_piece_is_held_whatever_marks_stand_between_its_words(text: str, piece: str) -> None:
    assert holds(text, piece)


def test_a_piece_in_other_words_is_not_held() -> None:
    assert not holds("The log of 1905", "the log of 1904")
    assert not holds("anything", "")
