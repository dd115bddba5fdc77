"""What one page answers to one part of a question."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.fixtures.paper import observed, page, ranker
from walker.strategies.answers.answer_chance import READ_PASSAGE_SIGNALS
from walker.strategies.builtin.part_reading import (
    PASSAGE_CHARS,
    SPELLED_CHANCE,
    PageAnswer,
    PageAnswers,
    wanted_type,
)
from walker.strategies.builtin.texts_to_read import TEXTS_READ
from walker.strategies.question.question import read_question
from walker.strategies.reader.passage_reader import NetReader, ReaderText, Reading

BODY = (
    "<p>The research vessel Mantis was launched in 1997 and is 18.4 metres long.</p><p>The station serves lunch at noon.</p>"
    "<h2>Berths</h2><table><tr><th>Boat</th><th>Berth</th></tr><tr><td>Mantis</td><td>north quay</td></tr>"
    "<tr><td>Heron</td><td>south quay</td></tr></table>"
)


def answers(question: str, body: str = BODY, language: str = "en") -> list[PageAnswer]:
    read = read_question(question, language)
    return PageAnswers(observed(page("Boats", body)), ranker()).weighed(read, read.parts[0])


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("When was the research vessel Mantis launched?", "1997"),
        ("At which berth lies the Heron?", "south quay"),
    ],
)
def test_the_likeliest_passage_holds_the_answer(question: str, answer: str) -> None:
    best = answers(question)[0]
    assert answer in best.text()
    assert answer in best.quote


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who mends broken boats?", "Maria Lopez"),
        ("How long is the ship that went into service in 1997?", "18.4 metres"),
    ],
)
def test_a_reader_finds_what_is_said_in_other_words_and_is_surer_of_it(question: str, answer: str) -> None:
    visits = "<p>Boats of the station may be seen on Sundays.</p>"
    body = f"{BODY}{visits}<p>Maria Lopez repairs a boat in her workshop when it is damaged.</p>"
    read = read_question(question, "en")
    seen = observed(page("Boats", body))
    by_words, best = (
        PageAnswers(seen, ranker(), reader).weighed(read, read.whole or read.parts[0])[0]
        for reader in (None, NetReader())
    )
    assert answer in best.text()
    assert best.chance > by_words.chance
    assert len(best.signals) == len(READ_PASSAGE_SIGNALS)


@pytest.mark.parametrize(
    ("question", "language", "body"),
    [
        ("회원의 월 회비는 얼마입니까?", "ko", "<p>회원의 월 회비는 50유로이며 매달 초에 냅니다.</p>"),
        (
            "How much is the 회비 of a month?",
            "en",
            "<p>회원의 월 회비 는 50유로이며 매달 초에 냅니다. 회비 는 높지 않습니다.</p>",
        ),
    ],
)
def test_other_languages_are_weighed_as_without_a_reader(question: str, language: str, body: str) -> None:
    read = read_question(question, language)
    seen = observed(page("클럽", body))
    with_reader = PageAnswers(seen, ranker(), NetReader()).weighed(read, read.parts[0])
    assert with_reader == PageAnswers(seen, ranker()).weighed(read, read.parts[0])
    assert with_reader


@pytest.mark.parametrize(
    ("question", "language", "body", "answer"),
    [
        (
            "Wie hoch ist der monatliche Betrag für Mitglieder?",
            "de",
            "<p>Der Beitrag beträgt 50,00 € im Monat.</p><p>Mitglieder treffen sich jeden Monat im Vereinsheim am Fluss.</p>",
            "50,00 €",
        ),
        (
            "一等奖颁给了谁？",
            "zh",
            "<p>征集活动的一等奖是张盛宇。投票总人数为 99 人。</p><p>活动在图书馆举行。</p>",
            "张盛宇",
        ),
    ],
)
def test_a_reader_reads_other_languages_than_english(question: str, language: str, body: str, answer: str) -> None:
    read = read_question(question, language)
    best = PageAnswers(observed(page("Verein", body)), ranker(), NetReader()).weighed(read, read.parts[0])[0]
    assert answer in best.text()
    assert len(best.signals) == len(READ_PASSAGE_SIGNALS)


def test_german_and_chinese_are_read_too() -> None:
    german = "<p>Der Monatsbeitrag für fördernde Mitglieder beträgt 50,00 €.</p><p>Das Training beginnt um 20 Uhr.</p>"
    assert "50,00 €" in answers("Wie hoch ist der Monatsbeitrag für Mitglieder?", german, "de")[0].text()
    chinese = "<p>征集活动的一等奖是张盛宇。</p><p>投票总人数为 99 人。</p>"
    assert "99" in answers("投票总人数是多少？", chinese, "zh")[0].text()


def test_the_chances_fall_and_no_text_is_longer_than_a_passage() -> None:
    found = answers("When was the research vessel Mantis launched?", BODY + f"<p>Mantis {'and more ' * 80}</p>")
    assert [one.chance for one in found] == sorted((one.chance for one in found), reverse=True)
    assert all(len(one.text()) <= PASSAGE_CHARS for one in found)


def test_a_repetition_of_the_question_answers_nothing() -> None:
    question = "When was the research vessel Mantis launched?"
    assert all(question not in one.weighed.passage.text for one in answers(question, f"<p>{question}</p>{BODY}"))


def test_a_caption_that_only_names_the_thing_answers_nothing() -> None:
    body = "<p>The research vessel Mantis</p><p>The Mantis is moored at the north quay.</p>"
    found = answers("Where does the research vessel Mantis lie?", body)
    assert [one.weighed.passage.text for one in found] == ["The Mantis is moored at the north quay."]


def test_what_is_computed_with_has_a_type_that_can_be() -> None:
    question = read_question("How many years older is the Mantis than the Heron?")
    assert {wanted_type(question, part).kind for part in question.parts} <= {"number", "year"}


def test_a_page_is_relevant_to_what_it_is_about() -> None:
    reading = PageAnswers(observed(page("Boats", BODY)), ranker())
    assert reading.relevance("research vessel Mantis") > reading.relevance("tax law of medieval Iceland")


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How many minutes before the lecture did the tour begin?", "time"),
        ("How many days passed between the launch and the sinking?", "date"),
        ("Wie viele Jahre nach der Gründung in Kiel begann der Bau?", "year"),
        ("Which release is older, the one with sails or the one with oars?", "version"),
    ],
)
def test_parts_are_read_as_what_the_whole_computes_with(question: str, kind: str) -> None:
    read = read_question(question, "de" if question.startswith("Wie") else "en")
    assert len(read.parts) == 2
    assert {wanted_type(read, part).kind for part in read.parts} == {kind}


def test_a_reader_finds_a_passage_in_which_no_word_of_the_question_stands() -> None:
    question = "For how long may guests moor without paying?"
    body = f"{BODY}<h2>Guests</h2><p>Guests may moor here for nothing at first.</p><p>After 48 hours they are asked for 9 euros.</p>"
    read = read_question(question, "en")
    seen = observed(page("Boats", body))
    by_words = PageAnswers(seen, ranker()).weighed(read, read.parts[0])
    assert not any("48 hours" in one.weighed.passage.text for one in by_words)
    best = PageAnswers(seen, ranker(), NetReader()).weighed(read, read.parts[0])[0]
    assert best.text() == "48 hours"


class Counting(NetReader):
    """Counts what it reads."""

    def __init__(self) -> None:
        self.texts = 0

    def read(self, question: str, texts: Sequence[ReaderText]) -> list[Reading]:
        self.texts += len(texts)
        return super().read(question, texts)


def test_of_a_long_page_a_reader_reads_so_many_texts_and_of_a_short_one_all() -> None:
    read = read_question("When was the research vessel Mantis launched?", "en")
    sections = "".join(f"<h2>Berth {number}</h2><p>Quay number {number} is of stone.</p>" for number in range(60))
    for body, most in (
        (BODY + sections, TEXTS_READ),
        ("<p>The Mantis was launched in 1997.</p><h2>Tea</h2><p>At noon.</p>", 2),
    ):
        reader = Counting()
        PageAnswers(observed(page("Boats", body)), ranker(), reader).weighed(read, read.parts[0])
        assert reader.texts == most


def test_a_number_in_words_that_are_not_known_is_found_where_the_reader_is_sure() -> None:
    body = "<p>Hier une quinzaine de plongeurs sont venus au lagon.</p><p>Le thé est servi à midi.</p>"
    question = read_question("Combien de plongeurs environ sont venus au lagon ?", "fr")
    seen = observed(page("Plongée", body))
    assert PageAnswers(seen, ranker()).weighed(question, question.parts[0]) == []
    best = PageAnswers(seen, ranker(), NetReader()).weighed(question, question.parts[0])[0]
    assert "quinzaine" in best.text()


def test_a_range_is_told_with_both_its_ends() -> None:
    body = "<p>A wetsuit costs between 30 and 120 dollars here.</p><p>The Mantis sails on 3 days a week.</p>"
    question = read_question("What is the price range of a wetsuit?")
    best = PageAnswers(observed(page("Hire", body)), ranker(), NetReader()).weighed(question, question.parts[0])[0]
    assert "30 and 120 dollars" in best.text()


def test_what_a_part_names_may_stand_in_the_heading_above() -> None:
    body = (
        "<h2>Slides of the Reef Days Meeting, May 2019</h2><ul><li>Ana Ruiz: An atlas of the corals of Kiel</li></ul>"
    )
    question = read_question("Who hosted the Reef Days Meeting at which Ana Ruiz presented the atlas of corals?")
    assert question.operation == "chain"
    best = PageAnswers(observed(page("Slides", body)), ranker()).weighed(question, question.parts[0])[0]
    assert best.named_above(question.parts[0].text) == "Reef Days Meeting, May 2019"
    assert best.named_above("Which boat is it?") == ""


def test_how_long_something_takes_is_told_by_its_ends() -> None:
    body = "<p>The talk 'Reefs' is on Friday, 13:00 - 14:25, in room 3, and has 40 seats.</p>"
    question = read_question("How many minutes longer was the talk 'Reefs' than the talk 'Tides'?")
    answers = PageAnswers(observed(page("Talks", body)), ranker()).weighed(question, question.parts[0])
    assert [span.text for answer in answers for span in answer.spans] == ["13:00 - 14:25"]


def test_what_stands_below_the_name_of_a_thing_is_said_of_it() -> None:
    body = "<h1>Nested coral gardens</h1><p>Friday, 15:40 - 16:05</p>"
    question = read_question("How many minutes before the gala did the talk about nested coral gardens begin?")
    answers = PageAnswers(observed(page("Nested coral gardens", body)), ranker()).weighed(question, question.parts[1])
    assert any(answer.text(short=True).startswith("15:40") for answer in answers)


def test_a_text_without_a_digit_is_never_a_year_however_like_the_question_it_is() -> None:
    question = read_question("In which year was the research vessel Mantis launched?", "en")
    body = "<p>The research vessel Mantis, launched in which year a</p><p>It lies at the north quay.</p>"
    seen = observed(page("Boats", body))
    found = PageAnswers(seen, ranker(), NetReader()).weighed(question, question.parts[0])
    assert [one.text() for one in found] == []


def test_an_abbreviation_is_answered_by_the_words_that_spell_it_alone() -> None:
    body = (
        "<p>The HAL should be exported under the name hal.</p><p>HAL types are wrappers.</p>"
        "<p>It is built on the Hardware Abstraction Layer (HAL) of each board.</p>"
    )
    found = answers("What does HAL stand for?", body)
    assert [one.text() for one in found] == ["Hardware Abstraction Layer"]
    assert found[0].chance >= SPELLED_CHANCE
    assert not answers("What does ISR stand for?", body)
    table = "<table><tr><th>Code</th><th>Meaning</th></tr><tr><td>CC</td><td>faculty number</td></tr></table>"
    assert answers("What does CC stand for?", table)[0].text() == "faculty number"


@pytest.mark.parametrize(
    ("question", "body", "answer"),
    [
        (
            "Who won the mixed double?",
            "The mixed double was won by Stephen Nichols and Jen Titterington in 12 minutes.",
            "Stephen Nichols and Jen Titterington",
        ),
        (
            "Who wrote the handbook?",
            "The handbook was written by Ana Ruiz, Ben Okafor and Carla Lee.",
            "Ana Ruiz, Ben Okafor and Carla Lee",
        ),
        ("Wer leitet die Gruppe?", "Die Gruppe leiten Anna Berg und Jonas Keller.", "Anna Berg und Jonas Keller"),
        ("Who rowed with Ana Ruiz?", "In the double Ana Ruiz and Ben Okafor rowed to the island.", "Ben Okafor"),
        ("Who wrote the song?", "Ana Ruiz wrote the song, and Ben Okafor sang it.", "Ana Ruiz"),
    ],
)
def test_names_that_and_joins_are_one_answer(question: str, body: str, answer: str) -> None:
    language = "de" if question.startswith("Wer") else "en"
    assert answers(question, f"<p>{body}</p>", language)[0].text() == answer
