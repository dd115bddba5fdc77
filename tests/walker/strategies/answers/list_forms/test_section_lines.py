"""Lists that a section writes as blocks of one form, without the markup of a list."""

from __future__ import annotations

import pytest

from perception.observation import RecordSet
from tests.perception.pages import read
from walker.strategies.answers.list_forms.section_lines import BY_FORM, section_lists, with_lines


def names(records: RecordSet) -> list[str]:
    return [record.name for record in records.records]


def made(html: str) -> list[RecordSet]:
    return list(section_lists(read(f"<main><h1>Rowing club</h1>{html}</main>")))


def test_short_lines_below_a_heading_are_its_entries() -> None:
    html = "".join(f'<p><a href="/{place}">{place}</a></p>' for place in ("Fours", "Masters", "Coxed pairs"))
    (found,) = made(f"<h2>For members</h2>{html}<p>All of them meet at the pier, each on another day.</p>")
    assert names(found) == ["Fours", "Masters", "Coxed pairs"]
    assert (found.id, found.headings) == (BY_FORM, ("Rowing club", "For members"))


@pytest.mark.parametrize(
    "html",
    [
        "<h2>Fees</h2><p>Adults: 20</p><p>Juniors: 10</p><p>Guests: 5</p>",
        "<h2>Talks</h2><p>Ana Ruiz</p><p>14:00</p><p>Bo Lind</p><p>15:00</p>",
        "<h2>Place</h2><p>We meet at the pier.</p><p>Bring boots.</p>",
        "<p>Some text goes before.</p><p>Fours</p><p>Masters</p>",
    ],
)
def test_boxes_programmes_sentences_and_lines_without_a_heading_are_no_such_list(html: str) -> None:
    assert made(html) == []


def test_lines_of_neighbouring_sections_are_told_for_each_section_also_where_it_has_one() -> None:
    html = "<h2>2020</h2><p>Letter 7</p><p>Letter 6</p><h2>2019</h2><p>Letter 5</p>"
    parts = with_lines(read(f"<main><h1>Letters</h1>{html}</main>"))
    assert [(one.headings[-1], names(one)) for one in parts] == [
        ("2020", ["Letter 7", "Letter 6"]),
        ("2019", ["Letter 5"]),
    ]


def test_paragraphs_behind_letters_in_a_row_are_entries_with_what_goes_on_below_them() -> None:
    told = ("a) Reports of the board,", "b) Report of the auditors", "who were elected,", "c) Elections.")
    (found,) = made("<p>The agenda has these points:</p>" + "".join(f"<p>{one}</p>" for one in told))
    assert names(found) == ["Reports of the board", "Report of the auditors", "Elections"]
    assert (found.caption, found.records[1].text) == ("The agenda has these points:", "b) Report of the auditors")
    assert made("<p>Some text goes before.</p><p>b) Second</p><p>c) Third</p>") == []
    assert made("<p>Some text goes before.</p><p>a) First</p><p>d) Fourth</p>") == []


def test_questions_of_a_section_are_entries() -> None:
    html = "".join(
        f"<p><b>{one}?</b></p><p>Yes, at any time of the year.</p>" for one in ("May I row alone", "Is there a boat")
    )
    (found,) = made(f"<h2>FAQ</h2>{html}")
    assert names(found) == ["May I row alone?", "Is there a boat?"]


def test_paragraphs_that_all_tell_a_year_are_named_by_their_titles() -> None:
    papers = {"On oars of old boats": 2021, "Why boats turn over at sea": 2022, "Rivers and what they carry": 2022}
    html = "".join(
        f'<p>Ana Ruiz, Bo Lind ({year}). <a href="/{year}">{title}</a>. Journal of boats and rivers.</p><p>PDF Cite</p>'
        for title, year in papers.items()
    )
    (found,) = made(f"<h2>Papers</h2>{html}")
    assert names(found) == list(papers)
    plain = html.replace("<a", "<i").replace("</a>", "</i>")
    assert names(made(f"<h2>Papers</h2>{plain}")[0]) == list(papers)
    assert made("<p>The club was founded in 1891 by a few people who liked rowing.</p>") == []


def test_terms_without_the_list_around_them_are_entries_of_the_section() -> None:
    html = "".join(f"<dt>{one}</dt><dd>By somebody</dd>" for one in ("Of tides", "Of knots", "Of charts"))
    (found,) = made(f"<h2>Posters</h2>{html}")
    assert names(found) == ["Of tides", "Of knots", "Of charts"]
    assert found.records[0].text == "Of tides By somebody"


def test_headings_with_a_word_in_common_are_entries() -> None:
    told = ("First talk: Ana Ruiz", "Place", "Second talk: Bo Lind")
    html = "".join(f"<h2>{one}</h2><p>There is more to say of this, and it is said here.</p>" for one in told)
    (found,) = made(html)
    assert names(found) == ["First talk: Ana Ruiz", "Second talk: Bo Lind"]
    assert made(html.replace("Second talk", "Other")) == []


def test_what_counts_a_line_is_no_label_of_a_value() -> None:
    html = "<h2>Workshops</h2><p>T1: Knots</p><p>T2: Charts</p><p>T3: Tides</p>"
    (found,) = made(html)
    assert names(found) == ["T1: Knots", "T2: Charts", "T3: Tides"]
