"""Entries that a question singles out."""

from __future__ import annotations

import pytest

from memory.words import tokens
from perception.observation import Field, Record
from walker.rules.language import language_of
from walker.strategies.entries.asked_words import plain_words
from walker.strategies.entries.singled_out import MOST_CHOICES, Choice, Singling, choices_of, numbers_meant


def records(*texts: str) -> tuple[Record, ...]:
    return tuple(Record(name=text, text=text) for text in texts)


def table(columns: str, *rows: str) -> tuple[Record, ...]:
    """Rows of cells divided by bars."""
    titles = columns.split("|")
    return tuple(
        Record(
            name=row.split("|")[0],
            text=row.replace("|", " | "),
            fields=tuple(Field(name=title, value=cell) for title, cell in zip(titles, row.split("|"), strict=True)),
        )
        for row in rows
    )


def choices(
    entries: tuple[Record, ...], names: tuple[str, ...] = (), plain: tuple[str, ...] = (), question: str = ""
) -> list[Choice]:
    said = Singling(
        names=tuple(frozenset(tokens(name)) for name in names),
        plain=plain or plain_words(question),
        pairs=tuple(word for word in tokens(question) if not word.isascii() and len(word) == 2),
        text=question,
        language=language_of(question) if question else "en",
    )
    found = choices_of(entries, said)
    assert found[0].kept == entries, "the whole list is always one"
    assert len(found) <= MOST_CHOICES
    return found[1:]


def kept(
    entries: tuple[Record, ...], names: tuple[str, ...] = (), plain: tuple[str, ...] = ()
) -> list[tuple[str, ...]]:
    return [tuple(record.text for record in choice.kept) for choice in choices(entries, names, plain)]


def asked(entries: tuple[Record, ...], question: str, *names: str) -> dict[tuple[str, ...], str]:
    """The names of what a question singles out, and by what."""
    return {tuple(one.name for one in choice.kept): choice.by for choice in choices(entries, names, (), question)}


MEETINGS = records(
    "Meeting 2022, online", "Meeting 2021, online", "Meeting 2019, Oslo", "Meeting 2018, Faro", "Meeting 2017, Kiel"
)


def test_a_plain_word_that_only_some_entries_have_singles_these_out() -> None:
    assert kept(MEETINGS, plain=("online",)) == [("Meeting 2022, online", "Meeting 2021, online")]


def test_a_word_of_most_entries_or_of_none_singles_nothing_out() -> None:
    assert kept(MEETINGS, plain=("meeting", "harbour")) == []


def test_a_name_singles_out_however_many_have_it() -> None:
    assert kept(MEETINGS[:2] + MEETINGS[2:3], names=("2022",)) == [("Meeting 2022, online",)]
    nine_of_ten = records(*(f"{name}, Faro" for name in "Ana Bo Cem Eva Gil Ida Jon Kai Lia".split()), "Max, Oslo")
    assert kept(nine_of_ten, names=("Faro",)) == [tuple(one.text for one in nine_of_ten[:9])]


def test_an_ordinal_is_met_by_its_number_and_small_ones_are_not_taken_for_numbers() -> None:
    assert numbers_meant("In how many seasons did the team finish in twelfth place?") == [frozenset({"12"})]
    assert numbers_meant("Who was the first or second keeper?") == []


def test_a_month_is_met_by_a_date_in_digits() -> None:
    dates = records("Sa, 31.10.2026, 15:00", "Fr, 13.11.2026, 18:30", "2026-11-20 19:00", "So, 06.12.2026")
    assert asked(dates, "Wie viele Heimspiele im November 2026?", "November 2026") == {
        ("Fr, 13.11.2026, 18:30", "2026-11-20 19:00"): "compared"
    }


def test_the_same_entries_are_one_choice() -> None:
    assert kept(MEETINGS, names=("2019", "Oslo")) == [("Meeting 2019, Oslo",)]


def test_names_that_or_joins_single_out_entries_of_each() -> None:
    assert ("Meeting 2019, Oslo", "Meeting 2018, Faro") in asked(
        MEETINGS, "Which meetings were in Oslo or Faro?", "Oslo", "Faro"
    )


