"""What pages state in sentences, lists, definitions and markup, and how it is asked for in four languages."""

from __future__ import annotations

import pytest

from evaluation.building.facts.dates import dates_in
from evaluation.building.facts.fact import Fact, form_of
from evaluation.building.facts.marked import marked_up
from evaluation.building.facts.reading import facts_of, language_of
from evaluation.building.tree import HarvestedPage, read_passages, read_site_links
from evaluation.building.wording.languages import WORDINGS
from perception.document.reading import observe
from perception.snapshot import Snapshot
from walker.rules.scope import WalkScope

URL = "http://wood.example/page"


def page_of(body: str, *, language: str = "en", head: str = "") -> HarvestedPage:
    html = f'<html lang="{language}"><head><title>Mill</title>{head}</head><body><main>{body}</main></body></html>'
    seen = observe(Snapshot(url=URL, final_url=URL, status=200, html=html, fetched_at=0.0))
    return HarvestedPage(
        key=URL,
        url=URL,
        title=seen.title,
        language=seen.language,
        lines=tuple(block.text for block in seen.blocks),
        passages=read_passages(seen),
        marked_up=marked_up(html),
        record_sets=seen.record_sets,
        ways=read_site_links(seen, WalkScope(root_url="http://wood.example/")),
    )


def asked(body: str, *, language: str = "en", head: str = "") -> dict[str, str]:
    """Question -> answer of every fact of a page."""
    page = page_of(body, language=language, head=head)
    words = WORDINGS[language_of(page)]
    return {words.ask(fact, words.page("Mill")): fact.value for fact in facts_of(page)}


def form(body: str, name: str, **more: str) -> tuple[Fact, ...]:
    return tuple(fact for fact in facts_of(page_of(body, **more)) if form_of(fact) == name)


@pytest.mark.parametrize(
    ("language", "sentence", "question", "answer"),
    [
        ("en", "The Oak Works was founded in May 1911 by two brothers.",
         "According to the page “Mill”, in which year was the Oak Works founded?", "1911"),
        ("en", "Stair Hall has 24 windows and a tower.",
         "According to the page “Mill”, how many windows does Stair Hall have?", "24"),
        ("en", "The Autumn Fair took place in Castle Square on 3 May.",
         "According to the page “Mill”, where did the Autumn Fair take place?", "Castle Square"),
        ("en", "The Autumn Fair took place in Castle Square and Mill Lane on 3 May.",
         "According to the page “Mill”, where did the Autumn Fair take place?", "Castle Square and Mill Lane"),
        ("en", "They follow the Wood Handling Code (WHC) of 1990.",
         "What does the abbreviation “WHC” stand for on the page “Mill”?", "Wood Handling Code"),
        ("de", "Die Mühle am Bach wurde 1911 in Erfurt gegründet.",
         "In welchem Jahr wurde die Mühle am Bach gegründet, wie auf der Seite „Mill“ steht?", "1911"),
        ("de", "Die Halle Nord hat 24 Fenster.", "Wie viele Fenster hat die Halle Nord, wie auf der Seite „Mill“ steht?", "24"),
        ("de", "Das Sommerfest der Mühle findet am Sonntag in der Stadthalle statt.",
         "Wo findet das Sommerfest der Mühle statt, wie auf der Seite „Mill“ steht?", "in der Stadthalle"),
        ("fr", "La société Dubois a été fondée en 1911 par deux frères.",
         "Selon la page « Mill », en quelle année a été fondée la société Dubois ?", "1911"),
        ("fr", "Le moulin de Caen compte 24 ouvriers.", "Selon la page « Mill », combien d’ouvriers compte le moulin de Caen ?", "24"),
        ("fr", "La fête annuelle a lieu à Caen le dimanche.", "Selon la page « Mill », où a lieu la fête annuelle ?", "à Caen"),
        ("zh", "木工协会成立于 1911 年，现有会员一百人。", "根据页面“Mill”，木工协会成立于哪一年？", "1911"),
        ("zh", "本次活动在东区图书馆举行。", "根据页面“Mill”，活动是在哪里举行的？", "东区图书馆"),
        ("zh", "东区木工馆共有 24 个房间。", "根据页面“Mill”，东区木工馆共有多少个房间？", "24"),
    ],
)  # fmt: skip
def test_a_sentence_is_asked_for_in_its_language(language: str, sentence: str, question: str, answer: str) -> None:
    assert asked(f"<h1>Mill</h1><p>{sentence}</p>", language=language)[question] == answer


