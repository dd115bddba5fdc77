"""Entries below headings between them, and texts that take turns."""

from __future__ import annotations

from perception.observation import RecordSet
from tests.perception.pages import read
from walker.strategies.answers.list_forms.grouped_entries import (
    below_headings,
    taking_turns,
    with_whole_sections,
)

GROUPS = {"PhD students": ("Ana Ruiz", "Bo Lind", "Cem Kaya"), "Alumni": ("Dee Moor", "Eli Park")}


def names(records: RecordSet) -> list[str]:
    return [record.name for record in records.records]


def cards(groups: dict[str, tuple[str, ...]]) -> str:
    told = (
        f'<div class="title"><h2>{group}</h2></div>'
        + "".join(f'<div class="card"><h2>{name}</h2><p>works here on {name}</p></div>' for name in members)
        for group, members in groups.items()
    )
    return f"<main><h1>Members</h1>{''.join(told)}</main>"


def test_entries_between_headings_are_a_list_for_each_heading_and_one_that_says_them() -> None:
    page = read(cards(GROUPS))
    found = [one for records in page.record_sets for one in below_headings(records, page.blocks)]
    by_group = {one.headings[-1]: names(one) for one in found if one.headings[-1] in GROUPS}
    assert by_group == {group: list(members) for group, members in GROUPS.items()}
    (whole,) = (one for one in found if len(one.records) == 5)
    assert whole.records[-1].text.startswith("Alumni | ")
    assert whole.records[0].text.startswith("PhD students | ")


def test_entries_below_one_heading_stand_in_no_groups() -> None:
    page = read(cards({"PhD students": ("Ana Ruiz", "Bo Lind", "Cem Kaya")}))
    assert [one for records in page.record_sets for one in below_headings(records, page.blocks)] == []


def test_paragraphs_in_turns_with_a_time_are_entries_by_each_of_the_others() -> None:
    talks = (("Ana Ruiz", "Boats", "14:00"), ("Bo Lind", "Rivers", "14:40"), ("Cem Kaya", "Oars", "15:20"))
    html = "".join(f"<p>{text}</p>" for talk in talks for text in talk)
    speakers, titles = taking_turns(read(f"<main><h1>Programme</h1>{html}</main>"))
    assert names(speakers) == ["Ana Ruiz", "Bo Lind", "Cem Kaya"]
    assert names(titles) == ["Boats", "Rivers", "Oars"]
    assert titles.records[1].text == "Bo Lind | Rivers | 14:40"


def test_texts_without_a_time_or_out_of_turn_are_no_entries() -> None:
    plain = "".join(f"<p>Line {word}</p>" for word in "one two three four five six".split())
    assert list(taking_turns(read(f"<main><h1>Programme</h1>{plain}</main>"))) == []
    mixed = "<p>Ana Ruiz</p><p>14:00</p><p>Bo Lind</p><p>Cem Kaya</p><p>15:00</p><p>Dee Moor</p>"
    assert list(taking_turns(read(f"<main><h1>Programme</h1>{mixed}</main>"))) == []


def sections(courses: dict[str, tuple[str, ...]]) -> str:
    told = (f"<h3>{name}</h3>{''.join(f'<p>{text}</p>' for text in texts)}" for name, texts in courses.items())
    return f"<main><h1>Club</h1><p>All of us.</p><h2>Courses</h2>{''.join(told)}</main>"


def test_an_entry_that_is_a_heading_has_all_that_stands_below_it() -> None:
    page = read(sections({"Yoga": ("For all.", "Teacher: Ana Ruiz", "Mondays"), "Judo": ("For some.", "Fridays")}))
    (whole,) = (one for one in with_whole_sections(page) if one.headings[-1:] == ("Courses",))
    assert [record.text for record in whole.records] == [
        "Yoga For all. Teacher: Ana Ruiz Mondays",
        "Judo For some. Fridays",
    ]


def test_entries_that_are_no_headings_keep_their_text() -> None:
    page = read("<main><h1>Club</h1><ul><li>Dee Moor</li><li>Eli Park</li></ul></main>")
    assert with_whole_sections(page) == page.record_sets
