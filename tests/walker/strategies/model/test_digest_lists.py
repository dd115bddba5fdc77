"""The lists of a page that a digest names to be counted."""

from __future__ import annotations

import re

import pytest

from perception.document.regions.surroundings import marks_around
from tests.fixtures.paper import page
from tests.walker.strategies.model.shown_page import MANTIS, digest, seen
from walker.models.token_count import count_tokens
from walker.strategies.answers.list_question import read_asked_list
from walker.strategies.model.digest import page_lists
from walker.strategies.model.digest.page_lists import shown_sets
from walker.strategies.question.question import read_question


def test_articles_of_different_classes_are_entries_of_one_list() -> None:
    posts = "".join(
        f'<article class="post-{n} tag-{n}"><h3><a href="/{n}">News {n}</a></h3><p>{n} May</p></article>'
        for n in range(1, 5)
    )
    text = digest(page("News", f"<h2>Latest</h2><div>{posts}</div>"), with_lists=True).text
    assert re.search(r"^- News 2 \[\d+\] \| 2 May$", text, re.MULTILINE)
    assert re.search(r"^list \d+: Latest \(4\): News 1; News 2", text, re.MULTILINE)


@pytest.mark.parametrize(
    "entries",
    [
        '<ul><li><a rel="tag" href="/x/a">Boats</a></li><li><a rel="tag" href="/x/b">Crew</a></li></ul>',
        '<ul><li><a href="/tags/a">Boats</a></li><li><a href="/tags/b">Crew</a></li></ul>',
        '<ul><li><a href="/">Start</a></li><li><a href="/harbour/">Harbour</a></li><li>Boats</li></ul>',
        "<div>"
        + "".join(
            f'<div class="stat"><b>{n}</b> {what}</div>' for n, what in ((350, "members"), (12, "boats"), (3, "sheds"))
        )
        + "</div>",
    ],
)
def test_tags_figures_and_the_way_to_the_page_are_no_lists_to_count(entries: str) -> None:
    assert "list " not in digest(page("Boats", f"<p>{MANTIS}</p>{entries}"), with_lists=True).text


def test_headings_are_shown_as_such_and_each_list_once() -> None:
    body = "".join(f"<h2>{name}</h2><p>A boat.</p>" for name in ("Orca", "Mantis", "Tern"))
    oars = "<ul><li>Oars</li><li>Sails</li></ul>"
    text = digest(page("Boats", f"{body}{oars}{oars}"), with_lists=True).text
    assert re.findall(r"^list \d+: (.*)$", text, re.MULTILINE) == [
        "A boat. (2): Oars; Sails",
        "headings below Boats (3): Orca; Mantis; Tern",
    ]


@pytest.mark.parametrize(
    ("headings", "before"),
    [
        (("Aim", "Crew"), ""),
        (("Note", "Note", "Note", "Note"), ""),
        (
            ("Aim", "Crew", "Sails"),
            '<ul><li><a href="#1">Aim</a></li><li><a href="#2">Crew</a></li><li>Sails</li></ul>',
        ),
    ],
)
def test_headings_that_enumerate_nothing_are_no_list(headings: tuple[str, ...], before: str) -> None:
    body = "".join(f"<h2 id={number}>{name}</h2><p>Words.</p>" for number, name in enumerate(headings, start=1))
    assert "headings below" not in digest(page("The station", before + body), with_lists=True).text


def test_a_table_is_named_before_longer_lists() -> None:
    lists = "".join(f"<ul>{''.join(f'<li>Entry {n} of list {each}</li>' for n in range(9))}</ul>" for each in range(30))
    rows = "".join(f"<tr><td>{name}</td><td>9 m</td></tr>" for name in ("Mantis", "Tern", "Orca"))
    text = digest(page("The station", f"{lists}<table>{rows}</table>"), with_lists=True).text
    assert "table " in text.partition("Lists of this page:\n")[2].splitlines()[0]