@pytest.mark.parametrize(
    "sentence",
    [
        "It was founded in 1911.",
        "The mill was founded in 1911.",
        "The second version was released in 1911.",
        "This hall has 24 windows.",
        "The hall has 2 or more windows.",
        "Iptables supports two ways of interacting.",
        "The tower that burnt was built in 1911.",
        "Despite the flood was built in 1911.",
    ],
)
def test_what_cannot_be_understood_alone_is_no_fact(sentence: str) -> None:
    assert [form_of(fact) for fact in facts_of(page_of(f"<h1>Mill</h1><p>{sentence}</p>"))] == []


@pytest.mark.parametrize(
    "sentence", ["Zuvor fand im Saal statt.", "Zuvor wurde 1911 gegründet.", "Am Bach fand im Saal statt."]
)
def test_what_stands_before_the_verb_may_be_no_subject(sentence: str) -> None:
    assert facts_of(page_of(f"<h1>Mill</h1><p>{sentence}</p>", language="de")) == ()


STEPS = "<h2>Tools</h2><ul><li>Saw</li><li>Plane</li><li>Chisel</li></ul><p>Wash your hands.</p>"


def test_a_list_is_counted_and_its_quote_has_both_its_ends() -> None:
    (listed,) = form(f"<h1>Mill</h1>{STEPS}", "listed")
    assert (listed.value, listed.quote) == ("3", "Tools Saw Plane Chisel Wash your hands.")
    longer = page_of(f"<h1>Mill</h1>{STEPS.replace('</ul>', '<li>File</li></ul>')}")
    assert not longer.has(listed.quote)


@pytest.mark.parametrize(
    "body",
    [
        STEPS.replace("</ul>", "</ul><p>And:</p><ul><li>Rule</li><li>Pencil</li></ul>"),
        STEPS.replace("<ul>", "<p>All of them:</p><ul>"),
        STEPS.replace("Saw", "All"),
        f"{STEPS}<h2>Tools</h2><p>More of them.</p>",
    ],
)
def test_a_list_that_a_person_could_count_otherwise_is_no_fact(body: str) -> None:
    assert form(f"<h1>Mill</h1>{body}", "listed") == ()


TREES = (
    "<table><tr><th>Tree</th><th>Height</th><th>Year</th></tr><tr><td>Oak</td><td>30 m</td><td>1911</td></tr>"
    "<tr><td>Ash</td><td>35 m</td><td>1924</td></tr><tr><td>Elm</td><td>28 m</td><td>1930</td></tr>"
    "<tr><td>Yew</td><td>12 m</td><td>1890</td></tr><tr><td>Total</td><td>105 m</td><td></td></tr></table>"
)


def test_the_rows_with_the_highest_and_lowest_number_are_told_but_not_of_years_and_sums() -> None:
    found = asked(f"<h1>Mill</h1>{TREES}")
    assert found["In the table on the page “Mill”, which row has the highest value in the column “Height”?"] == "Ash"
    assert found["In the table on the page “Mill”, which row has the lowest value in the column “Height”?"] == "Yew"
    assert not any("lowest value in the column “Year”" in question for question in found)
    assert form(f"<h1>Mill</h1>{TREES.replace('35 m', '30 m')}", "extreme")[0].value == "Yew"
    assert form(f"<h1>Mill</h1>{TREES.replace('35 m', 'eth3')}", "extreme") == ()


def test_a_title_of_a_column_is_the_same_with_other_spaces() -> None:
    others = TREES.replace("Oak", "Fir").replace("Height", "Height（m）").replace("Tree", "Bush")
    body = f"<h1>Mill</h1>{TREES.replace('Height', 'Height (m)')}<h2>Bushes</h2>{others}"
    assert form(body, "extreme") == ()


