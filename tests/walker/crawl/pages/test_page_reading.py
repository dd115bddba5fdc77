"""What a crawl takes from a page: links, text, marks, and what is wrong with it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perception.snapshot import Snapshot
from walker.crawl.job_records import PageContent
from walker.crawl.pages.page_reading import main_text, read_crawl_page
from walker.crawl.script.spec import CrawlSpec, ItemRule, PageRule

URL = "https://example.org/list/a.html"
PROSE = (
    "The harbour was built when the first ships came round the cape, and its walls are of the same grey stone. " * 20
)


def snapshot(html: str, status: int = 200, url: str = URL) -> Snapshot:
    return Snapshot(url=url, final_url=url, status=status, html=html)


def read(html: str, status: int = 200, **script: object) -> PageContent:
    spec = CrawlSpec.model_validate({"start": ["https://example.org/"], **script})
    return read_crawl_page(snapshot(html, status), spec, spec.pages)


def links(html: str) -> list[str]:
    return [link.url.removeprefix("https://example.org") for link in read(html).links]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<a href='b.html'>B</a><a href='/c'>C</a><a href='b.html#part'>again</a>", ["/list/b.html", "/c"]),
        ("<base href='/other/'><a href='b'>B</a>", ["/other/b"]),
        (
            "<a href='a.html#top'>here</a><a href='#x'>x</a><a href='mailto:x@y.z'>m</a><a href='javascript:void(0)'>j</a>",
            [],
        ),
        ("<a href='#/route/2'>app</a>", ["/list/a.html#/route/2"]),
        ("<map><area href='/place' alt='Place'></map>", ["/place"]),
        ("<head><link rel=next href='?page=2'><link rel=stylesheet href='x.css'></head>", ["/list/a.html?page=2"]),
        ("<head><link rel=canonical href='/a'></head>", ["/a"]),
        ("<meta http-equiv=refresh content='0; url=/on'>", ["/on"]),
        ("<meta http-equiv=refresh content='5'>", []),
        ("<div onclick=\"location.href='/pressed'\">go</div>", ["/pressed"]),
        ("<a href=\"javascript:window.open('/opened')\">go</a>", ["/opened"]),
        ("<button onclick=\"location.assign('/x?' + id)\">go</button>", []),
        ("<table><tr data-href='/row/4'><td>row</td></tr></table>", ["/row/4"]),
        ("<p data-url='just words'>x</p>", []),
        ("<iframe src='/inner'></iframe>", ["/inner"]),
        (
            "<div data-walker-frame='https://example.org/deep/in.html'><a href='near'>n</a></div><a href='far'>f</a>",
            ["/deep/in.html", "/deep/near", "/list/far"],
        ),
        ("<div data-walker-hidden=''><a href='/menu'>in a menu</a></div>", ["/menu"]),
        ("<a href='\\c\\d'>backslashes</a>", ["/c/d"]),
        ("<a href='/a?b=1&amp;c=2'>amp</a>", ["/a?b=1&c=2"]),
        ("<a href='http://[bad'>x</a><a href=' /ok\n'>ok</a>", ["/ok"]),
    ],
)
def test_links_are_found_where_a_page_writes_them(html: str, expected: list[str]) -> None:
    assert links(html) == expected


def test_a_form_that_asks_gives_each_of_its_choices() -> None:
    html = (
        "<form action='/find'><input type=hidden name=lang value=en><input name=q>"
        "<select name=kind><option value=a selected>A<option value=b>B</select></form>"
    )
    assert links(html) == ["/find?lang=en&q=&kind=a", "/find?lang=en&q=&kind=b"]


@pytest.mark.parametrize(
    "html",
    [
        "<form action='/find'><input name=q></form>",
        "<form action='/find' method=post><select name=a><option>1</select></form>",
        "<form action='/find'><input type=submit></form>",
    ],
)
def test_a_form_that_waits_for_words_or_changes_things_leads_nowhere(html: str) -> None:
    assert links(html) == []


def test_radios_and_hidden_fields_lead_on() -> None:
    assert links("<form action='/o'><input type=radio name=r value=1><input type=radio name=r value=2></form>") == [
        "/o?r=1",
        "/o?r=2",
    ]
    assert links("<form action='/next'><input type=hidden name=page value=2><button>Next</button></form>") == [
        "/next?page=2"
    ]


def test_labels_and_nofollow_are_kept() -> None:
    content = read(
        "<a href='/a' rel='nofollow noopener'> Some <b>words</b> </a><a href='/b'><img src=x alt='A picture'></a>"
    )
    assert [(link.label, link.nofollow) for link in content.links] == [("Some words", True), ("A picture", False)]
    assert read("<meta name=robots content='noindex, nofollow'>").nofollow
    assert not read("<meta name=robots content='noindex'>").nofollow


def test_text_is_what_is_shown_in_lines() -> None:
    html = (
        "<nav><a href='/x'>Home</a></nav><main><h1>Title</h1><p>One<b>two</b> three<br>four</p><ul><li>a</li><li>b</li></ul>"
        "<table><tr><td>1</td><td>2</td></tr></table><p hidden>no</p><p data-walker-hidden=''>no</p>"
        "<p style='display: none'>no</p>"
        "tail<script>no()</script> end</main><footer>Foot</footer>"
    )
    content = read(html, keep=["text"])
    assert content.kept["text"] == "Home\nTitle\nOnetwo three\nfour\na\nb\n1 2\ntail end\nFoot"
    assert content.words == 12


def test_what_surrounds_the_main_part_does_not_count_for_its_mark() -> None:
    first = read(f"<nav>One two three</nav><main><h1>T</h1><p>{PROSE}</p></main><footer>visits: many</footer>")
    second = read(f"<nav>Four five six</nav><main><h1>T</h1><p>{PROSE}</p></main><div class=footer>visits: more</div>")
    assert first.mark == second.mark
    assert first.mark.fingerprint
    assert read(f"<h1>T</h1><p>{PROSE} 17</p>").mark.details != read(f"<h1>T</h1><p>{PROSE} 18</p>").mark.details


def test_the_script_says_what_is_kept() -> None:
    html = "<title>T</title><main><h1>Head</h1><p>Some words of <a href='b'>b</a> and of ten things more or less.</p></main>"
    content = read(html, keep=["links", "text", "html", "markdown"])
    assert sorted(content.kept) == ["html", "links", "markdown", "text"]
    assert content.kept["links"] == ["https://example.org/list/b"]
    assert content.kept["html"] == html
    assert content.kept["markdown"].startswith("# Head\n\nSome words of [b](https://example.org/list/b)")
    assert read(html, keep=[]).kept == {}
    assert read(html, keep=[], pages=[{"match": "**", "keep": ["text"]}]).kept


@pytest.mark.parametrize(
    ("html", "status", "problem"),
    [
        ("<h1>Gone</h1><a href='/x'>x</a>", 404, "http error"),
        ("<h1>Broken</h1>", 500, "http error"),
        ("<h1>Who are you?</h1>", 401, "login wall"),
        ("<h1>Sign in</h1><form method=post><input name=u><input type=password name=p></form>", 200, "login wall"),
        (f"<h1>Please log in</h1><p>{PROSE[:400]}</p><form><input type=password></form>", 200, "login wall"),
        ("<h1>Page not found</h1><p>Sorry.</p><a href='/x'>x</a>", 200, "soft 404"),
        ("<title>404 - Nothing here</title><p>Sorry.</p>", 200, "soft 404"),
        ("<h1>页面不存在</h1>", 200, "soft 404"),
        ("<title>Just a moment...</title><p>Checking your browser</p>", 503, "challenge page"),
        ("<title>Shop</title><div class='g-recaptcha'></div><p>One more step</p>", 200, "challenge page"),
        ("<div id=root></div><script src=app.js></script>", 200, "empty shell"),
        ("<div></div><script>go()</script>", 200, "empty shell"),
        ("<p>" + "\ufffd" * 60 + "</p>", 200, "unreadable"),
    ],
)
def test_what_must_not_pass_for_a_success(html: str, status: int, problem: str) -> None:
    assert read(html, status).problem == problem


@pytest.mark.parametrize(
    "html",
    [
        "<h1>Item 17</h1><p>$3</p><script src=count.js></script>",
        "<div id=app><h1>Filled</h1></div><script src=app.js></script>",
        f"<h1>404 Not Found, explained</h1><p>{PROSE}</p>",
        f"<h1>An article</h1><p>{PROSE}</p><form><input type=password></form>",
        f"<h1>Ask us</h1><p>{PROSE}</p><div class='g-recaptcha'></div>",
        "<h1>Lost and found</h1><p>One umbrella.</p>",
        f"<form><input type=password></form><h1>Rooms</h1><p>{PROSE[:400]}</p>",
        "<form data-walker-hidden=''><input type=password></form><h1>A short page</h1>",
        "",
    ],
)
def test_what_is_fine(html: str) -> None:
    assert read(html).problem == ""


def test_links_of_an_error_page_are_not_the_sites() -> None:
    assert read("<h1>Page not found</h1><a href='/x'>x</a>").links == ()


def test_a_page_that_says_what_nonsense_gets_is_missing() -> None:
    nothing = snapshot("<h1>Hm.</h1><p>/no/such/page is nowhere to be had, but perhaps you like our front page.</p>")
    probe = main_text(nothing)
    spec = CrawlSpec.model_validate({"start": ["https://example.org/"]})
    other = snapshot("<h1>Hm.</h1><p>/quite/another is nowhere to be had, but perhaps you like our front page.</p>")
    assert read_crawl_page(other, spec, (), probe).problem == "soft 404"
    assert read_crawl_page(other, spec, ()).problem == ""
    assert main_text(snapshot("<h1>No</h1>", 404)) == ""


def test_items_come_from_rules_or_are_found() -> None:
    names = ("Lamp", "Chair", "Table", "Rug")
    cards = "".join(
        f"<div class=card><h2><a href='/i/{n}'>{name}</a></h2><p>Fine words on it, {n}.</p></div>"
        for n, name in enumerate(names)
    )
    html = f"<main><h1>Things</h1>{cards}</main>"
    rule = PageRule(items=(ItemRule.model_validate({"each": ".card", "fields": {"name": "h2"}}),))
    spec = CrawlSpec.model_validate({"start": ["https://example.org/"], "items": "auto"})
    assert [item.fields for item in read_crawl_page(snapshot(html), spec, (rule,)).items] == [
        {"name": name} for name in names
    ]
    found = read_crawl_page(snapshot(html), spec, ()).items
    assert [(item.fields["name"], item.identity) for item in found] == [
        (name, f"https://example.org/i/{n}") for n, name in enumerate(names)
    ]
    assert read(html).items == ()


@given(st.text())
def test_any_markup_is_read(html: str) -> None:
    content = read(html, keep=["text", "links"])
    assert content.url == URL
    assert content.words >= 0


def test_deep_nesting_is_no_trouble() -> None:
    html = "<div>" * 200 + "<p>deep words</p><a href='/deep'>d</a>" + "</div>" * 200
    content = read(html, keep=["text", "markdown"])
    assert "deep words" in content.kept["text"]
    assert "deep words" in content.kept["markdown"]