def test_what_is_excluded_leaves_the_others() -> None:
    others = ("Meeting 2019, Oslo", "Meeting 2018, Faro", "Meeting 2017, Kiel")
    assert others in asked(MEETINGS, "Which meetings were not online?")
    groups = records("闲聊群", "公测群", "报错群")
    assert ("公测群", "报错群") in asked(groups, "除了闲聊用的用户群，还有哪些群？")


def test_a_word_in_another_form_or_within_a_compound() -> None:
    arms = records("Schwert, Lang-", "Langbogen", "Kurzbogen", "Keule", "Schwert, Kurz-")
    assert ("Langbogen", "Kurzbogen") in asked(arms, "Welche Bögen gibt es?", "Bögen")
    assert ("Schwert, Lang-", "Schwert, Kurz-") in asked(arms, "Welche Schwerter gibt es?", "Schwerter")
    hours = records("Lundi, confirmés", "Mardi (débutants)", "Jeudi, débutants", "Samedi")
    assert ("Mardi (débutants)", "Jeudi, débutants") in asked(hours, "Quels cours s'adressent à un débutant ?")


BOATS = table(
    "Boat|Port|Weight (kg)|Built|Lift|Radio",
    "Mantis|Faro|650|1999|Yes|No",
    "Heron|Oslo|700|2009|Yes|Yes",
    "Skua|Faro|820|2015|No|Yes",
    "Petrel|Kiel|900|2021|No|No",
    "Total||3070|||",
)


@pytest.mark.parametrize(
    ("question", "right", "by"),
    [
        ("Which boats weigh more than 700 kg?", ("Skua", "Petrel"), "compared"),
        ("Which boats were built since 2009?", ("Heron", "Skua", "Petrel"), "compared"),
        ("Welche Boote wiegen mindestens 820 kg?", ("Skua", "Petrel"), "compared"),
        ("Quels bateaux d'avant 2015 ?", ("Mantis", "Heron"), "compared"),
        ("Which boats of Faro weigh less than 700 kg?", ("Mantis",), "compared"),
        ("Which boats have a lift?", ("Mantis", "Heron"), "column"),
        ("Which boats have no lift?", ("Skua", "Petrel"), "column"),
        ("Which boats have a lift but no radio?", ("Mantis",), "column"),
        ("Which boats have Faro as their port?", ("Mantis", "Skua"), "column"),
        ("How many boats does the table sum up?", ("Mantis", "Heron", "Skua", "Petrel"), "column"),
    ],
)
def test_rows_that_a_column_tells(question: str, right: tuple[str, ...], by: str) -> None:
    assert asked(BOATS, question, *(("Faro",) if "Faro" in question else ())).get(right) == by


def test_marks_say_yes_or_no_in_any_language() -> None:
    rules = table("操作|需要登录|管理员", "查看|否|✅", "编辑|是|✅", "删除|是|❌", "评论|否|❌")
    assert asked(rules, "哪些操作不需要登录？").get(("查看", "评论")) == "column"
    assert asked(rules, "哪些操作需要登录？").get(("编辑", "删除")) == "column"
    only = table("Feld|Pflicht", "Titel|Ja", "Ort|Nein", "Datum|Ja (auto)", "Bild|Nein")
    assert asked(only, "Welche Felder dürfen leer bleiben?").get(("Ort", "Bild")) == "column", "the only such column"


def test_a_cell_that_says_something_else_is_neither_yes_nor_no() -> None:
    codecs = table("Codec|Safari|Chrome", "AV1|partly|✅", "VP9|❌|✅", "H.264|✅|✅", "MPEG-4|❌|❌")
    assert asked(codecs, "Which codecs does Safari not play?").get(("VP9", "MPEG-4")) == "column"


def test_a_column_that_only_some_rows_fill_is_a_yes_or_no_too() -> None:
    duties = table("Pflichten|Rechte", "Helm tragen|Ausbildung", "Anweisungen befolgen|", "Kommen|Versicherung")
    assert asked(duties, "Mit welchen Rechten?").get(("Helm tragen", "Kommen")) == "column"