def test_a_column_that_numbers_the_rows_has_no_highest_value() -> None:
    numbered = TREES.replace("30 m", "1").replace("35 m", "2").replace("28 m", "3").replace("12 m", "4")
    body = f"<h1>Mill</h1>{numbered.replace('Height', 'Rule used')}"
    assert form(body, "extreme") == ()
    assert form(body.replace("<td>4</td>", "<td>9</td>"), "extreme") != ()


def test_the_highest_value_is_asked_of_a_column_that_one_table_has() -> None:
    other = TREES.replace("Oak", "Fir").replace("Height", "Height ").replace("Tree", "Bush")
    assert form(f"<h1>Mill</h1>{TREES}", "extreme") != ()
    assert form(f"<h1>Mill</h1>{TREES}<h2>Bushes</h2>{other}", "extreme") == ()


@pytest.mark.parametrize(("first", "told"), [("FILE | FORMATS", 0), ("tcrules | 1 and 2", 3), ("NAT | SNAT", 0)])
def test_rows_under_titles_in_capitals_are_no_labels(first: str, told: int) -> None:
    rows = (first, "interfaces | 1 and 3", "conntrack | 2 and 3")
    cells = ("".join(f"<td>{cell}</td>" for cell in row.split(" | ")) for row in rows)
    body = "<table>" + "".join(f"<tr>{row}</tr>" for row in cells) + "</table>"
    assert len(form(body, "given")) == told


def test_a_row_that_two_tables_have_is_ambiguous() -> None:
    def table(name: str, first: str, second: str) -> str:
        rows = f"<tr><td>Scripts</td><td>{first}</td></tr><tr><td>{name} tools</td><td>{second}</td></tr>"
        return f"<h2>{name}</h2><table><tr><th>Component</th><th>Location</th></tr>{rows}</table>"

    both = table("Red Hat", "/etc/rc.d", "/sbin") + table("Debian", "/etc/init.d", "/usr/sbin")
    assert {fact.value for fact in form(both, "cell")} == {"/sbin", "/usr/sbin"}
    assert {fact.value for fact in form(table("Red Hat", "/etc/rc.d", "/sbin"), "cell")} == {"/etc/rc.d", "/sbin"}


def test_a_label_that_stands_alone_elsewhere_is_ambiguous() -> None:
    kept = "<tr><td>old name</td><td>account</td></tr>"
    rows = f"<table><tr><td>new method</td><td>POST</td></tr><tr><td>new field</td><td>qos</td></tr>{kept}</table>"
    values = {fact.value for fact in form(f"<h1>Mill</h1>{rows}", "given")}
    assert values == {"POST", "qos", "account"}
    more = "<h2>Later</h2><p>new method</p><ul><li>PUT /job</li><li>PUT /node</li></ul>"
    assert {fact.value for fact in form(f"<h1>Mill</h1>{rows}{more}", "given")} == {"qos", "account"}


def test_what_is_written_below_pictures_is_no_label() -> None:
    cells = "<tr><td>Seen from above</td><td>From the road</td></tr><tr><td>North side</td><td>South side</td></tr>"
    assert form(f"<h1>Mill</h1><table>{cells}</table>", "given") == ()
    assert len(form(f"<h1>Mill</h1><table>{cells.replace('</td><td>', ':</td><td>')}</table>", "given")) == 2


@pytest.mark.parametrize(
    "cells",
    [
        ("Step 1", "Step 2"),
        ("12:15pm", "Lunch"),
        ("4:20pm - 5:00pm", "Posters"),
        ("Hotel", "Bay View, register by clicking here"),
        ("'f'", "float"),
        ("WorkQueue", "Work queue details"),
        ("Last updated", "3 May 2026"),
        ("更新时间", "2026 年 5 月 3 日"),
        ("Tags", "saws, blades"),
    ],
)
def test_a_row_that_gives_nothing_about_its_label_is_no_fact(cells: tuple[str, str]) -> None:
    rows = "".join(
        f"<tr><td>{label}</td><td>{value}</td></tr>" for label, value in (cells, ("Owner", "Ines"), ("Age", "9 y"))
    )
    assert [fact.value for fact in form(f"<h1>Mill</h1><table>{rows}</table>", "given")] == ["Ines", "9 y"]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("turns of the blade each minute", 1),
        ("turns of the blade in the hall of Ines Vale", 1),
        ("Production of a curtain catalog Hitoshi Uno", 0),
        ("Shi-Qing Xin, Xiang Ying, Ying He", 0),
        ("San Francisco, California [ website ] [ papers ] [ more ]", 0),
    ],
)
def test_names_and_links_explain_nothing(said: str, told: int) -> None:
    body = f"<dl><dt>Fast paths over meshes</dt><dd>{said}</dd><dt>Owner</dt><dd>Ines Vale</dd></dl>"
    facts = [*form(f"<h1>Mill</h1>{body}", "meaning"), *form(f"<h1>Mill</h1>{body}", "described")]
    assert len(facts) == told


