"""Questions over two pages of which one tells what the other calls by its name."""

from __future__ import annotations

import pytest

from evaluation.building.candidate import Candidate
from evaluation.building.checks import why_not
from evaluation.building.rules.cloze import write_multi, write_single
from memory.url_key import key_of
from tests.evaluation.building.test_linking import BASE, tree_of

SAID = "Cuts along the grain of the timber and leaves a surface that needs no sanding"
GLOSSARY = f"<dl><dt>Jointer</dt><dd>{SAID}.</dd><dt>Spokeshave</dt><dd>Rounds legs and arms after they were sawn out.</dd></dl>"
PRICES = (
    "<table><tr><th>Tool</th><th>Rent a day</th></tr><tr><td>Jointer</td><td>14 euros</td></tr>"
    "<tr><td>Spokeshave</td><td>3 euros</td></tr><tr><td>Mallet</td><td>2 euros</td></tr></table>"
)
NEWS = (
    '<ul><li><a href="/mended">The old lathe was mended</a> 2026-05-03</li>'
    '<li><a href="/bought">A new lathe was bought</a> 2026-06-13</li></ul>'
)
PAGES = {
    "": ("Furniture", '<p><a href="/words">Words</a> <a href="/rent">Rent</a> <a href="/news">News</a></p>'),
    "words": ("Words of trade", GLOSSARY),
    "rent": ("What we rent out", PRICES),
    "news": ("What is new", NEWS),
    "mended": ("Repairs", "<dl><dt>Speed</dt><dd>900 turns</dd><dt>Bed</dt><dd>oak</dd></dl>"),
    "bought": ("Purchases", "<dl><dt>Speed</dt><dd>1500 turns</dd><dt>Bed</dt><dd>iron</dd></dl>"),
}


def multi(pages: dict[str, tuple[str, str]] = PAGES, language: str = "en") -> dict[str, Candidate]:
    tree = tree_of(pages, language=language)
    return {one.question: one for one in write_multi(tree) if not why_not(one, tree)}


ASKED = {
    "en": f"Find the entry that is described on the page “Words of trade” as “{SAID}”. In the table on the page “What we rent out”,"
    " what does the column “Rent a day” say for the row of that name?",
    "de": f"Gemeint ist der Eintrag, der auf der Seite „Words of trade“ mit „{SAID}“ beschrieben wird. Was steht in der Tabelle auf"
    " der Seite „What we rent out“ in der Zeile dieses Namens in der Spalte „Rent a day“?",
    "fr": f"Trouvez l’entrée décrite sur la page « Words of trade » par « {SAID} ». Dans le tableau sur la page « What we rent out »,"
    " que dit la colonne « Rent a day » pour la ligne de ce nom ?",
    "zh": f"请先找出页面“Words of trade”中说明为“{SAID}”的那一项。在页面“What we rent out”的表格中，同名那一行的“Rent a day”一栏是"
    "什么？",
}


@pytest.mark.parametrize("language", ASKED)
def test_what_one_page_describes_another_says_something_of(language: str) -> None:
    found = multi(language=language)[ASKED[language]]
    assert found.answers == ("14 euros",)
    assert found.pages == (str(key_of(f"{BASE}words")), str(key_of(f"{BASE}rent")))
    assert found.form == "named described cell"


def test_the_name_itself_is_never_in_the_question() -> None:
    named = {question: one for question, one in multi().items() if one.form.startswith("named")}
    assert named
    assert not any("Jointer" in question for question, one in named.items() if one.answers == ("14 euros",))


def test_a_thing_needs_no_name_where_the_second_page_says_it_of_all() -> None:
    alike = PRICES.replace("3 euros", "14 euros").replace("2 euros", "14 euros")
    found = multi(PAGES | {"rent": ("What we rent out", alike)})
    assert not any(one.form == "named described cell" for one in found.values())


def test_a_name_in_other_letters_is_another_name() -> None:
    pages = PAGES | {"rent": ("What we rent out", PRICES.replace("Jointer", "JOINTER"))}
    assert ASKED["en"] not in multi(pages)
    assert ASKED["en"] in multi(PAGES | {"rent": ("What we rent out", PRICES.replace("Jointer", "jointer"))})


def test_a_word_of_many_pages_is_no_thing() -> None:
    more = {f"copy{number}": (f"Prices of hall {number}", PRICES) for number in range(6)}
    home = "".join(f'<a href="/{name}">{name}</a> ' for name in (*PAGES, *more) if name)
    pages = PAGES | {"": ("Furniture", f"<p>{home}</p>")} | more
    assert not any(one.form == "named described cell" for one in multi(pages).values())


