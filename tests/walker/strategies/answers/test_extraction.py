"""Candidate answers of a passage, and what speaks for each."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from walker.strategies.answers.evidence import WeighedPassage
from walker.strategies.answers.extraction import SPAN_SIGNALS, passage_answer, spans_of
from walker.strategies.answers.passages import Passage
from walker.strategies.question.answer_type import AnswerType, read_answer_type


def weighed(text: str, *, near: str = "", is_value: bool = False) -> WeighedPassage:
    passage = Passage(text=text, near=near, above="", hidden=False, margin=False, place=0, is_value=is_value)
    return WeighedPassage(passage=passage, own=1, near=0, above=0, title=0, page=0, named=1, pairs=0, cover=1)


def signals(text: str, question: str) -> dict[str, dict[str, float]]:
    found = spans_of(weighed(text), read_answer_type(question), question)
    return {one.text: dict(zip(SPAN_SIGNALS, one.signals, strict=True)) for one in found}


def test_the_unit_that_is_asked_for_is_told() -> None:
    found = signals("The 3 tickets cost 12 euros.", "How much do the tickets cost?")
    assert found["12 euros"]["unit"] == 1
    assert "3" not in found, "a price has its currency"
    found = signals("The crossing of 3 boats takes 12 minutes.", "How long does the crossing take?")
    assert found["12 minutes"]["unit"] > found["3"]["unit"]


def test_the_counted_noun_stands_beside_its_number() -> None:
    found = signals("It has 16 rooms and 86 windows.", "How many windows does it have?")
    assert found["86"]["noun"] > found["16"]["noun"]


def test_a_number_behind_the_noun_says_which_one_it_is() -> None:
    question = "How many bytes does the header have?"
    assert not signals("The counter is kept in bytes 24 through 27 of the header.", question)
    assert "100 bytes" in signals("The first 100 bytes of the file are the header.", question)
    assert "100" in signals("Bytes 100", question), "a label with its value"
    text = "The counter is kept in bytes 24 through 27 of the header."
    read = spans_of(weighed(text), read_answer_type(question), question, "en", (text.index(" 24"), text.index(" of")))
    assert "24 through 27" not in [one.text for one in read], "a reader's token begins with the space"
    assert "24" not in signals("La tabla guarda los bytes 24 de cada parte.", "How many bytes are there?")


def test_a_role_is_nobody() -> None:
    assert not signals("SQLite Developers", "Who wrote SQLite?")
    assert "Richard Hipp" in signals("The developer is Richard Hipp.", "Who is the developer of SQLite?")


def test_what_the_question_says_is_no_answer() -> None:
    assert "1997" not in signals("In 1997 it had 6 boats.", "How many boats did it have in 1997?")


def test_a_cell_is_a_candidate_as_a_whole() -> None:
    found = spans_of(
        weighed("north quay", near="Berth", is_value=True), AnswerType(kind="place"), "Where is the berth?"
    )
    assert "north quay" in [one.text for one in found]


def test_each_text_is_one_candidate() -> None:
    found = spans_of(weighed("6 boats, then 6 boats"), AnswerType(kind="number"), "How many were there?")
    assert len({one.text for one in found}) == len(found)


@given(st.text(alphabet="ab ", min_size=0, max_size=400), st.integers(40, 200))
def test_an_answer_is_never_longer_than_allowed_and_verbatim(text: str, most: int) -> None:
    answer = passage_answer(text, most)
    assert len(answer) <= max(most, len(text.strip())) if len(text) <= most else len(answer) <= most
    assert answer in text


def test_a_long_passage_is_cut_around_the_likeliest_span() -> None:
    text = "word " * 100 + "The crew has six sailors. " + "word " * 100
    assert "six sailors" in passage_answer(text, 190, "six sailors")


def test_what_is_counted_is_no_measure_and_no_year() -> None:
    found = signals("In 2015 the tour of 3 boats took 40 minutes.", "How many boats are there?")
    assert found.keys() == {"3"}
    assert "40 minutes" in signals("The tour took 40 minutes.", "How many minutes did the tour take?")


def test_a_number_that_something_is_set_to_is_no_year() -> None:
    question = "How many columns can a table have?"
    assert "2000" in signals("The default setting for MAX_COLUMN is 2000.", question)
    assert "2000" not in signals("The limit was raised to 500 in the year 2000.", question)


def test_a_cell_that_describes_is_no_name() -> None:
    text = "Raised when a key of a mapping is not found among those that exist"
    found = spans_of(weighed(text, is_value=True), AnswerType(kind="name"), "Which exception is raised?")
    assert text not in [one.text for one in found]


def test_a_bracket_without_its_partner_is_no_part_of_an_answer() -> None:
    found = spans_of(weighed("It listens (on port 80)."), AnswerType(kind="value"), "On what?", read=(15, 23))
    assert "port 80" in [one.text for one in found]


def test_of_the_places_in_a_longer_list_only_its_length_is_a_number() -> None:
    assert signals("People 4-6 of 23 are shown.", "How many people are there?").keys() == {"23"}


def test_a_quotation_mark_without_its_partner_is_no_part_of_an_answer() -> None:
    cell = weighed("'*", is_value=True, near="mark")
    assert [one.text for one in spans_of(cell, AnswerType(kind="value"), "Which mark stands there?")] == ["*"]
    quoted = weighed('"north quay"', is_value=True, near="berth")
    assert '"north quay"' in [one.text for one in spans_of(quoted, AnswerType(kind="place"), "Where does it lie?")]


def test_what_a_manual_writes_where_a_value_goes_is_no_value() -> None:
    cell = weighed("<number>", near="highWaterMark", is_value=True)
    assert spans_of(cell, AnswerType(kind="value"), "What is the highWaterMark?") == []
    assert [one.text for one in spans_of(weighed("a < b > c", is_value=True), AnswerType(kind="value"), "Which?")] == [
        "a < b > c"
    ]


def read_span(text: str, question: str, words: str) -> tuple[str, float]:
    """The candidate that a reader makes of these words of a text, and how well its form fits."""
    start = text.index(words)
    found = spans_of(weighed(text), read_answer_type(question), question, read=(start, start + len(words)))
    return next((one.text, one.signals[0]) for one in found if one.start <= start < one.end and words in one.text)


def test_what_a_reader_takes_for_the_answer_ends_with_its_words() -> None:
    assert read_span("moored off Norderhafen", "Where does it lie?", "orderhaf")[0] == "Norderhafen"
    chinese = spans_of(weighed("停泊北码头"), read_answer_type("它在哪里？"), "它在哪里？", "zh", (2, 4))
    assert [one.text for one in chinese] == ["北码"], "no spaces, no words to end with"


def test_where_a_person_is_asked_for_a_sign_or_a_role_names_nobody() -> None:
    question = "Who wrote the tide tables?"
    named = read_span("The tables [R2014] were written by Ruiz.", question, "Ruiz")[1]
    assert named > max(
        read_span("The tables [R2014] were written by Ruiz.", question, "R2014")[1],
        read_span("Write to the organizers about tables.", question, "the organizers")[1],
    )


def test_a_span_of_a_reader_that_holds_a_number_fits_as_the_number_does() -> None:
    text, question = "Hire costs between 30 and 120 dollars here.", "How much does the hire cost?"
    whole = read_span(text, question, "30 and 120 dollars")
    assert whole == ("30 and 120 dollars", read_span(text, question, "120 dollars")[1])


def test_a_word_for_a_number_of_something_else_is_no_length() -> None:
    question = "What is the maximum length of a table name?"
    assert not signals("Choose any three.", question)
    assert "three characters" in signals("No name has more than three characters.", question)
    assert "3" in signals("The length is three.", question)
    assert "1024" in signals("Choose at most 1024.", question)
    cell = weighed("three", near="Length of a name", is_value=True)
    assert spans_of(cell, read_answer_type(question), question)
    assert "3" in signals("Choose any three.", "How many may be chosen?")