OPTIONS = (
    "<dl><dt>saw_width</dt><dd>How broad the cut of the blade becomes in the end. The default value is 30 seconds.</dd>"
    "<dt>speed</dt><dd>turns of the blade each minute</dd><dt>Owner</dt><dd>Ines Vale</dd></dl>"
)


def test_definitions_tell_values_meanings_defaults_and_terms() -> None:
    found = asked(f"<h1>Mill</h1>{OPTIONS}")
    assert found["According to the page “Mill”, what is the default value of “saw_width”?"] == "30 seconds"
    assert found["How does the page “Mill” explain “speed”?"] == "turns of the blade each minute"
    assert found["What does the page “Mill” give as “Owner”?"] == "Ines Vale"
    said = "Which entry on the page “Mill” is described with the words “How broad the cut of the blade becomes in the end”?"
    assert found[said] == "saw_width"


@pytest.mark.parametrize(("term", "told"), [("Example 1:", 0), ("Beispiel 2", 0), ("Example-file", 1)])
def test_a_numbered_example_is_no_entry(term: str, told: int) -> None:
    said = "The comments of all rules are joined in the one that is left of them"
    body = f"<h1>Mill</h1><dl><dt>{term}</dt><dd>{said}</dd><dt>speed</dt><dd>9 turns</dd></dl>"
    assert len(form(body, "described")) == told


def test_a_default_that_belongs_to_something_else_is_left_out() -> None:
    body = OPTIONS.replace("The default value is", "It is longer where the default is")
    assert form(f"<h1>Mill</h1>{body}", "default") == ()


@pytest.mark.parametrize(
    ("line", "fact"),
    [
        ("Telephone: 0361 555", ("given", "0361 555")),
        ("Monday, 17:00 Uhr", None),
        ("Note: 5 saws", None),
        ('<a href="/other">The saw: 5 stories</a>', None),
        ("Price: it is 5 and more, as everybody says.", None),
    ],
)
def test_a_line_with_a_colon_is_a_label_only_where_it_labels(line: str, fact: tuple[str, str] | None) -> None:
    found = [(form_of(one), one.value) for one in facts_of(page_of(f"<h1>Mill</h1><p>{line}</p>"))]
    assert found == ([fact] if fact else [])


def test_a_cell_over_several_rows_makes_a_table_unfit() -> None:
    rows = "<tr><td rowspan=2>Oak</td><td>30 m</td></tr><tr><td>35 m</td></tr><tr><td>Elm</td><td>28 m</td></tr>"
    assert form(f"<h1>Mill</h1><table><tr><th>Tree</th><th>Height</th></tr>{rows}</table>", "cell") == ()


def test_a_term_that_is_defined_twice_is_ambiguous() -> None:
    twice = OPTIONS + "<p>And:</p>" + OPTIONS.replace("turns of the blade each minute", "turns of the stone each hour")
    assert not any("“speed”" in question for question in asked(f"<h1>Mill</h1>{twice}"))


def test_the_last_day_of_several_is_no_date() -> None:
    assert [text for text, _ in dates_in("12.–15.10.2026, 3 to 5 May 2026 and 7 May 2026")] == ["7 May 2026"]


