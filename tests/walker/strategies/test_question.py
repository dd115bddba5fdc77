from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from walker.strategies.question.page_hints import find_hints
from walker.strategies.question.question import read_question


def hints(question: str, level: str = "page") -> list[str]:
    return [hint.text for hint in find_hints(question) if hint.level == level]


@pytest.mark.parametrize(
    ("question", "page"),
    [
        ("According to the TH3 page, when was it written?", "TH3"),
        ("According to 'How We Test', in how many files are the tests?", "How We Test"),
        ("On the “Fees & Funding” page, what is the fee?", "Fees & Funding"),
        ("What does the chapter 'Memory Management' say of arenas?", "Memory Management"),
        ("According to the General Travel FAQ, what is refunded?", "General Travel FAQ"),
        ("According to the page about Riverton's weather station, how high is it?", "weather station"),
        ("In the press release about the launch of the Aurora Alliance, who is quoted?", "press release"),
        ("根据《招生简章》，招收多少人？", "招生简章"),
        ("师资队伍页面上有多少位教授？", "师资队伍"),
    ],
)
def test_the_page_that_a_question_names_is_found(question: str, page: str) -> None:
    assert page in hints(question)


def test_the_topic_of_a_page_differs_from_its_container() -> None:
    assert hints("Who is quoted in the press release about the bridge?", "topic") == ["bridge"]
    assert hints("What does the Fees page of the Summer School say?", "container") == ["Summer School"]


def test_a_quoted_word_that_names_no_page_is_none() -> None:
    assert hints("What is the fixed size of the blocks called 'arenas'?") == []
    assert hints("A description for the 'Title' field has how many words?") == []


def test_the_manual_and_the_section_differ_from_the_page() -> None:
    question = "In the 'Special Functions' section of the Geometry chapter of the Toolbox Manual, which are listed?"
    part = read_question(question).parts[0]
    assert part.page_hints == ("Geometry",)
    assert part.section_hints == ("Special Functions",)
    assert part.containers == ("Toolbox Manual",)


def test_names_and_identifiers_are_the_first_terms() -> None:
    part = read_question("By default, how many rows does get_rows() of the Acme Grid return to a caller?").parts[0]
    assert part.terms[0] == "get_rows"
    assert part.terms[1] == "Acme Grid"
    assert "how" not in part.terms


def test_chinese_terms_are_cut_at_function_words() -> None:
    assert read_question("图书馆的开放时间是什么？", "zh").parts[0].terms == ("图书馆", "开放时间")


@pytest.mark.parametrize(
    ("question", "operation", "first", "second"),
    [
        (
            "How many more boats has the Harbour Club than the Sailing School?",
            "difference",
            "Harbour Club",
            "Sailing",
        ),
        ("By how many metres is the Curlew longer than the Avocet?", "difference", "Curlew", "Avocet"),
        ("By how much does the fee in Rome exceed the fee in Oslo?", "difference", "Rome", "Oslo"),
        ("How many years lie between the founding of the choir and the fire of 1911?", "difference", "choir", "fire"),
        ("How many years after the fire was the tower rebuilt?", "difference", "fire", "tower"),
        (
            "What is the difference between the depth of Lake A and the depth of Lake B?",
            "difference",
            "Lake A",
            "Lake B",
        ),
        ("What is the sum of the seats in Hall A and the seats in Hall B?", "sum", "Hall A", "Hall B"),
        ("Which was founded earlier, the Wave Basin or the Tidal Flume?", "compare", "Wave Basin", "Tidal Flume"),
        ("物理学院的教授比化学学院的教授多多少人？", "difference", "物理学院", "化学学院"),
        ("图书馆和博物馆哪个更早开放？", "compare", "图书馆", "博物馆"),
    ],
)
def test_a_comparison_has_two_parts(question: str, operation: str, first: str, second: str) -> None:
    read = read_question(question)
    assert read.operation == operation
    assert len(read.parts) == 2
    assert first in read.parts[0].text
    assert second not in read.parts[0].text
    assert second in read.parts[1].text


def test_pages_named_beside_a_comparison_go_to_its_sides_in_order() -> None:
    read = read_question(
        "How many more prizes were won in 2020 than in 2019, according to 'Report for 2020' and 'Report for 2019'?"
    )
    assert [part.page_hints for part in read.parts] == [("Report for 2020",), ("Report for 2019",)]


def test_each_side_keeps_the_page_named_in_it() -> None:
    read = read_question(
        "How many years lie between Ana Lund's MSc, as given on the People page, and the year of the flood, as seen "
        "on the 'Town History' page?"
    )
    assert [part.page_hints for part in read.parts] == [("People",), ("Town History",)]


def test_a_title_with_and_in_it_is_not_torn() -> None:
    read = read_question("According to 'Salt and Pepper', how many years lie between the first and the second edition?")
    assert read.parts[0].page_hints == ("Salt and Pepper",)


@pytest.mark.parametrize(
    "question",
    [
        "The glossary entry 'loader' names a standard. According to 'Changes of 2003', who implemented that standard?",
        "《通知公告》中提到的讲座主讲人是谁？他的邮箱在师资页面上是什么？",
    ],
)
def test_a_second_sentence_that_refers_back_makes_a_chain(question: str) -> None:
    read = read_question(question)
    assert read.operation == "chain"
    assert len(read.parts) == 2
    assert read.parts[0].page_hints != read.parts[1].page_hints


def test_a_thing_described_within_a_question_is_found_first() -> None:
    read = read_question(
        "According to 'All Releases', which version came before the date of the announcement that named the board?"
    )
    assert read.operation == "chain"
    assert read.parts[0].text.startswith("the date of the announcement")
    assert read.parts[1].page_hints == ("All Releases",)


def test_two_sentences_about_one_page_stay_together() -> None:
    read = read_question("The 'Thanks' page praises a project. Whose project was that?")
    assert read.operation == "none"
    assert len(read.parts) == 1


def test_more_than_that_is_a_difference_within_one_page() -> None:
    read = read_question(
        "The introduction of 'Tool Guide' says how many tools exist. How many more than that are listed?"
    )
    assert read.operation == "difference"
    assert read.parts[1].page_hints == ("Tool Guide",)


@given(st.text(max_size=150))
def test_any_text_is_a_question_of_one_or_two_parts(text: str) -> None:
    read = read_question(text)
    assert len(read.parts) in (1, 2)
    assert (len(read.parts) == 1) == (read.operation == "none")
