from __future__ import annotations

import urllib.error
import urllib.request
from pathlib import Path

import msgspec
import pytest
from answers.page_parts import path_of, read_html
from answers.question_set import Site
from answers.rendering import rendered
from answers.serving import serve_folder
from answers.site_map import OverHttp, SiteMap, kept_map, map_site
from answers.sites_here import ServedSite


def kind_of(address: str) -> str:
    with urllib.request.urlopen(address, timeout=60) as answer:
        return str(answer.headers["Content-Type"])


def test_files_are_served_with_their_types(base: str) -> None:
    assert kind_of(f"{base}boats/deck.png") == "image/png"
    assert kind_of(f"{base}boats") == kind_of(f"{base}boats/") == kind_of(f"{base}fares") == "text/html"


def test_nothing_outside_the_folder_is_served(base: str) -> None:
    with pytest.raises(urllib.error.HTTPError):
        urllib.request.urlopen(f"{base}%2e%2e/%2e%2e/etc/passwd", timeout=60)


def test_distances_are_clicks_and_every_page_has_one_path(ferry: SiteMap) -> None:
    assert ferry.distance == {
        "index.html": 0,
        "boats/index.html": 1,
        "fares.html": 1,
        "history.html": 1,
        "harbours.html": 1,
        "boats/alma.html": 2,
        "boats/deck.html": 2,
    }
    assert [ferry.named(path) for path in ("", "boats/", "fares", "old.html")] == [
        "index.html",
        "boats/index.html",
        "fares.html",
        "harbours.html",
    ]


def test_a_page_has_what_it_shows_and_what_it_hides(ferry: SiteMap) -> None:
    alma = ferry.pages["boats/alma.html"]
    assert alma.text == "The “Alma” was built in 1931 – in Rostock. Engine Her engine gives 450 horsepower."
    assert "She sleeps in the old dock." in alma.whole
    assert "Boat Seats Ferry Alma 120 Ferry Berta 80" in ferry.pages["boats/index.html"].text


def test_a_card_may_be_called_by_any_of_its_lines() -> None:
    card = b"""<a href="alma.html"><div># <!-- -->31</div><div><span>27</span><span>June</span></div><h3>The Alma</h3>
        <p>Built in <b>1931</b>.</p></a>"""
    (link,) = read_html(card, "http://h/boats/index.html", "http://h/").links
    assert link.labels[1:] == ("# 31", "27June", "The Alma", "Built in 1931.")


def test_a_page_that_leaves_the_site_is_none_of_its_pages(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text('<a href="gone.html">Gone</a> <a href="here.html">Here</a>')
    (tmp_path / "here.html").write_text('<meta http-equiv="refresh" content="30">Here')
    (tmp_path / "gone.html").write_text(
        '<meta http-equiv="refresh" content="0; url=https://site.example/"><h1>Moved</h1>'
    )
    with serve_folder(tmp_path) as base, OverHttp(base) as fetch:
        assert map_site("index.html", fetch).distance == {"index.html": 0, "here.html": 1}


def test_links_have_every_name_that_they_may_be_called_by(ferry: SiteMap) -> None:
    labels = {link.target: link.labels for link in ferry.pages["boats/index.html"].links}
    assert labels == {"boats/alma.html": ("The Alma",), "boats/deck.html": ("Plan of the deck",)}


def test_ways_lead_to_a_page_from_every_page_before_it(ferry: SiteMap) -> None:
    assert ferry.ways_to("boats/alma.html") == {"boats/alma.html": 0, "boats/index.html": 1, "index.html": 2}


@pytest.mark.parametrize(
    ("address", "path"),
    [
        ("http://h:1/", "index.html"),
        ("http://h:1/a/b.html?x=1#part", "a/b.html"),
        ("http://h:1/#/guide?id=part", "index.html#/guide"),
        ("http://h:1/#/", "index.html"),
        ("http://h:1/caf%C3%A9/", "café/index.html"),
        ("https://h:1/a.html", None),
        ("http://other/a.html", None),
    ],
)
def test_an_address_has_one_path(address: str, path: str | None) -> None:
    assert path_of(address, "http://h:1/") == path


def test_a_map_is_made_once(ferry: SiteMap, tmp_path: Path) -> None:
    file = tmp_path / "map.msgpack"
    assert kept_map(file, lambda: ferry) == ferry
    assert kept_map(file, lambda: pytest.fail("it is kept")) == ferry


def test_a_kept_map_of_an_earlier_form_is_made_again(ferry: SiteMap, tmp_path: Path) -> None:
    file = tmp_path / "map.msgpack"
    earlier = msgspec.structs.replace(ferry, form=0)
    assert kept_map(file, lambda: earlier) == earlier
    assert kept_map(file, lambda: ferry) == ferry


def test_a_browser_finds_links_and_text_that_scripts_made(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(
        """<main></main><script>
        const routes = { '/': '<a href="/team">Team</a>', '/team': '<p>Nine people work here.</p>' };
        document.querySelector('main').innerHTML = routes[location.pathname] ?? 'nothing';
        </script>"""
    )
    with serve_folder(tmp_path, fallback="index.html") as base, rendered(base) as fetch:
        made = map_site("index.html", fetch)
    assert made.distance == {"index.html": 0, "team": 1}
    assert made.pages["team"].text == "Nine people work here."


def test_routes_are_opened_in_the_folder(site: Site) -> None:
    scripted = msgspec.structs.replace(site, pages="javascript")
    served = ServedSite(site=scripted, base="http://h:1/", questions=())
    assert served.address("index.html") == "http://h:1/"
    assert served.address("docs/index.html#/Guide/First steps") == "http://h:1/docs/#/Guide/First%20steps"
    plain = ServedSite(site=site, base="http://h:1/", questions=())
    assert plain.address("docs/index.html") == "http://h:1/docs/"
    assert plain.address("index.html") == "http://h:1/index.html"
