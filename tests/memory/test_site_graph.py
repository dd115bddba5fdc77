"""The graph of pages seen, and what it exports."""

from __future__ import annotations

import json
from io import BytesIO

import networkx as nx

from memory.site_graph import SiteGraph

ROOT = "http://h/"


def small_site() -> SiteGraph:
    graph = SiteGraph()
    graph.saw_page(ROOT, "Home", "opened", 1)
    graph.saw_links(
        ROOT, [("http://h/a", " About\n us "), ("http://h/b#top", "B"), ("http://h/a?utm_source=x", "About")]
    )
    graph.saw_page("http://h/a", "About", "opened", 2)
    graph.saw_links("http://h/a", [("http://h/c", "Contact"), (ROOT, "")])
    graph.saw_page("http://h/b", "", "rejected", 3)
    return graph


def test_pages_stand_in_the_order_seen_with_their_state() -> None:
    pages = [(page.key, page.title, page.state, page.step) for page in small_site().pages()]
    assert pages == [
        ("http://h/", "Home", "opened", 1),
        ("http://h/a", "About", "opened", 2),
        ("http://h/b", "", "rejected", 3),
        ("http://h/c", "", "seen", 0),
    ]


def test_a_visited_page_stays_visited_when_it_is_linked_to() -> None:
    graph = small_site()
    graph.saw_links("http://h/c", [("http://h/b", "again")])
    page = graph.page("http://h/b")
    assert page is not None
    assert (page.state, page.step, page.url) == ("rejected", 3, "http://h/b")
    assert graph.page("http://h/unknown") is None


def test_the_shortest_way_is_told_in_addresses() -> None:
    graph = small_site()
    assert graph.shortest_path(ROOT, "http://h/c") == (ROOT, "http://h/a", "http://h/c")
    assert graph.shortest_path("http://h/b", "http://h/c") == ()
    assert graph.shortest_path(ROOT, "http://h/unknown") == ()


def test_a_link_that_is_no_address_is_left_out() -> None:
    graph = SiteGraph()
    graph.saw_links(ROOT, [("http://h:99999/", "bad port"), ("http://h/a", "good")])
    assert [page.key for page in graph.pages()] == [ROOT, "http://h/a"]


def test_exports_are_equal_for_equal_walks() -> None:
    first, second = small_site().to_json(), small_site().to_json()
    assert first == second
    data = json.loads(first)
    assert {"from": "http://h/", "to": "http://h/a", "anchors": ["About us", "About"]} in data["links"]
    assert len(data["pages"]) == 4


def test_graphml_can_be_read_back() -> None:
    graph = small_site()
    graph.saw_page("http://h/odd", "bell \x07 & <b>名</b>", "failed", 4)
    graph.saw_links("http://h/odd", [("http://h/c", "nul \x00")])
    read = nx.read_graphml(BytesIO(graph.to_graphml()))
    assert set(read.nodes) == {page.key for page in graph.pages()}
    assert read.nodes["http://h/odd"]["title"] == "bell  & <b>名</b>"
    assert read.edges["http://h/", "http://h/a"]["anchors"] == "About us | About"
    assert read.nodes["http://h/b"]["step"] == 3
