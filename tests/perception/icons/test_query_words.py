from __future__ import annotations

import pytest

from perception.icons.query_words import singular, words_of


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("magnifying-glass", ("magnifying", "glass")),
        ("Go to the next page", ("go", "next", "page")),
        ("zoomIn 2", ("zoomin", "2")),
        ("arrow arrow", ("arrow",)),
        ("the button of", ()),
        ("  ", ()),
        ("搜索", ()),
    ],
)
def test_words(text: str, words: tuple[str, ...]) -> None:
    assert words_of(text) == words


@pytest.mark.parametrize("word", ["bus", "gas", "news", "glass", "status", "axis", "x"])
def test_what_only_looks_like_a_plural_stays(word: str) -> None:
    assert singular(word) == word
