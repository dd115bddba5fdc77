"""Lists of the lines that a page breaks a text into."""

from __future__ import annotations

from tests.perception.pages import read
from walker.strategies.answers.list_forms.broken_lines import lines_of_texts


def made(html: str) -> list[tuple[str, list[str]]]:
    page = read(f"<main><h1>Rowing club</h1>{html}</main>")
    return [(records.caption, [record.name for record in records.records]) for records in lines_of_texts(page)]


def test_the_lines_of_one_paragraph_are_a_list_below_what_introduces_them() -> None:
    assert made("<blockquote>Ana Ruiz, Harbour<br>Bo Lind, Pier 5<br><br>Cem Kaya, Island</blockquote>") == [
        ("", ["Ana Ruiz, Harbour", "Bo Lind, Pier 5", "Cem Kaya, Island"])
    ]
    html = "<p>She has written on boats for many years, and is:<br>Head of the archive<br>Editor of the journal</p>"
    assert made(html) == [
        ("She has written on boats for many years, and is:", ["Head of the archive", "Editor of the journal"])
    ]


def test_paragraphs_that_are_broken_alike_are_named_by_each_of_their_lines_but_dates() -> None:
    html = (
        "<h2>Regattas</h2><p>Spring race<br>3 May 2020<br>Oslo</p><p>Summer race<br>4 July 2020<br>Rome<br>Host: club</p>"
        "<p>Night race<br>9 October 2020<br>Online</p>"
    )
    assert made(html) == [
        ("", ["Spring race", "Summer race", "Night race"]),
        ("", ["Oslo", "Rome", "Online"]),
    ]


def test_sentences_dates_and_text_without_breaks_are_no_list() -> None:
    assert made("<p>We meet at the pier.<br>Bring boots.</p>") == []
    assert made("<p>12:00<br>14:00</p>") == []
    assert made("<p>Ana Ruiz</p><table><tr><th>Boat<th>Crew</tr><tr><td>Heron<td>Ana<br>Bo</tr></table>") == []


def test_the_items_of_a_list_that_are_broken_alike_make_no_further_lists() -> None:
    items = "".join(
        f"<li>{title}<br>{name}<br>Harbour</li>"
        for title, name in (("Knots", "Ana"), ("Tides", "Bo"), ("Charts", "Cem"))
    )
    assert made(f"<ul>{items}</ul>") == []
