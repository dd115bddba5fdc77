"""Cards, rows of layout, rows of links and selects that lead to pages, as records and links of a page."""

from __future__ import annotations

import pytest

from perception.document.reading import observe
from perception.observation import Observation
from perception.snapshot import Snapshot

HERE = "http://reef.example/boats.html"


def read(main: str) -> Observation:
    html = f"<html><body><main><h1>Boats</h1>{main}</main></body></html>"
    return observe(Snapshot(url=HERE, final_url=HERE, status=200, html=html))


def texts(observation: Observation, first: int, last: int) -> list[str]:
    return [block.text for block in observation.blocks[first - 1 : last]] if first else []


@pytest.mark.parametrize(
    "card",
    [
        '<div class="card"><p>{n} May</p><h3>Talk {n}</h3></div>',
        '<a class="card" href="/{n}"><p>{n} May</p><h3>Talk {n}</h3></a>',
        "<article><p>{n} May</p><h3>Talk {n}</h3></article>",
        '<div class="post-{n} card"><p>{n} May</p><h3>Talk {n}</h3></div>',
    ],
)
def test_cards_have_the_heading_above_all_of_them_and_their_own_blocks(card: str) -> None:
    observation = read(f"<h2>Programme</h2><div>{''.join(card.format(n=n) for n in range(3))}</div>")
    cards = observation.record_sets[0]
    assert cards.headings == ("Boats", "Programme")
    assert [texts(observation, one.first, one.last) for one in cards.records] == [
        [f"{n} May", f"Talk {n}"] for n in range(3)
    ]


def test_cards_that_differ_in_state_or_number_are_one_kind() -> None:
    names = ("card odd active", "card even", "card odd")
    cards = "".join(f'<div class="{name}"><p>{name} boat</p></div>' for name in names)
    (records,) = read(f"<div>{cards}</div>").record_sets
    assert len(records.records) == 3


def test_an_entry_with_a_list_in_it_and_a_link_within_a_text_have_no_blocks_of_their_own() -> None:
    observation = read(
        "<ul><li>Mantis<ul><li>Oars</li><li>Sails</li></ul></li><li>Tern</li></ul>"
        "<p>See <a class=x href='/1'>one</a>, <a class=x href='/2'>two</a>, <a class=x href='/3'>three</a>.</p>"
    )
    entries = {record.name: (record.first, record.last) for one in observation.record_sets for record in one.records}
    assert entries["Mantis"] == entries["one"] == (0, 0)
    assert texts(observation, *entries["Tern"]) == ["Tern"]
    assert texts(observation, *entries["Oars"]) == ["Oars"]


def test_definitions_have_the_blocks_of_term_and_value() -> None:
    observation = read("<dl><dt>Length</dt><dd><p>18 m</p><p>60 ft</p></dd><dt>Port</dt><dd>Old Quay</dd></dl>")
    length, port = observation.record_sets[0].records
    assert texts(observation, length.first, length.last) == ["Length", "18 m", "60 ft"]
    assert texts(observation, port.first, port.last) == ["Port", "Old Quay"]


def test_short_rows_of_a_table_of_layout_are_records_and_columns_of_a_page_are_not() -> None:
    rows = "".join(f"<tr><td><h4>{n} o'clock</h4></td><td><p>Talk {n}</p></td></tr>" for n in range(3))
    (records,) = (one for one in read(f"<table>{rows}</table>").record_sets if one.records[0].last)
    assert [record.text for record in records.records] == [f"{n} o'clock Talk {n}" for n in range(3)]
    long = f"<tr><td><h4>News</h4></td><td><p>{'Much was said. ' * 40}</p></td></tr>"
    assert not [one for one in read(f"<table>{long * 3}</table>").record_sets if one.records[0].last]


def test_links_in_a_row_are_a_list_unless_they_are_numbers_or_every_card_has_them() -> None:
    row = " · ".join(f"<a href='/tag/{name}'>{name}</a>" for name in ("reef", "tide", "crab", "gale"))
    (records,) = read(f"<h2>Subjects</h2><p>{row}</p>").record_sets
    assert [record.name for record in records.records] == ["reef", "tide", "crab", "gale"]
    assert records.records[1].url == "http://reef.example/tag/tide"
    assert records.headings == ("Boats", "Subjects")
    pages = " ".join(f"<a href='?page={n}'>{n}</a>" for n in range(2, 9))
    assert not read(f"<p>{pages}</p><p>{row} and much more that is said of reefs and of tides</p>").record_sets
    assert not read(f"<p>{row}</p><p>{row}</p>").record_sets


