"""Lists of which each entry begins with a label."""

from __future__ import annotations

import pytest

from perception.observation import RecordSet
from tests.perception.pages import read
from walker.strategies.answers.list_forms.labelled import behind_counts, holders, labelled_paragraphs
from walker.strategies.answers.list_question import AskedList, read_asked_list
from walker.strategies.question.question import read_question


def asked(question: str, noun: str = "") -> AskedList:
    return read_asked_list(read_question(question, "en").parts[0], noun, 0)


def names(records: RecordSet | None) -> list[str]:
    return [record.name for record in records.records] if records is not None else []


def listed(*items: str) -> RecordSet:
    (records,) = read(f"<main><ul>{''.join(f'<li>{item}</li>' for item in items)}</ul></main>").record_sets
    return records


def labelled(html: str) -> list[RecordSet]:
    return list(labelled_paragraphs(read(f"<main><h1>Sailing club</h1>{html}</main>")))


@pytest.mark.parametrize("joint", [": ", " – ", "："])
def test_paragraphs_in_a_row_that_begin_with_a_label_are_a_list(joint: str) -> None:
    told = {"President": "Ana Ruiz", "Treasurer": "Bo Lind", "Race director": "Ana Ruiz"}
    html = "".join(f"<p><b>{label}</b>{joint}{name}</p>" for label, name in told.items())
    (made,) = labelled(f"<h2>Board</h2><p>Who runs the club.</p>{html}<h2>Fees</h2><p>Adults: 20 a year</p>")
    assert names(made) == list(told)
    assert (made.caption, made.headings) == ("Who runs the club.", ("Sailing club", "Board"))
    assert "Bo Lind" in made.records[1].text


def test_a_label_that_is_a_date_gives_way_to_what_follows_and_lists_may_stand_between() -> None:
    days = {"12 May 2020": "Knots", "19 May 2020": "Tides", "26 May 2020": "Charts"}
    html = "".join(f"<p>{date} – {topic}</p><ul><li>Slides</li><li>Notes</li></ul>" for date, topic in days.items())
    (made,) = labelled(html)
    assert names(made) == ["Knots", "Tides", "Charts"]


def test_two_labels_or_sentences_with_a_colon_far_within_are_no_list() -> None:
    assert labelled("<p>Fees: 20</p><p>Place: the pier</p>") == []
    prose = "<p>Whoever comes to the pier on a Sunday should bring what is needed for the day: boots.</p>"
    assert labelled(prose * 3) == []
    addresses = "".join(f"<p>https://example.org/{number}</p>" for number in range(3))
    assert labelled(addresses) == []


def test_entries_behind_a_count_are_named_by_what_follows_it() -> None:
    records = listed("Speaker 1: Dr. Ana Ruiz", "Speaker 2: Bo Lind", "Speaker 3: Cem Kaya", "Questions")
    whole = behind_counts(records, asked("What happens in the session?"))
    assert names(whole) == ["Dr. Ana Ruiz", "Bo Lind", "Cem Kaya", "Questions"]
    assert len(names(behind_counts(records, asked("How many speakers are there?", "speakers")))) == 3
    stages = listed("Start 1: Pier", "Finish 2: Buoy", "Turn 3: Mole")
    assert behind_counts(stages, asked("Where is the race?")) == stages


def test_who_holds_posts_is_named_by_what_follows_them() -> None:
    records = listed("President: Ana Ruiz", "Treasurer: Bo Lind", "Cook: Cem Kaya")
    assert names(holders(records, asked("Who runs the club?"))) == ["Ana Ruiz", "Bo Lind", "Cem Kaya"]
    assert holders(records, asked("Which posts are there?", "posts")) is None


def test_paragraphs_of_a_name_and_what_it_is_of_are_a_list() -> None:
    people = {
        "Ana Ruiz": "head of the harbour",
        "Bo van der Lind": "Island School",
        "Cem Kaya": "who sails, and builds",
    }
    html = "".join(f"<p>{name}, {of}</p>" for name, of in people.items())
    (made,) = labelled(f"<h2>Speakers</h2><p>On the panel: all who have a boat.</p>{html}")
    assert names(made) == list(people)
    assert made.caption == "On the panel: all who have a boat."
    assert labelled("".join(f"<p>{name}, {of}.</p>" for name, of in people.items())) == []


def test_who_holds_an_office_is_named_where_the_label_is_a_long_one_too() -> None:
    records = listed(
        "President and representative to the unions committee of the society: Ana Ruiz", "Secretary: Bo Lind"
    )
    assert names(holders(records, asked("Name 2 people on the board.", "people"))) == ["Ana Ruiz", "Bo Lind"]


@pytest.mark.parametrize(
    ("question", "noun"),
    [
        ("Nenne zwei Mitglieder des Vorstands.", "Mitglieder"),
        ("Citez deux membres du bureau.", "membres"),
        ("Nombra dos miembros de la junta.", "miembros"),
        ("说出两位志愿者。", "志愿者"),
    ],
)
def test_persons_are_named_behind_their_office_in_other_languages(question: str, noun: str) -> None:
    (made,) = labelled("<h2>Board</h2><p>Chair: Ana Ruiz</p><p>Treasurer: Bo Lind</p><p>Boats: Cem Kaya</p>")
    assert names(holders(made, asked(question, noun))) == ["Ana Ruiz", "Bo Lind", "Cem Kaya"]
    assert holders(made, asked("How many boats are there?", "boats")) is None