def test_lists_that_fit_the_question_come_first_and_those_beside_the_text_only_where_it_means_them() -> None:
    def entries(what: str, number: int) -> str:
        return "".join(f'<li><a href="/{what}/{n}">{what} {n}</a></li>' for n in range(number))

    body = (
        f"<h2>Crew</h2><ul>{entries('person', 9)}</ul><h2>Vessels</h2><ul>{entries('vessel', 3)}</ul>"
        f"<ul aria-label='Repair sheds'>{entries('shed', 2)}</ul>"
        "<h2>Signs</h2><p><a href='/x/reef'>reef</a> "
        "<a href='/x/tide'>tide</a>, <a href='/x/crab'>crab</a> <a href='/x/gale'>gale</a></p>"
    )
    html = page("Boats", body).replace(
        "</main>",
        f"</main><aside><h2>Categories</h2><ul>{entries('category', 4)}</ul></aside>"
        f"<nav><ul>{entries('menu', 5)}</ul></nav><footer><ul>{entries('footer', 6)}</ul></footer>",
    )

    def lists(question: str) -> list[str]:
        shown = digest(html, with_lists=True, query=question).text.partition("Lists of this page:\n")[2]
        return re.findall(r"^list \d+: (.*)$", shown, re.MULTILINE)

    found = lists("How many vessels are there?")
    assert found[0] == "Vessels (3): vessel 0; vessel 1; vessel 2"
    assert found[1] == "Crew (9): person 0; person 1; person 2; person 3"
    assert "Repair sheds (2): shed 0; shed 1" in found
    assert "Signs (4): reef; tide; crab; gale" in found
    assert not any("menu" in line or "footer" in line or "category" in line for line in found)
    assert lists("How many categories are there?")[0].startswith("Categories (4, aside): category 0")
    assert any("(5, nav): menu 0" in line for line in lists("How many entries does the menu have?"))
    assert any("(6, footer): footer 0" in line for line in lists("How many links are in the footer?"))


def test_a_list_of_links_that_an_earlier_page_had_is_no_list_to_count() -> None:
    menu = "".join(f'<li><a href="/{n}.html">Section {n}</a></li>' for n in range(6))
    html = page("Boats", f"<div><ul>{menu}</ul></div><h2>Fleet</h2><ul><li>Mantis</li><li>Tern</li></ul>")
    known = dict.fromkeys(marks_around(seen(html.replace("Mantis", "Wreck"))), 1)
    assert "Section 0" in digest(html, with_lists=True).text.partition("Lists of this page")[2]
    shown = digest(html, with_lists=True, seen_around=known).text.partition("Lists of this page")[2]
    assert "Section 0" not in shown
    assert "(2): Mantis; Tern" in shown


def test_numbered_things_are_a_list_and_each_of_many_lists_has_a_line() -> None:
    halls = "".join(f'<div class="hall">Hall {n}</div>' for n in range(1, 5))
    text = digest(page("Boats", f"<p>{MANTIS}</p><div>{halls}</div>"), with_lists=True).text
    assert "(4): Hall 1; Hall 2; Hall 3; Hall 4" in text
    lists = "".join(
        f"<h2>Shed {n} of the harbour office</h2><p>Members: {n}</p><ul>"
        + "".join(f"<li>A rather long name of tool {i} in shed {n}</li>" for i in range(3))
        + "</ul>"
        for n in range(1, 16)
    )
    found = digest(page("Boats", lists), with_lists=True).text.partition("Lists of this page:\n")[2].splitlines()
    assert [line for n in range(1, 16) for line in found if f"Members: {n} (3)" in line] == found[:15]
    assert len(found) == 16, "and the headings"
    assert count_tokens("\n".join(found)) <= 300


