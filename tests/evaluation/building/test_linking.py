"""Questions over two pages that speak of the same thing."""

from __future__ import annotations

import pytest

from evaluation.building.candidate import Candidate
from evaluation.building.checks import why_not
from evaluation.building.facts.marked import marked_up
from evaluation.building.rules.cloze import write_multi, write_single
from evaluation.building.rules.naming import names_of
from evaluation.building.tree import HarvestedPage, SiteTree, build_tree, read_passages, read_site_links
from memory.url_key import key_of
from perception.document.reading import observe
from perception.snapshot import Snapshot
from tests.fixtures.processor_time import processor_seconds
from walker.rules.scope import WalkScope

BASE = "http://wood.example/"
FILLER = "<p>The workshops of the valley have made furniture for more than a hundred years, from timber of the slopes above.</p>"


def tree_of(pages: dict[str, tuple[str, str]], *, language: str = "en") -> SiteTree:
    """A site of pages by path, each a title and a body."""
    made = []
    for path, (title, body) in pages.items():
        html = (
            f'<html lang="{language}"><title>{title} | Valley</title><main><h1>{title}</h1>{FILLER}{body}</main></html>'
        )
        url = BASE + path
        seen = observe(Snapshot(url=url, final_url=url, status=200, html=html, fetched_at=0.0))
        made.append(
            HarvestedPage(
                key=str(key_of(url)),
                url=url,
                place=url,
                title=seen.title,
                language=seen.language,
                lines=tuple(block.text for block in seen.blocks),
                passages=read_passages(seen),
                marked_up=marked_up(html),
                record_sets=seen.record_sets,
                ways=read_site_links(seen, WalkScope(root_url=BASE)),
                seen="2026-05-01",
            )
        )
    return build_tree(BASE, made)


CHAIR = "<dl><dt>Maker</dt><dd><a href='/dubois'>Dubois</a></dd><dt>Weight</dt><dd>7 kg</dd></dl>"
TABLE = "<dl><dt>Maker</dt><dd>Vale</dd><dt>Weight</dt><dd>31 kg</dd></dl>"
TOOLS = "<h2>Tools</h2><ul><li>Saw</li><li>{}</li><li>{}</li></ul><p>More to come.</p>"
STOOL = "<dl><dt>Maker</dt><dd>Vale</dd><dt>Weight</dt><dd>3 kg</dd></dl>"
HOME = "".join(f'<a href="/{name}">{name}</a> ' for name in ("chair", "table", "stool", "makers"))
HOUSES = (
    '<h2>Old houses</h2><ul><li><a href="/dubois">Dubois</a></li><li><a href="/vale">Vale</a></li></ul><p>All near.</p>'
)
PAGES = {
    "": ("Furniture", f"<p>{HOME}</p>"),
    "chair": ("Easy chair", CHAIR),
    "table": ("Long table", TABLE),
    "stool": ("Low stool", STOOL),
    "makers": ("Makers", HOUSES),
    "dubois": ("Dubois", f"<p>Dubois was founded in 1911 by two brothers.</p>{TOOLS.format('Plane', 'Rule')}"),
    "vale": ("Vale", f"<p>Vale was founded in 1924.</p>{TOOLS.format('Axe', 'File')}"),
}


def multi(pages: dict[str, tuple[str, str]] = PAGES, **more: str) -> dict[str, Candidate]:
    tree = tree_of(pages, **more)
    return {one.question: one for one in write_multi(tree) if not why_not(one, tree)}


def test_the_maker_of_one_page_is_asked_about_on_another() -> None:
    made = multi()
    linked = made["In which year was what the page “Easy chair” gives as “Maker” founded?"]
    assert linked.answers == ("1911",)
    assert linked.pages == (str(key_of(f"{BASE}chair")), str(key_of(f"{BASE}dubois")))
    assert linked.quotes == ("Maker Dubois", "Dubois was founded in 1911 by two brothers.")


def test_an_entry_of_a_list_leads_to_its_page() -> None:
    page = "the page of the second entry in the list under “Old houses” on the page “Makers”"
    by_place = multi()[f"How many entries does the list under “Tools” on {page} have?"]
    assert (by_place.answers, by_place.answer) == (("3", "three"), "worked out")


def test_a_link_is_of_no_use_where_the_first_page_says_it_all() -> None:
    pages = PAGES | {"chair": ("Easy chair", f"{CHAIR}<p>Their house is of 1911.</p>")}
    assert not any(one.form.startswith("linked given") and one.answers == ("1911",) for one in multi(pages).values())


def test_a_question_that_names_the_second_page_needs_no_link() -> None:
    assert not any("“Dubois”" in question for question, one in multi().items() if one.form.startswith("linked"))


def test_lists_of_two_pages_are_compared() -> None:
    made = multi()
    shared = made["Which entry is in the list under “Tools” both on the page “Dubois” and on the page “Vale”?"]
    assert shared.answers == ("Saw",)
    other = PAGES | {"vale": ("Vale", PAGES["vale"][1].replace("Saw", "Awl"))}
    (together,) = (one for one in multi(other).values() if one.form == "together")
    assert together.answers == ("6", "six")


DATED = {
    "": ("News", '<p><a href="/a">A</a> <a href="/b">B</a></p>'),
    "a": ("Saw mended", "<p>It runs again.</p>"),
    "b": ("Lathe bought", "<p>It is new.</p>"),
}


