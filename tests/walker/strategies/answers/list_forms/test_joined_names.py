"""Names that a sentence joins in its middle, behind labels, by slashes, as titles or behind numbers."""

from __future__ import annotations

import time

import pytest

from tests.perception.pages import read
from walker.strategies.answers.list_forms.joined_names import names_joined


def made(text: str) -> list[list[str]]:
    page = read(f"<main><h1>Club</h1><p>{text}</p></main>")
    return [[record.name for record in records.records] for records in names_joined(page)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Boden, Sprung, Barren und Reck - dies sind die Geräte, an denen alle turnen.", "Boden|Sprung|Barren|Reck"),
        ("Alle arbeiten mit, aber auch Hanteln, Bänder und Stäbe kommen zum Einsatz.", "Hanteln|Bänder|Stäbe"),
        (
            "Es gibt Feste, wie zum Beispiel unsere Regatta, unsere Feier oder das Essen.",
            "Regatta|Feier|Essen",
        ),
        ("We tried three systems—Alder, Birch, and Cedar Two—using our test.", "Alder|Birch|Cedar Two"),
        (
            "In the lab we use SQL (tables), SPARQL (graphs), and Java / Python to develop ideas.",
            "SQL|SPARQL|Java|Python",
        ),
        ("Nous avons invité Ana Ruiz, Bo Lind et Cem Kaya pour parler de cela.", "Ana Ruiz|Bo Lind|Cem Kaya"),
    ],
)
def test_names_in_the_middle_of_a_sentence_end_where_the_others_do(text: str, names: str) -> None:
    assert names.split("|") in made(text)


def test_words_that_all_names_begin_with_are_no_part_of_them() -> None:
    text = "Two stand near the hill, one at Parow School, one at Kanon Farm, one at Leeuhof and one at the Post House in town."
    assert ["Parow School", "Kanon Farm", "Leeuhof", "Post House"] in [
        [name.removeprefix("the ") for name in one] for one in made(text)
    ]


def test_a_sentence_of_clauses_joins_no_names() -> None:
    assert made("When it rains, we stay at home, we read what we like and they sleep until noon.") == []


def test_names_behind_each_label_of_a_block_are_a_list() -> None:
    (found,) = made("Time: Monday, 16:00 - 17:00 Trainers: Ana Ruiz, Bo Lind, Cem Kaya Place: School hall")
    assert found == ["Ana Ruiz", "Bo Lind", "Cem Kaya"]


def test_titles_in_quotes_are_a_list_whatever_stands_in_them() -> None:
    assert made("出版书籍：《左手Python，右手Excel：绝技》、《Python 实用教程》。") == [
        ["左手Python，右手Excel：绝技", "Python 实用教程"]
    ]


def test_words_joined_by_slashes_are_a_list_and_a_path_is_none() -> None:
    assert ["containerd", "Docker", "Helm"] in made("containerd/Docker/Helm 等众多开源项目 contributor")
    assert made("See https://example.org/a/b/c for more.") == []


def test_pieces_behind_numbers_are_a_list() -> None:
    text = "Say in a few lines: 1) What were your goals?; 2) What did you reach?; and 3) What comes next?. Be precise."
    assert made(text)[0] == ["What were your goals?", "What did you reach?", "What comes next?"]
    assert made("It costs 2) or 3) of these.") == []


@pytest.mark.parametrize(
    "part",
    [
        "Anna Berg, Bo Lind, Cem Kaya, ",
        "Anna Berg (Ulm, Bonn, ",
        "one at Parow School, one at Kanon Farm, ",
        "alder/birch/cedar ",
        "1) Say it; 2) say it again; ",
    ],
)
def test_a_long_text_takes_time_by_its_length(part: str) -> None:
    def cost(times: int) -> float:
        page = read(f"<main><h1>Club</h1><p>{part * times}</p></main>")
        before = time.process_time()
        names_joined(page)
        return time.process_time() - before

    assert cost(6_400) < 64 * max(cost(400), 0.01)


def test_the_texts_of_cells_are_read_too() -> None:
    row = "<tr><td>1.<td>Choose a picture of the plan, which may be a file of the format BMP, JPEG, GIF or PNG.</tr>"
    page = read(f"<main><h1>Club</h1><table><tr><th>Step<th>What</tr>{row}{row}</table></main>")
    found = [[record.name for record in records.records] for records in names_joined(page)]
    assert ["BMP", "JPEG", "GIF", "PNG"] in found
