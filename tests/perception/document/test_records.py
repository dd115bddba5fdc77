"""Tables, lists, definitions, cards and sections as records with names."""

from __future__ import annotations

import pytest

from perception.observation import RecordSet
from tests.perception.pages import read


def only(html: str, kind: str) -> RecordSet:
    found = [made for made in read(html).record_sets if made.kind == kind]
    assert len(found) == 1
    return found[0]


def names(made: RecordSet) -> list[str]:
    return [record.name for record in made.records]


STAFF = (
    "<h2>Staff</h2><table><caption>People</caption><thead><tr><th>No.</th><th>Name</th><th>Post</th></tr></thead>"
    "<tbody><tr><td>1</td><td><a href='/ada'>Ada Byron</a></td><td>Analyst</td></tr>"
    "<tr><td>2</td><td>Grace Hopper</td><td>Admiral</td></tr></tbody></table>"
)


def test_a_table_with_a_header_has_named_fields() -> None:
    table = only(STAFF, "table")
    assert table.columns == ("No.", "Name", "Post")
    assert names(table) == ["Ada Byron", "Grace Hopper"]
    assert [(cell.name, cell.value) for cell in table.records[0].fields] == [
        ("No.", "1"),
        ("Name", "Ada Byron"),
        ("Post", "Analyst"),
    ]
    assert [record.url for record in table.records] == ["https://example.org/ada", ""]
    assert table.records[1].text == "2 | Grace Hopper | Admiral"
    assert (table.caption, table.headings) == ("People", ("Staff",))


def test_a_table_without_a_header_has_nameless_fields() -> None:
    table = only("<table><tr><td>王芳</td><td>教授</td></tr><tr><td>李明</td><td>讲师</td></tr></table>", "table")
    assert table.columns == ()
    assert names(table) == ["王芳", "李明"]
    assert {cell.name for record in table.records for cell in record.fields} == {""}


def test_a_header_with_short_cells_below_it_is_a_table_of_one_column() -> None:
    cells = "<tr><td>Boots</td></tr><tr><td>Rope</td></tr>"
    table = only(f"<table><thead><tr><th>To bring</th></tr></thead><tbody>{cells}</tbody></table>", "table")
    assert (names(table), table.columns) == (["Boots", "Rope"], ("To bring",))
    assert read(f"<table><tr><td>Menu</td></tr>{cells}</table>").record_sets == ()


def test_a_row_of_names_below_an_empty_head_or_a_title_heads_the_columns() -> None:
    rows = "".join(
        f"<tr><td>{floor}</td><td>{room}</td><td>{hours}</td></tr>"
        for floor, room, hours in (("Floor", "Room", "Hours"), ("Top", "Archive", "8-16"), ("Ground", "Desk", "8-20"))
    )
    for title in ("", "Library"):
        head = f"<thead><tr><th>{title}</th><th></th><th></th></tr></thead>"
        table = only(f"<table>{head}<tbody>{rows}</tbody></table>", "table")
        assert (names(table), table.columns) == (["Top", "Ground"], ("Floor", "Room", "Hours"))
    words = rows.replace("8-16", "mornings").replace("8-20", "always")
    assert len(only(f"<table><thead><tr><th></th><th></th><th></th></tr></thead>{words}</table>", "table").records) == 3


@pytest.mark.parametrize(
    "html",
    [
        "<table><tr><td><h1>Title</h1></td><td>a</td></tr><tr><td>b</td><td>c</td></tr></table>",
        "<table role='presentation'><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>",
        "<table><tr><td>one</td></tr><tr><td>two</td></tr></table>",
        "<table><tr><td>a</td><td><form><input name='q'></form></td></tr><tr><td>b</td><td>c</td></tr></table>",
    ],
)
def test_a_layout_table_is_no_record_set(html: str) -> None:
    assert [made for made in read(html).record_sets if made.kind == "table"] == []


def test_a_table_inside_a_layout_table_is_found() -> None:
    inner = "<table><tr><th>k</th><th>v</th></tr><tr><td>a</td><td>1</td></tr><tr><td>b</td><td>2</td></tr></table>"
    assert names(only(f"<table><tr><td>side</td><td>{inner}</td></tr></table>", "table")) == ["a", "b"]


def test_empty_and_spanning_rows_are_no_records() -> None:
    table = only(
        "<table><tr><th>k</th><th>v</th></tr><tr><td colspan='2'>Group</td></tr><tr><td></td><td></td></tr>"
        "<tr><td>a</td><td>1</td></tr><tr><td>b</td><td>2</td></tr></table>",
        "table",
    )
    assert names(table) == ["a", "b"]


