"""Questions taken apart, and names matched with titles and addresses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.state import PageNote, WalkMemory
from tests.fixtures.paper import observed, page
from walker.strategies.question.name_match import match_address, match_title, word_weight
from walker.strategies.question.open_parts import current_parts, was_read
from walker.strategies.question.page_hints import find_hints
from walker.strategies.question.question import read_question
from walker.strategies.question.question_parts import split_question
from walker.strategies.question.two_quantities import find_quantities

NOBODY = frozenset[str]()


def parts(question: str) -> tuple[str, list[str]]:
    split = split_question(question, find_hints(question))
    return split.operation, [clause.text for clause in split.clauses]


def test_a_comparison_is_two_questions() -> None:
    question = "How many more boats does Kiel have than Bremen?"
    assert parts(question) == ("difference", ["How many boats does Kiel have?", "How many boats does Bremen have?"])
    found = find_quantities(question, question)
    assert found is not None
    assert found.comparison == "difference"
    assert find_quantities("When was it launched?", "When was it launched?") is None


@pytest.mark.parametrize(
    ("question", "texts"),
    [
        (
            "How many minutes longer was the talk 'Reefs' than the talk 'Tides'?",
            ["How long was the talk 'Reefs'?", "How long was the talk 'Tides'?"],
        ),
        (
            "第八届大赛（2021）的注册人数比第七届（2020）多多少人？",
            ["第八届大赛（2021）的注册人数是多少人？", "第七届（2020）的注册人数是多少人？"],
        ),
        ("甲船比乙船长多少米？", ["甲船是多少米？", "乙船是多少米？"]),
        (
            "Wie viele Boote hat der Hafen mehr als die Werft?",
            ["Wie viele Boote hat der Hafen?", "Wie viele Boote hat die Werft?"],
        ),
    ],
)
def test_what_the_second_of_two_leaves_out_is_that_of_the_first(question: str, texts: list[str]) -> None:
    assert parts(question) == ("difference", texts)


def test_a_question_that_points_back_waits_for_the_first_answer() -> None:
    operation, texts = parts("A boat won the race of 1997. According to the 'Boats' page, how long is that boat?")
    assert (operation, len(texts)) == ("chain", 2)


def test_one_thing_asked_is_one_part() -> None:
    assert parts("When was it launched?") == ("none", ["When was it launched?"])


def test_titles_match_by_name_and_by_how_much_else_they_say() -> None:
    assert match_title("Boats", "boats", NOBODY) == 1
    assert match_title("Crew", "Boats", NOBODY) == 0
    assert 0.5 < match_title("Boats of the station", "Boats", NOBODY) < 1
    assert match_title("queue — A synchronized queue class", "queue", NOBODY) > 0.9


@given(st.text(max_size=40), st.text(max_size=40))
def test_a_match_is_between_0_and_1(label: str, name: str) -> None:
    assert 0 <= match_title(label, name, NOBODY) <= 1
    assert 0 <= match_address(f"http://reef.example/{label}", name, NOBODY) <= 1.01


def test_the_sites_own_words_weigh_little() -> None:
    assert word_weight("reef", frozenset({"reef"})) < word_weight("page", NOBODY) < word_weight("mantis", NOBODY)
    assert word_weight("3.11", NOBODY) > word_weight("mantis", NOBODY)


def test_a_part_is_open_until_its_page_was_read() -> None:
    question = read_question("How long is the boat on the 'Boats' page?")
    memory = WalkMemory(step=1, pages=(PageNote(step=1, url="http://reef.example/boats.html", key="k", title="Boats"),))
    assert was_read(question.parts[0], memory)
    assert not was_read(question.parts[0], WalkMemory())
    wanted = current_parts(question, observed(page("Reef", "<p>x</p>")), WalkMemory())
    assert wanted.now[0].pages == ("Boats",)
    assert wanted.later == ()


@pytest.mark.parametrize(
    ("question", "texts"),
    [
        (
            "By how many boats is the fleet of Kiel larger than that of Bremen?",
            ["How many boats is the fleet of Kiel?", "How many boats is the fleet of Bremen?"],
        ),
        (
            "How many berths more than Bremen does Kiel have?",
            ["How many berths does Kiel have?", "How many berths does Bremen have?"],
        ),
        (
            "How many days before the launch of the Heron did the Mantis arrive at Kiel?",
            ["When was the launch of the Heron?", "When did the Mantis arrive at Kiel?"],
        ),
        (
            "How many metres is the lock above the quay of Kiel?",
            ["How many metres is the lock?", "How many metres is the quay of Kiel?"],
        ),
        (
            "Um wie viele Meter ist die Mantis länger als die Heron?",
            ["Wie viele Meter ist die Mantis?", "Wie viele Meter ist die Heron?"],
        ),
        (
            "Wie viele Jahre nach der Gründung in Kiel begann der Bau?",
            ["In welchem Jahr war die Gründung in Kiel?", "In welchem Jahr begann der Bau?"],
        ),
    ],
)
def test_comparisons_in_other_words_are_two_questions(question: str, texts: list[str]) -> None:
    assert parts(question) == ("difference", texts)


def test_what_a_comparison_wants_besides_is_asked_of_both() -> None:
    operation, texts = parts("Which boat is older, the Mantis or the Heron, and in which year was it launched?")
    assert operation == "compare"
    assert texts == ["In which year was the Mantis launched?", "In which year was the Heron launched?"]


@pytest.mark.parametrize(
    ("question", "texts"),
    [
        (
            "Who hosted the meeting at which Ana Ruiz presented the atlas of corals?",
            ["At which meeting, Ana Ruiz presented the atlas of corals?", "Who hosted it?"],
        ),
        (
            "Which bird is the emblem of the month in which the Mantis was launched?",
            ["In which month the Mantis was launched?", "Which bird is the emblem of it?"],
        ),
        ("2024 年主持珊瑚讲座的老师，现在担任什么职务？", ["2024 年主持珊瑚讲座的是谁？", "他现在担任什么职务？"]),
    ],
)
def test_what_is_only_described_is_found_first(question: str, texts: list[str]) -> None:
    assert parts(question) == ("chain", texts)


def test_of_two_things_said_of_one_the_second_singles_it_out() -> None:
    question = "Which sailor of the Mantis is also the leading doctor of the station?"
    assert parts(question) == (
        "chain",
        ["Which sailor of the Mantis?", "Which sailor is the leading doctor of the station?"],
    )
    alone = "Which sailor is also the leading doctor of the station?"
    assert parts(alone) == ("none", ["Which sailor is the leading doctor of the station?"])
    apart = "What is the number of the sailor who also belongs to the choir of the town?"
    assert parts(apart) == (
        "chain",
        ["Who is the sailor who also belongs to the choir of the town?", "What is the number of it?"],
    )
    whole = read_question(apart).whole
    assert whole is not None
    assert whole.text == apart  # one sentence may say it all


@pytest.mark.parametrize(
    ("question", "operation", "texts"),
    [
        (
            "Which topic did the biologist named in the brochure present at Reef Days 2?",
            "chain",
            ["What is the biologist named in the brochure?", "Which topic did it present at Reef Days 2?"],
        ),
        (
            "How many berths does the boat have that is also known as the Grey Lady?",
            "chain",
            ["Which boat is also known as the Grey Lady?", "How many berths does it have?"],
        ),
        (
            "In which town did the club whose chairwoman praises the lock in the guest book hold a regatta?",
            "chain",
            [
                "Which club's chairwoman praises the lock in the guest book?",
                "In which town did it hold a regatta?",
            ],
        ),
        (
            "Which licence does the pilot need for the strait, and from which length on does the harbour charge a fee?",
            "both",
            [
                "Which licence does the pilot need for the strait?",
                "From which length on does the harbour charge a fee?",
            ],
        ),
        (
            "Quelle conférence le président du club de voile de Brest a-t-il donnée au salon de 2019 ?",
            "chain",
            ["Qui est le président du club de voile de Brest?", "Quelle conférence il a-t-il donnée au salon de 2019?"],
        ),
        (
            "¿Qué charla dio la presidenta del club de vela en el congreso de 2019?",
            "chain",
            ["¿Quién es la presidenta del club de vela?", "¿Qué charla dio él en el congreso de 2019?"],
        ),
        (
            "Welches Boot segelt der Trainer der Jugend bei der Regatta in Kiel?",
            "chain",
            ["Wer ist der Trainer der Jugend?", "Welches Boot segelt er bei der Regatta in Kiel?"],
        ),
        (
            "珊瑚协会2019年的会长在海洋论坛上讲了什么题目？",
            "chain",
            ["珊瑚协会2019年的会长是谁？", "他在海洋论坛上讲了什么题目？"],
        ),
        (
            "甲船和乙船的船长分别是谁？",
            "both",
            ["甲船的船长是谁？", "乙船的船长是谁？"],
        ),
    ],
)
def test_several_things_are_asked_one_by_one(question: str, operation: str, texts: list[str]) -> None:
    assert parts(question) == (operation, texts)


@pytest.mark.parametrize(
    "question",
    [
        "How many ports does a router have to open so that the station gets reports?",
        "Which prize did the director of the choir win?",
        "What did the author of the Atlas call the reef?",
        "Qui a fondé le club et où est-il ?",
        "馆长是谁？",
    ],
)
def test_what_one_page_tells_is_not_divided(question: str) -> None:
    assert parts(question) == ("none", [question])