@pytest.mark.parametrize(
    ("options", "urls"),
    [
        (
            "<option value=''>Month<option value='/2019/03/'>March<option value='/2019/04/'>April",
            ["/2019/03/", "/2019/04/"],
        ),
        ("<option value='a.html'>A<option value='b.html'>B", ["/a.html", "/b.html"]),
        ("<option value='en'>English<option value='de'>Deutsch", []),
        ("<option value='1'>1<option value='2'>2<option value='/more/'>More", []),
    ],
)
def test_a_select_whose_options_are_addresses_leads_to_them(options: str, urls: list[str]) -> None:
    links = read(f"<p>Choose</p><select>{options}</select>").links
    assert [link.url.removeprefix("http://reef.example") for link in links] == urls
    assert all(link.label in ("March", "April", "A", "B") and not link.block for link in links)


def test_what_an_unseen_select_leads_to_is_hidden() -> None:
    options = "<option value='/2019/'>2019<option value='/2020/'>2020"
    assert all(link.hidden for link in read(f"<select data-walker-hidden=''>{options}</select>").links)


def test_a_list_is_called_by_its_label() -> None:
    (records,) = read("<p>So:</p><ul aria-label='Repair  sheds'><li>North</li><li>South</li></ul>").record_sets
    assert records.caption == "Repair sheds"


def test_parts_that_only_style_sets_apart_are_no_one_word() -> None:
    card = '<div class="card"><span class="label">2018/19</span><span class="place">8.</span><em class="note">Playoff</em></div>'
    assert read(card).blocks[-1].text == "2018/19 8. Playoff"


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ('<p>Wal<span class="mark">ker</span></p>', "Walker"),
        ('<p><span class="t">T</span><span class="rest">ides</span></p>', "Tides"),
        ("<p><span>Wal</span><span>ker</span></p>", "Walker"),
        ('<p><code><span class="n">open</span><span class="k">page</span></code></p>', "openpage"),
        ('<p><span class="a">Wal</span><span class="b">ker</span> walks</p>', "Walker walks"),
    ],
)
def test_a_word_in_pieces_stays_one(markup: str, text: str) -> None:
    assert read(markup).blocks[-1].text == text


def test_a_heading_behind_the_text_of_its_card_is_not_above_the_next_card() -> None:
    cards = "".join(
        f"<div class=card><p>Sails boat {n} and mends it.</p><h3>Person {n}</h3><p>Born in {n}.</p></div>"
        for n in (1, 2, 3)
    )
    html = f"<h2>Crew</h2><div>{cards}</div><p>Apply by May.</p>"
    paths = {block.text: block.headings for block in read(html).blocks}
    assert paths["Sails boat 1 and mends it."] == ("Boats", "Crew", "Person 1")
    assert paths["Sails boat 2 and mends it."] == ("Boats", "Crew", "Person 2")
    assert paths["Born in 2."] == ("Boats", "Crew", "Person 2")
    assert paths["Apply by May."] == (
        "Boats",
        "Crew",
    )


def test_a_heading_that_begins_what_follows_it_stays_above_that() -> None:
    heads = "".join(
        f"<div class=head><span>New</span><h3>Boat {n}</h3></div><p>It is {n} m long.</p>" for n in (1, 2, 3)
    )
    paths = {block.text: block.headings for block in read(f"<h2>Boats seen</h2>{heads}").blocks}
    assert paths["It is 2 m long."] == ("Boats", "Boats seen", "Boat 2")


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("<a href=/p><b>Prankster</b><span class=d>This plays tricks.</span></a>", "Prankster This plays tricks."),
        ("<b>Deck 2</b><span>Where the crew sleeps.</span>", "Deck 2 Where the crew sleeps."),
        ("<b>Java</b><i>Script</i>", "JavaScript"),
        ("<b>Mac</b><span>OS is here too</span> now", "MacOS is here too now"),
        ("<b>pre</b><span>fix of a word</span>", "prefix of a word"),
    ],
)
def test_a_name_is_parted_from_the_sentence_that_only_style_sets_below_it(entry: str, said: str) -> None:
    assert said in [block.text for block in read(f"<ul><li>{entry}</li><li>Other</li></ul>").blocks]