def test_a_heading_of_many_pages_is_no_thing() -> None:
    more = {f"other{number}": (f"Hall {number}", "<h3>Jointer</h3><p>One of ours.</p>") for number in range(7)}
    home = "".join(f'<a href="/{name}">{name}</a> ' for name in (*PAGES, *more) if name)
    assert ASKED["en"] not in multi(PAGES | {"": ("Furniture", home)} | more)
    assert ASKED["en"] in multi(PAGES | {"": ("Furniture", home)} | dict(list(more.items())[:3]))


def test_a_date_beside_a_link_leads_to_its_page() -> None:
    page = "the page of the entry to which the page “What is new” gives the date “2026-05-03”"
    found = multi()[f"What does {page} give as “Speed”?"]
    assert (found.answers, found.pages[1]) == (("900 turns",), str(key_of(f"{BASE}mended")))


def test_a_date_beside_two_entries_leads_to_neither() -> None:
    pages = PAGES | {"news": ("What is new", NEWS.replace("2026-06-13", "2026-05-03"))}
    assert not any(one.form.startswith("linked dated") for one in multi(pages).values())


def test_a_cell_leads_to_the_page_that_its_value_links_to() -> None:
    rows = (
        '<table><tr><th>Hall</th><th>Lathe</th></tr><tr><td>North</td><td><a href="/mended">Old one</a></td></tr>'
        '<tr><td>South</td><td><a href="/bought">New one</a></td></tr></table>'
    )
    found = multi(PAGES | {"news": ("What is new", rows)})
    page = "the page about what the table on the page “What is new” says in the column “Lathe” for “South”"
    assert found[f"What does {page} give as “Speed”?"].answers == ("1500 turns",)


def test_what_an_entry_only_mentions_is_not_its_page() -> None:
    said = '<li>Since the spring <a href="/mended">the first lathe</a> turns at another speed than it did before</li>'
    listed = f"<h2>Turning</h2><ul><li>Bowls are turned by hand</li>{said}<li>Lids follow</li></ul><p>More to come.</p>"
    found = multi(PAGES | {"news": ("What is new", listed)})
    assert not any(one.form.startswith("linked placed") for one in found.values())
    whole = listed.replace("Since the spring ", "").replace(" turns at another speed than it did before", " (1911)")
    found = multi(PAGES | {"news": ("What is new", whole)})
    page = "the page of the second entry in the list under “Turning” on the page “What is new”"
    assert found[f"What does {page} give as “Speed”?"].answers == ("900 turns",)


LEFT_OUT = {
    "en": "What does the page to which the words lead that are left out of “{}” on the page “What is new” give as “Speed”?",
    "de": "Was ist auf der Seite, zu der die Wörter führen, die auf der Seite „What is new“ an der Stelle der Auslassung in"
    " „{}“ stehen, unter „Speed“ angegeben?",
    "fr": "Qu’est-ce qui est indiqué sous « Speed » sur la page vers laquelle mènent les mots omis dans « {} » sur la page"
    " « What is new » ?",
    "zh": "页面“What is new”中“{}”一句里略去的文字所链接的页面给出的“Speed”是什么？",
}


@pytest.mark.parametrize("language", LEFT_OUT)
def test_a_link_within_a_sentence_is_left_out_of_it(language: str) -> None:
    said = '<p>The bowls of the fair were turned on <a href="/mended">the first lathe</a>, and nobody noticed. It was late.</p>'
    found = multi(PAGES | {"news": ("What is new", said)}, language=language)
    asked = LEFT_OUT[language].format("The bowls of the fair were turned on […], and nobody noticed.")
    assert (found[asked].answers, found[asked].form) == (("900 turns",), "linked omitted given")
    again = said + "<p>On the first lathe one turns lids.</p>"
    assert asked not in multi(PAGES | {"news": ("What is new", again)}, language=language)


def test_lists_side_by_side_are_no_table_of_rows() -> None:
    rows = ("init|stop|continue", "clear|start|", "|reset|")
    cells = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row.split('|'))}</tr>" for row in rows)
    lists = f"<table><tr><th>Gone</th><th>When compiled</th><th>When run</th></tr>{cells}</table>"
    prices = PRICES.replace("Jointer", "init").replace("Spokeshave", "clear")
    forms = {
        one.form
        for one in multi(PAGES | {"words": ("Words of trade", lists), "rent": ("What we rent out", prices)}).values()
    }
    assert not any("cell" in form and form.startswith("named") for form in forms)


def test_the_heading_of_a_list_has_not_the_date_of_its_first_entry() -> None:
    teasers = (
        "<h2>What they say</h2><article><p>Hall A 2026-11-28</p></article><article><p>Hall B 2026-12-05</p></article>"
    )
    tree = tree_of(PAGES | {"news": ("What is new", teasers)})
    assert not any("What they say" in one.question for one in write_single(tree))
