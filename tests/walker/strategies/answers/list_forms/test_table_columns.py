"""Tables of which the rows are named by another column than the first, stand in groups, or of which the columns are the entries."""

from __future__ import annotations

from perception.observation import Field, Record, RecordSet
from walker.strategies.answers.list_forms.table_columns import (
    by_asked_columns,
    by_telling_column,
    columns_as_entries,
    groups_of,
    with_groups,
)
from walker.strategies.answers.list_question import AskedList, read_asked_list
from walker.strategies.question.question import read_question


def table(columns: tuple[str, ...], *cells: tuple[str, ...]) -> RecordSet:
    records = tuple(
        Record(
            name=next(filter(None, row)),
            text=" | ".join(row),
            fields=tuple(Field(name=name, value=value) for name, value in zip(columns, row, strict=True)),
        )
        for row in cells
    )
    return RecordSet(id=1, kind="table", records=records, columns=columns)


def asked(question: str, noun: str = "", language: str = "en") -> AskedList:
    return read_asked_list(read_question(question, language).parts[0], noun, 0)


def names(records: RecordSet | None) -> list[str]:
    return [record.name for record in records.records] if records is not None else []


BOATS = table(("Boat", "Harbours"), ("Mantis", "North quay"), ("Heron", "South quay"), ("Skua", "North quay"))
TALKS = table(
    ("Time", "Session", "Presenters"),
    ("9:00 - 9:30", "Opening", "Ana Ruiz"),
    ("9:30 - 10:00", "Tides", "Bo Lind (Coast Institute), Cem Kaya"),
    ("10:00 - 10:30", "Coffee", "/"),
)


def test_a_table_is_named_by_the_column_with_the_counted_noun_each_value_once() -> None:
    (named,) = by_asked_columns(BOATS, asked("How many harbours are there?", "harbours"))
    assert names(named) == ["North quay", "South quay"]
    assert "Mantis" in named.records[0].text, "the texts of all its rows single it out"
    assert "Skua" in named.records[0].text
    assert list(by_asked_columns(BOATS, asked("How many boats are there?", "boats"))) == [], "named by it already"
    assert list(by_asked_columns(BOATS, asked("How many crews are there?", "crews"))) == []


def test_who_means_the_column_of_persons_and_each_name_in_a_cell() -> None:
    (named,) = by_asked_columns(TALKS, asked("Who spoke at the coast day?"))
    assert names(named) == ["Ana Ruiz", "Bo Lind (Coast Institute)", "Cem Kaya"], "a cell without a value names none"


def test_in_which_years_means_the_column_of_years() -> None:
    won = table(("Year", "Team"), ("2019", "Elm 1"), ("2015", "Elm 2"))
    by_team = by_telling_column(won)
    (named,) = by_asked_columns(
        table(("Team", "Year"), ("Elm 1", "2019"), ("Elm 2", "2015")), asked("In which years did Elm win?")
    )
    assert names(named) == ["2019", "2015"]
    assert names(by_team) == ["Elm 1", "Elm 2"]


def test_rows_whose_first_column_repeats_are_named_by_the_column_that_tells_them_apart() -> None:
    heads = ("District", "School")
    told = by_telling_column(table(heads, ("North", "Elm School"), ("North", "Oak School"), ("South", "Ash School")))
    assert names(told) == ["Elm School", "Oak School", "Ash School"]
    apart = table(heads, ("North", "Elm School"), ("South", "Elm School"))
    assert by_telling_column(apart) == apart
    numbered = table(heads, ("North", "1"), ("North", "2"))
    assert by_telling_column(numbered) == numbered


def test_rows_that_begin_with_their_time_are_named_by_what_follows() -> None:
    assert names(by_telling_column(TALKS)) == ["Opening", "Tides", "Coffee"]


def test_a_first_column_that_is_left_out_below_names_groups() -> None:
    floors = table(
        ("Floor", "Room"), ("Floor 2", "Reading room"), ("", "Archive"), ("", "Café"), ("Floor 1", "Desk"), ("", "Shop")
    )
    rows = with_groups(floors)
    assert names(by_telling_column(rows)) == ["Reading room", "Archive", "Café", "Desk", "Shop"]
    assert rows.records[1].text == "Floor 2 |  | Archive"
    (group,) = groups_of(floors, asked("Which rooms are on floor 1?"))
    assert names(group) == ["Desk", "Shop"]


def test_a_row_that_only_heads_others_is_no_entry() -> None:
    armour = table(
        ("Armour", "Cost"),
        ("Light armour", ""), ("Padded", "5"), ("Leather", "10"),
        ("Heavy armour", ""), ("Ring mail", "30"), ("Plate", "1,500"),
    )  # fmt: skip
    assert names(with_groups(armour)) == ["Padded", "Leather", "Ring mail", "Plate"]
    (group,) = groups_of(armour, asked("How many kinds of heavy armour are sold?", "kinds of heavy armour"))
    assert names(group) == ["Ring mail", "Plate"]
    assert group.headings[-1] == "Heavy armour"
    assert list(groups_of(armour, asked("How many shields are sold?", "shields"))) == []


def test_columns_are_entries_where_a_row_says_one_kind_of_thing_of_each() -> None:
    apps = table(("Tide", "Wind", "Chart"), ("app", "app", "app and site"), ("free", "paid", "free"))
    assert names(columns_as_entries(apps)) == ["Tide", "Wind", "Chart"]
    cross = table(("", "Oak", "Elm", "Ash"), ("Height", "30 m", "25 m", "35 m"), ("Leaves", "lobed", "oval", "many"))
    assert names(columns_as_entries(cross)) == ["Oak", "Elm", "Ash"]
    values = table(
        ("Variable", "Default", "Description"), ("PORT", "80", "Where it listens"), ("HOST", "all", "Who may")
    )
    assert columns_as_entries(values) is None