def test_a_title_with_a_dash_explains_no_term() -> None:
    item = "Sharp saws - how to keep them cutting through many long winters of work"
    linked = f'<ul><li><a href="/a">{item}</a></li><li><a href="/b">Other</a></li></ul>'
    assert form(f"<h1>Mill</h1>{linked}", "described") == ()
    assert len(form(f"<h1>Mill</h1><ul><li>{item}</li><li>Other</li></ul>", "described")) == 1


def test_a_label_of_several_rows_is_ambiguous() -> None:
    rows = "<table><tr><td>old</td><td>7 m</td></tr><tr><td>fresh</td><td>9 m</td></tr></table>"
    assert [one.value for one in form(f"<h1>Mill</h1>{rows}", "given")] == ["7 m", "9 m"]
    assert (
        form(
            f"<h1>Mill</h1>{rows}<p>And:</p>{rows.replace('9 m', 'nothing at all of it').replace('7 m', '8 m')}",
            "given",
        )
        == ()
    )


def test_the_date_below_a_title_and_the_only_hours_are_told() -> None:
    found = asked("<h1>Mill</h1><p>3 May 2026</p><p>09:30 - 10:15</p><p>It was a good day for all of us.</p>")
    assert found["Which date stands below the title of the page “Mill”?"] == "3 May 2026"
    assert found["Which time, from when to when, is given on the page “Mill”?"] == "09:30 - 10:15"


LD = (
    '<script type="application/ld+json">{"@type": "Article", "headline": "Mill", "author": {"name": "Ines Vale"},'
    ' "datePublished": "2026-05-03T10:00:00Z"}</script>'
)
MICRODATA = (
    '<article itemscope><h1 itemprop="headline">Mill</h1><p itemprop="author">Ines Vale</p>'
    '<time itemprop="datePublished" datetime="2026-05-03">3 May 2026</time></article>'
)


@pytest.mark.parametrize(("body", "head"), [("<h1>Mill</h1><p>Ines Vale</p><p>3 May 2026</p>", LD), (MICRODATA, "")])
def test_what_is_marked_up_counts_where_people_see_it(body: str, head: str) -> None:
    found = asked(body, head=head)
    assert found["Who is named as the author on the page “Mill”?"] == "Ines Vale"
    assert found["On which date was the page “Mill” published?"] == "3 May 2026"


def test_the_first_of_several_authors_is_not_the_author() -> None:
    assert form(f"{MICRODATA}<p>Ines Vale, Olga Hill</p>", "marked")[0].value == "3 May 2026"
    assert form(f"{MICRODATA}<p>Olga Hill and Ines Vale</p>", "marked")[0].value == "3 May 2026"
    assert form(f"{MICRODATA}<p>This text was written by Olga Hill.</p>", "marked")[0].value == "3 May 2026"


def test_what_only_machines_see_is_no_fact() -> None:
    assert [fact.value for fact in form("<h1>Mill</h1><p>3 May 2026</p>", "marked", head=LD)] == ["3 May 2026"]
    assert form("<h1>Mill</h1><p>Olga Hill</p><p>on 4 May 2026</p>", "marked", head=LD) == ()


def test_a_date_with_another_name_is_not_that_of_publication() -> None:
    assert form("<h1>Mill</h1><p>Changed: 3 May 2026</p>", "marked", head=LD) == ()


def test_markup_of_another_thing_is_not_about_the_page() -> None:
    assert form(MICRODATA.replace("Mill</h1>", "Saw</h1>").replace("<article", "<h1>Mill</h1><article"), "marked") == ()


def test_broken_markup_is_passed_over() -> None:
    assert marked_up('<script type="application/ld+json">{"headline": </script><p>Text</p>') == ()


@pytest.mark.parametrize("mark", ["FIXME", "todo", "TBD", "To be announced", "xxx", "待定"])
def test_what_an_author_put_in_place_of_a_value_is_no_value(mark: str) -> None:
    rows = "".join(
        f"<tr><td>{name}</td><td>{told}</td></tr>" for name, told in (("Saw", mark), ("Plane", "Todos Santos"))
    )
    body = f"<table><thead><tr><th>Tool</th><th>Film</th></tr></thead><tbody>{rows}</tbody></table>"
    assert list(asked(body).values()).count("Todos Santos") >= 1
    assert mark not in asked(body).values()