def test_lists_that_have_no_markup_are_named_with_their_length() -> None:
    lines = "".join(
        f"<h2>Crew</h2>{''.join(f'<p>{name}</p>' for name in ('Ada Quay', 'Bo Lind', 'Cleo Rue', 'Dov Tern'))}"
    )
    text = digest(page("Boats", lines), with_lists=True, query="How many are the crew?").text
    assert re.search(r"^list \d+: Crew \(4\): Ada Quay; Bo Lind", text, re.MULTILINE)


def test_lists_without_a_line_are_told_with_their_lengths() -> None:
    many = "".join(
        f"<h2>Group {n} of the harbour</h2><ul>{''.join(f'<li>Member {n}-{m} of it</li>' for m in range(3 + n % 4))}</ul>"
        for n in range(60)
    )
    text = digest(page("Boats", many), with_lists=True, query="How many are there?").text
    named = re.findall(r"^list (\d+): .*\((\d+)\):", text, re.MULTILINE)
    more = re.search(r"^\((\d+) more lists by number and length: ((?:\d+ \(\d+\)(?:, )?)+)", text, re.MULTILINE)
    assert more is not None
    assert len(named) + int(more[1]) == 61, "60 lists and their headings"


def test_the_list_of_what_is_counted_comes_before_longer_ones() -> None:
    related = "".join(f'<li><a href="/r{n}">Related station {n}</a></li>' for n in range(12))
    numbers = "".join(f"<tr><td>{n}</td><td>{n * 3} m</td></tr>" for n in range(9))
    html = page(
        "Station",
        f"<p>The station recommends:</p><ul>{related}</ul><h2>Depths</h2><table>{numbers}</table>"
        "<h2>Our boats</h2><p>These lie in the harbour:</p><ul><li>Mantis</li><li>Squid</li><li>Orca</li></ul>",
    )
    asked = read_asked_list(read_question("How many boats does the station have?", "en").parts[0], "boats", 0)
    lines = re.findall(r"^list \d+: (.*)$", digest(html, with_lists=True, query="boats station").text, re.MULTILINE)
    assert "Mantis" not in lines[0], "the words of the question alone fit another list"
    lines = re.findall(
        r"^list \d+: (.*)$", digest(html, with_lists=True, query="boats station", counted=asked).text, re.MULTILINE
    )
    assert "Mantis; Squid" in lines[0]


def test_of_a_page_that_is_cut_the_likeliest_list_tells_its_entries() -> None:
    rooms = "".join(f"<li>Room {n} (Floor {n % 4})</li>" for n in range(1, 14))
    filler = "<p>Nothing of note was said here, and the door was shut for all of the winter.</p>" * 12
    talks = "".join(f"<h2>Talk {n}</h2><ul><li>a</li><li>b</li><li>c</li></ul>{filler}" for n in range(40))
    html = page("Rooms", f"{talks}<h2>List of rooms</h2><ul>{rooms}</ul>")
    counted = read_asked_list(read_question("Name 5 rooms of the station.").parts[0], "rooms", 5, frozenset())

    def first(tokens: int) -> str:
        shown = digest(html, tokens, query="Name 5 rooms of the station.", with_lists=True, counted=counted).text
        return shown.partition("Lists of this page:\n")[2].partition("\n")[0]

    assert first(2000).startswith("list ")
    assert "Room 13 (Floor 1)" in first(2000)
    assert "Room 13" not in first(20_000), "the text has them"


def test_a_list_of_entries_comes_before_the_tags_of_each_of_them() -> None:
    def talk(n: int) -> str:
        tags = "".join(f"<li>boat {k} of race {n}</li>" for k in range(4))
        return f'<div class="talk"><h3>Race number {n} of the year</h3><p>{n} May 2024</p><ul>{tags}</ul></div>'

    html = page("Races", f"<div>{''.join(map(talk, range(10, 30)))}</div>")
    lines = [
        line for line in digest(html, query="boat race tags", with_lists=True).text.splitlines() if "list " in line
    ]
    assert re.match(r"list \d+: .*\(20\): Race number 10 of the year; Race number 11", lines[0])