@pytest.mark.parametrize(
    ("language", "days"), [("en", "10 days"), ("de", "10 Tage"), ("fr", "10 jours"), ("zh", "10天")]
)
def test_dates_below_titles_are_compared_or_counted(language: str, days: str) -> None:
    pages = {path: (title, body) for path, (title, body) in DATED.items()}
    tree = tree_of(pages, language=language)
    dates = {"a": "2026-05-03", "b": "2026-05-13"}
    said = []
    for page in tree.pages:
        day = dates.get(page.url.removeprefix(BASE), "")
        title = page.title.split(" | ")[0]
        html = f"<html lang='{language}'><title>{title}</title><main><h1>{title}</h1><p>{day}</p>{FILLER}</main>"
        seen = observe(Snapshot(url=page.url, final_url=page.url, status=200, html=html, fetched_at=0.0))
        lines = tuple(block.text for block in seen.blocks)
        said.append(HarvestedPage(key=page.key, url=page.url, place=page.url, level=page.level, parent=page.parent, title=page.title,
                                  language=language, lines=lines, passages=read_passages(seen), ways=page.ways))  # fmt: skip
    dated = SiteTree(said)
    made = [one for seed in range(4) for one in write_multi(dated, seed=seed) if one.form == "dates"]
    assert {one.answers[0] for one in made} <= {"2026-05-03", "2026-05-13", days}
    assert made


def test_a_page_is_called_by_what_only_it_has() -> None:
    pages = {
        "": (
            "Hall",
            '<p><a href="/a">09:30 - 10:00 • The first saw</a> <a href="/b">Saws</a> <a href="/c">Blades</a></p>',
        ),
        "a": ("Programme", ""),
        "b": ("Programme", ""),
        "c": ("Of blades", ""),
    }
    names = names_of(tree_of(pages))
    assert sorted(names.values()) == ["Blades", "Hall", "Saws", "The first saw"] or sorted(names.values()) == [
        "Hall", "Of blades", "Saws", "The first saw",
    ]  # fmt: skip


def test_no_page_but_the_first_is_called_by_the_name_of_the_site() -> None:
    pages = {"": ("Mill - Wood valley", '<p><a href="/a">Archive</a></p>'), "a": ("Wood valley", "")}
    assert "Wood valley" not in names_of(tree_of(pages)).values()


def test_what_stands_before_an_address_on_one_page_is_no_label() -> None:
    pages = {"": ("Home", " ".join(f'<a href="/p{n}">Page {n}</a>' for n in range(4)))}
    pages |= {f"p{n}": (f"Chapter {n} of it", f"<p>Website: http://wood.example/{n}</p>") for n in range(4)}
    title, body = pages["p0"]
    pages["p0"] = title, body + "<p>Issue : http://wood.example/issues/7</p>"
    asked = [one.question for one in write_single(tree_of(pages))]
    assert sum("Website" in question for question in asked) == 4
    assert not any("Issue" in question for question in asked)


@pytest.mark.parametrize(("copies", "asked"), [(3, True), (4, False)])
def test_a_box_that_many_pages_have_is_no_fact_of_one(copies: int, asked: bool) -> None:
    box = (
        "<h2>Dates</h2><ul><li>Fair: 3 May 2026</li><li>Market: 4 June 2026</li><li>Feast</li></ul><p>All at noon.</p>"
    )
    names = [f"p{number}" for number in range(5)]
    pages = {"": ("Home", " ".join(f'<a href="/{name}">Page {name}</a>' for name in names))}
    pages |= {name: (f"Chapter of {name}", box if number < copies else "") for number, name in enumerate(names)}
    said = [one.question for one in write_single(tree_of(pages))]
    assert any("“Dates”" in question for question in said) is asked
    assert any("“Fair”" in question for question in said) is asked


@pytest.mark.parametrize(("copies", "asked"), [(3, True), (4, False)])
def test_what_many_pages_say_in_the_same_words_is_no_fact_of_one(copies: int, asked: bool) -> None:
    names = [f"p{number}" for number in range(5)]
    pages = {"": ("Home", " ".join(f'<a href="/{name}">Page {name}</a>' for name in names))}
    pages |= {
        name: (f"Chapter of {name}", f"<p>Posters: {'3 May' if number < copies else f'{number} June'}</p>")
        for number, name in enumerate(names)
    }
    said = [one.answers[0] for one in write_single(tree_of(pages))]
    assert ("3 May" in said) is asked


def test_a_fact_of_every_page_is_the_frame_of_the_site() -> None:
    pages = {"": ("Home", " ".join(f'<a href="/p{n}">Page {n}</a>' for n in range(8)))}
    pages |= {f"p{n}": (f"Chapter {n} of it", "<p>Editor: 555 Vale</p>" + f"<p>Length: {n}5 km</p>") for n in range(8)}
    asked = [one.question for one in write_single(tree_of(pages))]
    assert not any("Editor" in question for question in asked)
    assert sum("Length" in question for question in asked) == 8


def test_a_page_of_many_links_and_sentences_is_read_at_once() -> None:
    told = "".join(
        f'<p>Beside the plane the smith of house {number} has the <a href="/saw-{number}">saw number {number}</a>.</p>'
        for number in range(600)
    )
    tree = tree_of(PAGES | {"chair": ("Easy chair", CHAIR + told)})
    made: list[Candidate] = []
    assert processor_seconds(lambda: made.extend(write_multi(tree))) < 20
    assert any("gives as “Maker”" in candidate.question for candidate in made)
