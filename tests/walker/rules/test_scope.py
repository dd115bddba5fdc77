"""What a walk may open besides its root's site: other roots, named hosts, and what searches find."""

from __future__ import annotations

import pytest

from walker.rules.scope import FILE_REFUSED, WalkScope
from walker.seams.searches import search_address, start_address

REEF, MUSEUM = "https://reef.example/docs/index.html", "http://museum.example:8080/"
SEARCH = search_address("keel")


def test_the_sites_of_all_roots_are_inside_and_no_other() -> None:
    scope = WalkScope(root_url=start_address((REEF, MUSEUM)))
    assert scope.roots == (REEF, MUSEUM)
    assert scope.why_outside("https://www.reef.example/boats") == ""
    assert scope.why_outside("http://museum.example:8080/hall?x=1") == ""
    assert scope.why_outside("http://museum.example/hall") == "off site"
    assert scope.why_outside("https://else.example/") == "off site"
    assert scope.why_outside("https://reef.example/a.zip") == FILE_REFUSED


def test_a_folder_is_that_of_the_root_on_the_same_site() -> None:
    scope = WalkScope(root_url=start_address((REEF, MUSEUM)), kind="path")
    assert scope.why_outside("https://reef.example/docs/a") == ""
    assert scope.why_outside("https://reef.example/blog/") == "outside the root's folder"
    assert scope.why_outside("http://museum.example:8080/anything") == ""


@pytest.mark.parametrize("root", [REEF, SEARCH])
def test_a_named_host_is_inside_with_its_own_port_only(root: str) -> None:
    scope = WalkScope(root_url=root, also=("wiki.example", "127.0.0.1:8123", "[::1]:90"))
    inside = ("https://wiki.example/a", "http://www.wiki.example/", "http://127.0.0.1:8123/x", "http://[::1]:90/")
    assert [scope.why_outside(url) for url in inside] == [""] * 4
    outside = (
        "http://wiki.example:81/",
        "http://127.0.0.1/",
        "https://evil.wiki.example/",
        "https://wiki.example.org/",
    )
    assert [scope.why_outside(url) for url in outside] == ["off site"] * 4


def test_only_a_hit_opens_a_site_and_only_where_hits_may() -> None:
    hit = "https://else.example/a/page.html"
    closed, opened = WalkScope(root_url=REEF), WalkScope(root_url=REEF, opens_hits=True)
    assert closed.sites_of_hits((hit,)) == ()
    assert opened.why_outside(hit) == "off site"
    sites = opened.sites_of_hits((hit, REEF, "javascript:alert(1)", "file:///etc/passwd", "//", SEARCH))
    assert sites == ("https://else.example",), "what is inside already, or can be no page, opens nothing"
    assert opened.why_outside(hit, sites) == ""
    assert opened.why_outside("http://else.example/other", sites) == ""
    assert opened.why_outside("https://third.example/", sites) == "off site"
    assert opened.why_outside("https://else.example/a.exe", sites) == FILE_REFUSED


@pytest.mark.parametrize("root", [REEF, SEARCH, start_address((REEF, MUSEUM))])
@pytest.mark.parametrize(
    "url",
    [
        SEARCH,
        "HTTPS://Library.invalid/search?q=x",
        "http://library.invalid:443/start?root=x",
        "https://library.invalid./",
    ],
)
def test_no_link_leads_to_a_page_of_our_own(root: str, url: str) -> None:
    for scope in (WalkScope(root_url=root), WalkScope(root_url=root, opens_hits=True)):
        assert scope.why_outside(url, ("https://library.invalid",)) == "off site"


def test_a_walk_through_a_library_alone_has_no_border_but_the_library() -> None:
    assert WalkScope(root_url=SEARCH, is_library=True).why_outside("https://anywhere.example/") == ""
    assert WalkScope(root_url=SEARCH).why_outside("https://anywhere.example/") == "off site"
    assert "scheme" in WalkScope(root_url=SEARCH, is_library=True).why_outside("file:///etc/passwd")


def test_the_addresses_of_named_hosts_are_those_of_roots_and_hosts() -> None:
    scope = WalkScope(root_url=start_address((REEF, MUSEUM)), also=("127.0.0.1:8123",))
    assert scope.named_addresses == (REEF, MUSEUM, "http://127.0.0.1:8123/")
    assert WalkScope(root_url=SEARCH).named_addresses == ()
