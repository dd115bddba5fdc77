from __future__ import annotations

import http.client
import threading
from collections.abc import Iterator
from urllib.error import HTTPError, URLError
from urllib.parse import urldefrag, urljoin, urlsplit
from urllib.request import urlopen

import pytest
from lxml import html

from walker.demo.calendar_pages import calendar_page
from walker.demo.server import answer_request, serve_institute

DEAD = {"/news/storm-photographs.html"}
HOST = "http://site"


@pytest.fixture(scope="module")
def root() -> Iterator[str]:
    with serve_institute() as address:
        yield address


def links_of(path: str) -> set[str]:
    body = answer_request(path).body
    found = html.fromstring(body.decode()).xpath("//a/@href | //img/@src | //link/@href")
    absolute = (urldefrag(urljoin(HOST + path, str(link))).url for link in found)
    return {urlsplit(url).path for url in absolute if url.startswith(HOST + "/")}


def reachable() -> dict[str, set[str]]:
    """Every static page that links lead to, with its links; dynamic addresses are not entered."""
    pages: dict[str, set[str]] = {}
    waiting = ["/index.html"]
    while waiting:
        path = waiting.pop()
        if path in pages or path.startswith(("/calendar/", "/old/")) or not path.endswith(".html"):
            continue
        pages[path] = links_of(path) if answer_request(path).status == 200 else set()
        waiting.extend(pages[path])
    return pages


def test_every_link_leads_somewhere_but_the_dead_one() -> None:
    pages = reachable()
    targets = set().union(*pages.values())
    dead = {target for target in targets if answer_request(target).status == 404}
    assert dead == DEAD
    assert 40 <= len([path for path in pages if not path.startswith("/archive/") and path not in DEAD]) <= 55


def test_pages_say_their_language() -> None:
    for path in reachable():
        page = html.fromstring(answer_request(path).body.decode())
        assert page.get("lang") == ("zh" if path.startswith("/zh/") else "en"), path


def test_people_stand_on_three_pages() -> None:
    names: list[str] = []
    path, statements = "/people/index.html", []
    while True:
        page = html.fromstring(answer_request(path).body.decode())
        names += [" ".join(name.text_content().split()) for name in page.xpath("//li[@class='person']/h3")]
        statements += page.xpath("//p[starts-with(., 'Showing')]/text()")
        onward = page.xpath("//a[@rel='next']/@href")
        if not onward:
            break
        path = urlsplit(urljoin(HOST + path, onward[0])).path
    assert len(names) == len(set(names)) == 23
    assert statements == ["Showing 1–9 of 23 people", "Showing 10–18 of 23 people", "Showing 19–23 of 23 people"]


def test_a_missing_page_is_told_by_its_status(root: str) -> None:
    with pytest.raises(HTTPError) as caught:
        urlopen(urljoin(root, "/news/storm-photographs.html"))
    assert caught.value.code == 404
    caught.value.close()


def test_the_archive_answers_200_to_what_it_has_not(root: str) -> None:
    with urlopen(urljoin(root, "/archive/charter-1967.html")) as reply:
        assert reply.status == 200
        assert b"Page not found" in reply.read()


def test_two_addresses_redirect_to_each_other(root: str) -> None:
    with pytest.raises(HTTPError, match="infinite loop") as caught:
        urlopen(urljoin(root, "/old/home"))
    caught.value.close()


def test_the_report_is_a_download(root: str) -> None:
    with urlopen(urljoin(root, "/files/annual-report-2025.pdf")) as reply:
        assert reply.headers["Content-Disposition"].startswith("attachment")
        assert reply.read().startswith(b"%PDF")


def test_the_root_leads_to_the_home_page(root: str) -> None:
    with urlopen(urljoin(root, "/")) as reply:
        assert reply.url == root


@pytest.mark.parametrize(
    "path",
    [
        "/../server.py",
        "/%2e%2e/server.py",
        "/..%2fserver.py",
        "/people/..%5c..%5cserver.py",
        "/%00",
        "//etc/passwd",
        "/people/" * 2000,
    ],
)
def test_nothing_outside_the_site_is_served(path: str) -> None:
    assert answer_request(path).status == 404


def test_head_gives_no_body(root: str) -> None:
    connection = http.client.HTTPConnection(urlsplit(root).netloc, timeout=60)
    connection.request("HEAD", "/index.html")
    reply = connection.getresponse()
    assert reply.status == 200
    assert int(reply.headers["Content-Length"]) > 1000
    assert reply.read() == b""
    connection.close()


def test_the_calendar_has_no_end() -> None:
    path = "/calendar/2026-11"
    for _ in range(30):
        page = html.fromstring(answer_request(path).body.decode())
        path = page.xpath("//a[. = 'Next month']/@href")[0]
    assert path == "/calendar/2029-05"


@pytest.mark.parametrize("month", ["", "2026-13", "2026-00", "26-1", "9999-12", "0001-01", "2026-11/x"])
def test_what_is_no_month_has_no_page(month: str) -> None:
    assert calendar_page(month) is None
    assert answer_request(f"/calendar/{month}").status == 404


def test_the_server_is_gone_after_the_block() -> None:
    before = _servers()
    with serve_institute() as address:
        connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=60)
        connection.request("GET", "/style.css")
        assert connection.getresponse().read().startswith(b":root")
    connection.close()
    assert _servers() == before
    with pytest.raises(URLError, match="refused"):
        urlopen(address, timeout=2)


def _servers() -> int:
    return sum(thread.name == "demo-site" for thread in threading.enumerate())