def test_the_lists_of_a_page_that_is_cut_are_chosen_once(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen: list[object] = []
    once = page_lists._chosen

    def counting(*asked: object) -> object:
        chosen.append(asked)
        return once(*asked)  # type: ignore[arg-type]

    monkeypatch.setattr(page_lists, "_chosen", counting)
    rooms = "".join(f"<li>Room {number}</li>" for number in range(60))
    html = f"<h2>Rooms</h2><ul>{rooms}</ul>" + "".join(f"<p>{MANTIS} {'It rained. ' * 80}</p>" for _ in range(20))
    counted = read_asked_list(read_question("Name 5 rooms of the station.").parts[0], "rooms", 5, frozenset())
    shown = digest(page("Station", html), 900, query="Name 5 rooms.", with_lists=True, counted=counted)
    assert shown.left_out
    assert "Room 20" in shown.text, "the likeliest list tells more of its entries"
    assert len(chosen) == 1


def crews(*groups: tuple[str, int], named: str = "p") -> str:
    """Cards of people in one run, with a heading before each group."""
    people = (
        (
            f"<h2>{name}</h2>",
            *(
                f'<div class="card"><{named}><a href="/{name}{n}">{name} {n}</a></{named}><p>Deck</p></div>'
                for n in range(size)
            ),
        )
        for name, size in groups
    )
    return page("People", f"<div>{''.join(part for group in people for part in group)}</div>")


@pytest.mark.parametrize(("named", "kind"), [("p", ""), ("h4", "headings below ")])
def test_cards_below_a_heading_are_a_list_for_who_asks_for_that_section(named: str, kind: str) -> None:
    html = crews(("Sailors", 40), ("Cooks", 7), ("Divers", 23), named=named)
    asked = digest(html, with_lists=True, query="How many cooks are on board?").text
    first = next(line for line in asked.splitlines() if line.startswith("list "))
    assert re.match(rf"list \d+: {kind}Cooks \(7\): Cooks 0; Cooks 1", first), (
        "of 70 cards those that the question names"
    )
    assert "Divers (23)" not in asked
    number = int(re.findall(rf"list (\d+): {kind}Cooks", asked)[0])
    chosen = next(records for records in shown_sets(seen(html)) if records.id == number)
    assert [record.name for record in chosen.records] == [f"Cooks {n}" for n in range(7)], (
        "what is chosen by that number"
    )
    elsewhere = digest(html, with_lists=True, query="How long is the Mantis?").text
    assert "Cooks (7)" not in elsewhere


def test_paragraphs_that_are_links_are_a_list_for_who_asks_for_their_section() -> None:
    papers = "".join(
        f'<p><a href="/{n}">A paper on the tides of the northern harbours, part {n}.</a></p>' for n in range(9)
    )
    more = "".join(
        f'<p><a href="/m{n}">A talk on the boats of the southern harbours, part {n}.</a></p>' for n in range(5)
    )
    html = page("Reading", f"<h2>Papers</h2><p>{MANTIS}</p>{papers}<h2>Talks</h2>{more}")
    text = digest(html, with_lists=True, query="How many papers are there?").text
    assert re.search(r"^list \d+: Papers \(9\): A paper on the tides", text, re.MULTILINE)
    assert "Talks (5)" not in text


def test_a_name_too_long_for_its_line_ends_behind_a_word_and_says_so() -> None:
    long = [f"Boat {n} of the harbour with " + "a deck and " * 20 + "masts" for n in range(1, 10)]
    text = digest(page("Boats", f"<ul>{''.join(f'<li>{name}</li>' for name in long)}</ul>"), with_lists=True).text
    (line,) = re.findall(r"^list \d+: .*$", text, re.MULTILINE)
    names = line.partition("): ")[2].removesuffix("; …").split("; ")
    assert all(re.fullmatch(r"Boat \d of the harbour with(?: a| deck| and)*…", name) for name in names), names