def test_a_list_takes_its_introduction_as_caption() -> None:
    made = only("<h2>学院</h2><p>本校有两个学院：</p><ul><li>数学学院</li><li>物理学院</li></ul>", "list")
    assert (made.caption, made.headings) == ("本校有两个学院：", ("学院",))
    assert names(made) == ["数学学院", "物理学院"]


def test_a_list_of_one_is_no_record_set() -> None:
    assert read("<ul><li>alone</li></ul>").record_sets == ()


def test_hidden_and_empty_items_do_not_count() -> None:
    made = only("<ul><li>a</li><li data-walker-hidden=''>b</li><li> </li><li>c</li></ul>", "list")
    assert names(made) == ["a", "c"]


def test_a_nested_list_stands_apart_from_the_one_around_it() -> None:
    page = read("<ul><li>Fruit<ul><li>Apple</li><li>Pear</li></ul></li><li>Bread</li></ul>")
    outer, inner = page.record_sets
    assert (names(outer), outer.nested) == (["Fruit", "Bread"], False)
    assert (names(inner), inner.nested) == (["Apple", "Pear"], True)
    assert outer.records[0].text == "Fruit"


def test_a_definition_list_answers_its_terms() -> None:
    made = only("<dl><dt>len(x)</dt><dd>The length.</dd><dt>abs(x)</dt><dd>The size.</dd></dl>", "definitions")
    assert names(made) == ["len", "abs"]
    assert made.records[0].fields[0].value == "The length."
    assert made.records[1].text == "abs(x) The size."


def test_terms_that_share_a_definition_are_records_each() -> None:
    made = only("<dl><dt>add</dt><dt>plus</dt><dd>Sum.</dd><dt>minus</dt><dd>Difference.</dd></dl>", "definitions")
    assert names(made) == ["add", "plus", "minus"]
    assert [record.fields[0].value for record in made.records] == ["Sum.", "Sum.", "Difference."]


def test_definition_lists_of_one_kind_under_one_heading_are_joined() -> None:
    made = only(
        "<h2>Functions</h2>" + "".join(f"<dl class='py'><dt>{name}()</dt><dd>Does it.</dd></dl>" for name in "abc"),
        "definitions",
    )
    assert names(made) == ["a", "b", "c"]
    assert made.headings == ("Functions",)


def test_definition_lists_under_different_headings_stay_apart() -> None:
    part = "<h2>{0}</h2><dl><dt>{0}1</dt><dd>x</dd><dt>{0}2</dt><dd>y</dd></dl>"
    found = [made for made in read(part.format("A") + part.format("B")).record_sets if made.kind == "definitions"]
    assert [names(made) for made in found] == [["A1", "A2"], ["B1", "B2"]]


def test_siblings_that_look_alike_are_cards() -> None:
    card = "<div class='card'><a href='/{0}'>Book {0}</a><p>Some words on {0}</p></div>"
    made = only("<div>" + "".join(card.format(number) for number in (1, 2, 3)) + "</div>", "repeated")
    assert names(made) == ["Book 1", "Book 2", "Book 3"]
    assert made.records[2].url == "https://example.org/3"


def test_two_siblings_or_siblings_that_say_the_same_are_no_cards() -> None:
    assert read("<div class='c'>One thing</div><div class='c'>Two things</div>").record_sets == ()
    assert read("<div class='c'>Read more</div>" * 5).record_sets == ()


def test_sections_under_a_heading_are_records() -> None:
    made = only("<h1>Guide</h1><h2>Install</h2><p>Get it.</p><h2>Use</h2><p>Run it.</p>", "repeated")
    assert names(made) == ["Install", "Use"]
    assert made.headings == ("Guide",)
    assert made.records[0].text == "Install Get it."


@pytest.mark.parametrize(
    ("item", "name"),
    [
        ("<a href='/x'>Ada</a>, who wrote programs", "Ada"),
        ("<b>Ada:</b> wrote programs", "Ada"),
        ("<strong>王芳</strong>（教授）", "王芳"),
        ("<code>len</code> gives the length", "len"),
        ("Ada – wrote programs", "Ada"),
        ("Ada: wrote programs", "Ada"),
        ("王芳：数学学院教授", "王芳"),
        ("王芳（教授）", "王芳"),
        ("Ada<br>London", "Ada"),
        ("Written long ago by <a href='/x'>Ada</a>", "Written long ago by Ada"),
    ],
)
def test_names_of_items(item: str, name: str) -> None:
    made = only(f"<ul><li>{item}</li><li>Another thing</li></ul>", "list")
    assert made.records[0].name == name


