"""What names the entries of a list."""

from __future__ import annotations

from perception.observation import Block, Record, RecordSet
from walker.strategies.answers.entry_names import entry_name, with_names, without_numbers

BLOCKS = {
    number: Block(id=number, kind="paragraph", text=text)
    for number, text in enumerate(("09:00 - 09:25", "Corals", "09:30 - 09:55", "Tides", "17 March 2017", "Boats"))
}


def test_an_entry_that_begins_with_its_time_is_named_by_what_follows() -> None:
    labels = ("09:00", "09:30", "17 March 2017")
    moved = tuple(
        Record(name=label, text=label, first=2 * place + 1, last=2 * place + 2) for place, label in enumerate(labels)
    )
    blocks = {number + 1: block for number, block in BLOCKS.items()}
    named = with_names(RecordSet(id=1, kind="repeated", records=moved), blocks)
    assert [one.name for one in named.records] == ["Corals", "Tides", "Boats"]


def test_what_most_entries_begin_with_names_none_of_them() -> None:
    texts = ("Photo follows", "Ana Ruiz", "Photo follows", "Bo Lind", "Photo follows", "Cem Kaya")
    blocks = {number: Block(id=number, kind="paragraph", text=text) for number, text in enumerate(texts, start=1)}
    cards = tuple(
        Record(name=f"Photo follows {texts[place]}", text=texts[place], first=place, last=place + 1)
        for place in (1, 3, 5)
    )
    named = with_names(RecordSet(id=1, kind="repeated", records=cards), blocks)
    assert [one.name for one in named.records] == ["Ana Ruiz", "Bo Lind", "Cem Kaya"]


def test_names_that_hold_a_number_stay() -> None:
    records = RecordSet(
        id=1, kind="list", records=tuple(Record(name=name, text=name) for name in ("Boat 1", "Boat 2", "Mantis"))
    )
    assert with_names(records, BLOCKS) == records


def test_an_icon_names_no_entry() -> None:
    texts = ("(icon: video camera)", "Tide tables", "Salt marshes", "(icon: video camera)", "Kites")
    blocks = {number: Block(id=number, kind="paragraph", text=text) for number, text in enumerate(texts, start=1)}
    places = ((1, 2), (3, 3), (4, 5))
    cards = tuple(
        Record(name=texts[first - 1], text=" ".join(texts[first - 1 : last]), first=first, last=last)
        for first, last in places
    )
    named = with_names(RecordSet(id=1, kind="repeated", records=cards), blocks)
    assert [one.name for one in named.records] == ["Tide tables", "Salt marshes", "Kites"]


def test_the_title_of_a_card_is_whole_and_a_term_of_a_list_stands_before_its_explanation() -> None:
    title = Record(name="Web security - ten weak points", text="Web security - ten weak points")
    assert entry_name(title, "repeated") == "Web security - ten weak points"
    assert entry_name(title, "list") == "Web security"


def test_numbers_that_count_the_entries_are_no_part_of_their_names_and_amounts_are() -> None:
    def named(*texts: str) -> list[str]:
        records = tuple(Record(name=text, text=text) for text in texts)
        return [one.name for one in without_numbers(RecordSet(id=1, kind="list", records=records)).records]

    assert named("1 Scope", "2 Terms", "Annex") == ["Scope", "Terms", "Annex"]
    assert named("2 eggs", "1 lemon", "200 g of flour") == ["2 eggs", "1 lemon", "200 g of flour"]
    assert named("A. Scope", "B. Terms") == ["Scope", "Terms"]
    assert named("A. Ash", "B. Birch", "A. Cedar") == ["A. Ash", "B. Birch", "A. Cedar"], "initials of persons"
    egg = Record(name="2 eggs", text="2 eggs")
    assert entry_name(egg, "list") == "2 eggs"


def test_an_initial_is_a_part_of_a_person_s_name() -> None:
    assert entry_name(Record(name="A. Ash", text="A. Ash"), "list") == "A. Ash"
    assert entry_name(Record(name="A.1 Scope", text="A.1 Scope"), "list") == "Scope"
