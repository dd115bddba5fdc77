"""How written questions about lists are asked where lists are fitted."""

from __future__ import annotations

import msgspec
import pytest
from gathered_lists import asking_for_all

from tests.bench.answers.conftest import made_question


@pytest.mark.parametrize(
    ("question", "language", "asked"),
    [
        ("Which tools are shown?", "en", "Which tools are shown? List them all."),
        ("Welche Werkzeuge gibt es?", "de", "Welche Werkzeuge gibt es? Nennen Sie alle."),
        ("How many tools are shown?", "en", "How many tools are shown?"),
    ],
)
def test_a_question_for_all_of_a_list_says_so(question: str, language: str, asked: str) -> None:
    one = msgspec.structs.replace(made_question(kind="exhaustive", answer="3"), question=question, lang=language)
    assert asking_for_all(one).text == asked


def test_a_quota_is_asked_as_it_is() -> None:
    one = msgspec.structs.replace(made_question(kind="quota", answer="a; b"), question="Which tools are there?")
    assert asking_for_all(one) == one