def test_a_cell_stands_for_the_empty_ones_below_it() -> None:
    board = table("Office|Name", "President|Ana", "Member|Bo", "|Cem", "|Eva")
    (found,) = (choice for choice in choices(board, question="Who is a member?") if choice.by == "column")
    assert [record.fields[1].value for record in found.kept] == ["Bo", "Cem", "Eva"]


def test_of_a_word_in_many_entries_those_that_are_named_so_are_a_choice() -> None:
    groups = (
        Record(name="Oslo Regional Group", text="Oslo Regional Group: the north"),
        Record(name="Faro Regional Group", text="Faro Regional Group: the south"),
        Record(name="Radio", text="Radio: a regional club"),
        Record(name="Boats", text="Boats: for all"),
    )
    assert ("Oslo Regional Group", "Faro Regional Group") in asked(groups, "Which groups are regional by their name?")


def test_a_value_in_chinese_below_its_heading() -> None:
    options = table("规则|类型|默认", "范围|整数|1", "名称|字符串|无", "次数|整数|3", "开关|布尔值|否")
    assert asked(options, "哪些规则的类型是整数？").get(("范围", "次数")) == "column"


def test_rows_below_a_heading_within_a_table_are_a_group() -> None:
    armour = table(
        "Armor|Cost", "Light Armor|", "Padded|5 gp", "Leather|10 gp", "Heavy Armor|", "Plate|1,500 gp", "Splint|200 gp"
    )
    found = asked(armour, "How many suits of heavy armor are there?")
    assert found[("Plate", "Splint")] == "column"
    assert found[("Padded", "Leather", "Plate", "Splint")] == "column", "a heading is no row"


def test_the_number_that_is_to_be_named_singles_out_no_row() -> None:
    rooms = table("Room|Seats", "A|2", "B|3", "C|2")
    said = Singling(text="Name 2 rooms.", language="en", target=2)
    assert [choice.by for choice in choices_of(rooms, said)] == ["all"]


def test_of_very_long_lists_only_names_are_looked_for() -> None:
    many = records(*(f"Boat {number}, built 20{number % 100:02d}" for number in range(400)))
    assert asked(many, "Which boats were built before 2005?") == {}
    assert list(asked(many, "Which boat has number 312?", "312").values()) == ["names"]


def test_a_number_in_words_is_compared_with_those_of_entries_without_columns() -> None:
    groups = records("Writers (60%)", "Developers (10%)", "Managers (10%)", "Others (20%)")
    told = asked(groups, "Which groups make up ten percent each of those who come?")
    assert told["Developers (10%)", "Managers (10%)"] == "compared"


def test_an_entry_that_is_nothing_but_the_name_is_none_of_those_that_say_it_beside_theirs() -> None:
    helpers = (
        Record(name="Acme", text="Acme"),
        Record(name="Ada Lund", text="Ada Lund (Acme)"),
        Record(name="Bo Berg", text="Bo Berg (Nordic Rope)"),
        Record(name="Cem Kaya", text="Cem Kaya (Acme)"),
    )
    assert kept(helpers, ("Acme",)) == [("Ada Lund (Acme)", "Cem Kaya (Acme)")]


def test_an_entry_that_is_the_name_is_one_of_those_that_have_it_in_theirs() -> None:
    games = records("Yukon", "Double Yukon", "Triple Yukon", "Canfield")
    assert kept(games, ("Yukon",)) == [("Yukon", "Double Yukon", "Triple Yukon")]


def test_other_names_of_a_thing_lead_to_its_page() -> None:
    def leads(name: str, page: str) -> Record:
        return Record(name=name, text=name, url=f"http://games.example/rules/{page}.html")

    names = (leads("Fairest", "betsyross"), leads("Aces High", "calculation"), leads("Four Kings", "betsyross"))
    assert asked(names, "Name 2 alternate names of the game Betsy Ross.") == {("Fairest", "Four Kings"): "names"}
    assert asked(names, "Name 2 alternate names of the game Calculation.") == {}, "one entry is no index"