def test_record_sets_are_numbered_in_document_order() -> None:
    page = read("<ul><li>a</li><li>b</li></ul>" + STAFF + "<ol><li>c</li><li>d</li></ol>")
    assert [(made.id, made.kind) for made in page.record_sets] == [(1, "list"), (2, "table"), (3, "list")]


def test_a_header_without_rows_is_no_table() -> None:
    assert [
        made.kind for made in read("<table><tr><th>Name</th><th>Post</th></tr></table><p>No one yet.</p>").record_sets
    ] == []


def test_records_know_their_region() -> None:
    assert only("<nav><ul><li>Home</li><li>News</li></ul></nav>", "list").region == "nav"


BOATS = ("Mantis is long.", "Kelp is short.", "Orca is new.")


@pytest.mark.parametrize(
    "written",
    [
        "<p>The boats:<br>• {}<br>• {}<br>• {}</p>",
        "<p>The boats:</p><p>- {}</p><p>- {}</p><p>- {}</p>",
        "<p>The boats:</p><p>1. {}</p><p>2. {}</p><p>3. {}</p>",
        "<p>The boats:</p><p>（1) {}</p><p>（2) {}</p><p>（3) {}</p>".replace("（", "("),
        "<p>The boats:</p><div>► {}</div><div>► {}</div><div>► {}</div>",
    ],
)
def test_lines_and_paragraphs_that_begin_with_a_mark_are_a_list(written: str) -> None:
    (made,) = read(f"<main><h2>Fleet</h2>{written.format(*BOATS)}<p>That is all.</p></main>").record_sets
    assert (made.kind, made.caption, made.headings) == ("list", "The boats:", ("Fleet",))
    assert [record.text for record in made.records] == list(BOATS)


@pytest.mark.parametrize(
    "written",
    [
        "<p>- {}</p><p>He said: {}</p><p>- {}</p>",
        "<p>- {}</p><p>- {} {}</p>",
        "<p>7. {}</p><p>3. {}</p><p>9. {}</p>",
        "<p>Boats • Crew • Piers • Nets {} {} {}</p>".replace("Boats • ", "").replace(" • ", ", "),
        "<p>1997. {}</p><p>1998. {}</p><p>1999. {}</p>",
    ],
)
def test_dashes_and_numbers_in_passing_are_no_list(written: str) -> None:
    assert read(f"<main><h2>Fleet</h2>{written.format(*BOATS)}</main>").record_sets == ()


def test_a_row_of_bold_cells_above_plain_ones_is_a_head_and_a_title_is_no_row() -> None:
    rows = "<tr><td>Mantis</td><td>18 m</td></tr><tr><td>Kelp</td><td>9 m</td></tr><tr><td>Orca</td><td><b>7 m</b></td></tr>"
    head = "<tr><td><b>Boat</b></td><td><strong>Length</strong></td></tr>"
    table = only(f"<table>{head}{rows}</table>", "table")
    assert (table.columns, names(table)) == (("Boat", "Length"), ["Mantis", "Kelp", "Orca"])
    table = only(f"<table><tr><td colspan=2>The fleet</td></tr>{rows}</table>", "table")
    assert names(table) == ["Mantis", "Kelp", "Orca"]
    bold = "<tr><td><b>Mantis</b></td><td><b>18 m</b></td></tr><tr><td><b>Kelp</b></td><td><b>9 m</b></td></tr>"
    assert names(only(f"<table>{bold}</table>", "table")) == ["Mantis", "Kelp"]


def test_rows_and_entries_by_their_role_are_records() -> None:
    row = '<div role="row"><div role="cell">{}</div> <div role="cell">{}</div></div>'
    head = '<div role="row"><div role="columnheader">Boat</div><div role="columnheader">Length</div></div>'
    rows = "".join(row.format(name, size) for name, size in (("Mantis", "18 m"), ("Kelp", "9 m"), ("Orca", "7 m")))
    (made,) = read(f'<main><div role="table">{head}{rows}</div></main>').record_sets
    assert [record.text for record in made.records] == ["Mantis 18 m", "Kelp 9 m", "Orca 7 m"]
